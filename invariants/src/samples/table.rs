//! A growing table of distinct rows, column by column.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::Misfit;

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was new.
    New,
    /// It was there; its count has grown.
    Seen,
    /// It was new, and the table is full: it was refused.
    Full,
}

const VACANT: u32 = u32::MAX;

/// A slot of the hash index: half of the row's hash, and its position.
#[derive(Clone, Copy, Debug)]
struct Slot {
    tag: u32,
    row: u32,
}

/// Distinct rows, with how often each was seen.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Vec<u64>>,
    counts: Vec<u32>,
    /// Open addressing with linear probing; the length is a power of two, at most half of it in use.
    slots: Vec<Slot>,
    limit: usize,
    seen: u64,
    refused: u64,
}

impl Table {
    pub(crate) fn new(width: usize, limit: usize) -> Self {
        Self {
            columns: vec![Vec::new(); width],
            counts: Vec::new(),
            slots: vec![vacant(); 64],
            limit,
            seen: 0,
            refused: 0,
        }
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Number of distinct rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.counts.len()
    }

    /// Number of samples that were offered and fitted, refused ones included.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Number of samples that were refused because the table was full. Where it is not 0, a candidate may be false
    /// on a sample that was offered.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// The words of a column, one for each distinct row, in the order of first sight.
    #[must_use]
    pub fn column(&self, index: usize) -> &[u64] {
        &self.columns[index]
    }

    /// How often each distinct row was seen (at most `u32::MAX`).
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Adds a row; a new one is checked before it is taken.
    pub(crate) fn insert(
        &mut self,
        row: &[u64],
        check: impl FnOnce(&[u64]) -> Result<(), Misfit>,
    ) -> Result<Added, Misfit> {
        let hash = hash(row);
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot.row == VACANT {
                break;
            }
            if slot.tag == tag(hash) && self.is_row(slot.row as usize, row) {
                let count = &mut self.counts[slot.row as usize];
                *count = count.saturating_add(1);
                self.seen += 1;
                return Ok(Added::Seen);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        check(row)?;
        self.seen += 1;
        if self.rows() >= self.limit {
            self.refused += 1;
            return Ok(Added::Full);
        }
        self.push(at, hash, row);
        Ok(Added::New)
    }

    fn push(&mut self, at: usize, hash: u64, row: &[u64]) {
        self.slots[at] = Slot {
            tag: tag(hash),
            row: self.rows() as u32,
        };
        for (column, word) in self.columns.iter_mut().zip(row) {
            column.push(*word);
        }
        self.counts.push(1);
        if self.rows() * 2 > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let mut slots = vec![vacant(); self.slots.len() * 2];
        let mask = slots.len() - 1;
        let mut row = vec![0; self.width()];
        for index in 0..self.rows() {
            for (word, column) in row.iter_mut().zip(&self.columns) {
                *word = column[index];
            }
            let hash = hash(&row);
            let mut at = hash as usize & mask;
            while slots[at].row != VACANT {
                at = (at + 1) & mask;
            }
            slots[at] = Slot {
                tag: tag(hash),
                row: index as u32,
            };
        }
        self.slots = slots;
    }

    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn is_row(&self, index: usize, row: &[u64]) -> bool {
        self.columns
            .iter()
            .zip(row)
            .all(|(column, word)| column[index] == *word)
    }
}

fn vacant() -> Slot {
    Slot {
        tag: 0,
        row: VACANT,
    }
}

fn hash(row: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for word in row {
        hasher.write_u64(*word);
    }
    hasher.finish()
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(table: &mut Table, rows: impl IntoIterator<Item = u64>) {
        for n in rows {
            table.insert(&[n, n * n], |_| Ok(())).unwrap();
        }
    }

    #[test]
    fn a_row_is_kept_once_and_counted() {
        let mut table = Table::new(2, 1 << 20);
        fill(&mut table, (0..1000).chain(0..500));
        assert_eq!((table.rows(), table.seen()), (1000, 1500));
        assert_eq!(table.column(1)[31], 961);
        assert_eq!((table.counts()[499], table.counts()[500]), (2, 1));
    }

    #[test]
    fn a_full_table_refuses_new_rows_and_says_so() {
        let mut table = Table::new(2, 10);
        fill(&mut table, (0..12).chain(0..3));
        assert_eq!((table.rows(), table.seen(), table.refused()), (10, 15, 2));
    }

    #[test]
    fn a_row_that_fails_its_check_is_not_taken() {
        let mut table = Table::new(2, 10);
        let refused = table.insert(&[1, 2], |_| Err(Misfit::NoSuchAction));
        assert_eq!(refused, Err(Misfit::NoSuchAction));
        assert_eq!((table.rows(), table.seen()), (0, 0));
    }
}
