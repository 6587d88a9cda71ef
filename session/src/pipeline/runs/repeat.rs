//! How a run is made once more: by what command, and in what interpretation of the theories.

use super::failure::Failure;
use super::tally::Tally;
use crate::interpretation;
use crate::pipeline::plan::command::command;
use crate::setup::Setup;
use crate::study::Study;

/// The command that repeats a failed run. One of a systematic strategy comes after all runs before it.
pub(super) fn replay(study: &Study, setup: &Setup, tally: &Tally, failure: &Failure) -> String {
    let setup = setup.in_interpretation(failure.interpretation);
    let command = command(study, &setup, "run");
    if let Some(file) = &tally.source {
        return format!("{command} --replay {file}");
    }
    let flags = tally.plan.turn(&failure.turn).flags(study);
    let steps = tally.plan.steps;
    let (seed, runs) = match failure.turn.number {
        Some(number) => (setup.seed, number),
        None => (failure.turn.options.seed, 1),
    };
    format!("{command} {flags} --seed {seed} --runs {runs} --steps {steps}")
}

/// What the theories mean in a run that failed, where they meant something else in others.
pub(super) fn told_in(study: &Study, tally: &Tally, failure: &Failure) -> Option<String> {
    let automaton = tally.plan.drive.automaton(study);
    let universe = tally.instance.universe();
    let number = failure.interpretation?;
    Some(interpretation::note(study, universe, automaton, number))
}
