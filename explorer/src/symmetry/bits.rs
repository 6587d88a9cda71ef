//! Sets as masks.

/// The positions of the bits that are set, ascending.
pub(super) fn ones(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let one = (mask != 0).then(|| u64::from(mask.trailing_zeros()))?;
        mask &= mask - 1;
        Some(one)
    })
}
