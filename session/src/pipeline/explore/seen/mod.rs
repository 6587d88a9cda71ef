//! What the states that a search visited show: the ways to what was found, what none of them shows, and their graph.

mod dot;
mod shown;
mod unseen;

pub(super) use dot::graph;
pub(super) use shown::Show;
pub use shown::{Disagreement, Shown};
pub(super) use unseen::{LOOKED_AT, PATIENCE, Unseen};
pub use unseen::{Never, Vacuous};
