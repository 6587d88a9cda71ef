//! Executions as data: each step, and the state that it led to.

mod claims;
mod itf;
mod json;

use std::ops::ControlFlow;

use ioa_lang::core::AutomatonId;

use crate::run::{Event, Observer};
use crate::state::layout::State;

pub use crate::transition::Step;
pub use claims::Claim;
pub use itf::{
    About, Origin, TraceError, automaton_of, called, interpretation, origin, read, write,
};

/// An execution, in the representation of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The automaton.
    pub automaton: AutomatonId,
    /// The start state.
    pub start: State,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The state after the given number of steps.
    #[must_use]
    pub fn state(&self, steps: usize) -> Option<&State> {
        match steps.checked_sub(1) {
            None => Some(&self.start),
            Some(last) => self.steps.get(last).map(|step| &step.state),
        }
    }

    /// The last state.
    #[must_use]
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.start, |step| &step.state)
    }
}

/// An observer that records the execution.
#[derive(Clone, Debug)]
pub struct Recorder {
    automaton: AutomatonId,
    trace: Option<Trace>,
}

impl Recorder {
    /// A recorder of a run of the automaton.
    #[must_use]
    pub fn new(automaton: AutomatonId) -> Self {
        Self {
            automaton,
            trace: None,
        }
    }

    /// The recorded execution; none if there was no start state.
    #[must_use]
    pub fn trace(self) -> Option<Trace> {
        self.trace
    }
}

impl Observer for Recorder {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        let (automaton, start) = (self.automaton, state.clone());
        self.trace = Some(Trace {
            automaton,
            start,
            steps: Vec::new(),
        });
        ControlFlow::Continue(())
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Some(trace) = &mut self.trace {
            trace.steps.push(event.step());
        }
        ControlFlow::Continue(())
    }
}
