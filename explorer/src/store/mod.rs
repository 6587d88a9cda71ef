//! The visited set: all states that were reached, by shard.

mod arena;
pub(crate) mod disk;
pub(crate) mod hash;
pub(crate) mod layers;
mod long;
pub(crate) mod partition;
pub(crate) mod shard;
mod short;
mod states;
mod table;
mod whole;

use std::ops::Range;

use crate::store::arena::bytes_with_one_more;
use crate::store::hash::{Hash, MOST_SHARDS};
use crate::store::shard::Shard;

/// Shards that take more bytes than this on the average do not stay in the nearest caches.
const CROWDED: u64 = 1 << 18;

/// With fewer states than this a shard of a split would have more room than it needs, where rows are wide.
const LEAST_STATES: u64 = 64 * MOST_SHARDS as u64;

/// All states that were reached.
#[derive(Debug)]
pub(crate) struct Visited {
    pub(crate) width: usize,
    pub(crate) hash: Hash,
    pub(crate) shards: Vec<Shard>,
    /// The number of states of each depth: there may be very many depths, and most have few states in any shard.
    levels: Vec<usize>,
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
            levels: Vec::new(),
        }
    }

    /// Inserts a state of some depth, none of which is less than one before it; whether it was not there.
    pub(crate) fn insert(&mut self, row: &[u64], depth: usize) -> bool {
        let shard = &mut self.shards[self.hash.shard_of(self.hash.of(row))];
        let begin = shard.states.len();
        let is_new = shard.states.insert(row);
        shard.note_level(depth, begin);
        self.note_new(depth, usize::from(is_new));
        is_new
    }

    /// Whether a state is there.
    pub(crate) fn has(&self, row: &[u64]) -> bool {
        let shard = self.hash.shard_of(self.hash.of(row));
        self.shards[shard].states.has(row)
    }

    /// Says that so many states of a depth were put into the shards.
    pub(crate) fn note_new(&mut self, depth: usize, states: usize) {
        if states > 0 {
            let depths = self.levels.len().max(depth + 1);
            self.levels.resize(depths, 0);
            self.levels[depth] += states;
        }
    }

    /// Counts the states of each depth anew.
    pub(crate) fn count_levels(&mut self) {
        self.levels.clear();
        for at in 0..self.shards.len() {
            let counted: Vec<_> = self.shards[at].all_levels().collect();
            for (depth, positions) in counted {
                self.note_new(depth, positions.len());
            }
        }
    }

    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        self.shards.iter().map(|s| s.states.len() as u64).sum()
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        let levels = self.levels.capacity() * size_of::<usize>();
        let shards: u64 = self.shards.iter().map(Shard::bytes).sum();
        shards + levels as u64
    }

    /// The bytes they take, at most, with so many more states in each shard, of one depth.
    pub(crate) fn bytes_with(&self, more: impl Fn(usize) -> usize) -> u64 {
        let shards = self.shards.iter().enumerate();
        let shards: u64 = shards.map(|(n, s)| s.bytes_with(more(n))).sum();
        shards + bytes_with_one_more(&self.levels)
    }

    /// Whether more shards would be faster. They take twice the bytes at most.
    pub(crate) fn is_crowded(&self) -> bool {
        self.hash.can_have_more_shards()
            && self.len() >= LEAST_STATES
            && self.bytes() > CROWDED * self.shards.len() as u64
    }

    /// The number of states of a depth.
    pub(crate) fn level_len(&self, depth: usize) -> usize {
        self.levels.get(depth).copied().unwrap_or(0)
    }

    /// Appends the rows of the states that stand at some positions of a level.
    pub(crate) fn copy(&self, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>) {
        let mut before = 0;
        for shard in &self.shards {
            if before >= positions.end {
                break;
            }
            let level = shard.level(depth);
            let end = before + level.len();
            let from = level.start + positions.start.clamp(before, end) - before;
            let to = level.start + positions.end.clamp(before, end) - before;
            if from < to {
                shard.states.read(from..to, rows);
            }
            before = end;
        }
    }
}
