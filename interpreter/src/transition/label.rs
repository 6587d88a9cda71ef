//! Labels of steps, and their results.

use ioa_lang::core::TransitionId;

use crate::state::cell::Cell;
use crate::state::layout::{ALLOCATION, State};

/// A transition clause with values for all of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Firing {
    /// The clause.
    pub transition: TransitionId,
    /// The action's parameters.
    pub params: Vec<Cell>,
    /// The clause's hidden parameters.
    pub hidden: Vec<Cell>,
}

/// The value that a choice took.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// The bound variable of the `choose`, by its position among the item's locals; after those, one for each variable that
    /// `ensuring` leaves open.
    pub local: u32,
    /// The value.
    pub value: Cell,
}

/// The label of a step. From one state, no two steps have the same label, so a state and a label determine the successor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The clause, and its parameters.
    pub firing: Firing,
    /// The values of its choices, in order of evaluation.
    pub choices: Vec<Choice>,
}

/// A step from a state that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its label.
    pub label: Label,
    /// The successor.
    pub state: State,
}

/// One result of a clause with given parameters, or one start state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The values of the choices, in order of evaluation.
    pub choices: Vec<Choice>,
    /// The state.
    pub state: State,
}

impl Outcome {
    /// An owned result.
    pub(crate) fn of(choices: &[Choice], state: &State) -> Self {
        Self {
            choices: choices.to_vec(),
            state: state.clone(),
        }
    }
}

impl Label {
    /// An owned label.
    #[must_use]
    pub fn of(firing: &Firing, choices: &[Choice]) -> Self {
        Self {
            firing: firing.clone(),
            choices: choices.to_vec(),
        }
    }

    /// Approximate number of bytes that it takes on the heap, if it shares nothing with others.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Firing { params, hidden, .. } = &self.firing;
        let lists = size_of_val(&**params) + size_of_val(&**hidden) + size_of_val(&*self.choices);
        let chosen = self.choices.iter().map(|choice| &choice.value);
        let cells = params.iter().chain(hidden).chain(chosen);
        (lists + 3 * ALLOCATION) as u64 + cells.map(Cell::bytes).sum::<u64>()
    }
}
