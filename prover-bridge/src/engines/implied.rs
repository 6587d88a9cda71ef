//! Whether formulas about a state follow from others, at every size.

use ioa_lang::core::{AutomatonId, Invariant, Model};

use crate::logic::{Encoded, Logic, Size};
use crate::obligations::{Target, TransitionSystem};
use crate::options::Options;
use crate::solver::{Answer, Solver, in_context_of};

/// Whether some invariants of an automaton imply another one, in whatever state. That it is not shown within the limits, or has no
/// reading in logic, is no implication.
#[must_use]
pub fn implied(
    model: &Model,
    automaton: AutomatonId,
    facts: &[&Invariant],
    goal: &Invariant,
    options: &Options<'_>,
) -> bool {
    let target = Target {
        model,
        invariants: facts.iter().copied().chain([goal]).collect(),
        simulations: Vec::new(),
        automata: Vec::new(),
    };
    in_context_of(options, || denied(&target, automaton, options))
        .is_ok_and(|answer| answer == Answer::Unsat)
}

/// Asks for a state in which all invariants of a target hold but the last one.
fn denied(target: &Target<'_>, automaton: AutomatonId, options: &Options<'_>) -> Encoded<Answer> {
    let mut logic = Logic::new(target.model, Size::Any);
    logic.declare_theories()?;
    let system = TransitionSystem {
        target,
        logic: &logic,
        automaton,
    };
    let (anywhere, assume) = system.anywhere()?;
    let goal = target.invariants.len() - 1;
    // To make a model in which many facts about functions hold, Z3 goes through the ways in which each may define one of them, and none of
    // its limits ends that: with two dozen it takes minutes and gigabytes. No model is asked for here.
    let mut solver = Solver::new(options).without_models();
    solver.assert_all(&assume);
    for fact in 0..goal {
        solver.assert_all(&anywhere.assumption(fact, 0)?);
    }
    let (goals, facts) = anywhere.goals(goal, 0)?;
    solver.assert_all(&facts);
    solver.deny(&goals);
    Ok(solver.check())
}
