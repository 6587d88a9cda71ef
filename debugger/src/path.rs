//! A run that is walked through: its states, and a name for people.

use interpreter::State;
use interpreter::trace::{Step, Trace};

/// All paths together have at most so many steps: each takes memory until the session ends.
pub(crate) const MOST_STEPS: usize = 1_000_000;

/// An execution, or what is known about one so far.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Its start state and its steps.
    pub(crate) trace: Trace,
    /// The number of the path that it was branched off from, and after how many steps.
    pub(crate) origin: Option<(usize, usize)>,
    /// Of an infinite execution: the number of steps after which the others are repeated forever; if there are no others, nothing
    /// happens any more.
    pub(crate) repeats_after: Option<usize>,
}

impl Path {
    /// The state after so many steps of the path, of which there are enough.
    pub(crate) fn state(&self, steps: usize) -> &State {
        let state = self.trace.state(steps);
        state.expect("the cursor stays on the path")
    }

    /// The step that leads to a state; none leads to the first.
    pub(crate) fn step(&self, number: usize) -> Option<&Step> {
        self.trace.steps.get(number.checked_sub(1)?)
    }

    /// How many steps it has.
    pub(crate) fn len(&self) -> usize {
        self.trace.steps.len()
    }

    /// The first so many steps, as a path that branches off there.
    pub(crate) fn prefix(&self, number: usize, steps: usize) -> Self {
        Self {
            trace: Trace {
                automaton: self.trace.automaton,
                start: self.trace.start.clone(),
                steps: self.trace.steps[..steps].to_vec(),
            },
            origin: Some((number, steps)),
            repeats_after: None,
        }
    }

    /// How many first steps two paths have in common; none if they do not even begin in the same state.
    pub(crate) fn common(&self, other: &Self) -> Option<usize> {
        if self.trace.start != other.trace.start {
            return None;
        }
        let pairs = self.trace.steps.iter().zip(&other.trace.steps);
        Some(pairs.take_while(|(mine, theirs)| mine == theirs).count())
    }
}
