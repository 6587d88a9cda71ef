//! The visited set: all states that were reached, by shard.

use std::ops::Range;

use crate::shard::{SHARDS, Shard, hash, shard_of};

/// A visited state. States of one depth are ordered as they were discovered, whatever the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateId {
    pub(crate) shard: u32,
    pub(crate) position: usize,
}

/// All states that were reached.
#[derive(Debug)]
pub(crate) struct Visited {
    pub(crate) width: usize,
    pub(crate) shards: Box<[Shard; SHARDS]>,
}

/// Rows that are looked up together: enough to keep the processor waiting for many places at once, and few enough that
/// the lines they lie in stay in its nearest caches until the second pass.
const AT_ONCE: usize = 512;

/// Room to work in for [`Visited::unknown`].
#[derive(Debug, Default)]
pub(crate) struct Room {
    hashes: Vec<u64>,
    doubtful: Vec<u32>,
}

impl Visited {
    /// No states yet.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            shards: Box::new(std::array::from_fn(|_| Shard::new(width))),
        }
    }

    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        self.shards.iter().map(|s| s.states.len() as u64).sum()
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// A state's row.
    pub(crate) fn row(&self, id: StateId) -> &[u64] {
        self.shards[id.shard as usize].states.row(id.position)
    }

    /// The states of a depth that a shard has, as positions.
    pub(crate) fn level(&self, shard: usize, depth: usize) -> Range<usize> {
        let Shard { levels, states, .. } = &self.shards[shard];
        let end = levels.get(depth + 1).copied();
        levels[depth]..end.unwrap_or(states.len())
    }

    /// The number of states of a depth.
    pub(crate) fn level_len(&self, depth: usize) -> usize {
        (0..SHARDS).map(|s| self.level(s, depth).len()).sum()
    }

    /// Calls `visit` with the parts of a level that have these positions in it: a shard, and positions there.
    fn parts(
        &self,
        depth: usize,
        positions: Range<usize>,
        mut visit: impl FnMut(usize, Range<usize>),
    ) {
        let mut before = 0;
        for shard in 0..SHARDS {
            let level = self.level(shard, depth);
            let from = positions.start.clamp(before, before + level.len()) - before;
            let to = positions.end.clamp(before, before + level.len()) - before;
            if from < to {
                visit(shard, level.start + from..level.start + to);
            }
            before += level.len();
        }
    }

    /// Appends the rows of the states that stand at some positions of a level.
    pub(crate) fn copy(&self, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>) {
        self.parts(depth, positions, |shard, part| {
            let states = &self.shards[shard].states;
            states
                .slices(part.start, part.end)
                .for_each(|slice| rows.extend_from_slice(slice));
        });
    }

    /// The state at a position of a level.
    pub(crate) fn at(&self, depth: usize, position: usize) -> StateId {
        let mut id = None;
        self.parts(depth, position..position + 1, |shard, part| {
            let (shard, position) = (shard as u32, part.start);
            id = Some(StateId { shard, position });
        });
        id.expect("a position of the level")
    }

    /// From now on, states are of the next depth.
    pub(crate) fn begin_level(&mut self) {
        for shard in self.shards.iter_mut() {
            shard.levels.push(shard.states.len());
        }
    }

    /// Calls `found` with the hash and the row of each row that is not there.
    ///
    /// Rows are looked up in two passes. The first reads the place at which each row should stand, and does nothing that depends on
    /// what is read but to count: so the processor waits for many places at once. Most rows are settled by it. The second
    /// searches for the others, in lines of memory that are in the cache by then.
    pub(crate) fn unknown(
        &self,
        rows: &[u64],
        room: &mut Room,
        mut found: impl FnMut(u64, &[u64]),
    ) {
        for rows in rows.chunks(AT_ONCE * self.width) {
            self.unknown_of(rows, room, &mut found);
        }
    }

    fn unknown_of(&self, rows: &[u64], room: &mut Room, found: &mut impl FnMut(u64, &[u64])) {
        let count = rows.len() / self.width;
        if room.hashes.len() < count {
            room.hashes.resize(count, 0);
            room.doubtful.resize(count, 0);
        }
        let doubtful = match self.width {
            1 => self.doubtful_words(rows, room),
            _ => self.doubtful_rows(rows, room),
        };
        for at in &room.doubtful[..doubtful] {
            let at = *at as usize;
            let (hash, row) = (room.hashes[at], &rows[at * self.width..][..self.width]);
            if !self.shards[shard_of(hash)].contains(hash, row) {
                found(hash, row);
            }
        }
    }

    /// The first pass where states are one word: lists the positions of those that do not stand at their first place.
    fn doubtful_words(&self, rows: &[u64], room: &mut Room) -> usize {
        let (hashes, doubtful) = (
            &mut room.hashes[..rows.len()],
            &mut room.doubtful[..rows.len()],
        );
        let mut count = 0;
        for (at, word) in rows.iter().enumerate() {
            let hash = hash(std::slice::from_ref(word));
            hashes[at] = hash;
            doubtful[count] = at as u32;
            let is_there = self.shards[shard_of(hash)].first(hash) == Shard::entry(*word);
            // The state whose entry is like none is always looked at again.
            count += usize::from(!is_there | (*word == u64::MAX));
        }
        count
    }

    /// The first pass for longer states, which has to look at all of them again.
    fn doubtful_rows(&self, rows: &[u64], room: &mut Room) -> usize {
        let mut touched = 0;
        for (at, row) in rows.chunks_exact(self.width).enumerate() {
            let hash = hash(row);
            room.hashes[at] = hash;
            room.doubtful[at] = at as u32;
            touched ^= self.shards[shard_of(hash)].first(hash);
        }
        std::hint::black_box(touched);
        rows.len() / self.width
    }
}
