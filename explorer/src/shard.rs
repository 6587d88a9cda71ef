//! A part of the visited set: the states whose hash begins with the same bits.
//!
//! The states stand in the order in which they were inserted. A table finds them: its entries, of 32 bits, have the position of a
//! state each, and as many bits of its hash as there is room for, its *mark*, so that unequal states are rarely compared.
//! Membership is exact. Entries stand in buckets, a line of the caches each, that are filled from the front; what does not
//! fit in one goes to the next. The first bucket of a state is its hash,
//! scaled to the table's size ("fast range", Lemire 2019), so the table may be of any size, and grows by a fraction.

use std::ops::Range;

use crate::arena::Arena;

/// Shards: enough for one of them, of a search of ten million states, to lie in the nearest caches while states are
/// looked for in it; and for any number of threads.
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;
const SHARD_BITS: u32 = 8;

/// The entries of a bucket.
const IN_BUCKET: usize = 16;

/// No entry.
const NONE: u32 = 0;

type Bucket = [u32; IN_BUCKET];

const EMPTY: Bucket = [NONE; IN_BUCKET];

/// The words of a line of the caches.
const LINE: usize = 8;

/// The lines that are read in order in the time in which one is read anywhere, about.
const WORTH: usize = 8;

/// A full table grows by this part of itself.
const GROWTH: usize = 2;

/// Rows that are looked up together: enough to keep the processor waiting for many buckets at once.
const AT_ONCE: usize = 64;

/// A part of the visited set.
#[derive(Debug)]
pub(crate) struct Shard {
    width: usize,
    table: Vec<Bucket>,
    /// The bits of an entry that are a mark; the others are a position, counted from one.
    marks: u32,
    /// The states, in the order in which they were inserted.
    pub(crate) states: Arena,
    /// The depths of which there are states, each with the position of the first.
    levels: Vec<Level>,
}

/// The states of one depth begin here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) depth: usize,
    pub(crate) begin: usize,
}

/// Which shard a hash belongs to.
#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SHARD_BITS)) as usize
}

/// The hash of a row: multiplications that carry every bit upwards, and shifts that bring it down again.
#[inline]
pub(crate) fn hash(row: &[u64]) -> u64 {
    match row {
        [word] => mix(*word),
        _ => row.iter().fold(0, |hash, word| mix(hash ^ word)),
    }
}

#[inline]
fn mix(word: u64) -> u64 {
    let hash = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Shard {
    /// An empty one, for rows of this width.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            table: vec![EMPTY],
            marks: marks(1),
            states: Arena::new(width),
            levels: Vec::new(),
        }
    }

    /// The positions of the states of a depth.
    pub(crate) fn level(&self, depth: usize) -> Range<usize> {
        let at = self.levels.partition_point(|l| l.depth < depth);
        match &self.levels[at..] {
            [level, next, ..] if level.depth == depth => level.begin..next.begin,
            [level] if level.depth == depth => level.begin..self.states.len(),
            _ => 0..0,
        }
    }

    /// The words of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The depths of which there are states.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Says that states from a position on, if there are any, are of a depth no less than those before them.
    pub(crate) fn note_level(&mut self, depth: usize, begin: usize) {
        let is_new = self.levels.last().is_none_or(|l| l.depth < depth);
        if is_new && begin < self.states.len() {
            self.levels.push(Level { depth, begin });
        }
    }

    /// The bucket in which the search for a hash begins.
    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        let scaled = u128::from(hash << SHARD_BITS) * self.table.len() as u128;
        (scaled >> u64::BITS) as usize
    }

    /// The mark of a hash.
    #[inline]
    fn mark(&self, hash: u64) -> u32 {
        hash as u32 & self.marks
    }

    /// Brings all of it into the caches if so many rows are going to be looked for that this is worth it: they lie
    /// anywhere, and reading in the order of the memory is many times as fast.
    pub(crate) fn warm(&self, rows: usize) {
        let lines = self.table.len() + self.states.all().len() / LINE;
        if rows < lines / WORTH {
            return;
        }
        let mut read = 0;
        for bucket in &self.table {
            read ^= u64::from(bucket[0]);
        }
        for line in self.states.all().chunks(LINE) {
            read ^= line[0];
        }
        std::hint::black_box(read);
    }

    /// Inserts the rows that are not there, in their order.
    ///
    /// Rows are looked up in two passes. The first looks for each in the bucket where the search for it begins, and does nothing
    /// that depends on what is read but to count: so the processor waits for many buckets at once. Most rows are settled by it. The
    /// second searches for the others, and inserts those that are new.
    pub(crate) fn insert(&mut self, rows: &[u64]) {
        match self.width {
            1 => self.insert_all::<1>(rows),
            2 => self.insert_all::<2>(rows),
            3 => self.insert_all::<3>(rows),
            4 => self.insert_all::<4>(rows),
            width => rows.chunks_exact(width).for_each(|row| {
                self.insert_one(row);
            }),
        }
    }

    fn insert_all<const WIDTH: usize>(&mut self, rows: &[u64]) {
        let mut doubtful = [0; AT_ONCE];
        for rows in rows.as_chunks::<WIDTH>().0.chunks(AT_ONCE) {
            let count = self.doubtful(rows, &mut doubtful);
            for at in &doubtful[..count] {
                self.insert_one(&rows[usize::from(*at)]);
            }
        }
    }

    /// Lists the rows that are not found in the bucket where the search for them begins.
    fn doubtful<const WIDTH: usize>(
        &self,
        rows: &[[u64; WIDTH]],
        doubtful: &mut [u8; AT_ONCE],
    ) -> usize {
        let (states, _) = self.states.all().as_chunks::<WIDTH>();
        let mut count = 0;
        for (at, row) in rows.iter().enumerate() {
            let hash = hash(row);
            let bucket = &self.table[self.bucket(hash)];
            let entry = marked(bucket, self.marks, self.mark(hash)).0;
            let is_there = states.get(self.position(entry)) == Some(row);
            doubtful[count] = at as u8;
            count += usize::from(!is_there);
        }
        count
    }

    /// The position in an entry, or one that no state has.
    #[inline]
    fn position(&self, entry: u32) -> usize {
        ((entry & !self.marks) as usize).wrapping_sub(1)
    }

    /// Inserts a state unless it is there; whether it was not.
    pub(crate) fn insert_one(&mut self, row: &[u64]) -> bool {
        let hash = hash(row);
        let mark = self.mark(hash);
        let mut at = self.bucket(hash);
        loop {
            let bucket = &self.table[at];
            let is_it = |entry| same(self.states.row(self.position(entry)), row);
            let is_there = match marked(bucket, self.marks, mark) {
                (_, 0) => false,
                (entry, 1) => is_it(entry),
                _ => {
                    let mut entries = bucket.iter().filter(|e| **e != NONE);
                    entries.any(|e| *e & self.marks == mark && is_it(*e))
                }
            };
            if is_there {
                return false;
            }
            if put(&mut self.table[at], mark | (self.states.len() + 1) as u32) {
                self.states.push(row);
                self.grow_if_full();
                return true;
            }
            at = self.after(at);
        }
    }

    #[inline]
    fn after(&self, bucket: usize) -> usize {
        let next = bucket + 1;
        if next == self.table.len() { 0 } else { next }
    }

    fn grow_if_full(&mut self) {
        if self.states.len() > capacity(self.table.len()) {
            self.grow();
        }
    }

    /// Makes the table larger.
    #[cold]
    fn grow(&mut self) {
        let buckets = self.buckets_for(0);
        self.marks = marks(buckets);
        self.table = Vec::new();
        self.table = vec![EMPTY; buckets];
        for position in 0..self.states.len() {
            let hash = hash(self.states.row(position));
            let entry = self.mark(hash) | (position + 1) as u32;
            let mut at = self.bucket(hash);
            while !put(&mut self.table[at], entry) {
                at = self.after(at);
            }
        }
    }

    /// The buckets of a table with room for so many more states.
    fn buckets_for(&self, more: usize) -> usize {
        let states = self.states.len() + more;
        let mut buckets = self.table.len();
        while states > capacity(buckets) {
            buckets += (buckets / GROWTH).max(1);
        }
        buckets
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.table_bytes(self.table.len()) + self.states.bytes()
    }

    /// The bytes it takes with so many more states.
    pub(crate) fn bytes_with(&self, more: usize) -> u64 {
        self.table_bytes(self.buckets_for(more)) + self.states.bytes_with(more)
    }

    fn table_bytes(&self, buckets: usize) -> u64 {
        (buckets * size_of::<Bucket>() + self.levels.len() * size_of::<Level>()) as u64
    }
}

/// The states for which there is room in so many buckets: they are at most five sixths full, so that few overflow.
fn capacity(buckets: usize) -> usize {
    buckets * IN_BUCKET * 5 / 6
}

/// The bits of an entry that are no position, counted from one, of states for which there is room in so many buckets.
fn marks(buckets: usize) -> u32 {
    u32::MAX << (capacity(buckets).ilog2() + 1)
}

/// The entries of a bucket that have a mark, laid over each other, and how many they are. Branches on none of them.
#[inline]
fn marked(bucket: &Bucket, marks: u32, mark: u32) -> (u32, u32) {
    bucket.iter().fold((0, 0), |(all, count), entry| {
        let is_marked = u32::from((entry & marks == mark) & (*entry != NONE));
        (all | entry & is_marked.wrapping_neg(), count + is_marked)
    })
}

/// Puts an entry into a bucket, if there is room for it.
#[inline]
fn put(bucket: &mut Bucket, entry: u32) -> bool {
    let used: u32 = bucket.iter().map(|e| u32::from(*e != NONE)).sum();
    match bucket.get_mut(used as usize) {
        Some(free) => *free = entry,
        None => return false,
    }
    true
}

/// Whether two rows are equal; without a call where they are short.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    match (a, b) {
        ([a], [b]) => a == b,
        ([a, c], [b, d]) => (a == b) & (c == d),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_inserted_once_however_the_table_grows() {
        for width in 1..4 {
            let mut shard = Shard::new(width);
            let row = |n: u64| -> Vec<u64> { (0..width as u64).map(|w| n / (w + 1)).collect() };
            for n in 0..20_000 {
                assert!(shard.insert_one(&row(n)), "{n}");
                assert!(!shard.insert_one(&row(n / 2)));
            }
            assert_eq!(shard.states.len(), 20_000);
            assert!((0..20_000).all(|n| shard.states.row(n) == row(n as u64)));
        }
    }

    #[test]
    fn rows_that_are_there_or_come_twice_are_left_out() {
        let mut shard = Shard::new(1);
        let rows: Vec<u64> = (0..3_000).map(|n| n * n % 1_000).collect();
        shard.insert(&rows);
        let mut firsts = Vec::new();
        rows.iter().for_each(|r| {
            if !firsts.contains(r) {
                firsts.push(*r);
            }
        });
        assert_eq!(shard.states.rows(0, shard.states.len()), firsts);
    }

    #[test]
    fn rows_of_zeros_and_of_ones_are_states_like_any_other() {
        let mut shard = Shard::new(1);
        shard.insert(&[u64::MAX, 0, u64::MAX, 0]);
        assert_eq!(shard.states.rows(0, shard.states.len()), [u64::MAX, 0]);
    }

    #[test]
    fn what_is_foretold_of_memory_comes_true() {
        let mut shard = Shard::new(2);
        let foretold = shard.bytes_with(5_000);
        (0..5_000).for_each(|n| shard.insert(&[n, 1]));
        assert_eq!(shard.bytes(), foretold);
    }

    #[test]
    fn levels_without_states_take_no_room() {
        let mut shard = Shard::new(1);
        for depth in 0..10 {
            let begin = shard.states.len();
            if depth % 3 == 1 {
                shard.insert(&[depth, depth + 100]);
            }
            shard.note_level(depth as usize, begin);
        }
        let levels: Vec<_> = (0..10).map(|d| shard.level(d)).collect();
        assert_eq!((&levels[0], &levels[1]), (&(0..0), &(0..2)));
        assert_eq!(
            (&levels[3], &levels[4], &levels[7]),
            (&(0..0), &(2..4), &(4..6))
        );
        assert_eq!(shard.levels().len(), 3);
    }
}
