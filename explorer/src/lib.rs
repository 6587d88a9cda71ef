//! Every reachable state of a finite instance, breadth first, and what is true of all of them.
//!
//! ```text
//! frontier --expand--> successors --look up--> unknown ones --insert--> next frontier
//! ```
//!
//! A [`Search`] goes on in *rounds*. Each takes some states of the level that is being expanded, generates their
//! successors and looks these up in the visited set, which nobody changes meanwhile; then the unknown ones are inserted,
//! each in the *shard* of the set that its hash belongs to. Both halves are shared by all threads without a lock on any
//! state, and neither depends on how many there are: what is visited, in which order, and everything that is counted are the same.
//!
//! States are rows of words ([`interpreter::Rows`]); how they are stepped is for whoever implements
//! [`interpreter::Successors`] to say.

mod arena;
mod keep;
mod path;
mod round;
mod search;
mod shard;
pub mod symmetry;
mod visited;

pub use keep::{Get, Lost, Put};
pub use path::{Canonical, execution};
pub use search::{Bounds, Finding, Level, Question, Search, Status};
pub use visited::StateId;
