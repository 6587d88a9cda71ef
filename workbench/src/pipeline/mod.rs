//! What commands do, each part usable by several of them: runs, paired runs, candidates, proofs, and all of it together.

pub mod plan;
pub mod proof;
pub mod runs;
