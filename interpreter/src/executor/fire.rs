//! Firing an action with actual parameters, as schedules and proof blocks do.

use ioa_lang::core::Store;

use crate::code::{Det, Row, are_ordered, keys};
use crate::executor::{Attempt, Executor};
use crate::instance::automaton::{Handed, TransitionCode};
use crate::interrupt::fault::{FaultKind, Interrupt, LimitKind};
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::{Firing, Label, Step};
use crate::vm::Machine;
use crate::vm::draws::Draws;
use crate::vm::exec::Call;
use crate::vm::halt::{Stop, stop};
use crate::vm::oracle::Given;

impl Executor<'_> {
    /// Takes the step that a `fire` requests; none if no clause is enabled. What the `fire` leaves open (the clause, hidden
    /// parameters, choices) is drawn at random.
    ///
    /// # Errors
    /// A fault of the model, or a limit.
    pub fn fire(
        &mut self,
        state: &State,
        call: &Call,
        draws: &mut Draws,
    ) -> Result<Option<Step>, Interrupt> {
        let Some((firing, values)) = self.resolve(state, call, draws)? else {
            return Ok(None);
        };
        let code = self.prepare(state, &firing);
        if let Err(stop) = self.apply_given(code, values, draws) {
            return Err(self.outside(*stop, code, code.binders.iter()));
        }
        let state = self.machine.store(Store::Pre).clone();
        let choices = self.choices().to_vec();
        let label = Label { firing, choices };
        Ok(Some(Step { label, state }))
    }

    /// Draws one of the clauses and hidden parameters that are enabled for a call, and returns the values given for the
    /// choices of the step.
    pub(crate) fn resolve(
        &mut self,
        state: &State,
        call: &Call,
        draws: &mut Draws,
    ) -> Result<Option<(Firing, Vec<Cell>)>, Interrupt> {
        let mut enabled = self.enabled_for(state, call)?;
        if enabled.is_empty() {
            return Ok(None);
        }
        let mut firing = enabled.swap_remove(draws.position(enabled.len()));
        let code = self.clause(firing.transition);
        if let Some(handed) = code.handed.as_ref().filter(|_| call.using.is_empty()) {
            self.load(state, &code.frame);
            self.bind(code.params(), &firing.params);
            let result = self.machine.hand_out(code, handed, draws);
            result.map_err(|stop| self.outside(*stop, code, code.binders.iter()))?;
            let hidden = code.hidden().iter();
            firing.hidden = hidden.map(|b| self.machine.bound(b)).collect();
        }
        let values = call
            .using
            .iter()
            .skip(firing.hidden.len())
            .cloned()
            .collect();
        Ok(Some((firing, values)))
    }

    /// Runs the effect of a clause whose parameters are bound and that is known to be enabled, with values given for
    /// its choices, or some of them.
    pub(crate) fn apply_given(
        &mut self,
        code: &TransitionCode,
        values: Vec<Cell>,
        draws: &mut Draws,
    ) -> Result<(), Stop> {
        if values.is_empty() {
            return self.apply_at_random(code, draws);
        }
        let mut oracle = Given::new(values, draws);
        match self.apply(code, &mut oracle)? {
            Attempt::Taken if !oracle.is_left_over() => Ok(()),
            Attempt::Taken => Err(stop(FaultKind::UnusedChoice, code.span)),
            _ => Err(code.no_outcome()),
        }
    }

    /// The clauses of the action, each with values of its hidden parameters, that are enabled for a call.
    fn enabled_for(&mut self, state: &State, call: &Call) -> Result<Vec<Firing>, Interrupt> {
        let mut found = Vec::new();
        let automaton = self.instance.model().automaton(self.id);
        for (transition, _) in automaton.clauses(call.action) {
            let code = self.clause(transition);
            self.load(state, &code.frame);
            self.bind(code.params(), &call.args);
            let result = self.hidden_values(code, &call.using);
            let mut result =
                result.map_err(|stop| self.outside(*stop, code, code.params().iter()))?;
            if are_ordered(code.hidden()) {
                result.sort_by_cached_key(|hidden| keys(code.hidden(), hidden));
            }
            found.extend(result.into_iter().map(|hidden| Firing {
                transition,
                params: call.args.clone(),
                hidden,
            }));
        }
        Ok(found)
    }

    /// The values of a clause's hidden parameters that enable it; the action's parameters are bound. The first of the
    /// values, or all, may be given.
    fn hidden_values(
        &mut self,
        code: &TransitionCode,
        given: &[Cell],
    ) -> Result<Vec<Vec<Cell>>, Stop> {
        let hidden = code.hidden();
        if let Some(handed) = code.handed.as_ref().filter(|_| given.is_empty()) {
            // The values are determined only when this clause is taken.
            let enabled = self.machine.may_hand_out(code, handed)?;
            return Ok(enabled.then(Vec::new).into_iter().collect());
        }
        if hidden.len() <= given.len() {
            self.bind(hidden, given);
            let enabled = self.machine.word(&code.guard)? != 0;
            return Ok(enabled
                .then(|| given[..hidden.len()].to_vec())
                .into_iter()
                .collect());
        }
        let Ok(plan) = &code.fired else {
            return Err(stop(LimitKind::Domain, code.span));
        };
        let mut found = Vec::new();
        self.machine.every_valuation(plan, &mut |machine| {
            let values: Vec<Cell> = hidden.iter().map(|b| machine.bound(b)).collect();
            if values.starts_with(given) {
                found.push(values);
            }
            Ok(())
        })?;
        Ok(found)
    }
}

impl Machine {
    /// Whether the action's parameters, which are bound, may enable a clause whose hidden parameters a determinator yields.
    pub(crate) fn may_hand_out(
        &mut self,
        code: &TransitionCode,
        handed: &Handed,
    ) -> Result<bool, Stop> {
        if self.word(&handed.open)? == 0 {
            return Ok(false);
        }
        let Ok(plan) = &code.fired else {
            return Ok(true);
        };
        let mut found = false;
        self.every_valuation(plan, &mut |_| {
            found = true;
            Ok(())
        })?;
        Ok(found)
    }

    /// Binds the hidden parameters of a clause to what the determinator yields; the action's parameters are already bound.
    pub(crate) fn hand_out(
        &mut self,
        code: &TransitionCode,
        handed: &Handed,
        draws: &mut Draws,
    ) -> Result<(), Stop> {
        let Det { site, rows } = &handed.det;
        let Row { terms, span } = &rows[draws.row(*site, rows.len())];
        let values = terms.iter().map(|term| self.term(term));
        let values: Vec<Cell> = values.collect::<Result<_, _>>()?;
        let hidden = || code.hidden().iter().zip(&values);
        hidden().for_each(|(binder, value)| self.bind(binder.slot, value.clone()));
        let refused = hidden().any(|(binder, value)| binder.refuses(value));
        if refused || self.word(&code.guard)? == 0 {
            let values = code.binders.iter().rev().map(|b| (b.slot, self.bound(b)));
            let refused = stop(FaultKind::BadYield, *span);
            return Err(values.fold(refused, |stop, (slot, value)| stop.bind(slot, value)));
        }
        Ok(())
    }
}
