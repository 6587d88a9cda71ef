//! Every reachable state of a finite instance, breadth first, and what is true of all of them.
//!
//! ```text
//! level --expand--> successors --sort--> those of each shard --look up, insert--> next level
//! ```
//!
//! A [`Search`] goes on in *rounds*. Each takes some states of the level that is being expanded, generates their
//! successors, and sorts these by the *shard* of the visited set that their hash belongs to; then each shard inserts
//! those that it does not have. So what is looked up lies close together, though states lie anywhere. There are few
//! shards at first; once these are too large for the nearest caches, they are split.
//!
//! Both halves of a round are shared by all threads without a lock on any state, and neither depends on how many there
//! are: what is visited, in which order, and everything that is counted are the same.
//!
//! States are rows of words ([`interpreter::Rows`]); how they are stepped is for whoever implements
//! [`interpreter::Successors`] to say.
//!
//! Where the states do not fit into memory, a level is *settled* once the one before is expanded: what memory does not know is
//! looked for in files ([`Search::begin_on_disk`]).
//!
//! The rooms: `store` keeps the visited states, `search` says in which order they are expanded and what is asked of them
//! ([`DepthFirst`] is a second order over the same store and questions), and [`symmetry`] takes states for one. `liveness` and
//! `possible` ask what goes on forever and what can still be reached, of a [`Graph`] of all states. [`Within`] leaves out what
//! follows some states, and a [`View`] takes states for one that differ in what is ignored. A [`Swarm`] goes deep, in many orders, where there are too many states to visit all. `dpor` keeps no states: it takes one execution of each partial order of steps.
//!
//! **Boundary.** A [`Search`] is made from [`Successors`](interpreter::Successors) and start rows, advanced round by round,
//! asked for what it found, and written to or read from words. [`symmetry`] makes it visit one state of those that
//! differ in names alone.
//!
//! **What it never knows.** What a state means, how files are read and written ([`Folder`] is for others to implement), clocks, and how findings are told.

mod dpor;
mod liveness;
mod possible;
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
