//! Runs that failed.

use interpreter::run::{Ending, Strategy};
use interpreter::trace::Trace;

/// A run that failed.
#[derive(Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// The number of the interpretation in which it was made, where others were tried as well.
    pub interpretation: Option<u64>,
    /// What chose among its enabled steps, if it was random.
    pub strategy: Strategy,
    /// Why it ended.
    pub ending: Ending,
    /// What it did; absent if there was no start state.
    pub trace: Option<Trace>,
    /// That the trace is not what the run did, but a part of it that fails in the same way.
    pub shortened: Option<Shortening>,
}

/// How a run was shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortening {
    /// The number of its steps before.
    pub from: u64,
    /// Whether it is known that no single step of what is left can be left out.
    pub is_minimal: bool,
}
