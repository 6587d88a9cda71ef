//! Runs: from a start state, step by step, until something ends them.

mod random;
mod replay;
mod scheduled;
mod walk;

use std::ops::ControlFlow;

use ioa_lang::core::{ActionId, TransitionId};
use ioa_lang::{Name, Span, Value};

use crate::cell::Cell;
use crate::draws::Draws;
use crate::explain::Reason;
use crate::fault::{Fault, Limit};
use crate::layout::State;
use crate::step::{Choice, Firing, Interrupt};
use crate::why::Refusal;

pub use random::{random, random_by};
pub use replay::{ReplayError, replay};
pub use scheduled::scheduled;

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What all random draws of the run follow from.
    pub seed: u64,
    /// After how many steps to stop.
    pub steps: u64,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Why it ended.
    pub ending: Ending,
    /// How many steps were taken.
    pub steps: u64,
    /// The last state; none if there was no first one.
    pub state: Option<State>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The schedule came to its end, or the trace to its last step.
    Finished,
    /// The number of steps asked for was taken.
    StepLimit,
    /// No transition is enabled.
    Deadlock,
    /// A `fire` of a transition that is not enabled.
    Disabled(Disabled),
    /// Invariants are false in the last state; all others hold in it.
    Violated(Vec<Violation>),
    /// A run-time error of the model in the last state.
    Fault(Fault),
    /// A limit of ours.
    Limit(Limit),
    /// The observer asked for it.
    Stopped,
}

/// An invariant that is false.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Its position in the model.
    pub invariant: usize,
    /// Its name.
    pub name: Name,
    /// Why it is false.
    pub reasons: Vec<Reason>,
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
    /// Why no clause takes it.
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
    /// What its choices took.
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
}

/// Whoever wants to see the states of a run as they come. `Break` ends the run.
pub trait Observer {
    /// The start state.
    fn start(&mut self, _state: &State) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A step. It has been taken, and the invariants have not been looked at yet.
    fn step(&mut self, _event: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether steps need not be told: nobody looks.
    fn looks_away(&self) -> bool {
        false
    }
}

/// Whoever knows the steps and the invariants of packed states without evaluating anything, such as native code. It
/// need not know always; what it says is what evaluation would.
pub trait Shortcut {
    /// Appends the steps by a clause from a state: each as the codes of its parameters, the action's first, in the
    /// order in which they are enumerated. If there are [`Moves::Steps`], the words of the state after the step follow
    /// each time. None where it does not know, for one because something faults.
    fn moves(
        &mut self,
        state: &[u64],
        transition: TransitionId,
        found: &mut Vec<u64>,
    ) -> Option<Moves>;

    /// Whether all invariants are known to hold in a state.
    fn all_hold(&mut self, state: &[u64]) -> bool;

    /// Takes steps from a state, each drawn as [`random`] draws it, as long as they and the invariants behind them are
    /// known and no more than so many are taken; says how many. What was drawn for a step that is not taken is taken
    /// back, and the clauses are in the order in which that step found them.
    fn stride(
        &mut self,
        _state: &mut [u64],
        _clauses: &mut [TransitionId],
        _draws: &mut Draws,
        _most: u64,
    ) -> u64 {
        0
    }
}

/// What a [`Shortcut`] knows of steps by a clause that has at least one parameter, or of steps without choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// The parameters.
    Valuations,
    /// The parameters and the result, which no choice can change.
    Steps,
}

/// Nobody.
impl Observer for () {
    fn looks_away(&self) -> bool {
        true
    }
}

/// Each in turn; the second does not see what the first ends the run at.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        self.0.start(state)?;
        self.1.start(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.0.step(event)?;
        self.1.step(event)
    }

    fn looks_away(&self) -> bool {
        self.0.looks_away() && self.1.looks_away()
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        (**self).start(state)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        (**self).step(event)
    }

    fn looks_away(&self) -> bool {
        (**self).looks_away()
    }
}
