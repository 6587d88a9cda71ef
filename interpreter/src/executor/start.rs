//! Start states.

use std::ops::ControlFlow;

use ioa_lang::core::Store;

use crate::executor::Executor;
use crate::interrupt::fault::{Fault, FaultKind, Interrupt, Item, Limit, LimitKind};
use crate::interrupt::limits::{MAX_OUTCOMES, RANDOM_TRIES};
use crate::state::layout::State;
use crate::transition::{Found, Outcome};
use crate::vm::draws::Draws;
use crate::vm::halt::interrupt;
use crate::vm::oracle::{Oracle, Script, Toward};

impl Executor<'_> {
    /// A start state.
    ///
    /// # Errors
    /// A fault of the model (such as having no start state), or a limit.
    pub fn start(&mut self, draws: &mut Draws) -> Result<State, Interrupt> {
        for _ in 0..RANDOM_TRIES {
            if self.try_start(draws)? {
                return Ok(self.machine.store(Store::Pre).clone());
            }
            if !self.start_code().chooses {
                break;
            }
        }
        let mut states = self.starts()?;
        Ok(states.swap_remove(draws.pick(states.len())).state)
    }

    /// Every start state, in the order of the choices; there is at least one.
    ///
    /// # Errors
    /// As those of [`Executor::each_start`].
    pub fn starts(&mut self) -> Result<Vec<Outcome>, Interrupt> {
        let mut found = Vec::new();
        let _ = self.each_start(&mut |choices, state| {
            found.push(Outcome::of(choices, state));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// Calls `found` with each start state and the choices that lead to it, in the order of the choices, until `found` stops
    /// it.
    ///
    /// # Errors
    /// A fault of the model (such as having no start state), or a limit.
    pub fn each_start(&mut self, found: &mut Found<'_>) -> Result<ControlFlow<()>, Interrupt> {
        let span = self.instance.model().automaton(self.id).span;
        let limit = |kind| Err(Interrupt::Limit(Limit { kind, span }));
        let (mut script, mut tried, mut is_possible) = (Script::default(), 0, false);
        loop {
            tried += 1;
            if tried > MAX_OUTCOMES {
                return limit(LimitKind::Outcomes);
            }
            if self.try_start(&mut script)? {
                is_possible = true;
                if found(&self.machine.chosen, self.machine.store(Store::Pre)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if !script.advance() {
                break;
            }
            if self.machine.is_cancelled() {
                return limit(LimitKind::Cancelled);
            }
        }
        match is_possible {
            true => Ok(ControlFlow::Continue(())),
            false => Err(self.no_start()),
        }
    }

    /// The fault that there is no start state.
    fn no_start(&self) -> Interrupt {
        let automaton = self.instance.model().automaton(self.id);
        let so_that = &automaton.start.so_that;
        let span = match so_that.is_true() {
            true => automaton.span,
            false => so_that.span,
        };
        Interrupt::Fault(Fault {
            kind: FaultKind::NoStart,
            item: Item::Start,
            span,
            bindings: Vec::new(),
        })
    }

    /// Whether a state is a start state.
    ///
    /// # Errors
    /// A fault of the model, or a limit.
    pub fn is_start(&mut self, state: &State) -> Result<bool, Interrupt> {
        match self.try_start(&mut Toward(state)) {
            Ok(allowed) => Ok(allowed && self.machine.store(Store::Pre) == state),
            Err(Interrupt::Fault(fault)) if fault.kind == FaultKind::BadChoice => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Runs the start program, and says whether the result satisfies the condition on start states.
    fn try_start(&mut self, oracle: &mut dyn Oracle) -> Result<bool, Interrupt> {
        let code = self.start_code();
        self.load(&code.blank, &code.program.frame);
        self.machine.chosen.clear();
        self.machine.refuel_heeding();
        if let Err(stop) = self.machine.run_alone(&code.program.body, oracle) {
            return match interrupt(*stop, &code.program.frame) {
                Interrupt::Fault(fault)
                    if fault.kind == FaultKind::NothingToChoose
                        && code.narrowed.contains(&fault.span) =>
                {
                    Ok(false)
                }
                other => Err(other),
            };
        }
        let Some(so_that) = &code.so_that else {
            return Ok(true);
        };
        self.machine.enter(&so_that.frame);
        let holds = self.machine.word(&so_that.body);
        Ok(holds.map_err(|stop| interrupt(*stop, &so_that.frame))? != 0)
    }
}
