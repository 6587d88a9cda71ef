//! How a run is made once more: by what command, and in what interpretation of the theories.

use super::failure::Failure;
use super::tally::Tally;
use crate::interpretation;
use crate::pipeline::plan::command::{command, word};
use crate::pipeline::plan::{Plan, Turn};
use crate::setup::Setup;
use crate::study::Study;

/// The command that repeats a failed run.
pub(super) fn replay(study: &Study, setup: &Setup, tally: &Tally, failure: &Failure) -> String {
    let setup = setup.in_interpretation(failure.interpretation);
    let command = command(study, &setup, "run");
    if let Some(file) = &tally.source {
        return format!("{command} --replay {}", word(file));
    }
    let flags = flags(study, &tally.plan, &failure.turn, setup.seed);
    format!("{command} {flags}")
}

/// The flags that ask for one run of a plan whose runs have this seed and the following ones. A run of a systematic strategy
/// comes after all runs before it.
pub(in crate::pipeline) fn flags(study: &Study, plan: &Plan, turn: &Turn, seed: u64) -> String {
    let (seed, runs) = match turn.number {
        Some(number) => (seed, number),
        None => (turn.options.seed, 1),
    };
    let flags = plan.turn(turn).flags(study);
    format!("{flags} --seed {seed} --runs {runs} --steps {}", plan.steps)
}

/// What the theories mean in a run that failed, where they meant something else in others.
pub(super) fn told_in(study: &Study, tally: &Tally, failure: &Failure) -> Option<String> {
    let automaton = tally.plan.drive.automaton(study);
    let universe = tally.instance.universe();
    let number = failure.interpretation?;
    Some(interpretation::note(study, universe, automaton, number))
}
