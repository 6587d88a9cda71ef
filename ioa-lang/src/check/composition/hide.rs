//! What a composition hides: outputs become internal, for all their parameters or for some.
//!
//! The core knows one kind for an action. So an output that is hidden for some parameters becomes two: `send` for the
//! others, and the internal `Sys.send`, named after the composition, for these. Both have the clauses that there were.

use std::collections::BTreeMap;

use super::actions::Joined;
use super::header::declared;
use super::shared::simplified;
use crate::check::checker::Checker;
use crate::check::instance::term_of;
use crate::check::report::Report;
use crate::check::scope::Scope;
use crate::check::world::World;
use crate::core::{
    Action, ActionId, ActionKind, Expr, Local, LocalId, Op, Substitution, Task, Type,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;
use crate::syntax::ast::{AutomatonItem, HiddenAction};

/// For each action that is hidden for some parameters, the internal one.
pub(super) type Twins = BTreeMap<ActionId, ActionId>;

/// For which parameters an action is hidden: a formula whose first locals are the parameters.
struct Hidden {
    params: Vec<LocalId>,
    locals: Vec<Local>,
    formula: Expr,
}

/// Makes internal what a composition hides.
pub(super) fn hide(
    item: &AutomatonItem,
    joined: &mut Joined,
    world: &World,
    report: &mut Report,
) -> Option<Twins> {
    let mut hidden: BTreeMap<ActionId, Vec<Hidden>> = BTreeMap::new();
    let mut fine = Some(());
    for entry in &item.hidden {
        match understood(entry, &joined.actions, world, report) {
            Some((id, condition)) => hidden.entry(id).or_default().push(condition),
            None => fine = None,
        }
    }
    fine?;
    let mut twins = Twins::new();
    for (id, conditions) in hidden {
        if conditions.iter().any(|hidden| hidden.formula.is_true()) {
            joined.actions[id.index()].kind = ActionKind::Internal;
        } else {
            let twin = joined.split(id, &conditions, &item.name.name);
            twins.insert(id, twin);
        }
    }
    Some(twins)
}

/// Gives a class of fairness the hidden part of its actions, too.
pub(super) fn extend(task: &mut Task, twins: &Twins) {
    let added: Vec<(ActionId, Vec<Expr>)> = task
        .actions
        .iter()
        .filter_map(|(id, args)| Some((*twins.get(id)?, args.clone())))
        .collect();
    task.actions.extend(added);
}

/// The action that an entry hides, and for which parameters.
fn understood(
    entry: &HiddenAction,
    actions: &[Action],
    world: &World,
    report: &mut Report,
) -> Option<(ActionId, Hidden)> {
    let name = &entry.name.name;
    let Some(position) = actions.iter().position(|action| action.name == *name) else {
        let known = actions.iter().map(|action| &*action.name);
        let diagnostic = report.unknown("action", &entry.name, known);
        report.add_absence(name, diagnostic);
        return None;
    };
    let action = &actions[position];
    if action.kind == ActionKind::Input {
        report.add(
            Diagnostic::error(
                Code::InputHidden,
                entry.name.span,
                format!("`{name}` is an input, and only outputs are hidden"),
            )
            .related(action.span, "its signature"),
        );
        return None;
    }
    let mut checker = Checker::new(world, report, Scope::empty());
    let formals = checker.formals(&entry.name, &entry.formals, Some(&declared(action)));
    let predicate = checker.optional_formula(entry.predicate.as_ref(), entry.span);
    let (formals, predicate) = (formals?, predicate?);
    let parts = formals.matches.into_iter().chain([predicate]);
    let hidden = Hidden {
        params: formals.params,
        formula: simplified(Expr::conjunction(parts, entry.span)),
        locals: checker.scope.locals,
    };
    Some((ActionId::at(position), hidden))
}

impl Hidden {
    /// The formula among other locals, the first of which are the parameters.
    fn holds(&self, target: &mut Vec<Local>) -> Expr {
        let values: Vec<(LocalId, Expr)> = (0..)
            .map(LocalId)
            .zip(&*target)
            .zip(&self.params)
            .map(|((id, local), param)| (*param, term_of(id, local)))
            .collect();
        Substitution::new(&self.locals, target, values).copy(&self.formula)
    }
}

/// The condition that one of the conditions holds for the parameters.
fn any(conditions: &[Hidden], target: &mut Vec<Local>) -> Expr {
    let mut cases: Vec<Expr> = conditions.iter().map(|c| c.holds(target)).collect();
    match cases.len() {
        1 => cases.remove(0),
        _ => {
            let span = cases[0].span;
            Expr::apply(Op::Or, cases, Type::Bool, span)
        }
    }
}

fn negated(formula: Expr) -> Expr {
    let span = formula.span;
    Expr::apply(Op::Not, vec![formula], Type::Bool, span)
}

impl Joined {
    /// Splits off what is hidden of an action: an internal action of its own.
    fn split(&mut self, id: ActionId, conditions: &[Hidden], composition: &Name) -> ActionId {
        let twin = ActionId::at(self.actions.len());
        let mut internal = self.actions[id.index()].clone();
        internal.kind = ActionKind::Internal;
        internal.name = Name::from(format!("{composition}.{}", internal.name));
        narrow(
            &mut internal.predicate,
            any(conditions, &mut internal.locals),
        );
        self.actions.push(internal);
        let rest = &mut self.actions[id.index()];
        narrow(
            &mut rest.predicate,
            negated(any(conditions, &mut rest.locals)),
        );
        let mut split = Vec::new();
        for mut clause in self.transitions.drain(..) {
            if clause.action != id {
                split.push(clause);
                continue;
            }
            let mut inner = clause.clone();
            inner.action = twin;
            narrow(&mut inner.applies, any(conditions, &mut inner.locals));
            narrow(
                &mut clause.applies,
                negated(any(conditions, &mut clause.locals)),
            );
            split.extend([clause, inner]);
        }
        self.transitions = split;
        twin
    }
}

/// Adds a condition.
fn narrow(condition: &mut Expr, further: Expr) {
    let span = condition.span;
    let before = std::mem::replace(condition, Expr::truth(span));
    *condition = Expr::conjunction([before, further], span);
}
