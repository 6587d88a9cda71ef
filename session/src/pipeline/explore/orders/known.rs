//! What is known of executions that were taken one by one.

use explorer::Counts;
use interpreter::trace::Trace;

/// What is known of the executions that were taken.
#[derive(Clone, Debug)]
pub struct Orders {
    /// What was counted.
    pub counts: Counts,
    /// In how many states executions end; none where these are too many.
    pub ends: Option<u64>,
    /// About how many orders there are in all, where not all were taken.
    pub estimate: Option<f64>,
    /// An execution that need not end, and after how many of its steps it repeats itself, if it does.
    pub endless: Option<(Trace, Option<usize>)>,
}

impl Orders {
    /// What two searches come to together.
    pub(in crate::pipeline::explore) fn with(self, other: Self) -> Self {
        let counts = Counts {
            orders: self.counts.orders + other.counts.orders,
            cut: self.counts.cut + other.counts.cut,
            redundant: self.counts.redundant + other.counts.redundant,
            steps: self.counts.steps + other.counts.steps,
            longest: self.counts.longest.max(other.counts.longest),
            refined: self.counts.refined.max(other.counts.refined),
        };
        Self {
            counts,
            // Whether the two end in the same states is not known.
            ends: None,
            estimate: None,
            endless: self.endless.or(other.endless),
        }
    }
}
