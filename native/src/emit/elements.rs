//! Elements of arrays that lie in words: read, replaced, moved, compared.

use finite::{Elements, Slice, low_bits};
use interpreter::code::Word;

use super::Emitter;
use super::word::Place;
use crate::value::Bits;

impl Emitter<'_> {
    /// The bits of a packed array or set under a mask, from element number `index` on, where each element has the same
    /// width. Every read at a computed index happens here. It never sees what lies beside the array: bits outside are read
    /// as 0.
    pub(super) fn element(&mut self, array: &Word, index: Bits, (width, mask): (u32, u64)) -> Bits {
        let place = self.place(array);
        self.element_at(place, index, (width, mask))
    }

    pub(super) fn element_at(
        &mut self,
        place: Place,
        index: Bits,
        (width, mask): (u32, u64),
    ) -> Bits {
        let at = self.offset(index, width);
        let length = u64::from(u64::BITS - mask.leading_zeros());
        let end = at.most().saturating_add(length);
        let from = if end <= u64::from(place.slice.bits()) {
            let at = self.add(at, Bits::Known(u64::from(place.slice.shift())));
            self.shr(place.word, at)
        } else {
            let array = self.whole(place);
            self.shr(array, at)
        };
        self.and(from, Bits::Known(mask))
    }

    /// The first bit of element number `index`, or a position after the last bit of a word if there is no such element.
    pub(super) fn offset(&mut self, index: Bits, width: u32) -> Bits {
        let index = match index.most().checked_mul(u64::from(width)) {
            Some(_) => index,
            None => self.at_most(index, u64::from(u64::BITS)),
        };
        self.mul(index, u64::from(width))
    }

    /// The terms that extract or replace bits in tuples and arrays.
    pub(super) fn rearranged(&mut self, word: &Word) -> Bits {
        match word {
            Word::Extract { from, slice } => {
                let place = self.place(from);
                self.part(place, *slice)
            }
            Word::Shift { value, shift } => {
                let value = self.word(value);
                self.shl(value, Bits::Known(u64::from(*shift)))
            }
            Word::Times(a, factor) => {
                let a = self.word(a);
                self.mul(a, *factor)
            }
            Word::Update { parts, slice } => {
                let (whole, part) = (self.word(&parts[0]), self.word(&parts[1]));
                let at = Bits::Known(u64::from(slice.shift()));
                self.replaced(whole, at, (slice.mask(), part))
            }
            Word::Select { parts, elements } => {
                let index = self.word(&parts[1]);
                self.element(&parts[0], index, (elements.width(), elements.mask()))
            }
            Word::Assign { parts, elements } => {
                let (array, index) = (self.word(&parts[0]), self.word(&parts[1]));
                let element = self.word(&parts[2]);
                let at = self.offset(index, elements.width());
                self.replaced(array, at, (elements.mask(), element))
            }
            Word::Column {
                parts,
                elements,
                count,
            } => {
                let bit = self.word(&parts[1]);
                let bits = self.element(&parts[0], bit, (1, elements.lowest_bits(*count)));
                self.compressed(bits, elements.width(), *count)
            }
            Word::Matches {
                parts,
                elements,
                count,
            } => self.matches(parts, *elements, *count),
            _ => unreachable!("every other term is computed by Emitter::word"),
        }
    }

    /// A word with the bits under a mask, from some position on, replaced by others.
    pub(super) fn replaced(&mut self, whole: Bits, at: Bits, part: (u64, Bits)) -> Bits {
        self.replaced_in(Slice::new(0, u64::BITS), whole, at, part)
    }

    /// A word with the bits under a mask, from some position of a packed value on, replaced by others. Every write at a
    /// computed index happens here. It never changes what lies beside the value.
    pub(super) fn replaced_in(
        &mut self,
        slice: Slice,
        whole: Bits,
        at: Bits,
        (mask, part): (u64, Bits),
    ) -> Bits {
        let hole = self.shl(Bits::Known(mask), at);
        let hole = self.lying_in(slice, hole);
        let part = self.and(part, Bits::Known(mask));
        let part = self.shl(part, at);
        let part = self.lying_in(slice, part);
        let kept = self.without(whole, hole);
        self.or(kept, part)
    }

    /// Bits of a packed value, moved to where they lie in its word; bits that the value does not have are dropped.
    pub(super) fn lying_in(&mut self, slice: Slice, bits: Bits) -> Bits {
        let bits = self.and(bits, Bits::Known(slice.mask()));
        self.shl(bits, Bits::Known(u64::from(slice.shift())))
    }

    /// The indices of the elements of an array that equal a value. All elements are compared at once: an element is equal if
    /// no bit differs, so the differing bits of each element are combined into its lowest bit.
    fn matches(&mut self, parts: &[Word; 2], elements: Elements, count: u32) -> Bits {
        let (value, width) = (self.word(&parts[1]), elements.width());
        // No element equals a value that is wider than an element.
        let fits = self.not_above(value, elements.mask());
        if width == 0 {
            let equal = self.number(fits);
            return self.mul(equal, low_bits(count));
        }
        let value = self.and(value, Bits::Known(elements.mask()));
        let array = self.place(&parts[0]);
        let array = self.part(array, Slice::new(0, width * count));
        let ones = elements.lowest_bits(count);
        let repeated = self.mul(value, ones);
        let mut differ = self.xor(array, repeated);
        let mut joined = 1;
        while joined < width {
            let more = joined.min(width - joined);
            let shifted = self.shr(differ, Bits::Known(u64::from(more)));
            differ = self.or(differ, shifted);
            joined += more;
        }
        let equal = self.without(Bits::Known(ones), differ);
        let equal = self.either(fits, equal, Bits::Known(0));
        self.compressed(equal, width, count)
    }

    /// Compresses the `count` bits at multiples of `width` into adjacent bits: neighbours are joined, then pairs, and so on.
    /// (Warren, Hacker's Delight, section 7-4, for a fixed mask.)
    fn compressed(&mut self, mut bits: Bits, width: u32, count: u32) -> Bits {
        if width == 0 {
            // There is only one bit.
            let first = self.and(bits, Bits::Known(1));
            return self.mul(first, low_bits(count));
        }
        let mut group = 1;
        while group < count && width > 1 {
            let by = u64::from(group * (width - 1));
            let shifted = self.shr(bits, Bits::Known(by));
            let both = self.or(bits, shifted);
            group *= 2;
            bits = self.and(both, Bits::Known(groups(group, width, count)));
        }
        bits
    }
}

/// A mask of the lowest `group` bits in each field that `group` elements occupy.
fn groups(group: u32, width: u32, count: u32) -> u64 {
    let starts = (0..count).step_by(group as usize).map(|i| i * width);
    starts.fold(0, |mask, at| mask | low_bits(group) << at)
}
