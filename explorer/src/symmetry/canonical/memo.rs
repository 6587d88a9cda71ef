//! Representatives that were found not long ago: most successors have been met before, and many of them lately.

/// The rows that are kept at most: a power of two.
const SLOTS: usize = 1 << 14;

/// Rows with their representatives; a new one takes the place of whatever lies where its hash says.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    /// The words of a row.
    width: usize,
    is_used: Vec<bool>,
    /// For each slot, a row and its representative.
    words: Vec<u64>,
}

impl Memo {
    /// The representative of a row, if it is known.
    pub(super) fn get(&self, row: &[u64]) -> Option<&[u64]> {
        let at = slot(row);
        let (known, representative) = self.entry(at)?;
        (known == row).then_some(representative)
    }

    fn entry(&self, at: usize) -> Option<(&[u64], &[u64])> {
        let is_used = *self.is_used.get(at)?;
        let entry = &self.words[at * 2 * self.width..][..2 * self.width];
        is_used.then(|| entry.split_at(self.width))
    }

    /// Keeps the representative of a row. All rows have the same length.
    pub(super) fn put(&mut self, row: &[u64], representative: &[u64]) {
        if self.is_used.is_empty() {
            self.width = row.len();
            self.is_used = vec![false; SLOTS];
            self.words = vec![0; SLOTS * 2 * self.width];
        }
        let at = slot(row);
        self.is_used[at] = true;
        let entry = &mut self.words[at * 2 * self.width..][..2 * self.width];
        let (known, found) = entry.split_at_mut(self.width);
        known.copy_from_slice(row);
        found.copy_from_slice(representative);
    }

    /// The bytes it takes.
    pub(super) fn memory(&self) -> u64 {
        (self.words.len() * size_of::<u64>() + self.is_used.len()) as u64
    }
}

fn slot(row: &[u64]) -> usize {
    let hash = row
        .iter()
        .fold(0, |hash, word| crate::symmetry::colour::mix(hash, *word));
    hash as usize % SLOTS
}
