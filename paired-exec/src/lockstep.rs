//! The observer of a low run that keeps the high automaton in step.

use std::ops::ControlFlow;

use interpreter::limits::MAX_FRAGMENT;
use interpreter::run::{self, Event, Observer};
use interpreter::{
    Branches, Call, Correspondence, Draws, Executor, Instance, Interrupt, Limit, LimitKind, State,
    Step, Stream, diff,
};
use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, Simulation};

use crate::failure::{Answered, Cause, Failure, HighStep, LowStep, Shown, Side};
use crate::report::Report;

/// The current state of the high automaton and of the step correspondence.
pub(crate) struct Lockstep<'i> {
    instance: &'i Instance,
    simulation: &'i Simulation,
    correspondence: Correspondence<'i>,
    high: High<'i>,
    /// The high state; none before the start.
    state: Option<State>,
    failure: Option<Failure>,
    /// Whether the block left the high start state open.
    starts_are_open: bool,
}

/// The high automaton, with the steps that it has taken for the current low step.
struct High<'i> {
    executor: Executor<'i>,
    draws: Draws,
    steps: u64,
    fragment: Vec<Tried>,
}

/// A high step that the proof block fired.
struct Tried {
    call: Call,
    before: State,
    /// The state after the step; none if the step failed.
    after: Option<State>,
}

impl<'i> Lockstep<'i> {
    pub(crate) fn new(
        instance: &'i Instance,
        simulation: usize,
        seed: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let correspondence = Correspondence::new(instance, simulation, seed)?;
        let simulation = &instance.model().simulations[simulation];
        let high = High {
            executor: Executor::new(instance, simulation.high)?,
            draws: Draws::new(seed, Stream::High),
            steps: 0,
            fragment: Vec::new(),
        };
        Ok(Self {
            instance,
            simulation,
            correspondence,
            high,
            state: None,
            failure: None,
            starts_are_open: false,
        })
    }

    /// The low automaton.
    pub(crate) fn low(&self) -> AutomatonId {
        self.simulation.low
    }

    /// The high state, and the values of the block's own variables; none before the start.
    pub(crate) fn above(&self) -> Option<(State, State)> {
        let own = self.correspondence.own_state();
        Some((self.state.clone()?, own.clone()))
    }

    /// Begins in a low start state, and returns what failed, if anything did.
    pub(crate) fn begin_at(&mut self, low: &State) -> Option<Failure> {
        self.starts_are_open = self.starts_are_open || self.is_open(low);
        // Random draws for a start state that the block then replaces have no influence.
        let draws = self.high.draws.clone();
        let failure = self.fails_at(low);
        self.high.draws = draws;
        failure
    }

    /// What fails in a low start state, if anything does, where the block is known to leave nothing open.
    pub(crate) fn fails_at(&mut self, low: &State) -> Option<Failure> {
        self.state = None;
        let _ = Observer::start(self, low);
        self.failure.take()
    }

    /// Whether the block leaves the high start state open.
    fn is_open(&mut self, low: &State) -> bool {
        let (mut first, mut is_open) = (None, false);
        let correspondence = &mut self.correspondence;
        let all = self.high.executor.each_start(&mut |_, otherwise| {
            let begun = correspondence.start(low, otherwise).ok();
            is_open = *first.get_or_insert_with(|| begun.clone()) != begun;
            match is_open {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        is_open || all.is_err()
    }

    /// Answers a low step from a high state and values of the block's own variables, and returns what failed, if anything
    /// did.
    pub(crate) fn answer_from(
        &mut self,
        (high, own): (&State, &State),
        event: &Event<'_>,
    ) -> Option<Failure> {
        self.state = Some(high.clone());
        self.correspondence.resume(own);
        let _ = Observer::step(self, event);
        self.failure.take()
    }

    /// The number of steps that the high automaton has taken.
    pub(crate) fn high_steps(&self) -> u64 {
        self.high.steps
    }

    /// Whether anything was drawn at random.
    pub(crate) fn has_drawn(&self) -> bool {
        self.starts_are_open || self.correspondence.has_drawn() || self.high.draws.has_decided()
    }

    /// The high state, with the steps that answered the low step before it; none before the start.
    pub(crate) fn answered(&self) -> Option<Answered> {
        let layout = self.instance.layout(self.simulation.high);
        let values = layout.values(self.state.as_ref()?);
        let fragment = self.high.fragment.iter();
        Some(Answered {
            steps: fragment.map(|tried| self.high_step(tried)).collect(),
            state: values.map(|(name, value)| (name.clone(), value)).collect(),
        })
    }

    /// The branches of the proof block that were taken.
    pub(crate) fn branches(self) -> Branches {
        self.correspondence.branches()
    }

    pub(crate) fn report(self, low: run::Report) -> Report {
        Report {
            low,
            high_steps: self.high.steps,
            high: self.state,
            branches: self.correspondence.branches(),
            failure: self.failure,
        }
    }

    /// Computes the high start state and checks it. The error is what failed; the high state is returned so that it can be
    /// shown, if there is one.
    fn begin(&mut self, low: &State) -> Result<(), Cause> {
        let otherwise = self
            .high
            .executor
            .start(&mut self.high.draws)
            .map_err(at(Side::High))?;
        let high = self
            .correspondence
            .start(low, &otherwise)
            .map_err(at(Side::Block))?;
        let high = self.state.insert(high);
        if !self.high.executor.is_start(high).map_err(at(Side::High))? {
            return Err(Cause::NotAStart);
        }
        self.high.check(None, high)?;
        self.check_relation(low)
    }

    /// Takes the high steps that answer a low step, and checks them.
    fn answer(&mut self, event: &Event<'_>, before: &State) -> Result<(), Cause> {
        self.high.fragment.clear();
        let action = self.low_action(event);
        let (high, mut failed) = (&mut self.high, None);
        let done = self.correspondence.fragment(
            (action, event.params()),
            event.pre,
            before,
            &mut |call, state| {
                high.take(call, state)
                    .map_err(|cause| failed = Some(cause))
                    .ok()
            },
        );
        if let Some(after) = self
            .high
            .fragment
            .iter()
            .rev()
            .find_map(|tried| tried.after.clone())
        {
            self.state = Some(after);
        }
        done.map_err(at(Side::Block))?;
        if let Some(cause) = failed {
            return Err(cause);
        }
        self.check_trace(event)?;
        self.check_relation(event.post)
    }

    fn check_relation(&mut self, low: &State) -> Result<(), Cause> {
        let Some(high) = &self.state else {
            return Ok(());
        };
        if self
            .correspondence
            .related(low, high)
            .map_err(at(Side::Relation))?
        {
            return Ok(());
        }
        Err(Cause::NotRelated(self.correspondence.explain(low, high)))
    }

    /// An external action must be answered by the same action, and an internal one by internal actions only.
    fn check_trace(&self, event: &Event<'_>) -> Result<(), Cause> {
        if self.has_same_trace(event) {
            return Ok(());
        }
        let step = self.low_step(event);
        let high = self.high.fragment.iter().map(|tried| self.high_step(tried));
        let high = high.filter(|step| step.kind.is_external());
        Err(Cause::Trace {
            low: step
                .kind
                .is_external()
                .then_some((step.action, step.params)),
            high: high.map(|step| (step.action, step.params)).collect(),
        })
    }

    fn has_same_trace(&self, event: &Event<'_>) -> bool {
        let Simulation { low, high, .. } = *self.simulation;
        let model = self.instance.model();
        let high_actions = &model.automaton(high).actions;
        let action = self.low_action(event);
        let expected = &model.automaton(low).actions[action.index()];
        let is_seen = |tried: &&Tried| high_actions[tried.call.action.index()].kind.is_external();
        let mut seen = self.high.fragment.iter().filter(is_seen);
        match (expected.kind.is_external(), seen.next(), seen.next()) {
            (false, None, _) => true,
            (true, Some(tried), None) => {
                let call = &tried.call;
                let found = &high_actions[call.action.index()];
                (&found.name, found.kind) == (&expected.name, expected.kind)
                    && self.instance.values_of(high, call.action, &call.args)
                        == self.instance.values_of(low, action, event.params())
            }
            _ => false,
        }
    }

    fn low_action(&self, event: &Event<'_>) -> ioa_lang::core::ActionId {
        let low = self.instance.model().automaton(self.simulation.low);
        low.transitions[event.transition().index()].action
    }

    fn low_step(&self, event: &Event<'_>) -> LowStep {
        let action = self.low_action(event);
        let declared =
            &self.instance.model().automaton(self.simulation.low).actions[action.index()];
        LowStep {
            kind: declared.kind,
            action: declared.name.clone(),
            params: self
                .instance
                .values_of(self.simulation.low, action, event.params()),
        }
    }

    fn high_step(&self, tried: &Tried) -> HighStep {
        let (high, action) = (self.simulation.high, tried.call.action);
        let declared = &self.instance.model().automaton(high).actions[action.index()];
        let after = tried.after.as_ref().unwrap_or(&tried.before);
        HighStep {
            kind: declared.kind,
            action: declared.name.clone(),
            params: self.instance.values_of(high, action, &tried.call.args),
            span: tried.call.span,
            taken: tried.after.is_some(),
            changes: self.shown(high, &tried.before, after).changes,
        }
    }

    fn shown(&self, automaton: AutomatonId, before: &State, after: &State) -> Shown {
        let layout = self.instance.layout(automaton);
        let all = |state| {
            layout
                .values(state)
                .map(|(name, value)| (name.clone(), value))
                .collect()
        };
        Shown {
            before: all(before),
            after: all(after),
            changes: diff(self.instance.model(), layout, before, after),
        }
    }

    /// Records what failed, if anything did, and says whether the run goes on.
    fn note(
        &mut self,
        result: Result<(), Cause>,
        (before, after): (&State, &State),
        high_before: Option<State>,
        event: Option<&Event<'_>>,
    ) -> ControlFlow<()> {
        let Err(cause) = result else {
            return ControlFlow::Continue(());
        };
        // If the high automaton has no start state, there is none to show.
        let high_after = self.state.clone();
        let high_before = high_before.or_else(|| high_after.clone());
        let high_state = high_before.zip(high_after);
        let high_state = high_state.map(|(b, a)| self.shown(self.simulation.high, &b, &a));
        self.failure = Some(Failure {
            step: event.map_or(0, |event| event.number),
            low: event.map(|event| self.low_step(event)),
            low_state: self.shown(self.simulation.low, before, after),
            high: self
                .high
                .fragment
                .iter()
                .map(|tried| self.high_step(tried))
                .collect(),
            high_state,
            own: self
                .correspondence
                .own()
                .map(|(n, v)| (n.clone(), v))
                .collect(),
            cause,
        });
        ControlFlow::Break(())
    }
}

impl Observer for Lockstep<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        let result = self.begin(state);
        self.note(result, (state, state), None, None)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let Some(before) = self.state.clone() else {
            return ControlFlow::Break(());
        };
        let result = self.answer(event, &before);
        self.note(result, (event.pre, event.post), Some(before), Some(event))
    }
}

impl High<'_> {
    /// Takes the step that a `fire` statement requests.
    fn take(&mut self, call: &Call, before: &State) -> Result<State, Cause> {
        if self.fragment.len() >= MAX_FRAGMENT {
            let limit = Limit {
                kind: LimitKind::Fragment,
                span: call.span,
            };
            return Err(Cause::Limit(Side::Block, limit));
        }
        let fired = self.executor.fire(before, call, &mut self.draws);
        let after = match &fired {
            Ok(Some(Step { state, .. })) => Some(state.clone()),
            _ => None,
        };
        let tried = Tried {
            call: call.clone(),
            before: before.clone(),
            after,
        };
        self.fragment.push(tried);
        let Some(fired) = fired.map_err(at(Side::High))? else {
            return Err(Cause::Disabled(self.executor.why_not(before, call)));
        };
        self.steps += 1;
        self.check(Some(before), &fired.state)?;
        Ok(fired.state)
    }

    /// Whether the invariants hold in a start state, or after a step from a state in which they do.
    fn check(&mut self, before: Option<&State>, state: &State) -> Result<(), Cause> {
        let violations = match before {
            Some(before) => self.executor.violations_after(before, state),
            None => self.executor.violations(state),
        };
        let violations = violations.map_err(at(Side::High))?;
        if violations.is_empty() {
            return Ok(());
        }
        Err(Cause::Violated(violations))
    }
}

fn at(side: Side) -> impl Fn(Interrupt) -> Cause {
    move |interrupt| match interrupt {
        Interrupt::Fault(fault) => Cause::Fault(side, fault),
        Interrupt::Limit(limit) => Cause::Limit(side, limit),
    }
}
