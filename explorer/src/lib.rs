//! Visits every reachable state of a finite instance, breadth first, and says what is true of all of them.
//!
//! ```text
//! level --expand--> successors --sort--> those of each shard --look up, insert--> next level
//! ```
//!
//! A [`Search`] goes on in *rounds*. Each takes some states of the level that is being expanded, generates their
//! successors, and sorts these by the *shard* of the visited set that their hash belongs to; then each shard inserts
//! those that it does not have. So what is looked up together lies close together in memory, although successive states do not. There are few
//! shards at first; once these are too large for the nearest caches, they are split.
//!
//! Both halves of a round are shared by all threads without a lock on any state. Neither depends on the number of threads:
//! the states, their order, and all counts are the same.
//!
//! States are rows of words ([`interpreter::Rows`]); an implementation of [`interpreter::Successors`]
//! computes the steps.
//!
//! If the states do not fit into memory, a level is *settled* once the one before it is expanded: states that are not in memory
//! are looked up in files ([`Search::begin_on_disk`]).
//!
//! The modules: `store` keeps the visited states. `search` says in which order they are expanded and what is asked about them
//! ([`DepthFirst`] is a second order over the same store and questions). [`symmetry`] treats states as one that differ only in
//! the names of elements, and a [`View`] those that differ only in ignored variables. [`Within`] leaves out the steps from
//! some states. `liveness` and `possible` use a [`Graph`] of all states to decide what can go on forever and what can still
//! be reached. A [`Swarm`] makes many deep searches where there are too many states to visit all. `dpor` keeps no states: it
//! takes one execution of each partial order of steps.
//!
//! **Boundary.** A [`Search`] is made from [`Successors`](interpreter::Successors) and start rows, advanced round by round,
//! asked for what it found, and written to or read from words. With [`symmetry`] it visits one of all states that
//! differ only in names.
//!
//! **What it never knows.** What a state means, how files are read and written (others implement [`Folder`]), the time, and how
//! findings are shown.

mod dpor;
mod liveness;
mod possible;
mod reduced;
mod represented;
mod search;
mod store;
mod swarm;
pub mod symmetry;
mod view;
mod within;

pub use dpor::{Counts, Dpor, Found, Independence, Outcome};
pub use liveness::{
    Bits, Graph, Growth, Lasso, Limits, Stopped, TaskSets, Tasks, TooManyCases, violation, way,
};
pub use possible::{Dead, Possible, Transient, alive, possible};
pub use reduced::{Reduced, Relation};
pub use represented::{Represent, Represented};
pub use search::depth_first::DepthFirst;
pub use search::keep::{Get, Lost, Put};
pub use search::path::{
    Canonical, Disagreement, Instead, Labelled, Path, PathStep, label, label_onward,
};
pub use search::{Bounds, Finding, Level, Question, Search, Status};
pub use store::disk::folder::{Folder, Kept};
pub use swarm::{Course, Dived, End, Found as SwarmFound, Swarm, SwarmBounds};
pub use view::View;
pub use within::Within;
