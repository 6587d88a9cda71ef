//! States of one word that uses few bits: in the shard that its hash belongs to, 32 bits of the hash are all of it.

use std::ops::Range;

use crate::store::arena::Arena;
use crate::store::hash::Hash;
use crate::store::states::{Doubtful, States, insert_in_two_passes};
use crate::store::table::{NONE, Table};

/// Such states of one shard. Their entries in the table are their keys.
#[derive(Debug)]
pub(crate) struct Short {
    hash: Hash,
    shard: usize,
    table: Table,
    /// Whether the state is there whose key would be [`NONE`].
    has_none: bool,
    /// The keys, in the order in which they were inserted.
    keys: Arena<u32>,
}

impl Short {
    pub(crate) fn new(hash: Hash, shard: usize) -> Self {
        Self {
            hash,
            shard,
            table: Table::new(),
            has_none: false,
            keys: Arena::new(1),
        }
    }

    /// Lists the words that are not found in the bucket where the search for them begins.
    fn doubtful(&self, words: &[u64], doubtful: &mut Doubtful) -> usize {
        let used = words.iter().fold(0, |used, word| used | word);
        assert!(!self.hash.is_beyond(used), "a row uses only its bits");
        let mut count = 0;
        for (at, word) in words.iter().enumerate() {
            let hash = self.hash.of(&[*word]);
            let key = self.hash.key(hash);
            let bucket = &self.table.buckets[self.table.first(place(key))];
            let is_there = bucket.has(key) & (key != NONE);
            doubtful[count] = (at, hash);
            count += usize::from(!is_there);
        }
        count
    }

    /// Inserts the state that has a hash unless it is there; whether it was not.
    #[inline(always)]
    fn insert_one(&mut self, hash: u64) -> bool {
        let key = self.hash.key(hash);
        if key == NONE {
            if std::mem::replace(&mut self.has_none, true) {
                return false;
            }
            self.keys.push(&[key]);
            return true;
        }
        let mut at = self.table.first(place(key));
        loop {
            if self.table.buckets[at].has(key) {
                return false;
            }
            if self.table.put_here(at, key) {
                break;
            }
            at = self.table.next(at);
        }
        self.keys.push(&[key]);
        if self.table.is_full(self.keys.len()) {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        self.table.grow(self.keys.len());
        for keys in self.keys.all() {
            for key in keys.iter().filter(|key| **key != NONE) {
                self.table.put(self.table.first(place(*key)), *key);
            }
        }
    }
}

impl States for Short {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn read(&self, positions: Range<usize>, words: &mut Vec<u64>) {
        for keys in self.keys.rows(positions) {
            let hashes = keys.iter().map(|k| self.hash.with_key(self.shard, *k));
            words.extend(hashes.map(|hash| self.hash.word(hash)));
        }
    }

    fn has(&self, row: &[u64]) -> bool {
        let key = self.hash.key(self.hash.of(row));
        match key {
            NONE => self.has_none,
            key => {
                let first = self.table.first(place(key));
                self.table.any_from(first, |bucket| bucket.has(key))
            }
        }
    }

    fn insert(&mut self, row: &[u64]) -> bool {
        assert!(!self.hash.is_beyond(row[0]), "a row uses only its bits");
        self.insert_one(self.hash.of(row))
    }

    fn insert_all(&mut self, words: &[u64]) {
        insert_in_two_passes(self, words, Self::doubtful, |s, _, hash| s.insert_one(hash));
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
        self.table.bytes() + self.keys.bytes()
    }

    fn bytes_with(&self, more: usize) -> u64 {
        self.table.bytes_for(self.len() + more) + self.keys.bytes_with(more)
    }
}

/// Where the search for a key begins.
#[inline]
fn place(key: u32) -> u64 {
    u64::from(key) << u32::BITS
}
