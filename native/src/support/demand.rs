//! Which bits of a word are wanted: the same ones always, or those of elements at an index.

use interpreter::code::Slot;

/// The bits of a value that matter: those of a mask, after the value was shifted right as for a [`BitGroup`].
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub(super) mask: u64,
    pub(super) offset: Vec<(Slot, u32)>,
}

impl Demand {
    pub(super) fn whole() -> Self {
        Self::of(u64::MAX)
    }

    pub(super) fn of(mask: u64) -> Self {
        let offset = Vec::new();
        Self { mask, offset }
    }

    /// The same demand on those elements of an array that the index may select, where each has the given width.
    pub(super) fn of_elements(&self, index: &Index, width: u32) -> Self {
        let places = bits_of(index.among).map(|value| value.saturating_mul(width));
        let mask = places.fold(0, |mask, at| mask | self.mask.checked_shl(at).unwrap_or(0));
        let moving = index.moving.iter();
        let mut offset = self.offset.clone();
        offset.extend(moving.map(|(slot, times)| (*slot, times * width)));
        offset.sort_unstable();
        Self { mask, offset }
    }
}

/// The values that an index can have: the sums of a value that is the position of a bit of a mask, and of variables that
/// are bound outside the term, each times a width.
pub(super) struct Index {
    pub(super) among: u64,
    pub(super) moving: Vec<(Slot, u32)>,
}

impl Index {
    pub(super) fn among(among: u64) -> Self {
        let moving = Vec::new();
        Self { among, moving }
    }

    pub(super) fn moving(slot: Slot) -> Self {
        Self {
            among: 1,
            moving: vec![(slot, 1)],
        }
    }

    /// All values multiplied by a power of two; none if one becomes too large.
    pub(super) fn times(mut self, shift: u32) -> Option<Self> {
        self.among = spread(self.among, 1_u32.checked_shl(shift)?)?;
        for (_, width) in &mut self.moving {
            *width = width.checked_shl(shift)?;
        }
        Some(self)
    }

    /// The sums with the values of another index; none if one becomes too large.
    pub(super) fn plus(mut self, other: &Self) -> Option<Self> {
        let fits = (self.among | 1).ilog2() + (other.among | 1).ilog2() < 64;
        let shifted = bits_of(other.among).map(|value| self.among.wrapping_shl(value));
        self.among = shifted.fold(0, |sums, more| sums | more);
        self.moving.extend(&other.moving);
        fits.then_some(self)
    }
}

/// A mask with each bit moved to a multiple of its position; none if one is too high.
fn spread(mask: u64, width: u32) -> Option<u64> {
    bits_of(mask).try_fold(0, |all, at| {
        let at = at.checked_mul(width)?;
        Some(all | 1_u64.checked_shl(at)?)
    })
}

/// The positions of the bits of a mask, lowest first.
pub(crate) fn bits_of(mask: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS).filter(move |at| mask >> at & 1 == 1)
}
