//! Bits of a word that belong together: those of one value, and those of values of one width side by side.
//!
//! Their masks follow from their widths here and nowhere else, so that whoever reads a packed value and whoever writes it
//! mean the same bits.

/// The `bits` lowest bits of a word.
#[must_use]
pub const fn low_bits(bits: u32) -> u64 {
    match u64::MAX.checked_shr(u64::BITS.saturating_sub(bits)) {
        Some(mask) => mask,
        None => 0,
    }
}

/// Adjacent bits of a word, which hold a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    shift: u32,
    mask: u64,
}

impl Slice {
    /// The given number of bits of a word from bit number `shift` on. No bits lie nowhere: they may follow the last bit.
    #[must_use]
    pub const fn new(shift: u32, bits: u32) -> Self {
        debug_assert!(shift + bits <= u64::BITS);
        Self {
            shift: if bits == 0 { 0 } else { shift },
            mask: low_bits(bits),
        }
    }

    /// The number of the lowest bit.
    #[must_use]
    pub const fn shift(self) -> u32 {
        self.shift
    }

    /// How many bits there are.
    #[must_use]
    pub const fn bits(self) -> u32 {
        u64::BITS - self.mask.leading_zeros()
    }

    /// The bits that a code can have: as many as the slice has, the lowest of a word.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// The bits where they lie.
    #[must_use]
    pub const fn in_place(self) -> u64 {
        self.mask << self.shift
    }

    /// The bits that a part of the code occupies. What the code does not have is left out.
    #[must_use]
    pub const fn part(self, part: Self) -> Self {
        let bits = self.bits().saturating_sub(part.shift);
        let bits = if bits < part.bits() {
            bits
        } else {
            part.bits()
        };
        Self::new(
            if bits == 0 {
                0
            } else {
                self.shift + part.shift
            },
            bits,
        )
    }

    /// The code in these bits.
    #[inline]
    #[must_use]
    pub const fn read(self, word: u64) -> u64 {
        word >> self.shift & self.mask
    }

    /// The word with another code in these bits.
    #[inline]
    #[must_use]
    pub const fn replaced(self, word: u64, code: u64) -> u64 {
        debug_assert!(code <= self.mask);
        word & !self.in_place() | code << self.shift
    }
}

/// Elements of one width side by side in a word, the first lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    width: u32,
    mask: u64,
}

impl Elements {
    /// Elements of the given width.
    #[must_use]
    pub const fn new(width: u32) -> Self {
        let mask = low_bits(width);
        Self { width, mask }
    }

    /// The same places, where what is read or replaced at one is all that lies from there on.
    #[must_use]
    pub const fn to_the_end(width: u32) -> Self {
        let mask = u64::MAX;
        Self { width, mask }
    }

    /// How many bits lie between the first bit of an element and that of the next.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// The bits that an element can have, the lowest of a word.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// The lowest bit of each of the first `count` elements.
    #[must_use]
    pub fn lowest_bits(self, count: u32) -> u64 {
        (0..count).fold(0, |ones, at| ones | 1 << (at * self.width))
    }

    /// The element at an index; 0 where the word has ended.
    #[inline]
    #[must_use]
    pub fn read(self, word: u64, index: u64) -> u64 {
        shr(word, self.begin(index)) & self.mask
    }

    /// The word with another element at an index; the same word where it has ended.
    #[inline]
    #[must_use]
    pub fn replaced(self, word: u64, index: u64, code: u64) -> u64 {
        debug_assert!(code <= self.mask);
        let begin = self.begin(index);
        word & !shl(self.mask, begin) | shl(code, begin)
    }

    /// For each of the first `count` elements, whether it is this one: a bit at its index.
    #[must_use]
    pub fn matches(self, word: u64, count: u32, code: u64) -> u64 {
        (0..count).fold(0, |found, at| {
            let element = word >> (at * self.width) & self.mask;
            found | u64::from(element == code) << at
        })
    }

    /// The bits, side by side, at one position in each of the first `count` elements.
    #[must_use]
    pub fn column(self, word: u64, count: u32, position: u64) -> u64 {
        (0..count).fold(0, |column, at| {
            let bit = self.begin(u64::from(at)).saturating_add(position);
            column | (shr(word, bit) & 1) << at
        })
    }

    /// The first bit of an element, or a position after the last bit of a word if there is no such element.
    fn begin(self, index: u64) -> u64 {
        index.saturating_mul(u64::from(self.width))
    }
}

/// A word shifted left by any amount; 0 if no bit is left.
#[inline]
fn shl(word: u64, by: u64) -> u64 {
    u32::try_from(by).map_or(0, |by| word.checked_shl(by).unwrap_or(0))
}

/// A word shifted right by any amount; 0 if no bit is left.
#[inline]
fn shr(word: u64, by: u64) -> u64 {
    u32::try_from(by).map_or(0, |by| word.checked_shr(by).unwrap_or(0))
}
