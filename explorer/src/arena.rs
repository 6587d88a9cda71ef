//! Rows of words in the order in which they came, in blocks that never move.

/// The rows of a block: few enough that an almost empty one is no waste, many enough that blocks are few.
const BLOCK_ROWS: usize = 512;

/// A list of rows of one width.
#[derive(Debug)]
pub(crate) struct Arena {
    width: usize,
    rows: usize,
    blocks: Vec<Vec<u64>>,
}

impl Arena {
    /// No rows yet.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            rows: 0,
            blocks: Vec::new(),
        }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// A row.
    pub(crate) fn row(&self, at: usize) -> &[u64] {
        let from = at % BLOCK_ROWS * self.width;
        &self.blocks[at / BLOCK_ROWS][from..from + self.width]
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, row: &[u64]) {
        if self.rows.is_multiple_of(BLOCK_ROWS) {
            self.blocks
                .push(Vec::with_capacity(BLOCK_ROWS * self.width));
        }
        let block = self.blocks.last_mut().expect("a block was just made");
        block.extend_from_slice(row);
        self.rows += 1;
    }

    /// The rows from one position up to another, as the slices in which they lie.
    pub(crate) fn slices(&self, from: usize, to: usize) -> impl Iterator<Item = &[u64]> {
        let (first, end) = (from / BLOCK_ROWS, to.div_ceil(BLOCK_ROWS));
        (first..end).filter_map(move |block| {
            let start = block * BLOCK_ROWS;
            let (a, b) = (from.max(start) - start, to.min(start + BLOCK_ROWS) - start);
            (a < b).then(|| &self.blocks[block][a * self.width..b * self.width])
        })
    }

    /// The bytes that so many rows take.
    pub(crate) fn bytes_of(rows: usize, width: usize) -> u64 {
        (rows.div_ceil(BLOCK_ROWS) * BLOCK_ROWS * width * size_of::<u64>()) as u64
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        Self::bytes_of(self.rows, self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_singly_and_in_slices() {
        let mut arena = Arena::new(2);
        for n in 0..1500 {
            arena.push(&[n, n * n]);
        }
        assert_eq!(arena.row(1234), [1234, 1234 * 1234]);
        for (from, to) in [(0, 0), (0, 1), (500, 1030), (512, 1024), (1024, 1500)] {
            let firsts: Vec<u64> = arena
                .slices(from, to)
                .flat_map(|s| s.chunks_exact(2).map(|r| r[0]))
                .collect();
            assert_eq!(firsts, (from as u64..to as u64).collect::<Vec<_>>());
        }
        assert_eq!(arena.bytes(), 3 * 512 * 16);
    }
}
