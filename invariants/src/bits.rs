//! Bit vectors over rows: one bit a row, 64 rows a word.

/// A set of rows. Vectors that are combined have the same length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// The rows for which `holds`; bits beyond `rows` are 0.
    pub(crate) fn collect(rows: usize, mut holds: impl FnMut(usize) -> bool) -> Self {
        let mut words = vec![0_u64; rows.div_ceil(64)];
        for (at, word) in words.iter_mut().enumerate() {
            let last = rows.min((at + 1) * 64);
            for row in at * 64..last {
                *word |= u64::from(holds(row)) << (row % 64);
            }
        }
        Self(words)
    }

    /// No rows, of as many as `like` has.
    pub(crate) fn none(like: &Self) -> Self {
        Self(vec![0; like.0.len()])
    }

    /// The rows in it, ascending.
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                let some = rest != 0;
                rest &= rest.wrapping_sub(1);
                some.then_some(at * 64 + bit)
            })
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Whether all of its rows are in the other.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether none of its rows is in the other.
    pub(crate) fn is_apart_from(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    pub(crate) fn and(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }

    /// The rows that are in both.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.and(other);
        both
    }

    /// The rows that are in this one and not in the other.
    pub(crate) fn and_not(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    /// The vector repeated so that it covers as many words as `like`.
    pub(crate) fn spread(&self, like: &Self) -> Self {
        let words = self.0.iter().copied().cycle();
        Self(words.take(like.0.len()).collect())
    }

    /// The positions that are set in some segment, the vector being cut into segments of `words` words.
    pub(crate) fn folded(&self, words: usize) -> Self {
        let fold = |at| self.0.iter().skip(at).step_by(words).fold(0, |a, b| a | b);
        Self((0..words).map(fold).collect())
    }

    /// Whether a row is in it.
    pub(crate) fn has(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_counts_a_sample_once_however_many_of_its_rows_hold() {
        let bits = Bits::collect(256, |row| row == 3 || row == 131 || row == 200);
        assert_eq!(bits.count(), 3);
        assert_eq!(bits.folded(2).count(), 2);
    }

    #[test]
    fn rows_are_listed_in_their_order() {
        let bits = Bits::collect(300, |row| row == 0 || row == 63 || row == 64 || row == 255);
        assert_eq!(bits.ones().collect::<Vec<_>>(), [0, 63, 64, 255]);
        assert!(!bits.is_empty() && bits.and_not(&bits).is_empty());
    }

    #[test]
    fn differences() {
        let even = Bits::collect(100, |row| row % 2 == 0);
        let threes = Bits::collect(100, |row| row % 3 == 0);
        assert_eq!(even.and_not(&threes).count(), 33);
        assert_eq!(even.and_not(&threes).intersection(&threes).count(), 0);
    }
}
