//! The steps by one clause from one packed state: what makes random runs fast.

use ioa_lang::core::TransitionId;

/// Computes steps and invariants of packed states without evaluating terms, as machine code does.
///
/// It is the same relation in the same order as that of [`TransitionSystem`](super::TransitionSystem), one clause at a time.
/// An implementation may leave any question unanswered; then the interpreter is asked.
pub trait ClauseSteps {
    /// Appends the steps by a clause from a state: each as the codes of its parameters, the action's first. If the steps are
    /// [known as a whole](StepDetail::Steps), the words of the successor follow each time. None if it cannot tell, for
    /// example because a term has no value.
    fn steps_by(
        &mut self,
        state: &[u64],
        transition: TransitionId,
        found: &mut Vec<u64>,
    ) -> Option<StepDetail>;

    /// Whether all invariants are known to hold in a state.
    fn all_hold(&mut self, state: &[u64]) -> bool;
}

/// How much of the steps by a clause an implementation computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepDetail {
    /// The parameters that enable the clause, of which there is at least one; the effect has choices.
    Parameters,
    /// The parameters and the successor, for the effect has no choices.
    Steps,
}
