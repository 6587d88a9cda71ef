//! What a search through executions has come to.

use interpreter::Label;
use interpreter::trace::Trace;

use crate::search::Question;

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Executions that have ended, one for each order.
    pub orders: u64,
    /// Executions that reached the bound on their length.
    pub cut: u64,
    /// Executions that could only be continued by labels that sleep: work that was done in vain. Optimal reduction has none.
    pub redundant: u64,
    /// Steps that were taken, those of common prefixes once.
    pub steps: u64,
    /// Of the executions, the greatest number of steps.
    pub longest: usize,
    /// Pairs of labels that are independent though their footprints do not show it.
    pub refined: u64,
}

/// Something that was looked for, and an execution that ends with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What was asked.
    pub question: Question,
    /// The execution. If a formula is false at its end, it has no steps but those that must happen before that.
    pub trace: Trace,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There are executions to take.
    Going,
    /// An execution of each order was taken.
    Complete,
    /// The last execution has come back to a state that it had passed: it need not end.
    Cycle(Trace),
    /// The last execution has more steps than any that is expected to end.
    Endless(Trace),
    /// A step of the last execution has no result. It is among what was [found](super::Dpor::found).
    Fault,
    /// The steps are no longer wanted.
    Cancelled,
    /// A label that should be enabled is not: the footprints of the model are wrong, which is a mistake of ours.
    Dependent(Box<Label>),
}
