//! How a run is made once more: by what command, and in what interpretation of the theories.

use super::failure::Failure;
use super::tally::Tally;
use crate::interpretation;
use crate::pipeline::plan::command;
use crate::setup::Setup;
use crate::study::Study;

/// The command that repeats a failed run.
pub(super) fn replay(study: &Study, setup: &Setup, tally: &Tally, failure: &Failure) -> String {
    let setup = setup.in_interpretation(failure.interpretation);
    let command = command(study, &setup, "run");
    if let Some(file) = &tally.source {
        return format!("{command} --replay {file}");
    }
    let flags = tally.plan.only(failure.strategy).flags(study);
    let (seed, steps) = (failure.seed, tally.plan.steps);
    format!("{command} {flags} --seed {seed} --runs 1 --steps {steps}")
}

/// What the theories mean in a run that failed, where they meant something else in others.
pub(super) fn told_in(study: &Study, tally: &Tally, failure: &Failure) -> Option<String> {
    let automaton = tally.plan.drive.automaton(study);
    let universe = tally.instance.universe();
    let number = failure.interpretation?;
    Some(interpretation::note(study, universe, automaton, number))
}
