//! Ways from a state to others, breadth first.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use interpreter::trace::Step;
use interpreter::{Executor, Interrupt, Label, State, TransitionSystem, Visited};
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
    /// It cannot be said about a state whether it is wanted.
    Goal(BadInput),
}

/// The states that searches have visited. A later search does not look again at what an earlier one has found to lead nowhere.
#[derive(Debug, Default)]
pub(crate) struct Search {
    visited: Visited<State>,
}

/// Whether a state is wanted.
pub(crate) type Goal<'g, 'i> = dyn FnMut(&mut Executor<'i>, &State) -> Result<bool, BadInput> + 'g;

impl Search {
    /// How many states were looked at.
    pub(crate) fn states(&self) -> usize {
        self.visited.len()
    }

    /// Looks for a shortest way from a state to one that is wanted, which may be the state itself.
    pub(crate) fn run<'i>(
        &mut self,
        executor: &mut Executor<'i>,
        from: &State,
        is_wanted: &mut Goal<'_, 'i>,
        host: &dyn Host,
    ) -> Result<Found, Trouble> {
        let mut position = self.states();
        if !self.visited.visit(Cow::Borrowed(from), || None) {
            return Ok(Found::Nowhere(self.states()));
        }
        if is_wanted(executor, from).map_err(Trouble::Goal)? {
            return Ok(Found::Way(Vec::new()));
        }
        while let Some(state) = self.visited.get(position).cloned() {
            if self.states() >= MOST_STATES || host.stopped().is_some() {
                return Ok(Found::Unknown(self.states()));
            }
            for new in self.expand(executor, (&state, position))? {
                let after = self.visited.get(new).cloned().expect("it was just visited");
                if is_wanted(executor, &after).map_err(Trouble::Goal)? {
                    let trace = self.visited.trace(executor.automaton(), new, |state| state);
                    return Ok(Found::Way(trace.steps));
                }
            }
            position += 1;
        }
        Ok(Found::Nowhere(self.states()))
    }

    /// Visits the successors of a state; returns the positions of those that are new.
    fn expand(
        &mut self,
        executor: &mut Executor<'_>,
        (state, position): (&State, usize),
    ) -> Result<Range<usize>, Trouble> {
        let (first, visited) = (self.states(), &mut self.visited);
        let all = executor.each_step(state, &mut |firing, choices, after| {
            let by = || Some((position, Label::of(firing, choices)));
            visited.visit(Cow::Borrowed(after), by);
            match visited.len() < MOST_STATES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        let _ = all.map_err(Trouble::Step)?;
        Ok(first..self.states())
    }
}
