//! What the low automaton did before a simulation failed.

use finite::Universe;
use interpreter::Instance;
use interpreter::trace::Trace;

use crate::finding::Finding;

/// An execution of the low automaton up to the failure of a simulation, as it is told: its last step is the one that fails.
#[derive(Debug)]
pub struct LowExecution {
    /// The sizes and the interpretation of the theories at which it was made.
    pub universe: Universe,
    /// What the low automaton did.
    pub trace: Trace,
    /// What was drawn at random was drawn with it; nothing was drawn along all executions.
    pub seed: Option<u64>,
    /// How it failed, in one line.
    pub headline: String,
}

impl LowExecution {
    /// The execution that the last story of a finding tells; none if there was no start state.
    pub(super) fn of(
        instance: &Instance,
        (trace, seed): (Option<Trace>, Option<u64>),
        finding: &Finding,
    ) -> Option<Self> {
        let told = finding.stories.last();
        Some(Self {
            universe: instance.universe().clone(),
            trace: trace?,
            seed,
            headline: told.map_or_else(String::new, |story| story.headline.clone()),
        })
    }
}
