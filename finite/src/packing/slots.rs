//! Slots of one width, side by side in limbs.

use super::Slice;

/// Maximum number of limbs of a value; larger values are general values.
pub const MAX_LIMBS: usize = 48;

/// Slots of equal width, none of which extends over two limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// The width of each in bits.
    pub bits: u32,
    /// How many lie in a limb.
    pub each: u64,
}

impl Slots {
    /// Slots of the given width, as many in each limb as fit.
    #[must_use]
    pub fn of(bits: u32) -> Self {
        let each = u64::from(u64::BITS / bits.max(1));
        Self { bits, each }
    }

    /// The limb of a slot and its bits in it.
    #[must_use]
    pub fn place(self, slot: u64) -> (usize, Slice) {
        let (limb, at) = (slot / self.each, slot % self.each);
        (limb as usize, Slice::new(at as u32 * self.bits, self.bits))
    }

    /// What a slot holds.
    #[must_use]
    pub fn get(self, limbs: &[u64], slot: u64) -> u64 {
        let (limb, bits) = self.place(slot);
        bits.read(limbs[limb])
    }

    /// Puts a code into a slot that holds 0.
    pub fn put(self, limbs: &mut [u64], slot: u64, code: u64) {
        let (limb, bits) = self.place(slot);
        limbs[limb] |= bits.replaced(0, code);
    }
}
