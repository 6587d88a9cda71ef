//! What all runs have in common: a current state, the next step, the observer, the invariants.

use std::ops::ControlFlow;

use ioa_lang::Diagnostic;
use ioa_lang::core::{Store, TransitionId};

use super::coverage::Counter;
use super::looks::Looks;
use super::{Disabled, Ending, Event, Observer, Options, Report};
use crate::executor::Executor;
use crate::instance::Instance;
use crate::instance::automaton::TransitionCode;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::{ClauseSteps, Firing, StepDetail};
use crate::vm::Branches;
use crate::vm::draws::{Draws, Stream};
use crate::vm::exec::Call;

/// Whether the run goes on.
pub(crate) type Go = ControlFlow<Ending>;

/// The current state of a run.
pub(crate) struct Walk<'i, 'o> {
    pub(crate) executor: Executor<'i>,
    pub(crate) state: State,
    observer: &'o mut dyn Observer,
    /// The oracle for the choices inside steps.
    pub(crate) draws: Draws,
    pub(crate) steps: u64,
    /// Whether the last step changed nothing.
    pub(crate) is_idle: bool,
    counter: Counter,
    limit: u64,
    started: bool,
    /// An optional accelerator that computes steps and invariants without evaluating terms.
    fast: Option<&'o mut dyn ClauseSteps>,
    /// With an accelerator, the steps that are evaluated nevertheless.
    looks: Option<Looks>,
    /// The last step; it is kept to avoid an allocation for each step.
    firing: Firing,
}

impl<'i, 'o> Walk<'i, 'o> {
    pub(crate) fn new(
        instance: &'i Instance,
        automaton: ioa_lang::core::AutomatonId,
        options: Options,
        observer: &'o mut dyn Observer,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut executor = Executor::new(instance, automaton)?;
        executor.machine.branches = Some(Branches::new());
        let clauses = instance.model().automaton(automaton).transitions.len();
        Ok(Self {
            is_idle: false,
            counter: Counter::new(clauses, &executor.code.layout),
            executor,
            state: State::default(),
            observer,
            draws: Draws::new(options.seed, Stream::Choices),
            steps: 0,
            limit: options.steps,
            started: false,
            fast: None,
            looks: None,
            firing: Firing {
                transition: TransitionId(0),
                params: Vec::new(),
                hidden: Vec::new(),
            },
        })
    }

    /// Lets an accelerator compute steps and invariants.
    pub(crate) fn accelerate(&mut self, fast: &'o mut dyn ClauseSteps) {
        self.looks = Some(Looks::new(&self.executor.code.transitions));
        self.fast = Some(fast);
    }

    /// The steps by a clause from the current state, if the accelerator computes them.
    pub(crate) fn known_steps(
        &mut self,
        clause: TransitionId,
        found: &mut Vec<u64>,
    ) -> Option<StepDetail> {
        let fast = self.fast.as_deref_mut()?;
        fast.steps_by(self.state.words(), clause, found)
    }

    /// Whether the next step by a clause has to be evaluated, although its result is known: to see which branches it takes.
    pub(crate) fn is_look_due(&self, clause: TransitionId) -> bool {
        let looks = self.looks.as_ref();
        looks.is_some_and(|looks| looks.is_due(clause))
    }

    /// The result of the run.
    pub(crate) fn report(mut self, ending: Ending) -> Report {
        let taken = self.executor.machine.branches.take();
        Report {
            ending,
            steps: self.steps,
            state: self.started.then_some(self.state),
            coverage: self
                .counter
                .coverage(&self.executor.code.layout, taken.unwrap_or_default()),
            met: Vec::new(),
        }
    }

    /// Draws a start state.
    pub(crate) fn start(&mut self) -> Go {
        match self.executor.start(&mut self.draws) {
            Ok(state) => self.start_at(state),
            Err(interrupt) => Go::Break(interrupt.into()),
        }
    }

    /// Begins at a state.
    pub(crate) fn start_at(&mut self, state: State) -> Go {
        self.state = state;
        self.started = true;
        if self.observer.start(&self.state).is_break() {
            return Go::Break(Ending::Stopped);
        }
        self.executor
            .machine
            .store_mut(Store::Pre)
            .clone_from(&self.state);
        self.check(None)
    }

    /// Whether another step may be taken.
    pub(crate) fn may_step(&self) -> Go {
        if self.steps >= self.limit {
            Go::Break(Ending::StepLimit)
        } else if self.executor.instance.cancel().is_set() {
            Go::Break(Ending::Stopped)
        } else {
            Go::Continue(())
        }
    }

    /// Takes a step with random choices by an enabled clause whose parameters are bound in the machine.
    pub(crate) fn take(&mut self, transition: TransitionId) -> Go {
        let code = self.executor.clause(transition);
        let applied = self.executor.apply_at_random(code, &mut self.draws);
        if let (Some(looks), Some(taken)) = (&mut self.looks, &self.executor.machine.branches) {
            looks.note(transition, taken);
        }
        match applied {
            Ok(()) => self.settle(transition, code),
            Err(stop) => Go::Break(
                self.executor
                    .outside(*stop, code, code.binders.iter())
                    .into(),
            ),
        }
    }

    /// Notes a step that was not evaluated.
    fn pass_over(&mut self, transition: TransitionId) {
        if let Some(looks) = &self.looks
            && !looks.has_all(transition)
        {
            self.counter.pass_over(transition);
        }
    }

    /// Takes a step without choices whose result is known and whose parameters are bound in the machine.
    pub(crate) fn take_to(&mut self, transition: TransitionId, after: &[u64]) -> Go {
        self.pass_over(transition);
        let code = self.executor.clause(transition);
        let machine = &mut self.executor.machine;
        machine.chosen.clear();
        machine.store_mut(Store::Pre).words.copy_from_slice(after);
        self.settle(transition, code)
    }

    /// Takes a step to a given state, if nobody observes which step it is.
    pub(crate) fn take_unobserved(&mut self, transition: TransitionId, after: &[u64]) -> Go {
        self.pass_over(transition);
        let before = self.state.words();
        self.is_idle = self.counter.count_packed(transition, before, after);
        self.state.words.copy_from_slice(after);
        self.steps += 1;
        if let Some(fast) = self.fast.as_deref_mut()
            && fast.all_hold(after)
        {
            return Go::Continue(());
        }
        let machine = &mut self.executor.machine;
        machine.store_mut(Store::Pre).clone_from(&self.state);
        self.check(None)
    }

    /// Whether nobody observes the steps.
    pub(crate) fn is_unobserved(&self) -> bool {
        self.observer.is_passive()
    }

    /// Takes a step that is known to be enabled, with values given for some or all of its choices.
    pub(crate) fn take_given(&mut self, firing: &Firing, values: Vec<Cell>) -> Go {
        let code = self.executor.prepare(&self.state, firing);
        match self.executor.apply_given(code, values, &mut self.draws) {
            Ok(()) => self.settle(firing.transition, code),
            Err(stop) => Go::Break(
                self.executor
                    .outside(*stop, code, code.binders.iter())
                    .into(),
            ),
        }
    }

    /// Makes the machine's state the current one.
    pub(crate) fn settle(&mut self, transition: TransitionId, code: &TransitionCode) -> Go {
        let machine = &self.executor.machine;
        let firing = &mut self.firing;
        firing.transition = transition;
        firing.params.clear();
        firing
            .params
            .extend(code.params().iter().map(|b| machine.bound(b)));
        firing.hidden.clear();
        firing
            .hidden
            .extend(code.hidden().iter().map(|b| machine.bound(b)));
        self.steps += 1;
        let after = machine.store(Store::Pre);
        self.is_idle = self.counter.count(transition, &self.state, after);
        let flow = self.observer.step(&Event {
            number: self.steps,
            firing,
            choices: &machine.chosen,
            pre: &self.state,
            post: after,
        });
        let mut before = std::mem::take(&mut self.state);
        let checked = if flow.is_break() {
            Go::Break(Ending::Stopped)
        } else {
            self.check(Some(&before))
        };
        before.clone_from(self.executor.machine.store(Store::Pre));
        self.state = before;
        checked
    }

    /// Checks the invariants in the machine's state. An invariant that held before and reads nothing that changed still
    /// holds.
    fn check(&mut self, before: Option<&State>) -> Go {
        if let Some(fast) = self.fast.as_deref_mut()
            && fast.all_hold(self.executor.machine.store(Store::Pre).words())
        {
            return Go::Continue(());
        }
        let mut violations = Vec::new();
        for invariant in self.executor.invariants() {
            let now = self.executor.machine.store(Store::Pre);
            if before.is_some_and(|before| invariant.is_unaffected_by(before, now)) {
                continue;
            }
            match self.executor.holds_here(invariant) {
                Ok(true) => {}
                Ok(false) => violations.push(self.executor.violation(invariant)),
                Err(interrupt) => return Go::Break(interrupt.into()),
            }
        }
        match violations.is_empty() {
            true => Go::Continue(()),
            false => Go::Break(Ending::Violated(violations)),
        }
    }

    /// The ending of a run whose `fire` no clause accepts.
    pub(crate) fn disabled(&mut self, call: &Call) -> Ending {
        let Executor { instance, id, .. } = self.executor;
        Ending::Disabled(Disabled {
            action: call.action,
            params: instance.values_of(id, call.action, &call.args),
            span: call.span,
            refusal: self.executor.why_not(&self.state, call),
        })
    }
}
