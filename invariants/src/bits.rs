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

    pub(crate) fn count(&self) -> u64 {
        self.0.iter().map(|w| u64::from(w.count_ones())).sum()
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

    /// The number of positions that are set in some segment, the vector being cut into segments of `words` words.
    pub(crate) fn count_folded(&self, words: usize) -> u64 {
        let fold = |at| self.0.iter().skip(at).step_by(words).fold(0, |a, b| a | b);
        (0..words)
            .map(|at| u64::from(u64::count_ones(fold(at))))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_counts_a_sample_once_however_many_of_its_rows_hold() {
        let bits = Bits::collect(256, |row| row == 3 || row == 131 || row == 200);
        assert_eq!(bits.count(), 3);
        assert_eq!(bits.count_folded(2), 2);
    }

    #[test]
    fn differences() {
        let even = Bits::collect(100, |row| row % 2 == 0);
        let threes = Bits::collect(100, |row| row % 3 == 0);
        assert_eq!(even.and_not(&threes).count(), 33);
        assert_eq!(even.and_not(&threes).intersection(&threes).count(), 0);
    }
}
