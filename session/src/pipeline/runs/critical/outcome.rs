//! What comes of looking for runs that end in dead states.

use std::sync::Arc;

use interpreter::Instance;
use interpreter::trace::Trace;

use super::depth::Depths;
use crate::host::Stop;

/// A run that ends in a state that is dead or believed to be.
#[derive(Debug)]
pub(super) struct Critical {
    /// The run, up to the critical transition.
    pub(super) trace: Trace,
    /// How many of its first steps are those of an earlier run that was live; none where it began in a start state.
    pub(super) begun: Option<usize>,
    /// A way to a live state, from the state before the critical transition; none where the first state is dead already.
    pub(super) way_out: Option<Trace>,
    /// Whether the state after the critical transition is known to be dead.
    pub(super) is_certain: bool,
    /// Its seed.
    pub(super) seed: u64,
    /// How many steps the run took.
    pub(super) steps: u64,
}

impl Critical {
    /// The executions that it is about, in their instance.
    pub(super) fn executions(self, instance: &Arc<Instance>) -> Executions {
        let sibling = self.way_out.map(|way_out| {
            let before = &self.trace.steps[..self.trace.steps.len().saturating_sub(1)];
            Trace {
                steps: [before, &way_out.steps].concat(),
                ..self.trace.clone()
            }
        });
        Executions {
            instance: Arc::clone(instance),
            seed: self.seed,
            run: self.trace,
            sibling,
        }
    }
}

/// An execution with a critical transition, and its sibling that gets to a live state.
#[derive(Debug)]
pub struct Executions {
    /// Where they are executions.
    pub instance: Arc<Instance>,
    /// The seed of the run.
    pub seed: u64,
    /// The run, up to the critical transition.
    pub run: Trace,
    /// The run up to the state before it, and a way from there to a live state; none where the first state is dead already.
    pub sibling: Option<Trace>,
}

/// What came of looking for such a run.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// The first one that was found.
    pub(super) found: Option<Critical>,
    /// The depths of first live states, where they decide how many steps runs take.
    pub(super) depths: Option<Depths>,
    /// At most how many steps a run takes.
    pub(super) steps: u64,
    /// Runs that were made in the last interpretation.
    pub(super) runs: u64,
    /// Runs that were made in all interpretations.
    pub(super) runs_in_all: u64,
    /// Runs that had a live state.
    pub(super) live: u64,
    /// Runs and walks that ended in a run-time error of the model.
    pub(super) faults: u64,
    /// Whether the strategy is systematic, and there are no other runs.
    pub(super) has_all: bool,
    /// Why there were not all runs of the plan.
    pub(super) stopped: Option<Stop>,
}
