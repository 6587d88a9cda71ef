//! Rings whose elements are numbered: which permutations leave them what they are.

use ioa_lang::core::{Arrangement, Shape, SortId};

/// The orders of `0..size` that leave a ring what it is.
pub(super) fn rotations(size: u32) -> Vec<Vec<u32>> {
    let by = |shift: u32| (0..size).map(|place| (place + shift) % size).collect();
    (0..size).map(by).collect()
}

/// Whether a sort is a ring, by one of some arrangements.
pub(super) fn is_ring(arrangements: &[&Arrangement], sort: SortId) -> bool {
    let mut arrangements = arrangements.iter();
    arrangements.any(|known| known.sort == sort && matches!(known.shape, Shape::Ring { .. }))
}
