//! Rows of words, of whatever size, in the order in which they came.

use std::ops::Range;

use prefetch_index::prefetch_index;

/// The room that is made at first, in rows.
const LEAST: usize = 16;

/// The bytes of a chunk, about: little stays unused, and what a chunk costs beside its rows is nothing to them.
const CHUNK: usize = 1 << 14;

/// The elements for which a list has room at first.
const LEAST_LIST: usize = 4;

/// A list of rows of one width, in chunks. No full one is moved to make room for more: the system would move its pages,
/// for which all threads wait.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    width: usize,
    /// The logarithm of the rows of a chunk.
    shift: u32,
    full: Vec<Vec<T>>,
    /// The last chunk. The first of all grows by doubling, the others have all their room at once.
    last: Vec<T>,
    rows: usize,
}

impl<T: Copy> Arena<T> {
    /// No rows yet.
    pub(crate) fn new(width: usize) -> Self {
        let rows = CHUNK / (width * size_of::<T>());
        Self {
            width,
            shift: rows.max(LEAST).ilog2(),
            full: Vec::new(),
            last: Vec::new(),
            rows: 0,
        }
    }

    /// The number of rows.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// The rows of a full chunk.
    #[inline(always)]
    fn in_chunk(&self) -> usize {
        1 << self.shift
    }

    /// A chunk.
    #[inline(always)]
    fn chunk(&self, number: usize) -> &[T] {
        self.full.get(number).unwrap_or(&self.last)
    }

    /// A row, if there is one at this position.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Option<&[T]> {
        let (chunk, from) = self.place(at);
        (at < self.rows).then(|| &chunk[from..from + self.width])
    }

    /// The chunk in which the row at a position lies, and where it begins there.
    #[inline(always)]
    fn place(&self, at: usize) -> (&[T], usize) {
        let from = (at & (self.in_chunk() - 1)) * self.width;
        (self.chunk(at >> self.shift), from)
    }

    /// Asks the memory for a row that will be read soon, if there is one at this position.
    #[inline(always)]
    pub(crate) fn ask_for(&self, at: usize) {
        let (chunk, from) = self.place(at);
        prefetch_index(chunk, from);
    }

    /// All rows, some at a time.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[T]> {
        self.rows(0..self.rows)
    }

    /// The rows at some positions, some at a time.
    pub(crate) fn rows(&self, positions: Range<usize>) -> impl Iterator<Item = &[T]> {
        let Range { start, end } = positions;
        let chunks = start >> self.shift..end.div_ceil(self.in_chunk());
        chunks.map(move |number| {
            let begin = number << self.shift;
            let rows = start.max(begin) - begin..end.min(begin + self.in_chunk()) - begin;
            &self.chunk(number)[rows.start * self.width..rows.end * self.width]
        })
    }

    /// Appends a row.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: &[T]) {
        if self.last.len() == self.last.capacity() {
            self.grow();
        }
        self.last.extend_from_slice(row);
        self.rows += 1;
    }

    /// Makes room for a row.
    #[cold]
    fn grow(&mut self) {
        let words = self.in_chunk() * self.width;
        if self.last.len() == words {
            let last = std::mem::replace(&mut self.last, Vec::with_capacity(words));
            self.full.push(last);
        } else {
            let more = self.grown(1) - self.rows;
            self.last.reserve_exact(more * self.width);
        }
    }

    /// The rows there is room for.
    fn room(&self) -> usize {
        (self.full.len() << self.shift) + self.last.capacity() / self.width
    }

    /// The rows there is room for once there are so many more.
    fn grown(&self, more: usize) -> usize {
        let (wanted, room) = (self.rows + more, self.room());
        if wanted <= room {
            return room;
        }
        match wanted.next_power_of_two().max(LEAST) {
            first if first <= self.in_chunk() => first,
            _ => wanted.next_multiple_of(self.in_chunk()),
        }
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.room() * self.width * size_of::<T>()) as u64
    }

    /// The bytes it takes with so many more rows.
    pub(crate) fn bytes_with(&self, more: usize) -> u64 {
        (self.grown(more) * self.width * size_of::<T>()) as u64
    }
}

/// The bytes that a list takes once it has one more element: it doubles.
pub(crate) fn bytes_with_one_more<T>(list: &Vec<T>) -> u64 {
    let room = match list.len() == list.capacity() {
        true => (2 * list.len()).max(LEAST_LIST),
        false => list.capacity(),
    };
    (room * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_singly_and_together() {
        let mut arena = Arena::new(2);
        let rows = 5 * arena.in_chunk() + 7;
        for n in 0..rows as u64 {
            assert_eq!(arena.get(n as usize), None);
            arena.push(&[n, n * n]);
        }
        assert_eq!(arena.len(), rows);
        for at in [0, 1, rows / 2, rows - 1] {
            assert_eq!(arena.get(at), Some(&[at as u64, (at * at) as u64][..]));
        }
        assert_eq!((arena.get(rows), arena.get(usize::MAX)), (None, None));
        for (from, to) in [(0, 0), (0, 1), (500, 3030), (1024, 2048), (1024, rows)] {
            let rows = arena.rows(from..to).flat_map(|rows| rows.chunks_exact(2));
            assert!(rows.map(|r| r[0]).eq(from as u64..to as u64));
        }
        assert_eq!(arena.all().flatten().count(), 2 * rows);
    }

    #[test]
    fn what_is_foretold_of_memory_comes_true() {
        for width in [1, 2, 3, 5_000] {
            let mut arena = Arena::new(width);
            for more in [1, 15, 100, 3_000] {
                let foretold = arena.bytes_with(more);
                (0..more).for_each(|_| arena.push(&vec![7; width]));
                assert_eq!(arena.bytes(), foretold);
            }
        }
    }
}
