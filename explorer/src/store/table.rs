//! An open-addressed table of entries of 32 bits, to which entries are only added.
//!
//! Entries stand in buckets, a line of the caches each, that are filled from the front; what does not
//! fit in one goes to the next. The first bucket of an entry is its place, a number of 64 bits,
//! scaled to the table's size ("fast range", Lemire 2019).

use prefetch_index::prefetch_index;
use wide::u32x4;

/// The entries of a bucket.
const IN_BUCKET: usize = 16;

/// The entries that one instruction compares.
const LANES: usize = 4;

/// The buckets of an empty table.
const FIRST: usize = 4;

/// About how many buckets can be read one after the other in the time in which one is read at a random place.
const SEQUENTIAL_READ_FACTOR: usize = 8;

/// No entry.
pub(crate) const NONE: u32 = 0;

/// Entries that are looked at together: a line of the caches.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Bucket([u32; IN_BUCKET]);

impl Bucket {
    const EMPTY: Self = Self([NONE; IN_BUCKET]);

    /// The positions, as bits, of the entries that have this value where `mask` has ones. Branches on none of them.
    #[inline(always)]
    pub(crate) fn matches(&self, mask: u32, value: u32) -> u32 {
        let (mask, value) = (u32x4::splat(mask), u32x4::splat(value));
        let (quarters, _) = self.0.as_chunks::<LANES>();
        (0..).zip(quarters).fold(0, |found, (at, quarter)| {
            let equal = (u32x4::new(*quarter) & mask).simd_eq(value);
            found | equal.to_bitmask() << (at * LANES)
        })
    }

    /// The position, in the bucket, of the first entry that is [`NONE`]; one after the last if there is none.
    #[inline(always)]
    fn free(&self) -> usize {
        let free = self.matches(u32::MAX, NONE) | 1 << IN_BUCKET;
        free.trailing_zeros() as usize
    }

    /// The entry at the first of some positions, given as bits.
    #[inline(always)]
    pub(crate) fn first(&self, positions: u32) -> u32 {
        self.0[positions.trailing_zeros() as usize % IN_BUCKET]
    }

    /// Whether there is room for another entry.
    pub(crate) fn has_room(&self) -> bool {
        self.free() < IN_BUCKET
    }

    /// Whether an entry is in it.
    #[inline]
    pub(crate) fn has(&self, entry: u32) -> bool {
        self.matches(u32::MAX, entry) != 0
    }
}

/// A table with room for what is put into it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) buckets: Vec<Bucket>,
    capacity: usize,
}

impl Table {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self::of(FIRST)
    }

    fn of(buckets: usize) -> Self {
        Self {
            capacity: capacity(buckets),
            buckets: vec![Bucket::EMPTY; buckets],
        }
    }

    /// The bucket in which the search for what has this place begins.
    #[inline]
    pub(crate) fn first(&self, place: u64) -> usize {
        let scaled = u128::from(place) * self.buckets.len() as u128;
        (scaled >> u64::BITS) as usize
    }

    /// The bucket after another.
    #[inline]
    pub(crate) fn next(&self, bucket: usize) -> usize {
        let next = bucket + 1;
        if next == self.buckets.len() { 0 } else { next }
    }

    /// Whether something is so of one of the buckets, from one on, in which an entry whose search begins there may be.
    pub(crate) fn any_from(&self, mut bucket: usize, is_so: impl Fn(&Bucket) -> bool) -> bool {
        loop {
            let here = &self.buckets[bucket];
            if is_so(here) {
                return true;
            }
            // What fits in a bucket is in none behind it.
            if here.has_room() {
                return false;
            }
            bucket = self.next(bucket);
        }
    }

    /// Puts an entry that is not [`NONE`] into the first bucket, from one on, that has room.
    pub(crate) fn put(&mut self, mut bucket: usize, entry: u32) {
        while !self.put_here(bucket, entry) {
            bucket = self.next(bucket);
        }
    }

    /// Puts an entry into a bucket, if there is room.
    #[inline(always)]
    pub(crate) fn put_here(&mut self, bucket: usize, entry: u32) -> bool {
        let bucket = &mut self.buckets[bucket];
        let free = bucket.free();
        match bucket.0.get_mut(free) {
            Some(free) => *free = entry,
            None => return false,
        }
        true
    }

    /// Whether so many entries are more than there is room for.
    #[inline]
    pub(crate) fn is_full(&self, entries: usize) -> bool {
        entries > self.capacity
    }

    /// Asks the memory for a bucket that will be read soon.
    #[inline(always)]
    pub(crate) fn ask_for(&self, bucket: usize) {
        prefetch_index(&self.buckets, bucket);
    }

    /// So many rows that it is worth [warming](Self::warm) it before they are looked for: they lie anywhere.
    pub(crate) fn worth_warming(&self) -> usize {
        self.buckets.len() / SEQUENTIAL_READ_FACTOR
    }

    /// Reads a part of each bucket, which brings all of them into the caches; what is returned has no meaning.
    pub(crate) fn warm(&self) -> u64 {
        let buckets = self.buckets.iter();
        buckets.fold(0, |read, bucket| read ^ u64::from(bucket.0[0]))
    }

    /// The logarithm of the number of buckets, which grows by doubling.
    #[inline(always)]
    pub(crate) fn bucket_bits(&self) -> u32 {
        self.buckets.len().trailing_zeros()
    }

    /// Becomes an empty one with twice the buckets.
    pub(crate) fn double(&mut self) {
        self.grow(self.capacity + 1);
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill(Bucket::EMPTY);
    }

    /// Becomes an empty one with room for so many entries.
    pub(crate) fn grow(&mut self, entries: usize) {
        let buckets = self.buckets_for(entries);
        self.buckets = Vec::new();
        *self = Self::of(buckets);
    }

    /// The buckets it has once it has room for so many entries: it grows by doubling, so that an entry is put into a
    /// table twice on the average.
    fn buckets_for(&self, entries: usize) -> usize {
        let mut buckets = self.buckets.len();
        while entries > capacity(buckets) {
            buckets *= 2;
        }
        buckets
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<Bucket>()) as u64
    }

    /// The bytes it takes once it has room for so many entries.
    pub(crate) fn bytes_for(&self, entries: usize) -> u64 {
        (self.buckets_for(entries) * size_of::<Bucket>()) as u64
    }
}

/// The entries for which there is room in so many buckets: they are at most five sixths full, so that few overflow.
pub(crate) fn capacity(buckets: usize) -> usize {
    buckets * IN_BUCKET * 5 / 6
}
