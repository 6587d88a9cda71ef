//! The questions: runs, paired runs, explorations, candidates, proofs, and all of it together.

pub mod candidates;
pub mod explore;
pub mod liveness;
pub mod pairs;
pub mod plan;
#[cfg(feature = "smt")]
pub mod proof;
pub mod runs;
#[cfg(feature = "smt")]
pub mod scripts;
#[cfg(feature = "smt")]
pub mod sift;
#[cfg(feature = "smt")]
pub mod unreached;
mod unrun;
mod verify;

pub use verify::verify;
