//! The result of a paired run.

use interpreter::run::{self, ReplayError};
use interpreter::{Branches, State};

use ioa_lang::Diagnostic;

use crate::failure::Failure;

/// The result of a paired run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The result of the low run. If there is a failure, the low run ended there: with [`run::Ending::Stopped`], or with an
    /// ending of its own in the same state.
    pub low: run::Report,
    /// How many steps the high automaton took.
    pub high_steps: u64,
    /// The last high state; none if there was no high start state.
    pub high: Option<State>,
    /// The branches of the proof block that were taken.
    pub branches: Branches,
    /// The first claim of the simulation that failed.
    pub failure: Option<Failure>,
}

/// Why two automata cannot be run as a pair.
#[derive(Clone, Debug, PartialEq)]
pub enum PairError {
    /// One of the automata, the schedule or the proof block cannot be run at these sizes, or does not belong to the pair.
    CannotRun(Vec<Diagnostic>),
    /// The trace is not an execution of the low automaton.
    Replay(ReplayError),
}

impl From<Vec<Diagnostic>> for PairError {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::CannotRun(diagnostics)
    }
}
