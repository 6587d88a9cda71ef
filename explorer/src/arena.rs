//! Rows of words, of whatever size, in the order in which they came.

/// The room that is made at first, in rows.
const LEAST: usize = 64;

/// A full list grows by this part of itself: little stays unused, and what growing costs each row stays constant.
const GROWTH: usize = 4;

/// A list of rows of one width.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    width: usize,
    words: Vec<T>,
}

impl<T: Copy> Arena<T> {
    /// No rows yet.
    pub(crate) fn new(width: usize) -> Self {
        let words = Vec::new();
        Self { width, words }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// A row, if there is one at this position.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<&[T]> {
        (at < self.len()).then(|| self.row(at))
    }

    /// A row.
    #[inline]
    pub(crate) fn row(&self, at: usize) -> &[T] {
        &self.words[at * self.width..][..self.width]
    }

    /// All rows, one after another.
    #[inline]
    pub(crate) fn all(&self) -> &[T] {
        &self.words
    }

    /// The rows from one position up to another, one after another.
    pub(crate) fn rows(&self, from: usize, to: usize) -> &[T] {
        &self.words[from * self.width..to * self.width]
    }

    /// Appends a row.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: &[T]) {
        if self.words.len() == self.words.capacity() {
            self.grow();
        }
        self.words.extend_from_slice(row);
    }

    #[cold]
    fn grow(&mut self) {
        self.reserve(1);
    }

    /// Makes room for so many more rows.
    pub(crate) fn reserve(&mut self, more: usize) {
        let rows = self.grown(more);
        self.words
            .reserve_exact(rows * self.width - self.words.len());
    }

    /// The rows there is room for once there are so many more.
    fn grown(&self, more: usize) -> usize {
        let wanted = self.len() + more;
        let mut rows = self.words.capacity() / self.width;
        while rows < wanted {
            rows += (rows / GROWTH).max(LEAST);
        }
        rows
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<T>()) as u64
    }

    /// The bytes it takes with so many more rows.
    pub(crate) fn bytes_with(&self, more: usize) -> u64 {
        (self.grown(more) * self.width * size_of::<T>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_singly_and_together() {
        let mut arena = Arena::new(2);
        for n in 0..1500 {
            arena.push(&[n, n * n]);
        }
        assert_eq!(arena.len(), 1500);
        assert_eq!(arena.row(1234), [1234, 1234 * 1234]);
        for (from, to) in [(0, 0), (0, 1), (500, 1030), (1024, 1500)] {
            let firsts = arena.rows(from, to).chunks_exact(2).map(|r| r[0]);
            assert!(firsts.eq(from as u64..to as u64));
        }
    }

    #[test]
    fn what_is_foretold_of_memory_comes_true() {
        for width in 1..4 {
            let mut arena = Arena::new(width);
            for more in [1, 15, 100, 3_000] {
                let foretold = arena.bytes_with(more);
                (0..more).for_each(|_| arena.push(&vec![7; width]));
                assert_eq!(arena.bytes(), foretold);
            }
        }
    }
}
