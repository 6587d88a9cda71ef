//! The memory of a breadth-first search: the states that it has visited, and how each was first reached.

use std::borrow::Cow;
use std::hash::Hash;
use std::sync::Arc;

use ioa_lang::core::AutomatonId;
use rustc_hash::FxHashSet;

use super::label::{Label, Step};
use crate::state::layout::{ALLOCATION, State};
use crate::trace::Trace;

/// States, or other things reached by steps, in the order in which they were visited.
#[derive(Debug)]
pub struct Visited<S> {
    known: FxHashSet<Arc<S>>,
    all: Vec<Reached<S>>,
}

/// A state, and the step by which it was first reached.
#[derive(Debug)]
struct Reached<S> {
    state: Arc<S>,
    /// The position of the state before, and the label of the step; none for a state where a search begins.
    by: Option<(usize, Label)>,
}

impl<S> Default for Visited<S> {
    fn default() -> Self {
        Self {
            known: FxHashSet::default(),
            all: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash> Visited<S> {
    /// Bytes that an entry takes at most, besides those of the state and of the label on the heap: lists and tables are at most half
    /// empty, and a table is copied when it grows.
    pub const BYTES_OF_ENTRY: usize =
        2 * size_of::<Reached<S>>() + size_of::<S>() + 2 * ALLOCATION + 4 * size_of::<usize>();

    /// The number of visited states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether no state was visited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The state at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<&Arc<S>> {
        self.all.get(position).map(|reached| &reached.state)
    }

    /// Visits a state, unless it was visited before, and returns whether it is new. If it is new, `by` gives the position of
    /// the state before it and the label of the step between them, or none if a search begins.
    pub fn visit(
        &mut self,
        state: Cow<'_, S>,
        by: impl FnOnce() -> Option<(usize, Label)>,
    ) -> bool {
        if self.known.contains(&*state) {
            return false;
        }
        let state = Arc::new(state.into_owned());
        self.known.insert(Arc::clone(&state));
        self.all.push(Reached { state, by: by() });
        true
    }

    /// The execution that leads to a position, from the start of the search that visited it; `state` maps an entry to the
    /// state of the automaton. If the search is breadth first, no execution from that start is shorter.
    ///
    /// # Panics
    /// If the position is invalid.
    pub fn trace(
        &self,
        automaton: AutomatonId,
        mut position: usize,
        state: impl Fn(&S) -> &State,
    ) -> Trace {
        let at = |position: usize| state(&self.all[position].state).clone();
        let mut steps = Vec::new();
        while let Some((before, label)) = &self.all[position].by {
            steps.push(Step {
                label: label.clone(),
                state: at(position),
            });
            position = *before;
        }
        steps.reverse();
        Trace {
            automaton,
            start: at(position),
            steps,
        }
    }
}
