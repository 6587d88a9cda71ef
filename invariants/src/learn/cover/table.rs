//! Rows, and for each literal those that have it.

use rustc_hash::FxHashSet;

use super::{Row, transposed};

/// Rows, each once, in the order in which they were added. Which of them have a literal is known for 64 rows at once.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// How many words a row has.
    words: usize,
    known: FxHashSet<Row>,
    /// The words of all rows.
    rows: Vec<u64>,
    /// By literal, the rows that have it, as bits.
    hits: Vec<Vec<u64>>,
}

impl Table {
    /// A table of these rows, of equal length.
    pub(crate) fn of<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Self {
        let mut table = Self::default();
        for row in rows {
            table.add(row);
        }
        table.settle();
        table
    }

    /// Adds a row, which counts once it is settled.
    pub(crate) fn add(&mut self, row: &[u64]) {
        if !self.known.contains(row) {
            self.words = row.len();
            self.known.insert(row.into());
            self.rows.extend(row);
        }
    }

    /// Whether a row was added.
    pub(crate) fn contains(&self, row: &[u64]) -> bool {
        self.known.contains(row)
    }

    /// Finds out which literals the rows have that were added.
    pub(crate) fn settle(&mut self) {
        // Of the last 64 rows, some may have been missing.
        let settled = self.hits.first().map_or(0, Vec::len);
        let settled = settled.saturating_sub(1);
        self.hits.resize(64 * self.words, Vec::new());
        self.hits.iter_mut().for_each(|hits| hits.truncate(settled));
        for group in settled..self.len().div_ceil(64) {
            for word in 0..self.words {
                let mut square = [0; 64];
                let rows = self.iter().skip(64 * group).take(64);
                for (own, row) in square.iter_mut().zip(rows) {
                    *own = row[word];
                }
                transposed(&mut square);
                for (hits, own) in self.hits[64 * word..].iter_mut().zip(square) {
                    hits.push(own);
                }
            }
        }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// The rows.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.rows.chunks_exact(self.words.max(1))
    }

    /// Whether each row has one of these literals.
    pub(crate) fn are_hit(&self, clause: &[usize]) -> bool {
        self.first_open(clause).is_none()
    }

    /// The first row that has none of these literals.
    pub(super) fn first_open(&self, clause: &[usize]) -> Option<&[u64]> {
        let mut groups = 0..self.len().div_ceil(64);
        let at = groups.find_map(|group| {
            let open = self.open_among(group, clause);
            (open != 0).then(|| 64 * group + open.trailing_zeros() as usize)
        })?;
        Some(&self.rows[at * self.words..(at + 1) * self.words])
    }

    /// The rows that have none of these literals, as bits.
    pub(super) fn open(&self, clause: &[usize]) -> Vec<u64> {
        let groups = 0..self.len().div_ceil(64);
        groups.map(|group| self.open_among(group, clause)).collect()
    }

    /// Whether all of these rows have a literal.
    pub(super) fn has_all(&self, literal: usize, rows: &[u64]) -> bool {
        let mut both = rows.iter().zip(&self.hits[literal]);
        both.all(|(row, hit)| row & !hit == 0)
    }

    /// The rows among 64 that have none of these literals.
    fn open_among(&self, group: usize, clause: &[usize]) -> u64 {
        let live = match self.len() - 64 * group {
            0..64 => !(!0 << (self.len() % 64)),
            _ => !0,
        };
        let hit = clause.iter().map(|literal| self.hits[*literal][group]);
        live & !hit.fold(0, |any, hit| any | hit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn what_was_added_is_known_by_row_and_by_literal() {
        let mut table = Table::default();
        let own = |n: usize| row(&[n % 3, 10 + n % 50]);
        (0..70).for_each(|n| table.add(&own(n)));
        table.settle();
        (70..400).for_each(|n| table.add(&own(n)));
        table.settle();
        // Each remainder by 150 is another row.
        assert_eq!(table.len(), 150);
        assert!(table.are_hit(&[0, 1, 2]) && !table.are_hit(&[0, 2]));
        let open = table.first_open(&[0, 2]).expect("a row that is not hit");
        assert_eq!(open, &*own(1));
        let open: u32 = table
            .open(&[0, 2])
            .iter()
            .map(|bits| bits.count_ones())
            .sum();
        assert_eq!(open, 50);
        assert!(table.has_all(1, &table.open(&[0, 2])));
        assert!(!table.has_all(10, &table.open(&[0, 2])));
    }

    #[test]
    fn of_no_rows_everything_is_true() {
        let table = Table::of(&[]);
        assert!(table.are_hit(&[]) && table.open(&[]).is_empty());
    }
}
