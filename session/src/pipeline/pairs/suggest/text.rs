//! A proposal as IOA text.

use ioa_lang::core::{Action, Expr, Local, Type, VarId};
use ioa_lang::source::{FileId, SourceFile};
use ioa_lang::syntax::tree::Kind;
use ioa_lang::{Sources, Value, format, print, syntax};

use super::basis::Suggesting;
use super::block::{Case, Entry, Fired};
use super::language::formulas::Formula;
use super::language::points::{Leaf, Points};
use super::relation::Relation;
use crate::pipeline::pairs::skeleton;
use crate::study::{BadInput, Study};

/// What messages call the text that is proposed.
const PLACE: &str = "the suggestion";

impl Suggesting<'_> {
    /// The simulation as text, in the usual layout.
    pub(super) fn text(&self, relation: &Relation, entries: &[Entry]) -> String {
        let (low, high) = (&self.low().name, &self.high().name);
        let conjuncts: Vec<String> = relation
            .conjuncts()
            .map(|definition| self.conjunct(&definition.conjunct))
            .collect();
        let stated = match conjuncts.is_empty() {
            true => "true".to_owned(),
            false => conjuncts.join("\n /\\ "),
        };
        let blocks: String = entries.iter().map(|entry| self.entry_text(entry)).collect();
        let text = format!(
            "forward simulation from {low} to {high}:\n{stated}\nproof\n{}{blocks}",
            self.initially(relation)
        );
        format::format(FileId(0), &text).unwrap_or(text)
    }

    fn print(&self, expr: &Expr, locals: &[Local]) -> String {
        let context = print::Context::simulation(&self.study.model, &self.simulation, locals);
        print::expr(&self.study.model, &context, expr)
    }

    /// A formula as it is shown by itself.
    pub(super) fn shown(&self, formula: &Formula) -> String {
        self.print(&formula.expr, &formula.locals)
    }

    /// A formula as one of several conjuncts.
    fn conjunct(&self, formula: &Formula) -> String {
        let text = self.print(&formula.expr, &formula.locals);
        match is_loose(&formula.expr) {
            true => format!("({text})"),
            false => text,
        }
    }

    /// The start of the high automaton, where it has several.
    fn initially(&self, relation: &Relation) -> String {
        let has_one = |joint: &paired_exec::Joint| joint.high_starts().len() == 1;
        if self.samples.iter().all(|sample| has_one(&sample.joint)) {
            return String::new();
        }
        let variables = self.high().variables.iter().enumerate();
        let assigned = variables.filter_map(|(at, variable)| {
            let var = VarId::at(at);
            let value = relation.value(var);
            let value = value.or_else(|| self.at_the_start(var, relation))?;
            let value = self.print(&value.expr, &value.locals);
            Some(format!("{}.{} := {value}", self.high().name, variable.name))
        });
        let assigned: Vec<String> = assigned.collect();
        match assigned.is_empty() {
            true => String::new(),
            false => format!("initially {}\n", assigned.join("; ")),
        }
    }

    /// A term for the value of a high variable at the start.
    fn at_the_start(&self, var: VarId, relation: &Relation) -> Option<Formula> {
        let ty = self.high().variables[var.index()].ty.clone();
        let leaves = Leaf::variables(self.low(), ioa_lang::core::Store::Low);
        let mut points = Points::new(&self.study.model, &leaves, self.universes.iter());
        let mut allowed: Vec<Vec<Value>> = Vec::new();
        for (at, sample) in self.samples.iter().enumerate() {
            let layout = sample.instance.layout(self.simulation.high);
            for low in sample.joint.starts() {
                let starts = sample.joint.high_starts().iter();
                let kept = |high: &&usize| {
                    let pair = sample.joint.pair_at(*low, **high);
                    pair.is_some_and(|pair| relation.kept[at][pair])
                };
                let states = sample.joint.high_states();
                let values = starts
                    .filter(kept)
                    .map(|high| layout.value(&states[*high], var));
                if points.add(at, &self.low_values((at, *low))) {
                    allowed.push(values.collect());
                }
            }
        }
        let found = self.fitting(&leaves, &points, &ty, &allowed);
        let whole = found.into_iter().next().map(|(_, expr)| expr);
        let expr = whole.or_else(|| {
            let Type::Array(_, entry) = &ty else {
                return None;
            };
            let inside = |value: &Value| match value {
                Value::Array { entries, default } => {
                    let mut all = entries.values().chain(default.as_deref());
                    let first = all.next()?.clone();
                    all.all(|entry| *entry == first).then_some(first)
                }
                _ => None,
            };
            let allowed: Vec<Vec<Value>> = allowed
                .iter()
                .map(|values| values.iter().filter_map(inside).collect())
                .collect();
            let found = self.fitting(&leaves, &points, entry, &allowed);
            let entry = found.into_iter().next()?.1;
            let op = ioa_lang::core::Op::Constant;
            Some(super::language::terms::apply(op, vec![entry], ty.clone()))
        })?;
        Some(Formula {
            expr,
            locals: Vec::new(),
        })
    }

    fn entry_text(&self, entry: &Entry) -> String {
        let action = &self.low().actions[entry.action.index()];
        let heading = self.heading(action);
        let steps = |case: &Case| self.steps(&case.steps, &entry.locals);
        match &entry.cases[..] {
            [only] if only.steps.is_empty() => format!("for {heading} ignore\n"),
            [only] => format!("for {heading} do {} od\n", steps(only)),
            cases => {
                let mut text = String::new();
                for (at, case) in cases.iter().enumerate() {
                    let last = at + 1 == cases.len();
                    match &case.condition {
                        Some(condition) => {
                            let word = if at == 0 { "if" } else { "elseif" };
                            let condition = self.print(&condition.expr, &condition.locals);
                            text.push_str(&format!("{word} {condition} then {} ", steps(case)));
                        }
                        None if last && case.steps.is_empty() => {}
                        None => text.push_str(&format!("else {} ", steps(case))),
                    }
                }
                format!("for {heading} do {text} fi od\n")
            }
        }
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

    fn steps(&self, steps: &[Fired], locals: &[Local]) -> String {
        if steps.is_empty() {
            return "ignore".to_owned();
        }
        let each = steps.iter().map(|step| self.fire(step, locals));
        each.collect::<Vec<_>>().join("; ")
    }

    fn fire(&self, step: &Fired, locals: &[Local]) -> String {
        let action = &self.high().actions[step.action.index()];
        let args: Vec<String> = step
            .args
            .iter()
            .map(|arg| self.print(arg, locals))
            .collect();
        let (kind, call) = (
            action.kind.keyword(),
            print::action(self.high(), action, &args),
        );
        let using = step.using.iter();
        let using: Vec<String> = using
            .map(|(name, term)| format!("{} for {name}", self.print(term, locals)))
            .collect();
        match using.is_empty() {
            true => format!("fire {kind} {call}"),
            false => format!("fire {kind} {call} using {}", using.join(", ")),
        }
    }

    /// The study with a proposal in it, in place of any other simulation of these automata.
    pub(super) fn with(&self, text: &str) -> Result<Study, BadInput> {
        let mut sources = self.without_stated();
        sources.add(PLACE, text);
        let (manifest, inputs) = (self.study.manifest.clone(), self.study.inputs.clone());
        Study::from_sources(manifest, inputs, sources)
    }

    /// The sources without the simulations of these automata: blanks stand in their places.
    fn without_stated(&self) -> Sources {
        let mut sources = Sources::new();
        let ours = |s: &&ioa_lang::core::Simulation| {
            (s.low, s.high) == (self.simulation.low, self.simulation.high)
        };
        for (id, file) in self.study.sources.iter() {
            let mut text = file.text.clone();
            let stated = self.study.model.simulations.iter().filter(ours);
            for simulation in stated.filter(|s| s.span.file == id) {
                let tree = syntax::parse(id, &file.text).tree;
                let node = tree.covering(simulation.span);
                let mut around = node.ancestors();
                if let Some(item) = around.find(|node| node.kind() == Kind::item) {
                    let range = item.text_range();
                    let (start, end) = (range.start().into(), range.end().into());
                    text = blanked(&text, start, end);
                }
            }
            sources.add_file(SourceFile {
                text,
                ..file.clone()
            });
        }
        sources
    }
}

/// The text with blanks between two places; lines stay where they are.
fn blanked(text: &str, start: usize, end: usize) -> String {
    let inside = text[start..end].bytes();
    let blanks: String = inside
        .map(|b| if b == b'\n' { '\n' } else { ' ' })
        .collect();
    format!("{}{blanks}{}", &text[..start], &text[end..])
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
