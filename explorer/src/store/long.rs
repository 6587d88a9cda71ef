//! States of any width: the table has their positions.

use std::ops::Range;

use crate::store::arena::Arena;
use crate::store::hash::Hash;
use crate::store::states::{AT_ONCE, Doubtful, States, insert_in_two_passes};
use crate::store::table::{Bucket, Table, capacity};
use crate::store::whole::Whole;

/// The words of a line of the caches.
const LINE: usize = 8;

/// About how many lines of the caches can be read one after the other in the time that one lookup takes otherwise.
const LINES_A_LOOKUP: usize = 2;

/// States of one shard. The entry of one in the table is its position, counted from one, and as many bits of its hash as
/// there is room for, its *mark*, so that unequal states are rarely compared.
#[derive(Debug)]
pub(crate) struct Long {
    hash: Hash,
    width: usize,
    table: Table,
    /// The bits of an entry that are a mark.
    marks: u32,
    /// The states, in the order in which they were inserted.
    rows: Arena<u64>,
}

impl Long {
    pub(crate) fn new(hash: Hash, width: usize) -> Self {
        let table = Table::new();
        Self {
            hash,
            width,
            marks: marks(&table),
            table,
            rows: Arena::new(width),
        }
    }

    /// The mark of a hash.
    #[inline]
    fn mark(&self, hash: u64) -> u32 {
        hash as u32 & self.marks
    }

    /// The position in an entry, or one that no state has.
    #[inline]
    fn position(&self, entry: u32) -> usize {
        ((entry & !self.marks) as usize).wrapping_sub(1)
    }

    /// Lists the rows that are not found in the bucket where the search for them begins. All their buckets are asked for
    /// before one is read, and then all states that they might be: so the processor waits for many places of the memory at
    /// once (group prefetching: Chen, Ailamaki, Gibbons and Mowry, "Improving hash join performance through prefetching",
    /// 2004).
    #[inline(always)]
    fn doubtful<R: AsRef<[u64]>>(&self, rows: &[R], doubtful: &mut Doubtful) -> usize {
        let mut places = [(0, 0); AT_ONCE];
        for (row, place) in rows.iter().zip(&mut places) {
            let hash = self.hash.of(row.as_ref());
            let bucket = self.table.first(self.hash.place(hash));
            self.table.ask_for(bucket);
            *place = (hash, bucket);
        }
        let mut sought = [(0, 0); AT_ONCE];
        for ((hash, bucket), sought) in places[..rows.len()].iter().zip(&mut sought) {
            let position = self.candidate(&self.table.buckets[*bucket], *hash);
            self.rows.ask_for(position);
            *sought = (*hash, position);
        }
        let mut count = 0;
        for ((at, row), (hash, position)) in rows.iter().enumerate().zip(&sought) {
            let state = self.rows.get(*position);
            let is_there = state.is_some_and(|state| same(state, row.as_ref()));
            doubtful[count] = (at, *hash);
            count += usize::from(!is_there);
        }
        count
    }

    /// The position of the state, by the entries of a bucket, that a row with this hash might be. If there is none, it is that
    /// of the first state of all, which is at hand, so that nothing waits for whether there is one.
    #[inline(always)]
    fn candidate(&self, bucket: &Bucket, hash: u64) -> usize {
        match bucket.matches(self.marks, self.mark(hash)) {
            0 => 0,
            marked => self.position(bucket.first(marked)),
        }
    }

    /// Inserts a state with its hash unless it is there; whether it was not. Where the length of the row is known to
    /// the compiler, nothing is called to copy or compare it.
    #[inline(always)]
    fn insert_one(&mut self, row: &[u64], hash: u64) -> bool {
        let mark = self.mark(hash);
        let mut at = self.table.first(self.hash.place(hash));
        loop {
            if self.is_in(&self.table.buckets[at], mark, row) {
                return false;
            }
            if self.table.put_here(at, mark | (self.len() + 1) as u32) {
                break;
            }
            at = self.table.next(at);
        }
        self.rows.push(row);
        if self.table.is_full(self.len()) {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        self.table.grow(self.len());
        self.marks = marks(&self.table);
        self.fill();
    }

    /// Whether one of the entries of a bucket is that of a row with this mark.
    #[inline(always)]
    fn is_in(&self, bucket: &Bucket, mark: u32, row: &[u64]) -> bool {
        let mut marked = bucket.matches(self.marks, mark);
        while marked != 0 {
            let position = self.position(bucket.first(marked));
            if self.rows.get(position).is_some_and(|r| same(r, row)) {
                return true;
            }
            marked &= marked - 1;
        }
        false
    }

    /// Puts all states into the table, which is empty.
    fn fill(&mut self) {
        let mut number = 0;
        for rows in self.rows.all() {
            for row in rows.chunks_exact(self.width) {
                number += 1;
                let hash = self.hash.of(row);
                let entry = self.mark(hash) | number;
                self.table
                    .put(self.table.first(self.hash.place(hash)), entry);
            }
        }
    }

    fn insert_by<const WIDTH: usize>(&mut self, rows: &[u64]) {
        let (rows, _) = rows.as_chunks::<WIDTH>();
        self.insert_rows(rows);
    }

    #[inline(always)]
    fn insert_rows<R: AsRef<[u64]>>(&mut self, rows: &[R]) {
        insert_in_two_passes(self, rows, Self::doubtful, |s, row, hash| {
            s.insert_one(row.as_ref(), hash)
        });
    }
}

impl States for Long {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn read(&self, positions: Range<usize>, rows: &mut Vec<u64>) {
        let parts = self.rows.rows(positions);
        parts.for_each(|part| rows.extend_from_slice(part));
    }

    fn has(&self, row: &[u64]) -> bool {
        let hash = self.hash.of(row);
        let mark = self.mark(hash);
        let first = self.table.first(self.hash.place(hash));
        self.table
            .any_from(first, |bucket| self.is_in(bucket, mark, row))
    }

    fn insert(&mut self, row: &[u64]) -> bool {
        self.insert_one(row, self.hash.of(row))
    }

    fn insert_all(&mut self, rows: &[u64]) {
        match self.width {
            1 => self.insert_by::<1>(rows),
            2 => self.insert_by::<2>(rows),
            3 => self.insert_by::<3>(rows),
            4 => self.insert_by::<4>(rows),
            5 => self.insert_by::<5>(rows),
            6 => self.insert_by::<6>(rows),
            7 => self.insert_by::<7>(rows),
            8 => self.insert_by::<8>(rows),
            width => {
                let rows: Vec<&[u64]> = rows.chunks_exact(width).collect();
                self.insert_rows(&rows);
            }
        }
    }

    fn whole(&mut self) -> Option<Box<dyn States>> {
        let is_large = self.width == 1 && Whole::fits(self.hash, self.table.buckets.len());
        is_large.then(|| {
            let table = std::mem::replace(&mut self.table, Table::new());
            let rows = std::mem::replace(&mut self.rows, Arena::new(1));
            Box::new(Whole::new(self.hash, table, rows)) as Box<dyn States>
        })
    }

    fn worth_warming(&self) -> usize {
        (self.table.buckets.len() + self.rows.len() * self.width / LINE) / LINES_A_LOOKUP
    }

    fn reserve(&mut self, states: usize) {
        self.table.grow(states);
        self.marks = marks(&self.table);
    }

    fn warm(&self) -> u64 {
        self.rows.all().fold(self.table.warm(), |read, rows| {
            let lines = rows.chunks(LINE);
            lines.fold(read, |read, line| read ^ line[0])
        })
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.rows.bytes()
    }

    fn bytes_with(&self, more: usize) -> u64 {
        self.table.bytes_for(self.len() + more) + self.rows.bytes_with(more)
    }
}

/// The bits of an entry that are no position, counted from one, of states for which a table has room.
fn marks(table: &Table) -> u32 {
    let bits = capacity(table.buckets.len()).ilog2() + 1;
    let marks = u32::MAX.checked_shl(bits);
    marks.expect("fewer than two thousand million states in a shard")
}

/// Whether a state equals a row of the same length, which the compiler may know. Rows are short, so nothing is called.
#[inline(always)]
fn same(state: &[u64], row: &[u64]) -> bool {
    let state = &state[..row.len()];
    let (mut different, mut at) = (0, 0);
    while at < row.len() {
        different |= state[at] ^ row[at];
        at += 1;
    }
    different == 0
}
