//! The visited set: all states that were reached, by shard.

mod arena;
pub(crate) mod condensed;
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

use std::borrow::Cow;
use std::ops::Range;

use crate::store::arena::bytes_with_one_more;
use crate::store::condensed::Condensed;
use crate::store::hash::{Hash, MOST_SHARDS};
use crate::store::partition::Partition;
use crate::store::shard::Shard;

/// Shards that take more bytes than this on the average do not stay in the nearest caches.
const CROWDED: u64 = 1 << 18;

/// With fewer states than this a shard of a split would have more room than it needs, where rows are wide.
const LEAST_STATES: u64 = 64 * MOST_SHARDS as u64;

/// So many states of a shard are read before some of the next one.
const IN_TURN: usize = 64;

/// Where a level has more states than this, those of one shard after the other are read: the successors that several of its states
/// have in common are met too far apart to be remembered.
const WIDE_LEVEL: usize = 1 << 18;

/// Rows that are stored in another way at once.
const AT_ONCE: usize = 1 << 12;

/// All states that were reached.
#[derive(Debug)]
pub(crate) struct Visited {
    /// The words of a row as it comes.
    pub(crate) width: usize,
    /// How rows are stored, if not as they come.
    pub(crate) condensed: Option<Condensed>,
    /// How rows are hashed as they come, in few shards.
    whole: Hash,
    /// How stored rows are hashed.
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
            condensed: None,
            whole: hash,
            hash,
            shards,
            levels: Vec::new(),
        }
    }

    /// No states yet, of rows of this width, which will be stored so. Hashed as they come, their hash is `whole`.
    pub(crate) fn condensed(width: usize, whole: Hash, condensed: Condensed) -> Self {
        let stored = condensed.width();
        let hash = Hash::new(stored, condensed.bits());
        Self {
            width,
            condensed: Some(condensed),
            whole,
            ..Self::new(stored, hash)
        }
    }

    /// The words of a row as it is stored.
    pub(crate) fn stored_width(&self) -> usize {
        self.condensed.as_ref().map_or(self.width, Condensed::width)
    }

    /// A row as it is stored; none if no such row can be.
    fn stored<'r>(&self, row: &'r [u64]) -> Option<Cow<'r, [u64]>> {
        match &self.condensed {
            Some(condensed) => condensed.condensed(row).map(Cow::Owned),
            None => Some(Cow::Borrowed(row)),
        }
    }

    /// Stores the rows of all states so, or as they come.
    pub(crate) fn store_as(&mut self, condensed: Option<Condensed>) {
        let mut new = match condensed {
            Some(condensed) => Self::condensed(self.width, self.whole, condensed),
            None => Self::new(self.width, self.whole),
        };
        if !self.hash.can_have_more_shards() {
            new.spread_empty();
        }
        let most = self.len() as usize / new.shards.len();
        (new.shards.iter_mut()).for_each(|shard| shard.states.reserve(most));
        let (mut rows, mut stored) = (Vec::new(), Vec::new());
        let (mut sorted, mut room) = (Partition::default(), Vec::new());
        for depth in 0..self.levels.len() {
            let begins: Vec<usize> = new.shards.iter().map(|s| s.states.len()).collect();
            for at in (0..self.level_len(depth)).step_by(AT_ONCE) {
                rows.clear();
                self.copy(
                    depth,
                    at..self.level_len(depth).min(at + AT_ONCE),
                    &mut rows,
                );
                new.condense(&rows, &mut stored);
                sorted.fill(&stored, (new.stored_width(), new.hash), &mut room);
                for (number, shard) in new.shards.iter_mut().enumerate() {
                    shard.states.insert_all(sorted.rows(number));
                }
            }
            for (shard, begin) in new.shards.iter_mut().zip(begins) {
                shard.note_level(depth, begin);
            }
        }
        new.levels = std::mem::take(&mut self.levels);
        *self = new;
    }

    /// Replaces the contents of `stored` by rows as they are stored.
    fn condense(&self, rows: &[u64], stored: &mut Vec<u64>) {
        stored.clear();
        let Some(condensed) = &self.condensed else {
            return stored.extend_from_slice(rows);
        };
        let mut beyond = vec![0; self.width];
        stored.resize(rows.len() / self.width * condensed.width(), 0);
        condensed.condense(rows, stored, &mut beyond);
        debug_assert!(beyond.iter().all(|bits| *bits == 0), "all states are known");
    }

    /// Has as many shards as there can be, none of which has a state.
    pub(crate) fn spread_empty(&mut self) {
        self.hash = self.hash.in_most_shards();
        let width = self.stored_width();
        let shards = 0..self.hash.shards();
        self.shards = shards.map(|n| Shard::new(n, width, self.hash)).collect();
    }

    /// Inserts a state of some depth, none of which is less than one before it; whether it was not there.
    pub(crate) fn insert(&mut self, row: &[u64], depth: usize) -> bool {
        let row = match self.stored(row) {
            Some(row) => row,
            None => {
                self.store_as(None);
                Cow::Borrowed(row)
            }
        };
        let shard = &mut self.shards[self.hash.shard_of(self.hash.of(&row))];
        let begin = shard.states.len();
        let is_new = shard.states.insert(&row);
        shard.note_level(depth, begin);
        self.note_new(depth, usize::from(is_new));
        is_new
    }

    /// Whether a state is there.
    pub(crate) fn has(&self, row: &[u64]) -> bool {
        self.stored(row).is_some_and(|row| {
            let shard = self.hash.shard_of(self.hash.of(&row));
            self.shards[shard].states.has(&row)
        })
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

    /// The positions of the states of a depth in each shard, up to the last that has one.
    fn level(&self, depth: usize) -> Vec<Range<usize>> {
        let mut left = self.level_len(depth);
        let shards = self.shards.iter().map_while(|shard| {
            (left > 0).then(|| {
                let level = shard.level(depth);
                left = left.saturating_sub(level.len());
                level
            })
        });
        shards.collect()
    }

    /// Appends the rows of the states that stand at some positions of a level. Those that were inserted one after the other
    /// stand near each other, although they are in different shards: some of each shard come first, then some more of each.
    /// So successors that several of them have in common are met soon after each other.
    pub(crate) fn copy(&self, depth: usize, positions: Range<usize>, rows: &mut Vec<u64>) {
        let levels = self.level(depth);
        let in_turn = match self.level_len(depth) {
            ..=WIDE_LEVEL => IN_TURN,
            all => all,
        };
        let mut stored = Vec::new();
        let to = match &self.condensed {
            Some(_) => &mut stored,
            None => &mut *rows,
        };
        let (mut turn, mut at) = turn_of((&levels, in_turn), positions.start);
        while at < positions.end {
            let begin = at;
            for (shard, level) in self.shards.iter().zip(&levels) {
                let first = level.end.min(level.start + turn * in_turn);
                let end = at + level.end.min(first + in_turn) - first;
                let from = first + positions.start.clamp(at, end) - at;
                let until = first + positions.end.clamp(at, end) - at;
                if from < until {
                    shard.states.read(from..until, to);
                }
                at = end;
            }
            if at == begin {
                break;
            }
            turn += 1;
        }
        if let Some(condensed) = &self.condensed {
            condensed.restore(&stored, rows);
        }
    }
}

/// The turn in which the state at a position of a level is read, and the position of the first state of this turn, where these
/// are the states of the level in each shard.
fn turn_of((levels, in_turn): (&[Range<usize>], usize), position: usize) -> (usize, usize) {
    let before = |turn: usize| -> usize {
        let lens = levels.iter().map(ExactSizeIterator::len);
        lens.map(|len| len.min(turn * in_turn)).sum()
    };
    // It is not before the turn in which it would be if all shards were equally full, and not far behind that.
    let mut turn = position / (in_turn * levels.len().max(1));
    loop {
        let (begin, end) = (before(turn), before(turn + 1));
        if end > position || begin == end {
            return (turn, begin);
        }
        turn += 1;
    }
}

/// Appends the rows, as they came, of the states at some positions of a shard.
pub(crate) fn read(
    shard: &Shard,
    condensed: Option<&Condensed>,
    positions: Range<usize>,
    rows: &mut Vec<u64>,
) {
    let Some(condensed) = condensed else {
        return shard.states.read(positions, rows);
    };
    let mut stored = Vec::new();
    shard.states.read(positions, &mut stored);
    condensed.restore(&stored, rows);
}

#[cfg(test)]
mod tests {
    use super::condensed::Differences;
    use super::*;

    /// The states of the first level, so many at a time.
    fn in_parts(visited: &Visited, at_once: usize) -> Vec<u64> {
        let mut rows = Vec::new();
        for at in (0..visited.level_len(0)).step_by(at_once) {
            let to = visited.level_len(0).min(at + at_once);
            visited.copy(0, at..to, &mut rows);
            assert_eq!(rows.len(), to);
        }
        rows
    }

    #[test]
    fn states_that_were_inserted_together_are_read_together_unless_there_are_too_many() {
        for (states, is_together) in [
            (1_usize, true),
            (100, true),
            (20_000, true),
            (WIDE_LEVEL + 1, false),
        ] {
            let mut visited = Visited::new(1, Hash::new(1, u64::BITS));
            (0..states as u64).for_each(|n| assert!(visited.insert(&[n], 0)));
            let rows = in_parts(&visited, states);
            for at_once in [7, 1_000] {
                assert!(in_parts(&visited, at_once) == rows);
            }
            let mut sorted = rows.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..states as u64));
            let places = (0..).zip(&rows).map(|(place, n)| n.abs_diff(place));
            let most = (IN_TURN * visited.shards.len()) as u64;
            assert_eq!(places.max() <= Some(2 * most), is_together, "{states}");
        }
    }

    #[test]
    fn all_states_keep_their_depths_however_they_are_stored() {
        let row = |n: u64| [n % 100, 7, n / 100 % 100, (1 << 40) | (n / 10_000)];
        for is_spread in [false, true] {
            let mut visited = Visited::new(4, Hash::new(4, u64::BITS));
            if is_spread {
                visited.spread_empty();
            }
            let depth = |n: u64| if n < 100 { 0 } else { n as usize / 5_000 + 1 };
            (0..40_000).for_each(|n| assert!(visited.insert(&row(n), depth(n))));
            let all = |visited: &Visited| -> Vec<Vec<Vec<u64>>> {
                let levels = (0..10).map(|depth| {
                    let mut rows = Vec::new();
                    visited.copy(depth, 0..visited.level_len(depth), &mut rows);
                    let mut rows: Vec<Vec<u64>> = rows.chunks(4).map(<[u64]>::to_vec).collect();
                    rows.sort();
                    rows
                });
                levels.collect()
            };
            let before = all(&visited);
            let mut differences = Differences::none(&row(0));
            (0..40_000).for_each(|n| differences.note(&row(n)));
            visited.store_as(Condensed::of(&differences));
            assert_eq!(visited.stored_width(), 1);
            assert!(all(&visited) == before);
            assert!((0..40_000).all(|n| visited.has(&row(n)) && !visited.insert(&row(n), 9)));
            assert!(!visited.has(&[0; 4]) && !visited.has(&row(50_000)));
            // There is no room for this one.
            assert!(visited.insert(&[0; 4], 9));
            assert_eq!(visited.stored_width(), 4);
            assert_eq!(visited.len(), 40_001);
            assert!(all(&visited)[..9] == before[..9]);
        }
    }
}
