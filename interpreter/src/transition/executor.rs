//! The interpreter as a labelled transition system.

use std::ops::ControlFlow;

use ioa_lang::core::{AutomatonId, TransitionId};

use super::first_fault::FirstFault;
use super::footprint::{Footprint, Known};
use super::label::Label;
use super::system::{Found, FoundStep, TransitionSystem};
use crate::executor::{Attempt, Executor};
use crate::interrupt::fault::{FaultKind, Interrupt, LimitKind};
use crate::interrupt::limits::MAX_OUTCOMES;
use crate::state::layout::State;
use crate::vm::oracle::{First, Given};

/// The name of the interpreter in reports.
pub(super) const ENGINE: &str = "the interpreter";

impl Executor<'_> {
    /// Calls `found` with each step from a state by one clause, until `found` stops it.
    ///
    /// # Errors
    /// As those of [`TransitionSystem::each_step`].
    pub fn each_step_by(
        &mut self,
        state: &State,
        transition: TransitionId,
        found: &mut FoundStep<'_>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let most = (MAX_OUTCOMES, LimitKind::Outcomes);
        let (mut firings, mut faults) = (Vec::new(), FirstFault::default());
        let listed = self.list_enabled(state, transition, most, &mut firings);
        let _ = faults.pass(listed.map(ControlFlow::Continue))?;
        for firing in firings {
            let mut found = |choices: &[_], after: &State| found(&firing, choices, after);
            let flow = faults.pass(self.each_outcome(state, &firing, &mut found))?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        faults.end()
    }
}

impl TransitionSystem for Executor<'_> {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn automaton(&self) -> AutomatonId {
        self.id
    }

    fn each_start(&mut self, found: &mut Found<'_>) -> Result<ControlFlow<()>, Interrupt> {
        Executor::each_start(self, found)
    }

    fn each_step(
        &mut self,
        state: &State,
        found: &mut FoundStep<'_>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let mut faults = FirstFault::default();
        for transition in (0..self.code.transitions.len()).map(TransitionId::at) {
            let flow = faults.pass(self.each_step_by(state, transition, found))?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        faults.end()
    }

    fn successor(&mut self, state: &State, label: &Label) -> Result<Option<State>, Interrupt> {
        let Label { firing, choices } = label;
        let code = self.clause(firing.transition);
        if firing.params.len() != code.params().len() || firing.hidden.len() != code.hidden().len()
        {
            return Ok(None);
        }
        let values = choices.iter().map(|choice| choice.value.clone());
        let mut after = State::default();
        match self.step(state, firing, &mut Given::new(values, First), &mut after) {
            Ok(Attempt::Taken) if self.choices() == choices => Ok(Some(after)),
            Ok(_) => Ok(None),
            // The value that the label gives for a choice cannot be chosen in this state.
            Err(Interrupt::Fault(fault)) if fault.kind == FaultKind::BadChoice => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn footprint_of(&mut self, known: &Known) -> Footprint {
        let (instance, id) = (self.instance, self.id);
        let footprints = self.footprints.get_or_insert_with(Default::default);
        footprints.of(instance, id, known)
    }
}
