//! The visited set: all states that were reached, by shard.

use std::ops::Range;

use crate::hash::Hash;
use crate::shard::Shard;

/// Shards that take more bytes than this on the average do not stay in the nearest caches.
const CROWDED: u64 = 1 << 18;

/// All states that were reached.
#[derive(Debug)]
pub(crate) struct Visited {
    pub(crate) width: usize,
    pub(crate) hash: Hash,
    pub(crate) shards: Vec<Shard>,
}

impl Visited {
    /// No states yet, of rows of this width.
    pub(crate) fn new(width: usize, hash: Hash) -> Self {
        let shards = (0..hash.shards()).map(|n| Shard::new(n, width, hash));
        let shards = shards.collect();
        Self {
            width,
            hash,
            shards,
        }
    }

    /// Inserts a state of some depth, none of which is less than one before it.
    pub(crate) fn insert(&mut self, row: &[u64], depth: usize) {
        let shard = &mut self.shards[self.hash.shard_of(self.hash.of(row))];
        let begin = shard.states.len();
        shard.states.insert(row);
        shard.note_level(depth, begin);
    }

    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        self.shards.iter().map(|s| s.states.len() as u64).sum()
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// Whether more shards would be faster.
    pub(crate) fn is_crowded(&self) -> bool {
        self.hash.can_have_more_shards() && self.bytes() > CROWDED * self.shards.len() as u64
    }

    /// Whether there is such a state, of this depth.
    pub(crate) fn has(&self, row: &[u64], depth: usize) -> bool {
        let shard = &self.shards[self.hash.shard_of(self.hash.of(row))];
        let mut rows = Vec::new();
        shard.states.read(shard.level(depth), &mut rows);
        rows.chunks_exact(self.width).any(|other| other == row)
    }

    /// The number of states of a depth.
    pub(crate) fn level_len(&self, depth: usize) -> usize {
        self.shards.iter().map(|s| s.level(depth).len()).sum()
    }

    /// The parts of a level that have these positions in it: a shard, and positions there.
    fn parts(
        &self,
        depth: usize,
        positions: Range<usize>,
    ) -> impl Iterator<Item = (usize, Range<usize>)> {
        let mut before = 0;
        self.shards
            .iter()
            .enumerate()
            .map_while(move |(number, shard)| {
                let level = shard.level(depth);
                let end = before + level.len();
                let from = positions.start.clamp(before, end) - before;
                let to = positions.end.clamp(before, end) - before;
                let done = before >= positions.end;
                before = end;
                (!done).then_some((number, level.start + from..level.start + to))
            })
            .filter(|(_, part)| !part.is_empty())
    }

    /// Appends the rows of the states that stand at some positions of a level.
    pub(crate) fn copy(&self, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>) {
        for (shard, part) in self.parts(depth, positions) {
            self.shards[shard].states.read(part, rows);
        }
    }

    /// The state at a position of a level.
    pub(crate) fn at(&self, depth: usize, position: usize) -> Vec<u64> {
        let mut row = Vec::new();
        self.copy(depth, position..position + 1, &mut row);
        row
    }
}
