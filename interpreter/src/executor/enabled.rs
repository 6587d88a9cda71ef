//! What can happen in a state: the enabled steps, and the results of each.

use std::ops::ControlFlow;

use ioa_lang::Diagnostic;
use ioa_lang::core::{Store, TransitionId};

use crate::executor::{Attempt, Executor};
use crate::instance::automaton::TransitionCode;
use crate::interrupt::fault::{Interrupt, Limit, LimitKind};
use crate::interrupt::limits::{MAX_OUTCOMES, RANDOM_TRIES};
use crate::state::layout::State;
use crate::transition::{Firing, Found, Outcome};
use crate::vm::Machine;
use crate::vm::draws::Draws;
use crate::vm::halt::interrupt;
use crate::vm::halt::{Stop, stop};
use crate::vm::oracle::{First, Given, Oracle, Script};

/// Called for each way to resolve the choices of a step; `Break` ends the enumeration.
type Visit<'v> = dyn FnMut(&Machine, Result<Attempt, Stop>) -> Result<ControlFlow<()>, Stop> + 'v;

impl Executor<'_> {
    /// Takes a step whose choices are resolved at random. All ways that `ensuring` allows are equally likely, as far as each
    /// choice by itself is uniform. The state of the machine before and after is as for [`Executor::apply`].
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
        let _ = self.every_way(code, &mut |choices, _| {
            ways.push(choices.to_vec());
            ControlFlow::Continue(())
        })?;
        let way = ways
            .swap_remove(draws.pick(ways.len()))
            .into_iter()
            .map(|c| c.value);
        self.apply(code, &mut Given::new(way, First)).map(|_| ())
    }

    /// Resolves the choices of a step in every way that `ensuring` allows, of which there is at least one. Ways that fault are
    /// passed over, and the first fault is returned at the end. The state is restored afterwards.
    fn every_way(
        &mut self,
        code: &TransitionCode,
        found: &mut Found<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        let (mut is_possible, mut fault) = (false, None);
        let all = self.each_attempt(code, &mut |machine, attempt| match attempt {
            Ok(Attempt::Taken) => {
                is_possible = true;
                Ok(found(&machine.chosen, machine.store(Store::Pre)))
            }
            Ok(Attempt::Disabled | Attempt::Rejected) => Ok(ControlFlow::Continue(())),
            Err(stop) if stop.is_fault() => {
                fault.get_or_insert(stop);
                Ok(ControlFlow::Continue(()))
            }
            Err(stop) => Err(stop),
        })?;
        match (all, fault) {
            (ControlFlow::Continue(()), Some(fault)) => Err(fault),
            _ if is_possible => Ok(all),
            _ => Err(code.no_outcome()),
        }
    }

    /// Resolves the choices of a step in every way and reports the result of each, until it is told to stop. The state is
    /// restored afterwards.
    fn each_attempt(
        &mut self,
        code: &TransitionCode,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, Stop> {
        let before = self.machine.store(Store::Pre).clone();
        let mut script = Script::default();
        for _ in 0..MAX_OUTCOMES {
            self.machine.refuel_heeding();
            let attempt = self.apply(code, &mut script);
            let go_on = visit(&self.machine, attempt);
            self.machine.store_mut(Store::Pre).clone_from(&before);
            if go_on?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if !script.advance() {
                return Ok(ControlFlow::Continue(()));
            }
            self.machine.heed(code.span)?;
        }
        Err(stop(LimitKind::Outcomes, code.span))
    }

    /// Calls `found` with each result of a step and the choices that lead to it, until `found` stops it; it is never called
    /// if the clause is not enabled.
    ///
    /// # Errors
    /// A fault of the model in any of the ways to resolve the choices (that none leads to a result is one), or a limit.
    pub fn each_outcome(
        &mut self,
        pre: &State,
        firing: &Firing,
        found: &mut Found<'_>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let code = self.prepare(pre, firing);
        let result = match self.machine.word(&code.guard) {
            Ok(0) => Ok(ControlFlow::Continue(())),
            Ok(_) => self.every_way(code, found),
            Err(stop) => Err(stop),
        };
        result.map_err(|stop| self.outside(*stop, code, code.binders.iter()))
    }

    /// Every result of a step; none if the clause is not enabled.
    ///
    /// # Errors
    /// As those of [`Executor::each_outcome`].
    pub fn outcomes(&mut self, pre: &State, firing: &Firing) -> Result<Vec<Outcome>, Interrupt> {
        let mut outcomes = Vec::new();
        let _ = self.each_outcome(pre, firing, &mut |choices, state| {
            outcomes.push(Outcome::of(choices, state));
            ControlFlow::Continue(())
        })?;
        Ok(outcomes)
    }

    /// Every clause with values for its parameters that is enabled in a state, clauses in the order of the source.
    ///
    /// # Errors
    /// A fault in a precondition, or a limit (that a parameter cannot be enumerated is one).
    pub fn enabled(&mut self, state: &State) -> Result<Vec<Firing>, Interrupt> {
        let clauses = (0..self.code.transitions.len()).map(TransitionId::at);
        let most = (MAX_OUTCOMES, LimitKind::Outcomes);
        self.enabled_among(state, clauses, most)
    }

    /// The same for some clauses. It is an error if there are more than the given number of steps.
    pub(crate) fn enabled_among(
        &mut self,
        state: &State,
        clauses: impl Iterator<Item = TransitionId>,
        most: (u64, LimitKind),
    ) -> Result<Vec<Firing>, Interrupt> {
        let mut found = Vec::new();
        for transition in clauses {
            self.list_enabled(state, transition, most, &mut found)?;
        }
        Ok(found)
    }

    /// Appends the enabled steps by one clause: if its precondition faults for some parameters, those with others. It is an error
    /// if there are more than the given number in all.
    pub(crate) fn list_enabled(
        &mut self,
        state: &State,
        transition: TransitionId,
        (most, otherwise): (u64, LimitKind),
        found: &mut Vec<Firing>,
    ) -> Result<(), Interrupt> {
        let code = self.clause(transition);
        self.load(state, &code.frame);
        let Ok(plan) = &code.free else {
            let (kind, span) = (LimitKind::Domain, code.span);
            return Err(Interrupt::Limit(Limit { kind, span }));
        };
        let mut valuation = |machine: &mut Machine| {
            if found.len() as u64 >= most {
                return Err(stop(otherwise, code.span));
            }
            found.push(Firing {
                transition,
                params: code.params().iter().map(|b| machine.bound(b)).collect(),
                hidden: code.hidden().iter().map(|b| machine.bound(b)).collect(),
            });
            Ok(())
        };
        self.machine.refuel_heeding();
        let result = self.machine.every_valuation(plan, &mut valuation);
        result.map_err(|stop| interrupt(*stop, &code.frame))
    }

    /// Whether a state is known to have no successors: each action is disabled, or has no result.
    pub fn is_dead(&mut self, state: &State) -> bool {
        let Ok(firings) = self.enabled(state) else {
            return false;
        };
        firings
            .iter()
            .all(|firing| self.leads_nowhere(state, firing))
    }

    /// Whether an enabled step is known to have no result, whatever it chooses.
    fn leads_nowhere(&mut self, state: &State, firing: &Firing) -> bool {
        let code = self.prepare(state, firing);
        let result = self.each_attempt(code, &mut |_, attempt| match attempt {
            Ok(Attempt::Taken) => Ok(ControlFlow::Break(())),
            Ok(Attempt::Disabled | Attempt::Rejected) => Ok(ControlFlow::Continue(())),
            Err(stop) if stop.is_fault() => Ok(ControlFlow::Continue(())),
            Err(stop) => Err(stop),
        });
        matches!(result, Ok(ControlFlow::Continue(())))
    }

    /// The limit that there is no memory for all steps by a clause.
    pub(crate) fn no_room(&self, transition: TransitionId) -> Interrupt {
        Interrupt::Limit(Limit {
            kind: LimitKind::Memory,
            span: self.clause(transition).span,
        })
    }

    /// Whether all parameters of all clauses can be enumerated, as a random run needs.
    ///
    /// # Errors
    /// Every parameter that ranges over infinitely many or too many values.
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
