//! What a proof is at, for whoever watches that it goes on.
//!
//! The limits of a question bind the solver as long as it looks at them, which it does not do everywhere. So a proof
//! says what each of its threads turns to, each time that it does; what then goes on for longer than its limits allow
//! can be stopped from outside, and is left alone when the proof is begun again.

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
