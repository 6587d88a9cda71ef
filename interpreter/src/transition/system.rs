//! The labelled transition relation: the single interface for everything that looks at single steps.

use std::ops::ControlFlow;

use ioa_lang::core::AutomatonId;

use super::footprint::{Footprint, Known};
use super::label::{Choice, Firing, Label, Step};
use crate::interrupt::fault::Interrupt;
use crate::state::layout::State;

/// Called with each start state, or each result of one clause: the choices that lead to it, and the state. `Break` ends the
/// enumeration.
pub type Found<'f> = dyn FnMut(&[Choice], &State) -> ControlFlow<()> + 'f;

/// Called with each step from a state: the two halves of its label, and the successor. `Break` ends the enumeration.
pub type FoundStep<'f> = dyn FnMut(&Firing, &[Choice], &State) -> ControlFlow<()> + 'f;

/// An automaton at finite sizes as a labelled transition system.
///
/// Steps come in one order: by transition clause, then by the values of the parameters, then by the results of the choices.
/// [`Successors`](super::Successors) is the same relation in the same order, many states at a time and without labels. So
/// the *ordinal* of a successor in the batch of its state determines its label: see [`step_at`](Self::step_at).
///
/// The interpreter implements it by its [`Executor`](crate::Executor), to which all other implementations are compared.
pub trait TransitionSystem {
    /// The name of the implementation, for reports.
    fn engine(&self) -> &'static str;

    /// The automaton that takes the steps.
    fn automaton(&self) -> AutomatonId;

    /// Calls `found` with each start state and the choices that lead to it, until `found` stops it.
    ///
    /// # Errors
    /// A fault of the model (such as having no start state), or a limit.
    fn each_start(&mut self, found: &mut Found<'_>) -> Result<ControlFlow<()>, Interrupt>;

    /// Calls `found` with each step from a state that has a result, until `found` stops it. Where a step faults, in its
    /// precondition or in its effect, the others are reported nevertheless.
    ///
    /// # Errors
    /// A fault of the model in one of the steps up to there, or a limit. All steps that were reported are valid.
    fn each_step(
        &mut self,
        state: &State,
        found: &mut FoundStep<'_>,
    ) -> Result<ControlFlow<()>, Interrupt>;

    /// The successor of a state by a label; none if no step from the state has this label.
    ///
    /// # Errors
    /// A fault of the model, or a limit.
    fn successor(&mut self, state: &State, label: &Label) -> Result<Option<State>, Interrupt>;

    /// What the steps by a clause with these parameters can read and write, whatever the state is and the other parameters are.
    fn footprint_of(&mut self, known: &Known) -> Footprint;

    /// What a step by a clause with these parameters can read and write, whatever the state is.
    fn footprint(&mut self, firing: &Firing) -> Footprint {
        self.footprint_of(&Known::from(firing))
    }

    /// The step with this ordinal among those from a state; none if there are fewer steps.
    ///
    /// # Errors
    /// As those of [`each_step`](Self::each_step).
    fn step_at(&mut self, state: &State, ordinal: usize) -> Result<Option<Step>, Interrupt> {
        let mut before = 0;
        self.first_step(state, &mut |_| {
            before += 1;
            before > ordinal
        })
    }

    /// The first step from a state whose successor is wanted.
    ///
    /// # Errors
    /// As those of [`each_step`](Self::each_step).
    fn first_step(
        &mut self,
        state: &State,
        is_wanted: &mut dyn FnMut(&State) -> bool,
    ) -> Result<Option<Step>, Interrupt> {
        let mut found = None;
        let _ = self.each_step(state, &mut |firing, choices, after| {
            if !is_wanted(after) {
                return ControlFlow::Continue(());
            }
            found = Some(Step {
                label: Label::of(firing, choices),
                state: after.clone(),
            });
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// The first start state that is wanted.
    ///
    /// # Errors
    /// As those of [`each_start`](Self::each_start).
    fn first_start(
        &mut self,
        is_wanted: &mut dyn FnMut(&State) -> bool,
    ) -> Result<Option<State>, Interrupt> {
        let mut found = None;
        let _ = self.each_start(&mut |_, state| match is_wanted(state) {
            true => {
                found = Some(state.clone());
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        })?;
        Ok(found)
    }
}
