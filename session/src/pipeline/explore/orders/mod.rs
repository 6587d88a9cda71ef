//! One execution of each partial order of steps, instead of all states: a search that keeps no states.

mod independence;
mod known;
#[cfg(feature = "smt")]
mod solver;
mod taking;
mod told;

pub use independence::{by_solver, watches};
pub use known::Orders;
pub(super) use taking::explore;
pub(super) use told::{account, endless};
