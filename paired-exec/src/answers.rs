//! What the high automaton does for each step of an execution of the low one.

use std::ops::ControlFlow;

use interpreter::run::{self, Event, Observer};
use interpreter::trace::Trace;
use interpreter::{Instance, State};

use crate::failure::Answered;
use crate::lockstep::Lockstep;
use crate::report::PairError;

/// What the proof block of a simulation answers along an execution of the low automaton, up to the step at which a claim fails:
/// first the start state, then what follows each low step. What is drawn at random is drawn with this seed.
///
/// # Errors
/// Why the automata cannot be run as a pair, or the trace is no execution.
pub fn answers(
    instance: &Instance,
    simulation: usize,
    (trace, seed): (&Trace, u64),
) -> Result<Vec<Answered>, PairError> {
    let mut along = Along {
        pair: Lockstep::new(instance, simulation, seed)?,
        answered: Vec::new(),
    };
    run::replay(instance, trace, &mut along).map_err(PairError::Replay)?;
    Ok(along.answered)
}

/// A pair that keeps what is answered.
struct Along<'i> {
    pair: Lockstep<'i>,
    answered: Vec<Answered>,
}

impl Along<'_> {
    fn keep(&mut self, flow: ControlFlow<()>) -> ControlFlow<()> {
        if flow.is_continue() {
            self.answered.extend(self.pair.answered());
        }
        flow
    }
}

impl Observer for Along<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        let flow = self.pair.start(state);
        self.keep(flow)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let flow = self.pair.step(event);
        self.keep(flow)
    }
}
