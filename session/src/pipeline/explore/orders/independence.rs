//! What is known of which steps are independent.

use explorer::Independence;
use interpreter::{Instance, Watch};
use ioa_lang::core::AutomatonId;

/// What the steps of an automaton decide about: whether each of its clauses is enabled, then whether each conjunct of some
/// invariants holds, which are given by position.
#[must_use]
pub fn watches(instance: &Instance, automaton: AutomatonId, invariants: &[usize]) -> Vec<Watch> {
    let model = instance.model();
    let of_clauses = Watch::of_clauses(model.automaton(automaton));
    let stated = invariants.iter().map(|at| &model.invariants[*at].formula);
    of_clauses
        .into_iter()
        .chain(stated.flat_map(Watch::of_formula))
        .collect()
}

/// What the solver says about the steps of an automaton and the [watches] of some invariants, until `stop` says that
/// nothing need be known any more. None where the automaton cannot be run, or there is no solver.
#[cfg(feature = "smt")]
#[must_use]
pub fn by_solver<'s>(
    instance: &'s Instance,
    automaton: AutomatonId,
    invariants: &[usize],
    stop: &'s (dyn Fn() -> bool + Sync),
) -> Option<Box<dyn Independence + 's>> {
    let solver = super::solver::BySolver::new(instance, automaton, invariants, stop)?;
    Some(Box::new(solver))
}

/// Nothing, for there is no solver.
#[cfg(not(feature = "smt"))]
#[must_use]
pub fn by_solver<'s>(
    _: &'s Instance,
    _: AutomatonId,
    _: &[usize],
    _: &'s (dyn Fn() -> bool + Sync),
) -> Option<Box<dyn Independence + 's>> {
    None
}
