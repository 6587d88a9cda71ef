//! Invariants.

use super::automaton::state_scope;
use super::checker::Checker;
use super::report::Report;
use super::world::World;
use crate::core::{AutomatonId, Invariant};
use crate::syntax::ast::InvariantItem;

pub(super) fn invariant(
    item: &InvariantItem,
    automaton: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Option<Invariant> {
    let mut checker = Checker::new(world, report, state_scope(world.header(automaton)));
    checker.scope.enabled = Ok(automaton);
    let formula = checker.formula(&item.formula)?;
    Some(Invariant {
        name: item.name.name.clone(),
        automaton,
        locals: checker.scope.locals,
        formula,
        span: item.span,
    })
}
