//! Runs: from a start state, step by step, until something ends them.

mod coverage;
mod looks;
mod random;
mod repeats;
mod replay;
mod scheduled;
mod scheduler;
mod series;
mod shorten;
mod strategy;
mod walk;
mod weights;

use std::ops::ControlFlow;

use ioa_lang::core::{ActionId, TransitionId};
use ioa_lang::{Span, Value};

use crate::explain::why::Refusal;
use crate::interrupt::fault::{Fault, Interrupt, Limit};
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::{Choice, Firing, Label, Step};

pub use crate::explain::Violation;
pub use coverage::{Coverage, Fired};
pub use random::{How, random, random_by};
pub use replay::{ReplayError, replay};
pub use scheduled::scheduled;
pub use series::{Outcome, Series, in_order};
pub use shorten::{Judge, Judgement, Shortened, shorten, shorten_by};
pub use strategy::{Strategy, Threads, Way, Ways};
pub use weights::Weights;

/// The options of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed, which determines all random draws of the run.
    pub seed: u64,
    /// The number of steps after which to stop.
    pub steps: u64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Why it ended.
    pub ending: Ending,
    /// How many steps were taken.
    pub steps: u64,
    /// The last state; none if there was no start state.
    pub state: Option<State>,
    /// What its steps have exercised.
    pub coverage: Coverage,
    /// For a systematic strategy, what alternatives it has met, for [`Ways::pass`].
    pub met: Vec<u64>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The schedule came to its end, or the trace to its last step.
    Finished,
    /// The requested number of steps was taken.
    StepLimit,
    /// No transition is enabled.
    Deadlock,
    /// Every enabled step has weight 0, or changes nothing and was taken from this state before.
    NothingNew,
    /// A `fire` of a transition that is not enabled.
    Disabled(Disabled),
    /// Invariants are false in the last state; all others hold in it.
    Violated(Vec<Violation>),
    /// A run-time error of the model in the last state.
    Fault(Fault),
    /// A limit of this program was reached.
    Limit(Limit),
    /// The observer stopped the run, or it was cancelled (see [`Cancel`](crate::Cancel)).
    Stopped,
}

/// A `fire` of a transition that is not enabled.
#[derive(Clone, Debug, PartialEq)]
pub struct Disabled {
    /// The action.
    pub action: ActionId,
    /// Its parameters.
    pub params: Vec<Value>,
    /// The `fire` statement.
    pub span: Span,
    /// Why no clause accepts it.
    pub refusal: Refusal,
}

impl From<Interrupt> for Ending {
    fn from(interrupt: Interrupt) -> Self {
        match interrupt {
            Interrupt::Fault(fault) => Self::Fault(fault),
            Interrupt::Limit(limit) => Self::Limit(limit),
        }
    }
}

/// One step of a run.
#[derive(Clone, Copy, Debug)]
pub struct Event<'e> {
    /// Its number, from 1.
    pub number: u64,
    /// The clause, and its parameters.
    pub firing: &'e Firing,
    /// The values of its choices.
    pub choices: &'e [Choice],
    /// The state before.
    pub pre: &'e State,
    /// The state after.
    pub post: &'e State,
}

impl Event<'_> {
    /// The clause.
    #[must_use]
    pub fn transition(&self) -> TransitionId {
        self.firing.transition
    }

    /// The action's parameters.
    #[must_use]
    pub fn params(&self) -> &[Cell] {
        &self.firing.params
    }

    /// The step alone, with its label.
    #[must_use]
    pub fn step(&self) -> Step {
        Step {
            label: Label::of(self.firing, self.choices),
            state: self.post.clone(),
        }
    }
}

/// An observer of a run, which sees each state as it is reached. `Break` ends the run.
pub trait Observer {
    /// The start state.
    fn start(&mut self, _state: &State) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A step that has been taken. The invariants have not been checked yet.
    fn step(&mut self, _event: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether it ignores all steps, so that they need not be described to it.
    fn is_passive(&self) -> bool {
        false
    }
}

/// An observer that ignores everything.
impl Observer for () {
    fn is_passive(&self) -> bool {
        true
    }
}

/// An optional observer.
impl<O: Observer> Observer for Option<O> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        match self {
            Some(observer) => observer.start(state),
            None => ControlFlow::Continue(()),
        }
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match self {
            Some(observer) => observer.step(event),
            None => ControlFlow::Continue(()),
        }
    }

    fn is_passive(&self) -> bool {
        self.as_ref().is_none_or(Observer::is_passive)
    }
}

/// Two observers in turn. If the first ends the run at a step, the second does not see that step.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        self.0.start(state)?;
        self.1.start(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.0.step(event)?;
        self.1.step(event)
    }

    fn is_passive(&self) -> bool {
        self.0.is_passive() && self.1.is_passive()
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        (**self).start(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        (**self).step(event)
    }

    fn is_passive(&self) -> bool {
        (**self).is_passive()
    }
}
