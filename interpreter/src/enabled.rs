//! What can happen in a state: the enabled steps, and the results of each.

use ioa_lang::Diagnostic;
use ioa_lang::core::{Store, TransitionId};

use crate::automaton::TransitionCode;
use crate::draws::Draws;
use crate::fault::{Limit, LimitKind, Stop, stop};
use crate::layout::State;
use crate::limits::{MAX_OUTCOMES, RANDOM_TRIES};
use crate::oracle::{First, Given, Oracle, Script};
use crate::step::{Attempt, Executor, Firing, Interrupt, Outcome, interrupt};

impl Executor<'_> {
    /// Takes a step whose choices are resolved at random, all ways that `ensuring` allows being equally likely (as
    /// far as each choice is uniform by itself). The machine is as [`Executor::apply`] wants and leaves it.
    pub(crate) fn apply_at_random(
        &mut self,
        code: &TransitionCode,
        draws: &mut Draws,
    ) -> Result<(), Stop> {
        if code.ensuring.is_none() {
            return self.apply(code, draws).map(|_| ());
        }
        for _ in 0..RANDOM_TRIES {
            if self.apply(code, draws)? == Attempt::Taken {
                return Ok(());
            }
        }
        let mut ways = Vec::new();
        self.every_way(code, &mut |executor| {
            ways.push(executor.machine.chosen.clone());
        })?;
        if ways.is_empty() {
            return Err(code.no_outcome());
        }
        let way = ways
            .swap_remove(draws.pick(ways.len()))
            .into_iter()
            .map(|c| c.value);
        self.apply(code, &mut Given::new(way, First)).map(|_| ())
    }

    /// Resolves the choices of a step in every way that `ensuring` allows. The state is left as it was.
    fn every_way(
        &mut self,
        code: &TransitionCode,
        found: &mut dyn FnMut(&mut Self),
    ) -> Result<(), Stop> {
        let before = self.machine.store(Store::Pre).clone();
        let mut script = Script::default();
        let mut tried = 0;
        loop {
            tried += 1;
            if tried > MAX_OUTCOMES {
                return Err(stop(LimitKind::Outcomes, code.span));
            }
            self.machine.refuel();
            if self.apply(code, &mut script)? == Attempt::Taken {
                found(self);
            }
            self.machine.store_mut(Store::Pre).clone_from(&before);
            if !script.advance() {
                return Ok(());
            }
        }
    }

    /// Every result of a step; none if the clause is not enabled.
    ///
    /// # Errors
    /// A fault of the model in any of the ways to resolve the choices, or a limit.
    pub fn outcomes(&mut self, pre: &State, firing: &Firing) -> Result<Vec<Outcome>, Interrupt> {
        let code = self.prepare(pre, firing);
        let mut outcomes = Vec::new();
        let result = self.machine.word(&code.guard).and_then(|enabled| {
            if enabled == 0 {
                return Ok(());
            }
            self.every_way(code, &mut |executor| {
                outcomes.push(Outcome {
                    choices: executor.machine.chosen.clone(),
                    state: executor.machine.store(Store::Pre).clone(),
                });
            })
        });
        result.map_err(|stop| self.outside(*stop, code, code.binders.iter()))?;
        Ok(outcomes)
    }

    /// Every clause with values for its parameters that is enabled in a state, clauses in the order of the source.
    ///
    /// # Errors
    /// A fault in a precondition, or a limit (that a parameter cannot be enumerated is one).
    pub fn enabled(&mut self, state: &State) -> Result<Vec<Firing>, Interrupt> {
        let clauses = (0..self.code.transitions.len()).map(TransitionId::at);
        self.enabled_among(state, clauses)
    }

    /// The same for some clauses.
    pub(crate) fn enabled_among(
        &mut self,
        state: &State,
        clauses: impl Iterator<Item = TransitionId>,
    ) -> Result<Vec<Firing>, Interrupt> {
        let mut found = Vec::new();
        for transition in clauses {
            let code = self.clause(transition);
            self.load(state, &code.frame);
            let Ok(plan) = &code.free else {
                let (kind, span) = (LimitKind::Domain, code.span);
                return Err(Interrupt::Limit(Limit { kind, span }));
            };
            let result = self.machine.every_valuation(plan, &mut |machine| {
                if found.len() as u64 >= MAX_OUTCOMES {
                    return Err(stop(LimitKind::Outcomes, code.span));
                }
                found.push(Firing {
                    transition,
                    params: code.params().iter().map(|b| machine.bound(b)).collect(),
                    hidden: code.hidden().iter().map(|b| machine.bound(b)).collect(),
                });
                Ok(())
            });
            result.map_err(|stop| interrupt(*stop, &code.frame))?;
        }
        Ok(found)
    }

    /// Whether all parameters of all clauses can be enumerated, as a random run needs.
    ///
    /// # Errors
    /// Every reason why not: a parameter that ranges over infinitely many or too many values.
    pub fn check_enumerable(&self) -> Result<(), Vec<Diagnostic>> {
        let clauses = (0..self.code.transitions.len()).map(|t| self.clause(TransitionId::at(t)));
        let errors = clauses.filter_map(|code| match &code.handed {
            Some(handed) => handed.params.as_ref().err(),
            None => code.free.as_ref().err(),
        });
        let errors = errors.flatten();
        let errors: Vec<Diagnostic> = errors.cloned().collect();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }
}
