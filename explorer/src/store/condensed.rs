//! Rows without the bits in which no two states differ.
//!
//! A state has room for every value of its variables. Of a set of messages most are never sent, and of a channel the last
//! places are rarely used; so in many models most bits are the same in all states that are reached. Rows are *condensed* to the
//! others, in fewer words: there is less to sort, to look up, and to store.
//!
//! Which bits differ is learnt from some states. A row that differs from them in another bit is *beyond*; then more has to be
//! learnt, and all states are condensed anew.

use std::cmp::Reverse;

/// What a word of a condensed row costs in each step, by the measure by which a part of it costs one: to sort, compare and store it
/// takes longer than to put a part of it there.
const WORD: usize = 5;

/// With so many words more than are needed for the bits, fewer parts may do.
const SPARE: usize = 3;

/// Rows that are condensed at once: they stay in the nearest cache.
const AT_ONCE: usize = 64;

/// In what the states differ of which something is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Differences {
    /// The words of one of them.
    pub(crate) first: Vec<u64>,
    /// The bits of each word in which another differs from it.
    pub(crate) bits: Vec<u64>,
}

impl Differences {
    /// There is only one state.
    pub(crate) fn none(first: &[u64]) -> Self {
        Self {
            first: first.to_vec(),
            bits: vec![0; first.len()],
        }
    }

    /// Looks at more states.
    pub(crate) fn note(&mut self, rows: &[u64]) {
        for row in rows.chunks_exact(self.first.len()) {
            let words = self.bits.iter_mut().zip(row.iter().zip(&self.first));
            words.for_each(|(bits, (word, first))| *bits |= word ^ first);
        }
    }

    /// Adds bits in which states differ.
    pub(crate) fn add(&mut self, more: &[u64]) {
        let bits = self.bits.iter_mut().zip(more);
        bits.for_each(|(bits, more)| *bits |= more);
    }

    /// How many bits there are.
    fn count(&self) -> u32 {
        self.bits.iter().map(|bits| bits.count_ones()).sum()
    }
}

/// Some bits of a word of a row, and where they lie in the condensed row.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: usize,
    mask: u64,
    to: usize,
    /// By how many bits they are turned to the left.
    by: u32,
}

/// How rows are condensed.
#[derive(Clone, Debug)]
pub(crate) struct Condensed {
    differences: Differences,
    /// A row with the bits in which states do not differ, and zeros in the place of the others.
    same: Vec<u64>,
    parts: Vec<Part>,
    /// The words of a condensed row.
    width: usize,
    /// The bits that its word uses, if it has one.
    bits: u32,
}

impl Condensed {
    /// The best way to condense rows that differ so; none if it does not pay.
    pub(crate) fn of(differences: &Differences) -> Option<Self> {
        let width = differences.first.len();
        let all = differences.count().max(1);
        let least = all.div_ceil(u64::BITS) as usize;
        let mut best: Option<(usize, Self)> = None;
        for words in least..width.min(least + SPARE) {
            // One word uses the lowest bits alone: it is hashed to as many.
            let bits = if words == 1 { all } else { u64::BITS };
            let before = best.as_ref().map_or(WORD * width, |(cost, _)| *cost);
            let most = before.saturating_sub(WORD * words + 1);
            if let Some(parts) = parts(&differences.bits, (words, bits), most) {
                let same = differences.first.iter().zip(&differences.bits);
                let condensed = Self {
                    same: same.map(|(first, bits)| first & !bits).collect(),
                    differences: differences.clone(),
                    width: words,
                    bits,
                    parts,
                };
                best = Some((WORD * words + condensed.parts.len(), condensed));
            }
        }
        best.map(|(_, condensed)| condensed)
    }

    /// What was known when this was chosen.
    pub(crate) fn differences(&self) -> &Differences {
        &self.differences
    }

    /// The words of a condensed row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The bits that the word of a condensed row uses, if it has one.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether a condensed row uses no bits but those in which states differ.
    pub(crate) fn is_row(&self, condensed: &[u64]) -> bool {
        let mut unused = condensed.to_vec();
        for part in &self.parts {
            unused[part.to] &= !part.mask.rotate_left(part.by);
        }
        unused.iter().all(|bits| *bits == 0)
    }

    /// Condenses rows. Where some are beyond, the bits in which they are go to `beyond`, and the condensed rows mean nothing.
    pub(crate) fn condense(&self, rows: &[u64], to: &mut [u64], beyond: &mut [u64]) {
        match self.differences.first.len() {
            2 => self.condense_by::<2>(rows, to, beyond),
            3 => self.condense_by::<3>(rows, to, beyond),
            4 => self.condense_by::<4>(rows, to, beyond),
            5 => self.condense_by::<5>(rows, to, beyond),
            6 => self.condense_by::<6>(rows, to, beyond),
            7 => self.condense_by::<7>(rows, to, beyond),
            8 => self.condense_by::<8>(rows, to, beyond),
            width => self.condense_rows(rows, width, to, beyond),
        }
    }

    /// The same for rows of a width that is known when this is compiled.
    fn condense_by<const WIDTH: usize>(&self, rows: &[u64], to: &mut [u64], beyond: &mut [u64]) {
        self.condense_rows(rows, WIDTH, to, beyond);
    }

    /// Word by word, some rows at a time.
    #[inline(always)]
    fn condense_rows(&self, rows: &[u64], width: usize, to: &mut [u64], beyond: &mut [u64]) {
        let Differences { first, bits } = &self.differences;
        let chunks = rows.chunks(AT_ONCE * width);
        for (rows, to) in chunks.zip(to.chunks_mut(AT_ONCE * self.width)) {
            to.fill(0);
            let mut parts = &self.parts[..];
            for word in 0..width {
                let here = parts.partition_point(|part| part.from <= word);
                let (own, others) = parts.split_at(here);
                parts = others;
                let differ = match own.split_first() {
                    Some((part, more)) => {
                        for part in more {
                            self.put(part, rows, width, to);
                        }
                        self.put(part, rows, width, to)
                    }
                    None => different(rows, width, word, first[word]),
                };
                beyond[word] |= differ & !bits[word];
            }
        }
    }

    /// Puts a part of each row to its place, and gives the bits in which a row differs from the first in the word that it is from.
    #[inline(always)]
    fn put(&self, part: &Part, rows: &[u64], width: usize, to: &mut [u64]) -> u64 {
        let first = self.differences.first[part.from];
        let (mut different, mut at, mut from) = (0, part.to, part.from);
        while from < rows.len() {
            let word = rows[from];
            different |= word ^ first;
            to[at] |= (word & part.mask).rotate_left(part.by);
            (at, from) = (at + self.width, from + width);
        }
        different
    }

    /// One row, unless it is beyond.
    pub(crate) fn condensed(&self, row: &[u64]) -> Option<Vec<u64>> {
        let (mut to, mut beyond) = (vec![0; self.width], vec![0; row.len()]);
        self.condense(row, &mut to, &mut beyond);
        beyond.iter().all(|bits| *bits == 0).then_some(to)
    }

    /// Appends the rows that are condensed to these.
    pub(crate) fn restore(&self, condensed: &[u64], rows: &mut Vec<u64>) {
        let width = self.same.len();
        let same = self.same.repeat(AT_ONCE);
        for condensed in condensed.chunks(AT_ONCE * self.width) {
            let begin = rows.len();
            rows.extend_from_slice(&same[..condensed.len() / self.width * width]);
            let rows = &mut rows[begin..];
            for part in &self.parts {
                let (mut at, mut from) = (part.from, part.to);
                while from < condensed.len() {
                    rows[at] |= condensed[from].rotate_right(part.by) & part.mask;
                    (at, from) = (at + width, from + self.width);
                }
            }
        }
    }
}

/// The bits in which rows differ from the first in a word.
#[inline(always)]
fn different(rows: &[u64], width: usize, word: usize, first: u64) -> u64 {
    let words = rows[word..].iter().step_by(width);
    words.fold(0, |bits, word| bits | word ^ first)
}

/// Divides some bits of words into parts that lie side by side in so many words, of each of which so many bits may be used; none
/// if there are more than `most` parts. As many bits as possible stay together each time. The parts of each word come one after the other.
fn parts(bits: &[u64], (words, used): (usize, u32), most: usize) -> Option<Vec<Part>> {
    let mut free = vec![finite::low_bits(used); words];
    let mut order: Vec<usize> = (0..bits.len()).collect();
    order.sort_by_key(|word| Reverse(bits[*word].count_ones()));
    let mut parts = Vec::new();
    for from in order {
        let mut left = bits[from];
        while left != 0 {
            if parts.len() == most {
                return None;
            }
            let free_at = |to: usize, by: u32| free[to].rotate_right(by) & left;
            let places = (0..words).flat_map(|to| (0..u64::BITS).map(move |by| (to, by)));
            let best = places
                .rev()
                .max_by_key(|(to, by)| free_at(*to, *by).count_ones());
            let (to, by) = best.expect("there is a word");
            let mask = free_at(to, by);
            parts.push(Part { from, mask, to, by });
            free[to] &= !mask.rotate_left(by);
            left &= !mask;
        }
    }
    parts.sort_by_key(|part: &Part| part.from);
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that seem to be random.
    fn numbers() -> impl FnMut() -> u64 {
        let mut n = 0_u64;
        move || {
            n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^ (mixed >> 27)
        }
    }

    fn differences(first: &[u64], bits: &[u64]) -> Differences {
        let (first, bits) = (first.to_vec(), bits.to_vec());
        Differences { first, bits }
    }

    #[test]
    fn rows_come_back_whatever_bits_differ() {
        let mut number = numbers();
        let mut widths = Vec::new();
        for _ in 0..300 {
            let width = 2 + number() as usize % 7;
            let first: Vec<u64> = (0..width).map(|_| number()).collect();
            let bits: Vec<u64> = (0..width)
                .map(|_| match number() % 4 {
                    0 => number() & number() & number(),
                    _ => finite::low_bits(number() as u32 % 30) << (number() % 60),
                })
                .collect();
            let differences = differences(&first, &bits);
            let Some(condensed) = Condensed::of(&differences) else {
                continue;
            };
            assert!(condensed.width() < width);
            widths.push((width, condensed.width()));
            let row = |word: &u64, bits: &u64, n: u64| word ^ n & bits;
            let mut rows: Vec<u64> = first.clone();
            for _ in 0..50 {
                let words = first.iter().zip(&bits);
                rows.extend(words.map(|(word, bits)| row(word, bits, number())));
            }
            let mut stored = vec![7; rows.len() / width * condensed.width()];
            let mut beyond = vec![0; width];
            condensed.condense(&rows, &mut stored, &mut beyond);
            assert_eq!(beyond, vec![0; width]);
            let mut again = Vec::new();
            condensed.restore(&stored, &mut again);
            assert_eq!(again, rows);
            if condensed.width() == 1 {
                let used = finite::low_bits(condensed.bits());
                assert!(stored.iter().all(|word| word & !used == 0));
            }
            let mut parts = stored.chunks_exact(condensed.width());
            assert!(parts.all(|row| condensed.is_row(row)));
        }
        assert!(widths.len() > 200, "{widths:?}");
        assert!(widths.iter().any(|(_, condensed)| *condensed == 1));
    }

    #[test]
    fn a_row_that_differs_in_another_bit_is_beyond() {
        let condensed = Condensed::of(&differences(&[1, 2, 3], &[0xff, 0, 0xf0]));
        let condensed = condensed.expect("it pays");
        assert_eq!((condensed.width(), condensed.bits()), (1, 12));
        assert!(condensed.condensed(&[0x77, 2, 0x33]).is_some());
        for (row, bits) in [([0x101, 2, 3], [0x100, 0, 0]), ([1, 0, 3], [0, 2, 0])] {
            assert_eq!(condensed.condensed(&row), None);
            let (mut to, mut beyond) = ([0], [0; 3]);
            condensed.condense(&row, &mut to, &mut beyond);
            assert_eq!(beyond, bits);
        }
        assert!(condensed.is_row(&[0xfff]) && !condensed.is_row(&[0x1000]));
    }

    #[test]
    fn rows_are_not_condensed_where_it_does_not_pay() {
        assert!(Condensed::of(&differences(&[0, 0], &[u64::MAX, 1])).is_none());
        // So many parts would have to be put together that it takes longer than to store them as they are.
        let scattered = [0x9e37_79b9_1234_5678, 0x1122_4488_0000_1357];
        assert!(Condensed::of(&differences(&[0, 0], &scattered)).is_none());
        assert!(Condensed::of(&differences(&[0, 0], &[0xffff, 0xffff])).is_some());
        assert!(Condensed::of(&differences(&[0], &[0xff])).is_none());
    }

    #[test]
    fn what_differs_is_learnt_from_rows() {
        let mut learnt = Differences::none(&[1, 0]);
        learnt.note(&[3, 0, 1, 8]);
        learnt.add(&[0, 1]);
        assert_eq!(learnt, differences(&[1, 0], &[2, 9]));
    }
}
