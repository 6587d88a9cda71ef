//! What commands do, each part usable by several of them: runs, paired runs, candidates, proofs, and all of it together.

pub mod backward;
pub mod candidates;
pub mod explore;
pub mod liveness;
pub mod pairs;
pub mod plan;
pub mod proof;
pub mod run_findings;
pub mod runs;
pub mod scripts;
pub mod second_opinion;
mod start;
pub mod unreached;
mod verify;

pub use verify::verify;
