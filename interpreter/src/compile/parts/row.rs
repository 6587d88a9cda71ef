//! Places of one width, side by side in limbs: the elements of arrays, the slots of maps and of sequences.

use finite::{Elements, Slots};

use super::terms::{chosen, equal, lowest, moved};
use crate::code::{Binary, Word};

/// Places in limbs, as many in each as it has room for.
pub(super) struct Row {
    /// The bits of a place.
    pub(super) bits: u32,
    /// The number of places in each limb.
    pub(super) counts: Vec<u32>,
}

impl Row {
    /// The places of the given width in some limbs.
    pub(super) fn new(limbs: &[u32], bits: u32) -> Self {
        Self {
            bits,
            counts: limbs.iter().map(|limb| limb / bits).collect(),
        }
    }

    /// The given number of places, filling one limb after the other.
    pub(super) fn filled(count: u64, Slots { bits, each }: Slots) -> Self {
        let limbs = 0..count.div_ceil(each);
        let counts = limbs.map(|limb| each.min(count - limb * each) as u32);
        Self {
            bits,
            counts: counts.collect(),
        }
    }

    /// The places of a limb.
    pub(super) fn elements(&self) -> Elements {
        Elements::new(self.bits)
    }

    /// The number of the first place in each limb.
    pub(super) fn begins(&self) -> impl Iterator<Item = i64> {
        self.counts.iter().scan(0, |begin, count| {
            let first = *begin;
            *begin += i64::from(*count);
            Some(first)
        })
    }

    /// The bits of a limb.
    pub(super) fn limb_bits(&self, limb: usize) -> u32 {
        self.counts[limb] * self.bits
    }

    /// The limbs in which each place holds the same.
    pub(super) fn repeated(&self, code: &Word) -> Vec<Word> {
        let ones = |count: &u32| self.elements().lowest_bits(*count);
        let counts = self.counts.iter();
        counts
            .map(|count| match code {
                Word::Const(code) => Word::Const(code.wrapping_mul(ones(count))),
                code => Word::Times(Box::new(code.clone()), ones(count)),
            })
            .collect()
    }

    /// What a place holds.
    pub(super) fn selected(&self, limbs: &[Word], index: &Word) -> Word {
        let begins: Vec<i64> = self.begins().collect();
        let Some(last) = limbs.len().checked_sub(1) else {
            return Word::FALSE;
        };
        let (mut limb, mut place) = (limbs[last].clone(), moved(index.clone(), -begins[last]));
        for at in (0..last).rev() {
            let is_before = match index {
                Word::Const(n) => Word::Const(u64::from(n.cast_signed() < begins[at + 1])),
                index => {
                    let end = Word::Const(begins[at + 1].cast_unsigned());
                    Word::binary(Binary::Less, index.clone(), end)
                }
            };
            limb = chosen(is_before.clone(), limbs[at].clone(), limb);
            place = chosen(is_before, moved(index.clone(), -begins[at]), place);
        }
        if self.counts.iter().all(|count| *count == 1) {
            return lowest(limb, self.bits);
        }
        let (parts, elements) = (Box::new([limb, place]), self.elements());
        Word::Select { parts, elements }
    }

    /// The limbs with another value in one place.
    pub(super) fn assigned(&self, limbs: &[Word], index: &Word, value: &Word) -> Vec<Word> {
        let begins = self.begins().zip(&self.counts).zip(limbs);
        let limbs = begins.map(|((begin, count), limb)| {
            let limb = limb.clone();
            if *count == 1 {
                let is_it = equal(index, begin.cast_unsigned());
                return chosen(is_it, value.clone(), limb);
            }
            let place = moved(index.clone(), -begin);
            if matches!(place, Word::Const(n) if n >= u64::from(*count)) {
                return limb;
            }
            let (parts, elements) = (Box::new([limb, place, value.clone()]), self.elements());
            let assigned = Word::Assign { parts, elements };
            // A place of the next limb may begin behind the last one of this, and yet within the word.
            match self.counts.len() {
                1 => assigned,
                _ => lowest(assigned, count * self.bits),
            }
        });
        limbs.collect()
    }
}
