//! Runs that failed.

use interpreter::run::Ending;
use interpreter::trace::Trace;

use crate::numbers::{count, counted};
use crate::pipeline::plan::{Plan, Turn};
use crate::study::Study;

/// A run that failed.
#[derive(Debug)]
pub struct Failure {
    /// Which run of its plan it is.
    pub turn: Turn,
    /// The number of the interpretation in which it was made, where others were tried as well.
    pub interpretation: Option<u64>,
    /// Why it ended.
    pub ending: Ending,
    /// What it did; absent if there was no start state.
    pub trace: Option<Trace>,
    /// That the trace is not what the run did, but a part of it that fails in the same way.
    pub shortened: Option<Shortening>,
}

impl Failure {
    /// Which run it is, of those of a plan.
    pub(super) fn named(&self, study: &Study, plan: &Plan) -> String {
        let name = plan.turn(&self.turn).name(study);
        match self.turn.number {
            Some(number) => format!("run {number} of {name}"),
            None => format!("a run of {name} with seed {}", self.turn.options.seed),
        }
    }
}

/// At most so many steps are taken to shorten a run that failed.
pub(crate) const STEPS_OF_SHORTENING: u64 = 500_000;

/// How a run was shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortening {
    /// The number of its steps before.
    pub from: u64,
    /// Whether it is known that no single step of what is left can be left out.
    pub is_minimal: bool,
}

impl Shortening {
    /// What is said about a run that has so many steps now.
    #[must_use]
    pub fn told(self, steps: usize) -> String {
        let rest = match self.is_minimal {
            true => ", of which none can be left out",
            false => "",
        };
        format!(
            "shortened from {} to {}{rest}; --whole shows all of them",
            counted(self.from, "step"),
            count(steps as u64)
        )
    }
}
