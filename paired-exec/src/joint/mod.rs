//! The pairs of states that a forward simulation may relate: those that two automata are in after executions with the same
//! trace, without those from which some low step cannot be answered.
//!
//! What is left is the greatest forward simulation among the pairs that were visited. Every forward simulation whose high
//! fragments are not too long relates only such pairs, as far as reachable states go. So a relation is to be looked for
//! among them, and where nothing is left, there is none.

mod answers;
mod fixpoint;
mod pairs;

pub use answers::{Answer, HighStepTaken};
pub use pairs::{Admits, Joint, JointError, LowMove, Reach, Unanswered};
