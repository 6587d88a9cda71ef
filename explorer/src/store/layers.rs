//! Where the states of each depth lie, and which of those that memory does not know are new: the part of a search that is
//! exchanged when its states do not stay in memory.
//!
//! A search goes on in the same way whatever this is. It looks for each state that it meets in memory, and inserts it there.
//! Where memory knows all states that were visited, that decides whether a state is new. Where it does not, what is inserted
//! is only a *candidate* for the next level; once a level is expanded, the next one is [settled](Layers::settle), shard by
//! shard.

use std::fmt::Debug;
use std::ops::Range;

use crate::store::disk::block::Coded;
use crate::store::{Visited, read};

/// Rows that are read at once where all states are read.
const AT_ONCE: usize = 256;

/// The states of each depth.
pub(crate) trait Layers: Debug + Send + Sync {
    /// The number of states that are known to be visited.
    fn len(&self, memory: &Visited) -> u64;

    /// The number of those of a depth.
    fn level_len(&self, memory: &Visited, depth: usize) -> usize;

    /// Appends the rows of the states at some positions of a level; none, or not all, where there is [trouble](Self::trouble).
    fn read(&self, memory: &Visited, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>);

    /// Appends the next rows of all, after a place that begins as the default; whether there were any.
    fn read_next(&self, memory: &Visited, place: &mut Place, rows: &mut Vec<u64>) -> bool;

    /// The bytes it takes beside the states in memory.
    fn bytes(&self) -> u64 {
        0
    }

    /// Whether memory knows all states that were visited.
    fn is_all_in_memory(&self) -> bool {
        true
    }

    /// Whether rows have to be stored as they come.
    fn reads_memory(&self) -> bool {
        false
    }

    /// Whether it is known which states of a depth there are, apart from those that follow states not yet expanded.
    fn is_settled(&self, _depth: usize) -> bool {
        true
    }

    /// How many candidates of a depth a shard has, at most.
    fn candidates(&self, _memory: &Visited, _depth: usize, _shard: usize) -> usize {
        0
    }

    /// Finds out which candidates of a depth, in one shard, are new.
    fn settle(&self, _memory: &Visited, _depth: usize, _shard: usize, _out: &mut Settled) {}

    /// Keeps what was settled, of the next shards.
    fn append(&mut self, _settled: &[Settled]) {}

    /// Ends a level, all shards of which are settled.
    fn end_level(&mut self, _memory: &mut Visited, _depth: usize) {}

    /// Makes room in memory, where the states that are inserted now are of a depth; whether it did.
    fn make_room(&mut self, _memory: &mut Visited, _depth: usize) -> bool {
        false
    }

    /// Why states cannot be read or kept, if that is so. Nothing that is read after that means anything.
    fn trouble(&self) -> Option<&str> {
        None
    }

    /// Waits until all levels that are settled are on the disk.
    fn sync(&mut self) {}

    /// Whether there are files that only a search needs that was saved before the last time.
    fn has_stale_files(&self) -> bool {
        false
    }

    /// Removes these files.
    fn clean(&mut self) {}

    /// What has to be saved to find the states again; nothing where they have to be saved themselves.
    fn saved(&self) -> Option<Vec<u64>> {
        None
    }
}

/// How far all states were read: a shard or depth, and a position there.
pub(crate) type Place = (usize, usize);

/// What came of settling a shard.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// The rows of the states that are new, sorted.
    pub(crate) rows: Vec<u64>,
    /// The same as blocks.
    pub(crate) level: Coded,
    /// All states of the shard that were visited so far, where these are written anew.
    pub(crate) known: Coded,
}

/// All states are in memory.
#[derive(Debug)]
pub(crate) struct InMemory;

impl Layers for InMemory {
    fn len(&self, memory: &Visited) -> u64 {
        memory.len()
    }

    fn level_len(&self, memory: &Visited, depth: usize) -> usize {
        memory.level_len(depth)
    }

    fn read(&self, memory: &Visited, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>) {
        memory.copy(depth, positions, rows);
    }

    fn read_next(&self, memory: &Visited, place: &mut Place, rows: &mut Vec<u64>) -> bool {
        while let Some(shard) = memory.shards.get(place.0) {
            let end = shard.states.len().min(place.1 + AT_ONCE);
            if place.1 < end {
                read(shard, memory.condensed.as_ref(), place.1..end, rows);
                place.1 = end;
                return true;
            }
            *place = (place.0 + 1, 0);
        }
        false
    }
}
