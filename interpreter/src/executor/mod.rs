//! The step function, with start states, enabled steps and invariants.
//!
//! Schedules, random runs, paired runs and replay all take their steps here.

mod enabled;
mod fire;
mod start;

use ioa_lang::core::{AutomatonId, Store, TransitionId};
use ioa_lang::{Diagnostic, Value};

use crate::code::{Binder, Frame};
use crate::explain::Violation;
use crate::instance::Instance;
use crate::instance::automaton::{
    AutomatonCode, Ensuring, InvariantCode, StartCode, TransitionCode,
};
use crate::interrupt::fault::{Interrupt, LimitKind};
use crate::interrupt::limits::MAX_OUTCOMES;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::{Choice, Firing, Footprints};
use crate::vm::Machine;
use crate::vm::halt::{Halt, Stop, interrupt, stop};
use crate::vm::oracle::{Options, Oracle};

/// The result of one way to take a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The step was taken.
    Taken,
    /// The clause does not apply to these parameters, or its precondition is false.
    Disabled,
    /// The choices lead to a state that `ensuring` rules out.
    Rejected,
}

/// Runs one automaton, step by step. It holds no state of the automaton, only working memory.
#[derive(Debug)]
pub struct Executor<'i> {
    pub(crate) instance: &'i Instance,
    pub(crate) id: AutomatonId,
    pub(crate) code: &'i AutomatonCode,
    pub(crate) machine: Machine,
    /// The footprints of its clauses, computed when they are requested.
    pub(crate) footprints: Option<Footprints>,
}

impl<'i> Executor<'i> {
    /// An executor of an automaton, which stops when work on the instance is cancelled.
    ///
    /// # Errors
    /// Every reason why the start states, a transition clause or an invariant cannot be run at these sizes.
    pub fn new(instance: &'i Instance, id: AutomatonId) -> Result<Self, Vec<Diagnostic>> {
        let executor = Self::undisturbed(instance, id)?;
        Ok(Self {
            machine: executor.machine.heeding(instance.cancel()),
            ..executor
        })
    }

    /// An executor that goes on when work on the instance is cancelled: it shows what was found before.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn undisturbed(instance: &'i Instance, id: AutomatonId) -> Result<Self, Vec<Diagnostic>> {
        let code = instance.automaton(id);
        let errors: Vec<Diagnostic> = code.errors().cloned().collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            instance,
            id,
            code,
            machine: Machine::new(0, instance.range_overflows()),
            footprints: None,
        })
    }

    /// The same executor, which goes on where an element has no number in its dictionary, so that the range overflows have all such
    /// elements at once. What it computes then means nothing.
    #[must_use]
    pub fn meeting_all(mut self) -> Self {
        self.machine.meets_all = true;
        self
    }

    /// The instance it belongs to.
    #[must_use]
    pub fn instance(&self) -> &'i Instance {
        self.instance
    }

    /// The automaton it runs.
    #[must_use]
    pub fn automaton(&self) -> AutomatonId {
        self.id
    }

    pub(crate) fn clause(&self, transition: TransitionId) -> &'i TransitionCode {
        usable(&self.code.transitions[transition.index()])
    }

    pub(crate) fn start_code(&self) -> &'i StartCode {
        usable(&self.code.start)
    }

    /// The invariants of the automaton.
    pub(crate) fn invariants(&self) -> impl Iterator<Item = &'i InvariantCode> + use<'i> {
        self.code.invariants.iter().map(usable)
    }

    /// Takes a step from `pre` by `firing` to `post`, with the choices resolved by the oracle. [`Executor::choices`] then
    /// returns the values that the choices took.
    ///
    /// # Errors
    /// A fault of the model or a limit. Then, and also if the step is not taken, `post` is meaningless.
    pub fn step(
        &mut self,
        pre: &State,
        firing: &Firing,
        oracle: &mut dyn Oracle,
        post: &mut State,
    ) -> Result<Attempt, Interrupt> {
        let code = self.prepare(pre, firing);
        let attempt = match self.machine.word(&code.guard) {
            Ok(0) => Ok(Attempt::Disabled),
            Ok(_) => self.apply(code, oracle),
            Err(stop) => Err(stop),
        };
        let attempt = attempt.map_err(|stop| self.outside(*stop, code, code.binders.iter()))?;
        if attempt == Attempt::Taken {
            post.clone_from(self.machine.store(Store::Pre));
        }
        Ok(attempt)
    }

    /// The values of the choices in the last step, in order of evaluation.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.machine.chosen
    }

    /// How many turns loops have taken so far, where only formulas were evaluated.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.machine.used()
    }

    /// Begins an operation on a state.
    pub(crate) fn load(&mut self, state: &State, frame: &Frame) {
        self.machine.enter(frame);
        self.machine.store_mut(Store::Pre).clone_from(state);
    }

    /// Binds the parameters of a step in a state.
    pub(crate) fn prepare(&mut self, state: &State, firing: &Firing) -> &'i TransitionCode {
        let code = self.clause(firing.transition);
        self.load(state, &code.frame);
        self.bind(code.params(), &firing.params);
        self.bind(code.hidden(), &firing.hidden);
        code
    }

    /// Whether a clause applies to its parameters and is enabled.
    ///
    /// # Errors
    /// A fault in the precondition, or a limit.
    pub fn is_enabled(&mut self, state: &State, firing: &Firing) -> Result<bool, Interrupt> {
        let code = self.prepare(state, firing);
        let enabled = self.machine.word(&code.guard);
        enabled
            .map(|e| e != 0)
            .map_err(|stop| self.outside(*stop, code, code.binders.iter()))
    }

    pub(crate) fn bind(&mut self, binders: &[Binder], values: &[Cell]) {
        for (binder, value) in binders.iter().zip(values) {
            self.machine.bind(binder.slot, value.clone());
        }
    }

    /// Runs the effect of a clause whose parameters are bound and that is known to be enabled. The state is changed
    /// in place; after `Rejected` it is as before.
    pub(crate) fn apply(
        &mut self,
        code: &TransitionCode,
        oracle: &mut dyn Oracle,
    ) -> Result<Attempt, Stop> {
        self.machine.chosen.clear();
        let Some(ensuring) = &code.ensuring else {
            self.machine.run_alone(&code.effect, oracle)?;
            return Ok(Attempt::Taken);
        };
        self.machine.copy_store(Store::Pre, Store::Post);
        self.machine.run_alone(&code.effect, oracle)?;
        self.machine.swap_stores(Store::Pre, Store::Post);
        let ensured = self.ensure(ensuring, oracle)?;
        if !ensured {
            return Ok(Attempt::Rejected);
        }
        self.machine.swap_stores(Store::Pre, Store::Post);
        Ok(Attempt::Taken)
    }

    /// Sets the open variables of `Store::Post` to values that satisfy the relation to `Store::Pre`, if there are any.
    fn ensure(&mut self, ensuring: &Ensuring, oracle: &mut dyn Oracle) -> Result<bool, Stop> {
        let given: Vec<Cell> = ensuring.open.iter().map_while(|_| oracle.given()).collect();
        let values = if given.len() == ensuring.open.len() && !given.is_empty() {
            self.machine.check_defined(&ensuring.plan)?;
            for ((_, binder), value) in ensuring.open.iter().zip(&given) {
                self.machine.bind(binder.slot, value.clone());
            }
            if self.machine.word(&ensuring.relation)? == 0 {
                return Ok(false);
            }
            given
        } else if let Some(values) = oracle.recall() {
            values
        } else {
            match self.open_values(ensuring, oracle)? {
                Some(values) => values,
                None => return Ok(false),
            }
        };
        for ((variable, binder), value) in ensuring.open.iter().zip(values) {
            let state = self.machine.store_mut(Store::Post);
            self.code.layout.write(state, *variable, value.clone());
            self.machine.chosen.push(Choice {
                local: binder.slot,
                value,
            });
        }
        Ok(true)
    }

    /// Values for the open variables that satisfy the relation; none if no values do.
    fn open_values(
        &mut self,
        ensuring: &Ensuring,
        oracle: &mut dyn Oracle,
    ) -> Result<Option<Vec<Cell>>, Stop> {
        let Ensuring { open, plan, .. } = ensuring;
        let (mut options, mut count) = (Options::new(open.iter().map(|(_, binder)| binder)), 0);
        self.machine.every_valuation(plan, &mut |machine| {
            if count >= MAX_OUTCOMES {
                return Err(stop(LimitKind::Outcomes, plan.span));
            }
            count += 1;
            options.push(open.iter().map(|(_, binder)| machine.bound(binder)));
            Ok(())
        })?;
        Ok(match count {
            0 => None,
            // There is nothing to choose if no variable is open.
            1 => Some(options.get(0).to_vec()),
            _ => Some(options.get(oracle.pick_of(&options)).to_vec()),
        })
    }

    /// The invariants of the automaton, as positions in the model, that are false in a state.
    ///
    /// # Errors
    /// A fault in an invariant, or a limit.
    pub fn violated(&mut self, state: &State) -> Result<Vec<usize>, Interrupt> {
        self.machine.store_mut(Store::Pre).clone_from(state);
        let mut violated = Vec::new();
        for invariant in self.invariants() {
            if !self.holds_here(invariant)? {
                violated.push(invariant.index);
            }
        }
        Ok(violated)
    }

    /// The invariants of the automaton that are false in a state, and why.
    ///
    /// # Errors
    /// A fault in an invariant, or a limit.
    pub fn violations(&mut self, state: &State) -> Result<Vec<Violation>, Interrupt> {
        self.violations_unless(state, &|_| false)
    }

    /// The invariants that a step violates, from a state in which all hold: one that reads nothing that differs still holds.
    ///
    /// # Errors
    /// A fault in an invariant, or a limit.
    pub fn violations_after(
        &mut self,
        before: &State,
        state: &State,
    ) -> Result<Vec<Violation>, Interrupt> {
        self.violations_unless(state, &|invariant| {
            invariant.is_unaffected_by(before, state)
        })
    }

    fn violations_unless(
        &mut self,
        state: &State,
        is_known: &dyn Fn(&InvariantCode) -> bool,
    ) -> Result<Vec<Violation>, Interrupt> {
        self.machine.store_mut(Store::Pre).clone_from(state);
        let mut violations = Vec::new();
        for invariant in self.invariants() {
            if !is_known(invariant) && !self.holds_here(invariant)? {
                violations.push(self.violation(invariant));
            }
        }
        Ok(violations)
    }

    /// The violation of an invariant that is false in the machine's state.
    pub(crate) fn violation(&mut self, invariant: &InvariantCode) -> Violation {
        Violation {
            invariant: invariant.index,
            name: invariant.name.clone(),
            reasons: self.why_false(invariant.index),
        }
    }

    /// Whether an invariant of the automaton, by its position in the model, holds in a state.
    ///
    /// # Errors
    /// A fault in the invariant, or a limit.
    ///
    /// # Panics
    /// If it is not an invariant of this automaton.
    pub fn holds(&mut self, state: &State, invariant: usize) -> Result<bool, Interrupt> {
        let found = self.invariants().find(|i| i.index == invariant);
        self.look_at(state);
        self.holds_here(found.expect("an invariant of this automaton"))
    }

    /// Which of the invariants of the automaton that are asked about, by their positions among these, are not true in a state: false,
    /// or without a value there.
    pub fn untrue(&mut self, state: &State, asked: impl Iterator<Item = usize>) -> Vec<usize> {
        self.look_at(state);
        let mut untrue = Vec::new();
        for at in asked {
            let invariant = usable(&self.code.invariants[at]);
            if !matches!(self.holds_here(invariant), Ok(true)) {
                untrue.push(at);
            }
        }
        untrue
    }

    /// Makes a state the machine's state.
    pub(crate) fn look_at(&mut self, state: &State) {
        self.machine.store_mut(Store::Pre).clone_from(state);
    }

    /// Whether an invariant holds in the machine's state.
    pub(crate) fn holds_here(&mut self, invariant: &InvariantCode) -> Result<bool, Interrupt> {
        self.machine.enter(&invariant.formula.frame);
        match self.machine.word(&invariant.formula.body) {
            Ok(value) => Ok(value != 0),
            Err(stop) => Err(interrupt(*stop, &invariant.formula.frame)),
        }
    }

    /// The plain values of a clause's parameters, including the hidden ones.
    #[must_use]
    pub fn values(&self, firing: &Firing) -> (Vec<Value>, Vec<Value>) {
        let code = self.clause(firing.transition);
        let decode = |binders: &[Binder], cells: &[Cell]| -> Vec<Value> {
            binders
                .iter()
                .zip(cells)
                .map(|(b, c)| b.shape.decode(c))
                .collect()
        };
        (
            decode(code.params(), &firing.params),
            decode(code.hidden(), &firing.hidden),
        )
    }

    /// A stop in a clause, reported with the values of the parameters that are bound.
    #[cold]
    pub(crate) fn outside<'b>(
        &self,
        mut halt: Halt,
        code: &TransitionCode,
        bound: impl DoubleEndedIterator<Item = &'b Binder>,
    ) -> Interrupt {
        for binder in bound.rev() {
            if !halt.bindings.iter().any(|(slot, _)| *slot == binder.slot) {
                halt.bindings
                    .push((binder.slot, self.machine.bound(binder)));
            }
        }
        interrupt(halt, &code.frame)
    }
}

/// An executor exists only if everything could be compiled.
pub(crate) fn usable<T>(compiled: &Result<T, Vec<Diagnostic>>) -> &T {
    compiled
        .as_ref()
        .expect("whoever uses a compiled item has checked that there is one")
}
