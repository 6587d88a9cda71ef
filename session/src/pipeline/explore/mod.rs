//! Exploration of all reachable states: what is asked, the search, and what it comes to.

mod checkpoint;
mod dot;
mod findings;
#[cfg(test)]
mod lying_engine;
mod packing;
mod plan;
mod search;
mod shown;
mod steps;
mod symmetry;
mod time_limit;
mod unseen;

pub use checkpoint::{MARK, make_sums_right};
pub use findings::{coverage, findings, levels};
pub use packing::{explore, storage};
pub use plan::{ExplorePlan, Limits};
pub use search::{Ended, Exploration};
pub use shown::{Disagreement, Shown};
pub use symmetry::account;
pub use unseen::{Never, Vacuous};
