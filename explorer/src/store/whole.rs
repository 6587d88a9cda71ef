//! States of one word, so many that an entry of the table is all of one.
//!
//! A row of one word is hashed one to one. The first bits of its hash say the shard and the bucket in which the search for it
//! begins; where there are many buckets, few bits are left, and an entry has room for them. So a state is found without
//! reading it (Cleary 1984, "Compact hash tables using bidirectional linear probing").

use std::ops::Range;

use crate::store::arena::Arena;
use crate::store::hash::Hash;
use crate::store::states::{Doubtful, States, insert_in_two_passes};
use crate::store::table::Table;

/// The lowest bits of an entry say, counted from one, how far behind the bucket where the search for it begins it is.
const DISTANCE_BITS: u32 = 6;

/// No entry is farther away than these bits can say.
const MOST_DISTANCE: u32 = (1 << DISTANCE_BITS) - 1;

/// Such states of one shard.
#[derive(Debug)]
pub(crate) struct Whole {
    hash: Hash,
    table: Table,
    /// The states, in the order in which they were inserted.
    words: Arena<u64>,
}

impl Whole {
    /// Whether so many buckets are enough.
    pub(crate) fn fits(hash: Hash, buckets: usize) -> bool {
        hash.bits_in_shard() <= u32::BITS - DISTANCE_BITS + buckets.ilog2()
    }

    /// For states in the order in which they were inserted, with a table that is large enough, in which their entries are made
    /// anew.
    pub(crate) fn new(hash: Hash, table: Table, words: Arena<u64>) -> Self {
        let mut whole = Self { hash, table, words };
        whole.fill();
        whole
    }

    /// The bucket in which the search for a hash begins.
    #[inline(always)]
    fn first(&self, hash: u64) -> usize {
        self.table.first(self.hash.place(hash))
    }

    /// The entry of a hash in that bucket. In each bucket behind it, it is greater by one.
    #[inline(always)]
    fn entry(&self, hash: u64) -> u32 {
        let left = self.hash.place(hash) << self.table.bucket_bits();
        (left >> u32::BITS) as u32 | 1
    }

    /// Lists the words that are not found in the bucket where the search for them begins.
    fn doubtful(&self, words: &[u64], doubtful: &mut Doubtful) -> usize {
        let used = words.iter().fold(0, |used, word| used | word);
        assert!(!self.hash.is_beyond(used), "a row uses only its bits");
        let mut count = 0;
        for (at, word) in words.iter().enumerate() {
            let hash = self.hash.of(&[*word]);
            let is_there = self.table.buckets[self.first(hash)].has(self.entry(hash));
            doubtful[count] = (at, hash);
            count += usize::from(!is_there);
        }
        count
    }

    /// Inserts a state with its hash unless it is there; whether it was not.
    #[inline(always)]
    fn insert_one(&mut self, word: u64, hash: u64) -> bool {
        let (mut at, mut entry) = (self.first(hash), self.entry(hash));
        while !self.table.buckets[at].has(entry) {
            if self.table.put_here(at, entry) {
                self.words.push(&[word]);
                if self.table.is_full(self.words.len()) {
                    self.grow();
                }
                return true;
            }
            if entry & MOST_DISTANCE == MOST_DISTANCE {
                self.words.push(&[word]);
                self.grow();
                return true;
            }
            (at, entry) = (self.table.next(at), entry + 1);
        }
        false
    }

    #[cold]
    fn grow(&mut self) {
        self.table.double();
        self.fill();
    }

    /// Puts all states into the table, whatever was in it; into a larger one if one of them would be too far away.
    fn fill(&mut self) {
        let words = std::mem::replace(&mut self.words, Arena::new(1));
        self.table.clear();
        while !words.all().flatten().all(|word| self.put(*word)) {
            self.table.double();
        }
        self.words = words;
    }

    /// Puts a state into the table, in which it is not; whether there is room near enough.
    fn put(&mut self, word: u64) -> bool {
        let hash = self.hash.of(&[word]);
        let (mut at, mut entry) = (self.first(hash), self.entry(hash));
        while !self.table.put_here(at, entry) {
            if entry & MOST_DISTANCE == MOST_DISTANCE {
                return false;
            }
            (at, entry) = (self.table.next(at), entry + 1);
        }
        true
    }
}

impl States for Whole {
    fn len(&self) -> usize {
        self.words.len()
    }

    fn read(&self, positions: Range<usize>, words: &mut Vec<u64>) {
        let parts = self.words.rows(positions);
        parts.for_each(|part| words.extend_from_slice(part));
    }

    fn has(&self, row: &[u64]) -> bool {
        let hash = self.hash.of(row);
        let (mut at, mut entry) = (self.first(hash), self.entry(hash));
        loop {
            let bucket = &self.table.buckets[at];
            if bucket.has(entry) {
                return true;
            }
            if bucket.has_room() || entry & MOST_DISTANCE == MOST_DISTANCE {
                return false;
            }
            (at, entry) = (self.table.next(at), entry + 1);
        }
    }

    fn insert(&mut self, row: &[u64]) -> bool {
        assert!(!self.hash.is_beyond(row[0]), "a row uses only its bits");
        self.insert_one(row[0], self.hash.of(row))
    }

    fn insert_all(&mut self, words: &[u64]) {
        insert_in_two_passes(self, words, Self::doubtful, |s, word, hash| {
            s.insert_one(*word, hash)
        });
    }

    fn worth_warming(&self) -> usize {
        self.table.worth_warming()
    }

    fn reserve(&mut self, states: usize) {
        self.table.grow(states);
    }

    fn warm(&self) -> u64 {
        self.table.warm()
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.words.bytes()
    }

    fn bytes_with(&self, more: usize) -> u64 {
        self.table.bytes_for(self.len() + more) + self.words.bytes_with(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash::SHORT_BITS;
    use crate::store::shard::Shard;

    const SHARD: usize = 3;

    /// Rows that are hashed to so few bits that a table of some thousand states is large enough.
    fn hash() -> Hash {
        Hash::new(1, SHORT_BITS + 1)
    }

    /// The buckets of the smallest table that is large enough, as a logarithm.
    const LEAST_BITS: u32 = 10;

    /// Words of the shard, one for each number, whose hashes go on with the same bits, and then with others.
    fn words(next: u64, next_bits: u32, numbers: Range<u64>) -> Vec<u64> {
        let hash = hash();
        let left = hash.bits_in_shard() - next_bits;
        let begin = (SHARD as u64) << next_bits | next;
        // An odd factor leaves different numbers different.
        let end = move |n: u64| n.wrapping_mul(0x9e37_79b1) % (1 << left);
        let whole = move |n| (begin << left | end(n)) << (u64::BITS - SHORT_BITS - 1);
        numbers.map(|n| hash.word(whole(n))).collect()
    }

    /// As many words as are wanted, in many buckets.
    fn spread(states: u64) -> Vec<u64> {
        let words = (0..states).map(|n| words(n * n % 4_096, 12, n..n + 1));
        words.flatten().collect()
    }

    /// A shard that has some words, which came by the thousand.
    fn shard(words: &[u64]) -> Shard {
        let mut shard = Shard::new(SHARD, 1, hash());
        for words in words.chunks(1_000) {
            let begin = shard.states.len();
            shard.states.insert_all(words);
            shard.note_level(0, begin);
        }
        shard
    }

    fn is_whole(shard: &Shard) -> bool {
        format!("{:?}", shard.states).starts_with("Whole")
    }

    #[test]
    fn a_table_becomes_whole_once_it_is_large_enough() {
        assert!(!Whole::fits(hash(), 1 << (LEAST_BITS - 1)));
        assert!(Whole::fits(hash(), 1 << LEAST_BITS));
        assert!(!is_whole(&shard(&spread(3_000))));
        let all = spread(30_000);
        let mut shard = shard(&all);
        assert!(is_whole(&shard));
        assert_eq!(shard.states.len(), all.len());
        shard.states.insert_all(&all);
        let mut read = Vec::new();
        shard.states.read(0..shard.states.len(), &mut read);
        assert_eq!(read, all);
        for (word, other) in all.iter().zip(words(7, 3, 50_000..80_000)) {
            assert!(shard.states.has(&[*word]) && !shard.states.insert(&[*word]));
            assert!(!shard.states.has(&[other]));
            assert!(shard.states.insert(&[other]) && shard.states.has(&[other]));
        }
    }

    #[test]
    fn more_states_than_a_bucket_has_room_for_are_told_apart() {
        for bucket in [0, 5, (1 << LEAST_BITS) - 1] {
            // As many as are put near enough, and more.
            for crowd in [17, 900, 1_100] {
                let mut shard = shard(&spread(10_000));
                assert!(is_whole(&shard));
                let before = shard.states.len();
                let all = words(bucket, LEAST_BITS, 20_000..20_000 + 2 * crowd);
                let (these, others) = all.split_at(crowd as usize);
                shard.states.insert_all(these);
                shard.states.insert_all(these);
                assert_eq!(shard.states.len(), before + these.len());
                assert!(these.iter().all(|word| shard.states.has(&[*word])));
                assert!(!others.iter().any(|word| shard.states.has(&[*word])));
            }
        }
    }

    #[test]
    #[should_panic(expected = "a row uses only its bits")]
    fn a_row_that_uses_other_bits_is_refused() {
        let mut shard = shard(&spread(30_000));
        shard.states.insert_all(&[1 << (SHORT_BITS + 1)]);
    }
}
