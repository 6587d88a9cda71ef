//! What is known about liveness properties.

use std::cmp::Reverse;

use interpreter::trace::Trace;
use interpreter::{Interrupt, State};
use ioa_lang::{Name, Value};

use crate::interpretation::World;

/// What is known about a liveness property in some instances.
#[derive(Debug)]
pub struct Answer {
    /// What was asked.
    pub asked: Asked,
    /// What is known.
    pub outcome: Outcome,
    /// Where it is so, the last one where there are several.
    pub world: World,
    /// Wall time.
    pub seconds: f64,
}

/// What is asked of the graph of all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Whether a liveness property, by its position in the model, is true of all fair executions.
    Fair(usize),
    /// Whether a formula, by its position in the study, is reachable from every state.
    Possible(usize),
}

/// What a liveness property comes to.
#[derive(Debug)]
pub enum Outcome {
    /// It is true of all fair executions.
    Holds {
        /// How many states the executions have.
        states: u64,
        /// How many steps there are between these.
        steps: u64,
    },
    /// A fair execution violates it.
    Violated(Box<Counterexample>),
    /// The formula is reachable from every state.
    Possible {
        /// How many states there are.
        states: u64,
        /// Those from which steps are needed.
        transient: Option<Transient>,
    },
    /// The formula is not reachable from some states.
    Dead(Box<Dead>),
    /// A formula in it has no value in a reachable state.
    Undefined(Box<Undefined>),
    /// It is not decided.
    Unknown(Why),
}

/// Why a property is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The reason, in words.
    pub words: String,
    /// What else was asked for, if it is the reason: the first finding, or one interpretation.
    pub bound: Option<&'static str>,
}

impl From<String> for Why {
    fn from(words: String) -> Self {
        Self { words, bound: None }
    }
}

/// A fair execution that violates a property: its steps, of which the last are repeated forever.
#[derive(Debug)]
pub struct Counterexample {
    /// The values of the property's parameters.
    pub values: Vec<(Name, Value)>,
    /// The steps up to the end of the first round of the cycle.
    pub trace: Trace,
    /// How many steps there are before the cycle. If these are all steps, nothing happens any more.
    pub stem: usize,
    /// Whether it is known that none is shorter.
    pub is_shortest: bool,
    /// Why it is fair, task by task.
    pub fates: Vec<Fate>,
    /// What the interpreter says to the contrary, if it does.
    pub disagreement: Option<String>,
}

impl Counterexample {
    /// Whether it is unfair to a task, which would be a mistake of ours.
    #[must_use]
    pub fn is_unfair(&self) -> bool {
        self.fates.iter().any(|fate| fate.how == How::Unfair)
    }
}

/// Why a lasso is fair to a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The task.
    pub task: String,
    /// Why.
    pub how: How,
}

/// Why a lasso is fair to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It takes this step of the cycle.
    Taken(usize),
    /// It is weakly fair, and disabled after this step.
    Disabled(usize),
    /// It is disabled in all states of the cycle.
    NeverEnabled,
    /// The lasso is unfair to it: a mistake of ours.
    Unfair,
}

/// States from which a formula cannot be reached.
#[derive(Debug)]
pub struct Dead {
    /// How many there are.
    pub count: u64,
    /// A shortest way to one of them.
    pub trace: Trace,
    /// A shortest way from the state before it to the formula; none if a start state is dead.
    pub way_out: Option<Trace>,
    /// The states that are not dead, and in which the formula does not hold.
    pub transient: Option<Transient>,
}

/// States in which a formula does not hold, and from which it can be reached.
#[derive(Debug)]
pub struct Transient {
    /// How many there are.
    pub count: u64,
    /// A shortest way to one from which the most steps are needed.
    pub trace: Trace,
    /// A shortest way from there to the formula.
    pub way_out: Trace,
}

impl Transient {
    /// The execution to the state, and on to the formula.
    #[must_use]
    pub fn whole(&self) -> Trace {
        let mut whole = self.trace.clone();
        whole.steps.extend(self.way_out.steps.iter().cloned());
        whole
    }

    /// The most steps that are needed from any of the states.
    #[must_use]
    pub fn farthest(&self) -> u64 {
        self.way_out.steps.len() as u64
    }

    /// What is known about the states of two instances together.
    fn together(self, other: Self) -> Self {
        let count = self.count + other.count;
        let farther = match other.farthest() > self.farthest() {
            true => other,
            false => self,
        };
        Self { count, ..farther }
    }
}

/// A formula without a value.
#[derive(Debug)]
pub struct Undefined {
    /// The way to a state in which it has none, where it can be shown.
    pub trace: Option<Trace>,
    /// The state.
    pub state: State,
    /// Why it has none.
    pub interrupt: Interrupt,
}

/// What is known about properties in two worlds together.
pub(in crate::pipeline) fn together(first: Vec<Answer>, second: Vec<Answer>) -> Vec<Answer> {
    let pairs = first.into_iter().zip(second);
    pairs.map(|(first, second)| first.with(second)).collect()
}

impl Answer {
    /// Both answers as one: what is true in both worlds, or the worse of the two, with its world. Of two that are as bad, it
    /// is the one that fewer steps show.
    fn with(self, other: Self) -> Self {
        let (world, outcome) = match (self.outcome, other.outcome) {
            (
                Outcome::Holds { states, steps },
                Outcome::Holds {
                    states: more_states,
                    steps: more_steps,
                },
            ) => {
                let outcome = Outcome::Holds {
                    states: states + more_states,
                    steps: steps + more_steps,
                };
                (self.world, outcome)
            }
            (
                Outcome::Possible { states, transient },
                Outcome::Possible {
                    states: more,
                    transient: others,
                },
            ) => {
                let farthest = |one: &Option<Transient>| one.as_ref().map(Transient::farthest);
                let world = match farthest(&others) > farthest(&transient) {
                    true => other.world,
                    false => self.world,
                };
                let outcome = Outcome::Possible {
                    states: states + more,
                    transient: match (transient, others) {
                        (Some(first), Some(second)) => Some(first.together(second)),
                        (first, second) => first.or(second),
                    },
                };
                (world, outcome)
            }
            (mine, others) if others.badness() > mine.badness() => (other.world, others),
            (mine, _) => (self.world, mine),
        };
        Self {
            asked: self.asked,
            outcome,
            world,
            seconds: self.seconds + other.seconds,
        }
    }
}

impl Outcome {
    /// How bad it is: what shows a mistake before what is not decided, and that before what is true; then how few steps
    /// show it.
    fn badness(&self) -> (u8, Reverse<usize>) {
        let (rank, steps) = match self {
            Self::Holds { .. } | Self::Possible { .. } => (0, 0),
            Self::Unknown(_) => (1, 0),
            Self::Undefined(found) => (2, found.trace.as_ref().map_or(0, |t| t.steps.len())),
            Self::Violated(found) => (2, found.trace.steps.len()),
            Self::Dead(dead) => (2, dead.trace.steps.len()),
        };
        (rank, Reverse(steps))
    }
}
