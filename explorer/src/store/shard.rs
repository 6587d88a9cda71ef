//! A part of the visited set: the states whose hash begins with the same bits, in the order in which they were inserted.

use std::ops::Range;

use crate::store::arena::bytes_with_one_more;
use crate::store::hash::Hash;
use crate::store::long::Long;
use crate::store::partition::Partition;
use crate::store::short::Short;
use crate::store::states::States;

/// A part of the visited set.
#[derive(Debug)]
pub(crate) struct Shard {
    pub(crate) states: Box<dyn States>,
    /// The depths of which there are states, each with the position of the first.
    levels: Vec<Level>,
}

/// The states of one depth begin here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) depth: usize,
    pub(crate) begin: usize,
}

impl Shard {
    /// An empty one, by its number, for rows of this width.
    pub(crate) fn new(number: usize, width: usize, hash: Hash) -> Self {
        let states: Box<dyn States> = if hash.is_short() {
            Box::new(Short::new(hash, number))
        } else {
            Box::new(Long::new(hash, width))
        };
        let levels = Vec::new();
        Self { states, levels }
    }

    /// The same states, in as many shards as there can be. Those of one depth stand in another order then, but always
    /// the same.
    pub(crate) fn split(&self, (number, width, hash): (usize, usize, Hash)) -> Vec<Self> {
        let hashes = (hash, hash.in_most_shards());
        let parts = hashes.1.shards() / hashes.0.shards();
        let numbers = number * parts..(number + 1) * parts;
        let mut shards: Vec<Self> = numbers
            .clone()
            .map(|number| Self::new(number, width, hashes.1))
            .collect();
        for shard in &mut shards {
            shard.states.reserve(self.states.len() / parts);
        }
        let (mut rows, mut room, mut sorted) = (Vec::new(), Vec::new(), Partition::default());
        for (depth, positions) in self.all_levels() {
            rows.clear();
            self.states.read(positions, &mut rows);
            sorted.fill(&rows, (width, hashes.1), &mut room);
            for (number, shard) in numbers.clone().zip(&mut shards) {
                let begin = shard.states.len();
                shard.states.insert_all(sorted.rows(number));
                shard.note_level(depth, begin);
            }
        }
        shards
    }

    /// The positions of the states of a depth.
    pub(crate) fn level(&self, depth: usize) -> Range<usize> {
        #[cfg(test)]
        lookups::count();
        let at = self.levels.partition_point(|l| l.depth < depth);
        match &self.levels[at..] {
            [level, next, ..] if level.depth == depth => level.begin..next.begin,
            [level] if level.depth == depth => level.begin..self.states.len(),
            _ => 0..0,
        }
    }

    /// The depths of which there are states, each with the positions of these.
    pub(crate) fn all_levels(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let ends = self.levels.iter().skip(1).map(|l| l.begin);
        let ends = ends.chain([self.states.len()]);
        let levels = self.levels.iter().zip(ends);
        levels.map(|(level, end)| (level.depth, level.begin..end))
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
        if let Some(states) = self.states.whole() {
            self.states = states;
        }
    }

    /// Brings all of it into the caches if so many rows are going to be looked for that this is worth it.
    pub(crate) fn warm(&self, rows: usize) {
        if rows >= self.states.worth_warming() {
            std::hint::black_box(self.states.warm());
        }
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.states.bytes() + self.bytes_of_levels()
    }

    /// The bytes it takes with so many more states, of one depth.
    pub(crate) fn bytes_with(&self, more: usize) -> u64 {
        self.states.bytes_with(more) + bytes_with_one_more(&self.levels)
    }

    fn bytes_of_levels(&self) -> u64 {
        (self.levels.capacity() * size_of::<Level>()) as u64
    }
}

/// Counts how often the levels of a shard are asked for, so that tests can say how much work that is.
#[cfg(test)]
pub(crate) mod lookups {
    use std::cell::Cell;

    thread_local! {
        static LOOKUPS: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn count() {
        LOOKUPS.set(LOOKUPS.get() + 1);
    }

    /// How often this thread has asked so far.
    pub(crate) fn so_far() -> u64 {
        LOOKUPS.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash::SHORT_BITS;

    /// An empty shard for rows of this width, and what is a row of it for any number.
    fn shard(width: usize, bits: u32) -> (Shard, impl Fn(u64) -> Vec<u64>) {
        let hash = Hash::new(width, bits);
        let row = move |n: u64| -> Vec<u64> { (0..width as u64).map(|w| n / (w + 1)).collect() };
        // The short ones stand only for rows of their shard.
        let mine = (0..).filter(move |n| hash.shard_of(hash.of(&row(*n))) == 3);
        let mine: Vec<u64> = mine.take(20_000).collect();
        (Shard::new(3, width, hash), move |n| row(mine[n as usize]))
    }

    /// All kinds of shards: widths, and bits that are used.
    const KINDS: [(usize, u32); 8] = [
        (1, 30),
        (1, SHORT_BITS),
        (1, SHORT_BITS + 1),
        (1, 64),
        (2, 64),
        (3, 64),
        (5, 64),
        (9, 64),
    ];

    fn all(shard: &Shard) -> Vec<u64> {
        let mut rows = Vec::new();
        shard.states.read(0..shard.states.len(), &mut rows);
        rows
    }

    #[test]
    fn every_row_is_inserted_once_however_the_table_grows() {
        for (width, bits) in KINDS {
            let (mut shard, row) = shard(width, bits);
            for n in 0..20_000 {
                assert!(shard.states.insert(&row(n)), "{n}");
                assert!(!shard.states.insert(&row(n / 2)));
            }
            assert_eq!(shard.states.len(), 20_000);
            assert!(all(&shard).into_iter().eq((0..20_000).flat_map(row)));
        }
    }

    #[test]
    fn a_split_keeps_every_row_at_its_depth() {
        for (width, bits) in [
            (1, 20),
            (1, 38),
            (1, 39),
            (1, 41),
            (1, 64),
            (2, 64),
            (3, 64),
            (5, 64),
            (8, 64),
            (9, 64),
        ] {
            let hash = Hash::new(width, bits);
            let row = |n: u64| (0..width as u64).map(move |w| n / (w + 1));
            for number in [0, hash.shards() - 1] {
                let mut shard = Shard::new(number, width, hash);
                for depth in [1, 2, 5] {
                    let begin = shard.states.len();
                    let rows = (0..40_000).map(|n| row(n * depth).collect::<Vec<u64>>());
                    let mine = rows.filter(|row| hash.shard_of(hash.of(row)) == number);
                    mine.for_each(|row| shard.states.insert_all(&row));
                    shard.note_level(depth as usize, begin);
                }
                assert!(shard.states.len() > 200, "{}", shard.states.len());
                let parts = shard.split((number, width, hash));
                let most = hash.in_most_shards();
                assert_eq!(parts.len() * hash.shards(), most.shards());
                for depth in 0..7 {
                    let sorted = |shards: &[Shard]| -> Vec<Vec<u64>> {
                        let mut rows = Vec::new();
                        for shard in shards {
                            shard.states.read(shard.level(depth), &mut rows);
                        }
                        let rows = rows.chunks_exact(width).map(<[u64]>::to_vec);
                        let mut rows: Vec<_> = rows.collect();
                        rows.sort();
                        rows
                    };
                    assert_eq!(sorted(&parts), sorted(std::slice::from_ref(&shard)));
                }
                for (at, part) in (number * parts.len()..).zip(&parts) {
                    let rows = all(part);
                    let mut shards = rows.chunks_exact(width).map(|r| most.shard_of(most.of(r)));
                    assert!(shards.all(|shard| shard == at));
                }
            }
        }
    }

    #[test]
    fn rows_that_are_there_or_come_twice_are_left_out() {
        for (width, bits) in KINDS {
            let (mut shard, row) = shard(width, bits);
            let numbers: Vec<u64> = (0..3_000).map(|n| n * n % 1_000).collect();
            let rows: Vec<u64> = numbers.iter().flat_map(|n| row(*n)).collect();
            shard.states.insert_all(&rows);
            let mut firsts = Vec::new();
            numbers.iter().for_each(|n| {
                if !firsts.contains(n) {
                    firsts.push(*n);
                }
            });
            let firsts: Vec<u64> = firsts.into_iter().flat_map(row).collect();
            assert_eq!(all(&shard), firsts);
        }
    }

    #[test]
    fn rows_of_zeros_and_of_ones_are_states_like_any_other() {
        for bits in [1, 20, SHORT_BITS, 64] {
            let hash = Hash::new(1, bits);
            for word in [0, u64::MAX >> (64 - bits)] {
                let mut shard = Shard::new(hash.shard_of(hash.of(&[word])), 1, hash);
                shard.states.insert_all(&[word, word]);
                assert!(!shard.states.insert(&[word]));
                assert_eq!(all(&shard), [word]);
            }
        }
    }

    #[test]
    #[should_panic(expected = "a row uses only its bits")]
    fn a_row_that_uses_other_bits_is_refused() {
        Shard::new(0, 1, Hash::new(1, 20))
            .states
            .insert_all(&[1 << 20]);
    }

    #[test]
    fn what_is_foretold_of_memory_comes_true() {
        for (width, bits) in KINDS {
            let (mut shard, row) = shard(width, bits);
            let foretold = shard.bytes_with(5_000);
            (0..5_000).for_each(|n| shard.states.insert_all(&row(n)));
            shard.note_level(0, 0);
            assert_eq!(shard.bytes(), foretold);
        }
    }

    #[test]
    fn levels_without_states_take_no_room() {
        let (mut shard, row) = shard(1, 64);
        for depth in 0..10 {
            let begin = shard.states.len();
            if depth % 3 == 1 {
                shard.states.insert_all(&row(depth));
                shard.states.insert_all(&row(depth + 100));
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
