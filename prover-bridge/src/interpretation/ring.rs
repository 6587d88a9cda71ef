//! Rings whose elements are numbered: which permutations leave them what they are.

use ioa_lang::core::{Ring, SortId};

/// The orders of `0..size` that leave a ring what it is.
pub(super) fn rotations(size: u32) -> Vec<Vec<u32>> {
    let by = |shift: u32| (0..size).map(|place| (place + shift) % size).collect();
    (0..size).map(by).collect()
}

/// Whether a sort is one of some rings.
pub(super) fn is_one_of(rings: &[&Ring], sort: SortId) -> bool {
    rings.iter().any(|ring| ring.sort == sort)
}
