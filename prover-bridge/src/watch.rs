//! The current activity of a proof, for a watchdog that makes sure that the proof makes progress.
//!
//! The solver keeps the limits of a question only where it looks at them, which it does not do everywhere. So each thread
//! of a proof reports every activity that it begins. An activity that takes longer than its limits allow can be stopped
//! from outside, and is skipped when the proof is started again.

use std::time::Duration;

use ioa_lang::core::AutomatonId;

use crate::obligations::Kind;

/// A source of time. The crate has no clock of its own.
pub type Clock<'c> = &'c (dyn Fn() -> Duration + Sync);

/// Something that may take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// To state an obligation, to answer it, or to look for a counterexample to it.
    Obligation(Kind),
    /// To look for what is odd about an automaton.
    Warnings(AutomatonId),
}

/// Who watches a proof.
pub trait Watch: Sync {
    /// The calling thread turns to something that these tasks need; to nothing, where there are none of them.
    fn turns_to(&self, tasks: &[Task]);

    /// The calling thread goes on with what it turned to: one question to the solver is put, or was answered.
    fn goes_on(&self);

    /// Whether a task took too long before and is not to be tried.
    fn is_given_up(&self, task: Task) -> bool;
}
