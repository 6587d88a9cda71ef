//! Ways from a state to others, breadth first.

use std::ops::ControlFlow;

use interpreter::trace::Step;
use interpreter::{Executor, Interrupt, Label, State, TransitionSystem};
use rustc_hash::FxHashMap;
use session::host::Host;
use session::study::BadInput;

/// A search looks at no more states than this.
pub(crate) const MOST_STATES: usize = 200_000;

/// What came of a search.
#[derive(Debug)]
pub(crate) enum Found {
    /// The steps of a shortest way.
    Way(Vec<Step>),
    /// No state that can be reached is wanted; so many were looked at.
    Nowhere(usize),
    /// There are more states than may be looked at, or than there was time for.
    Unknown(usize),
}

/// Why a search has no answer at all.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// A step goes wrong.
    Step(Interrupt),
    /// It cannot be said of a state whether it is wanted.
    Goal(BadInput),
}

/// The states that searches have met. A later search does not look again at what an earlier one has found to lead nowhere.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// Each state that was met, with its position.
    known: FxHashMap<State, usize>,
    /// For each state by position: the one that it was met from, and the label of the step.
    ways: Vec<Option<(usize, Label)>>,
}

/// Whether a state is wanted.
pub(crate) type Goal<'g, 'i> = dyn FnMut(&mut Executor<'i>, &State) -> Result<bool, BadInput> + 'g;

impl Search {
    /// How many states were looked at.
    pub(crate) fn states(&self) -> usize {
        self.ways.len()
    }

    /// Looks for a shortest way from a state to one that is wanted, which may be the state itself.
    pub(crate) fn run<'i>(
        &mut self,
        executor: &mut Executor<'i>,
        from: &State,
        is_wanted: &mut Goal<'_, 'i>,
        host: &dyn Host,
    ) -> Result<Found, Trouble> {
        let first = self.ways.len();
        if !self.meet(from, None) {
            return Ok(Found::Nowhere(self.states()));
        }
        let mut level = vec![from.clone()];
        if is_wanted(executor, from).map_err(Trouble::Goal)? {
            return Ok(Found::Way(Vec::new()));
        }
        while !level.is_empty() {
            let mut next = Vec::new();
            for state in &level {
                if self.states() >= MOST_STATES || host.stopped().is_some() {
                    return Ok(Found::Unknown(self.states()));
                }
                let position = self.known[state];
                let new = self.expand(executor, (state, position))?;
                for after in new {
                    if is_wanted(executor, &after).map_err(Trouble::Goal)? {
                        let way = self.way(executor, (from, first), &after);
                        return way.map(Found::Way).map_err(Trouble::Step);
                    }
                    next.push(after);
                }
            }
            level = next;
        }
        Ok(Found::Nowhere(self.states()))
    }

    /// Takes note of a state; says whether it is new.
    fn meet(&mut self, state: &State, way: Option<(usize, Label)>) -> bool {
        if self.known.contains_key(state) {
            return false;
        }
        self.known.insert(state.clone(), self.ways.len());
        self.ways.push(way);
        true
    }

    /// The successors of a state that are new.
    fn expand(
        &mut self,
        executor: &mut Executor<'_>,
        (state, position): (&State, usize),
    ) -> Result<Vec<State>, Trouble> {
        let mut new = Vec::new();
        let all = executor.each_step(state, &mut |firing, choices, after| {
            if self.meet(after, Some((position, Label::of(firing, choices)))) {
                new.push(after.clone());
            }
            match self.states() < MOST_STATES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        let _ = all.map_err(Trouble::Step)?;
        Ok(new)
    }

    /// The steps that lead to a state.
    fn way(
        &self,
        executor: &mut Executor<'_>,
        (from, first): (&State, usize),
        to: &State,
    ) -> Result<Vec<Step>, Interrupt> {
        let mut labels = Vec::new();
        let mut at = self.known[to];
        while at != first {
            let Some((before, label)) = &self.ways[at] else {
                break;
            };
            labels.push(label.clone());
            at = *before;
        }
        let (mut steps, mut state) = (Vec::new(), from.clone());
        for label in labels.into_iter().rev() {
            let after = executor.successor(&state, &label)?;
            state = after.expect("the search took this step");
            let state = state.clone();
            steps.push(Step { label, state });
        }
        Ok(steps)
    }
}
