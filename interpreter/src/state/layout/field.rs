//! Places within a state: bits of one word, or limbs in several.

use std::sync::Arc;

use finite::Slice;

use crate::state::cell::Unpacking;

/// A field of one word of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub(super) word: u32,
    pub(super) slice: Slice,
}

/// Where a variable lies.
#[derive(Clone, Debug, PartialEq)]
pub enum Location {
    /// In some bits of a word.
    Bits(Field),
    /// In some bits of several words.
    Limbs(Arc<Limbs>),
    /// In a cell of its own.
    Cell(u32),
}

/// Where the limbs of a variable lie.
#[derive(Debug, PartialEq)]
pub struct Limbs {
    pub(super) fields: Vec<Field>,
    pub(super) unpacking: Arc<Unpacking>,
}

impl Limbs {
    /// Each limb's bits.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The conversion to a cell and back.
    pub(crate) fn unpacking(&self) -> &Arc<Unpacking> {
        &self.unpacking
    }

    pub(super) fn read(&self, words: &[u64]) -> Vec<u64> {
        self.fields.iter().map(|field| field.read(words)).collect()
    }

    /// Replaces all limbs.
    pub(crate) fn write(&self, words: &mut [u64], limbs: &[u64]) {
        let limbs = self.fields.iter().zip(limbs);
        limbs.for_each(|(field, code)| field.write(words, *code));
    }
}

impl Field {
    /// The given number of bits of a word, from bit number `shift` on.
    #[must_use]
    pub fn new(word: u32, shift: u32, bits: u32) -> Self {
        let slice = Slice::new(shift, bits);
        Self { word, slice }
    }

    /// The position of the word.
    #[must_use]
    pub fn word(self) -> usize {
        self.word as usize
    }

    /// The bits of the word.
    #[must_use]
    pub fn slice(self) -> Slice {
        self.slice
    }

    /// The code in these bits.
    #[must_use]
    pub fn read(self, words: &[u64]) -> u64 {
        self.slice.read(words[self.word()])
    }

    /// Replaces the code in these bits.
    pub fn write(self, words: &mut [u64], code: u64) {
        let word = &mut words[self.word()];
        *word = self.slice.replaced(*word, code);
    }
}
