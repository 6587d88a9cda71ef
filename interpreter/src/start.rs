//! Start states.

use ioa_lang::core::Store;

use crate::draws::Draws;
use crate::fault::{Fault, FaultKind, Limit, LimitKind};
use crate::layout::State;
use crate::limits::{MAX_OUTCOMES, RANDOM_TRIES};
use crate::oracle::{First, Given, Oracle, Script};
use crate::step::{Executor, Interrupt, Outcome, interrupt};

impl Executor<'_> {
    /// A start state.
    ///
    /// # Errors
    /// A fault of the model (that there is no start state is one), or a limit.
    pub fn start(&mut self, draws: &mut Draws) -> Result<State, Interrupt> {
        for _ in 0..RANDOM_TRIES {
            if self.try_start(draws)? {
                return Ok(self.machine.store(Store::Pre).clone());
            }
            if self.start_code().chosen.is_empty() {
                break;
            }
        }
        let mut states = self.starts()?;
        if states.is_empty() {
            let span = self.instance.model().automaton(self.id).span;
            let kind = FaultKind::NoStart;
            return Err(Interrupt::Fault(Fault {
                kind,
                span,
                bindings: Vec::new(),
            }));
        }
        Ok(states.swap_remove(draws.pick(states.len())).state)
    }

    /// Every start state, in the order of the choices.
    ///
    /// # Errors
    /// A fault of the model, or a limit.
    pub fn starts(&mut self) -> Result<Vec<Outcome>, Interrupt> {
        let (mut script, mut found, mut tried) = (Script::default(), Vec::new(), 0);
        loop {
            tried += 1;
            if tried > MAX_OUTCOMES {
                let span = self.instance.model().automaton(self.id).span;
                return Err(Interrupt::Limit(Limit {
                    kind: LimitKind::Outcomes,
                    span,
                }));
            }
            if self.try_start(&mut script)? {
                found.push(Outcome {
                    choices: self.machine.chosen.clone(),
                    state: self.machine.store(Store::Pre).clone(),
                });
            }
            if !script.advance() {
                return Ok(found);
            }
        }
    }

    /// Whether a state is a start state.
    ///
    /// # Errors
    /// A fault of the model, or a limit.
    pub fn is_start(&mut self, state: &State) -> Result<bool, Interrupt> {
        let layout = &self.code.layout;
        let values = self
            .start_code()
            .chosen
            .iter()
            .map(|v| layout.bound(state, *v));
        let mut given = Given::new(values, First);
        match self.try_start(&mut given) {
            Ok(allowed) => Ok(allowed && self.machine.store(Store::Pre) == state),
            Err(Interrupt::Fault(fault)) if fault.kind == FaultKind::BadChoice => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Runs the start program; whether the result satisfies what start states satisfy besides.
    fn try_start(&mut self, oracle: &mut dyn Oracle) -> Result<bool, Interrupt> {
        let code = self.start_code();
        self.load(&code.blank, &code.program.frame);
        self.machine.chosen.clear();
        let result = self.machine.run_alone(&code.program.body, oracle);
        result.map_err(|stop| interrupt(*stop, &code.program.frame))?;
        let Some(so_that) = &code.so_that else {
            return Ok(true);
        };
        self.machine.enter(&so_that.frame);
        let holds = self.machine.word(&so_that.body);
        Ok(holds.map_err(|stop| interrupt(*stop, &so_that.frame))? != 0)
    }
}
