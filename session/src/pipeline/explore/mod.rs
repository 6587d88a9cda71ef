//! Exploration of all reachable states: what is asked, the search, and what it comes to.

mod ended;
mod every;
mod exploration;
mod findings;
mod growth;
#[cfg(test)]
mod lying_engine;
mod orders;
mod plan;
mod seen;
mod swarm;
mod symmetry;
mod visit;

pub(super) use ended::{bound, stopped, unfinished};
pub use every::in_each_interpretation;
pub use exploration::{Ended, Exploration, LeftOut, Others, Reduction};
pub use findings::{coverage, findings, levels};
pub use orders::{Orders, by_solver, watches};
pub(super) use plan::negate;
pub use plan::{ExplorePlan, IndependenceBy, Limits, SwarmPlan};
pub use seen::{Disagreement, Never, Shown, Vacuous};
pub use swarm::Swarmed;
pub(super) use swarm::starts as swarm_starts;
pub use symmetry::{BySymmetry, account};
pub use visit::{DISK_MARK, MARK, explore, make_sums_right, storage};
pub(super) use visit::{FirstRanges, Numbering, Steps, TimeLimit, labelled, steps};
