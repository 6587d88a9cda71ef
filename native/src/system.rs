//! Machine code as a labelled transition system.

use std::ops::ControlFlow;

use interpreter::limits::MAX_OUTCOMES;
use interpreter::{
    Cell, ClauseSteps, Executor, Firing, FirstFault, Footprint, Found, FoundStep, Instance,
    Interrupt, Known, Label, State, StepDetail, TransitionSystem,
};
use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, TransitionId};

use crate::clause_code::ClauseCode;
use crate::native::ENGINE;

/// The labelled steps of an automaton, computed by machine code as far as possible.
///
/// Machine code enumerates the parameters that enable a clause and, where the effect has no choices, gives the successors.
/// Choices, and everything that machine code cannot do, are left to the interpreter.
pub struct NativeSystem<'i> {
    executor: Executor<'i>,
    clauses: ClauseCode,
    /// For each clause, the number of its action's parameters, and the number of its hidden parameters.
    params: Vec<(usize, usize)>,
    /// The steps by the current clause.
    found: Vec<u64>,
}

impl<'i> NativeSystem<'i> {
    /// Compiles the clauses of an automaton.
    ///
    /// # Errors
    /// Every reason why it cannot be run at these sizes.
    pub fn new(instance: &'i Instance, automaton: AutomatonId) -> Result<Self, Vec<Diagnostic>> {
        let clauses = &instance.model().automaton(automaton).transitions;
        Ok(Self {
            executor: Executor::new(instance, automaton)?,
            clauses: ClauseCode::new(instance, automaton),
            params: clauses
                .iter()
                .map(|clause| (clause.params.len(), clause.hidden.len()))
                .collect(),
            found: Vec::new(),
        })
    }

    /// The number of requests to machine code for the steps by a clause, and how many of these it answered.
    #[must_use]
    pub fn answered(&self) -> (u64, u64) {
        (self.clauses.asked, self.clauses.answered)
    }

    /// The steps by a clause from a state, if machine code can compute them: see [`ClauseSteps::steps_by`].
    fn known(&mut self, state: &State, transition: TransitionId) -> Option<StepDetail> {
        self.found.clear();
        let known = self
            .clauses
            .steps_by(state.words(), transition, &mut self.found)?;
        // The interpreter reports that there are too many.
        let words = MAX_OUTCOMES as usize * self.width(transition, known, state);
        (self.found.len() <= words).then_some(known)
    }

    /// The number of words for each step by a clause.
    fn width(&self, transition: TransitionId, known: StepDetail, state: &State) -> usize {
        let (own, hidden) = self.params[transition.index()];
        match known {
            StepDetail::Parameters => own + hidden,
            StepDetail::Steps => own + hidden + state.words().len(),
        }
    }

    /// Calls `found` with each of the steps by a clause that machine code has computed.
    fn each_known(
        &mut self,
        state: &State,
        (transition, known): (TransitionId, StepDetail),
        found: &mut FoundStep<'_>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let (own, hidden) = self.params[transition.index()];
        let mut faults = FirstFault::default();
        // Nothing is allocated for each step.
        let mut firing = Firing {
            transition,
            params: Vec::with_capacity(own),
            hidden: Vec::with_capacity(hidden),
        };
        for step in self
            .found
            .chunks_exact(self.width(transition, known, state))
        {
            let (values, after) = step.split_at(own + hidden);
            let cells = |values: &'_ [u64], to: &mut Vec<Cell>| {
                to.clear();
                to.extend(values.iter().map(|code| Cell::Word(*code)));
            };
            cells(&values[..own], &mut firing.params);
            cells(&values[own..], &mut firing.hidden);
            let flow = match known {
                StepDetail::Steps => found(&firing, &[], &State::packed(after)),
                StepDetail::Parameters => {
                    let mut found = |choices: &[_], after: &State| found(&firing, choices, after);
                    faults.pass(self.executor.each_outcome(state, &firing, &mut found))?
                }
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        faults.end()
    }
}

impl TransitionSystem for NativeSystem<'_> {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn automaton(&self) -> AutomatonId {
        self.executor.automaton()
    }

    fn each_start(&mut self, found: &mut Found<'_>) -> Result<ControlFlow<()>, Interrupt> {
        self.executor.each_start(found)
    }

    fn each_step(
        &mut self,
        state: &State,
        found: &mut FoundStep<'_>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let mut faults = FirstFault::default();
        for transition in (0..self.params.len()).map(TransitionId::at) {
            let flow = faults.pass(match self.known(state, transition) {
                Some(known) => self.each_known(state, (transition, known), found),
                None => self.executor.each_step_by(state, transition, found),
            })?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        faults.end()
    }

    fn successor(&mut self, state: &State, label: &Label) -> Result<Option<State>, Interrupt> {
        self.executor.successor(state, label)
    }

    fn footprint_of(&mut self, known: &Known) -> Footprint {
        self.executor.footprint_of(known)
    }
}
