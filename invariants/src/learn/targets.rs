//! The states that clauses are to exclude.

use std::collections::BTreeMap;

use super::cover::has;

/// Made-up states that are to be excluded: of each block, by their positions.
pub type Targets = BTreeMap<usize, Vec<usize>>;

/// Whether one of some states is among those that a clause excludes in each block.
pub(crate) fn hits(excludes: &[Vec<u64>], targets: &Targets) -> bool {
    let mut blocks = excludes.iter().zip(targets.values());
    blocks.any(|(words, states)| states.iter().any(|at| has(words, *at)))
}
