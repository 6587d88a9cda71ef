//! A proposal as IOA text.

use ioa_lang::core::{Action, Expr, Local};
use ioa_lang::print::{self, Context, Places};

use super::Parts;
use super::draft::Draft;
use crate::pipeline::pairs::skeleton;
use crate::pipeline::pairs::suggest::basis::Suggesting;
use crate::pipeline::pairs::suggest::block::{Entry, Fired};
use crate::pipeline::pairs::suggest::language::formulas::Formula;

impl Suggesting<'_> {
    /// The simulation as text, in the usual layout.
    pub(super) fn draft(&self, parts: &Parts<'_>) -> Draft {
        let (low, high) = (self.low(), self.high());
        let mut draft = Draft::default();
        draft.heading(&format!(
            "forward simulation from {} to {}",
            low.name, high.name
        ));
        draft.say(":\n");
        for (at, definition) in parts.relation.conjuncts().enumerate() {
            draft.say(if at == 0 { "" } else { "\n /\\ " });
            self.conjunct(&definition.conjunct, &mut draft);
        }
        if parts.relation.conjuncts().next().is_none() {
            draft.say("true");
        }
        draft.say("\nproof\n");
        for (at, (var, value)) in parts.initially.iter().enumerate() {
            let name = &high.variables[var.index()].name;
            let before = if at == 0 { "initially" } else { ";" };
            draft.say(&format!("{before} {}.{name} := ", high.name));
            draft.term(self.print(&value.expr, &value.locals));
        }
        if !parts.initially.is_empty() {
            draft.say("\n");
        }
        for entry in parts.entries {
            self.entry_text(entry, &mut draft);
        }
        draft.laid_out()
    }

    fn print(&self, expr: &Expr, locals: &[Local]) -> (String, Places) {
        let context = Context::simulation(&self.study.model, &self.simulation, locals);
        print::placed(&self.study.model, &context, expr)
    }

    /// A formula as it is shown by itself.
    pub(in crate::pipeline::pairs::suggest) fn shown(&self, formula: &Formula) -> String {
        self.print(&formula.expr, &formula.locals).0
    }

    /// A formula as one of several conjuncts.
    fn conjunct(&self, formula: &Formula, draft: &mut Draft) {
        let start = draft.text.len();
        let is_loose = is_loose(&formula.expr);
        draft.say(if is_loose { "(" } else { "" });
        draft.term(self.print(&formula.expr, &formula.locals));
        draft.say(if is_loose { ")" } else { "" });
        draft.terms.add(&formula.expr, start..draft.text.len());
    }

    fn entry_text(&self, entry: &Entry, draft: &mut Draft) {
        let action = &self.low().actions[entry.action.index()];
        draft.heading(&format!("for {}", self.heading(action)));
        if let [only] = &entry.cases[..] {
            if only.steps.is_empty() {
                return draft.say(" ignore\n");
            }
            draft.say(" do ");
            self.steps(&only.steps, &entry.locals, draft);
            return draft.say(" od\n");
        }
        for (at, case) in entry.cases.iter().enumerate() {
            match &case.condition {
                Some(condition) => {
                    draft.say(if at == 0 { " do if " } else { " elseif " });
                    draft.term(self.print(&condition.expr, &condition.locals));
                    draft.say(" then ");
                }
                None if case.steps.is_empty() => continue,
                None => draft.say(" else "),
            }
            self.steps(&case.steps, &entry.locals, draft);
        }
        draft.say(" fi od\n");
    }

    /// An action with its parameters and their types.
    fn heading(&self, action: &Action) -> String {
        let params = action.params.iter();
        let formals: Vec<String> = params
            .map(|(name, ty)| format!("{name}: {}", self.study.model.type_name(ty)))
            .collect();
        let names: Vec<String> = action.params.iter().map(|(n, _)| n.to_string()).collect();
        // The index of a component has its type from the component.
        let indices = skeleton::indices(self.low(), action);
        let formals = [&names[..indices], &formals[indices..]].concat();
        let kind = action.kind.keyword();
        format!("{kind} {}", print::action(self.low(), action, &formals))
    }

    fn steps(&self, steps: &[Fired], locals: &[Local], draft: &mut Draft) {
        if steps.is_empty() {
            draft.say("ignore");
        }
        for (at, step) in steps.iter().enumerate() {
            draft.say(if at == 0 { "" } else { "; " });
            let start = draft.text.len();
            self.fire(step, locals, draft);
            draft.fires.push(start..draft.text.len());
        }
    }

    fn fire(&self, step: &Fired, locals: &[Local], draft: &mut Draft) {
        let action = &self.high().actions[step.action.index()];
        draft.say(&format!("fire {} ", action.kind.keyword()));
        let args = step.args.iter();
        let args: Vec<(String, Places)> = args.map(|arg| self.print(arg, locals)).collect();
        draft.term(print::placed_action(self.high(), action, args));
        for (at, (name, term)) in step.using.iter().enumerate() {
            draft.say(if at == 0 { " using " } else { ", " });
            draft.term(self.print(term, locals));
            draft.say(&format!(" for {name}"));
        }
    }
}

/// Whether a formula needs parentheses as one of several conjuncts.
fn is_loose(expr: &Expr) -> bool {
    use ioa_lang::core::{ExprKind, Op};
    match &expr.kind {
        ExprKind::If(..) => true,
        ExprKind::Apply(op, _) => matches!(op, Op::Or | Op::Implies | Op::Iff),
        _ => false,
    }
}
