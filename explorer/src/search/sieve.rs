//! The successors of some states, without those that were met a short time ago.
//!
//! Steps that do not depend on each other lead to the same state in any order, so most successors are found several times, and
//! often by states that are expanded soon after each other. A thread remembers the last successor that it met at each of a
//! number of places, which the hash chooses. One that is there again needs no sorting and no lookup: it was handed on
//! before, in this round or an earlier one. So what is forgotten costs time and changes nothing, but what was handed on and
//! given up has to be [forgotten](Sieve::forget).

use interpreter::Batch;

use crate::store::Visited;
use crate::store::hash::Hash;
use crate::store::partition::{Partition, shards_of};

/// The words that are remembered: they stay in the caches beside what else is used when states are expanded.
const REMEMBERED: usize = 1 << 16;

/// Rows of more words than this are not remembered.
const WIDEST: usize = 8;

/// Where no step of a batch leads back to its state, that is not looked for in so many further ones.
const UNSIFTED: usize = 15;

/// Of so many successors, one has to be remembered, or it takes longer to look for them than it saves: those that were met
/// a short time ago are those that a lookup would find soonest.
const WORTH: usize = 6;

/// How many successors a thread looks at to find out whether that is so, for each that it can remember.
const TRIAL: usize = 4;

/// After a trial in vain, it does not look at so many times as many.
const PAUSE: usize = 15;

/// Nor at so many at first: a search of few states is done before it pays.
const FIRST_PAUSE: usize = 1 << 14;

/// The successors of the states that one task expands.
#[derive(Default)]
pub(crate) struct Sieve {
    /// They, and room for more: it is not made empty, so as not to be filled with zeros again.
    rows: Vec<u64>,
    /// The shard of each.
    shards: Vec<u8>,
    /// How many there are.
    used: usize,
    /// Room for those of a batch.
    batch: Vec<u64>,
    /// What was met at each place, if rows have so many words.
    remembered: Vec<u64>,
    width: usize,
    /// Of how many further batches the successors are kept even where they are the state itself.
    unsifted: usize,
    /// Whether it is worth while to remember rows.
    trial: Trial,
}

/// What comes of looking for successors among those that are remembered.
#[derive(Debug)]
struct Trial {
    /// So many were looked for.
    rows: usize,
    /// So many of them were remembered.
    found: usize,
    /// So many are not looked for now.
    pause: usize,
}

impl Default for Trial {
    fn default() -> Self {
        Self {
            rows: 0,
            found: 0,
            pause: FIRST_PAUSE,
        }
    }
}

impl Trial {
    /// Notes that so many rows were looked for and so many of them found, where so many can be remembered.
    fn note(&mut self, rows: usize, found: usize, places: usize) {
        self.rows += rows;
        self.found += found;
        if self.rows >= TRIAL * places {
            if self.found < self.rows / WORTH {
                self.pause = PAUSE * self.rows;
            }
            (self.rows, self.found) = (0, 0);
        }
    }
}

impl Sieve {
    /// Begins a task.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// Forgets what was handed on, and gives back the room.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Adds the successors of a batch of states, as they are stored. The bits in which some are beyond the states as they are
    /// stored go to `beyond`.
    pub(crate) fn add(
        &mut self,
        visited: &Visited,
        states: &[u64],
        Batch { words, ends, .. }: &Batch,
        beyond: &mut Vec<u64>,
    ) {
        let mut room = std::mem::take(&mut self.batch);
        let (width, stored) = (visited.width, visited.stored_width());
        let most = words.len() / width * stored;
        if room.len() < most {
            room.resize(most, 0);
        }
        let rows = match (&visited.condensed, width) {
            (Some(condensed), _) => {
                beyond.resize(width, 0);
                condensed.condense(words, &mut room[..most], beyond);
                &room[..most]
            }
            (None, 1 | 2) if self.unsifted == 0 => {
                let used = match width {
                    1 => others::<1>(states, words, ends, &mut room),
                    _ => others::<2>(states, words, ends, &mut room),
                };
                self.unsifted = if used == words.len() { UNSIFTED } else { 0 };
                &room[..used]
            }
            _ => {
                self.unsifted = self.unsifted.saturating_sub(1);
                words
            }
        };
        self.add_rows(rows, stored, visited.hash);
        self.batch = room;
    }

    fn add_rows(&mut self, rows: &[u64], width: usize, hash: Hash) {
        let count = rows.len() / width;
        let end = self.used + count;
        if end * width > self.rows.len() {
            self.rows.resize(end * width, 0);
        }
        if end > self.shards.len() {
            self.shards.resize(end, 0);
        }
        if width > WIDEST || self.trial.pause > 0 {
            self.trial.pause = self.trial.pause.saturating_sub(count);
            self.rows[self.used * width..end * width].copy_from_slice(rows);
            shards_of(rows, (width, hash), &mut self.shards[self.used..end]);
            self.used = end;
            return;
        }
        let new = match width {
            1 => self.sift::<1>(rows, hash),
            2 => self.sift::<2>(rows, hash),
            3 => self.sift::<3>(rows, hash),
            4 => self.sift::<4>(rows, hash),
            5 => self.sift::<5>(rows, hash),
            6 => self.sift::<6>(rows, hash),
            7 => self.sift::<7>(rows, hash),
            _ => self.sift::<8>(rows, hash),
        };
        self.used += new;
        self.trial.note(count, count - new, places(width));
    }

    /// Adds the rows that are not remembered, and says how many there are. Branches on none of them.
    fn sift<const WIDTH: usize>(&mut self, rows: &[u64], hash: Hash) -> usize {
        let places = places(WIDTH);
        if self.width != WIDTH {
            self.width = WIDTH;
            self.remembered.clear();
            self.remembered.resize(places * WIDTH, 0);
            forget_all::<WIDTH>(self.remembered.as_chunks_mut().0, hash);
        }
        let remembered = &mut self.remembered.as_chunks_mut::<WIDTH>().0[..places];
        let to = &mut self.rows.as_chunks_mut::<WIDTH>().0[self.used..];
        let shards = &mut self.shards[self.used..];
        let mut count = 0;
        for row in rows.as_chunks::<WIDTH>().0 {
            let hashed = hash.of(row);
            let place = &mut remembered[place_of(hashed, places)];
            let words = place.iter().zip(row);
            let different = words.fold(0, |bits, (old, new)| bits | old ^ new);
            *place = *row;
            to[count] = *row;
            shards[count] = hash.shard_of(hashed) as u8;
            count += usize::from(different != 0);
        }
        count
    }

    /// Sorts all successors of the task by shard.
    pub(crate) fn sort(&self, visited: &Visited, out: &mut Partition) {
        let width = visited.stored_width();
        let rows = &self.rows[..self.used * width];
        out.sort(rows, &self.shards[..self.used], (width, visited.hash));
    }
}

/// How many rows of so many words are remembered.
fn places(width: usize) -> usize {
    REMEMBERED / width.next_power_of_two()
}

/// Where a row with a hash is remembered.
#[inline(always)]
fn place_of(hash: u64, places: usize) -> usize {
    (hash >> (u64::BITS - places.trailing_zeros())) as usize
}

/// Puts a row to each place that does not belong there: so none is remembered.
fn forget_all<const WIDTH: usize>(remembered: &mut [[u64; WIDTH]], hash: Hash) {
    let place = |row: &[u64; WIDTH]| place_of(hash.of(row), remembered.len());
    let row = |n: u64| std::array::from_fn(|word| if word == 0 { n } else { 0 });
    let (zero, mut other) = (place(&row(0)), 1);
    while place(&row(other)) == zero {
        other += 1;
    }
    remembered.fill(row(0));
    remembered[zero] = row(other);
}

/// Copies the successors that are not the state itself, and says how many words they have: there is no need to look up
/// the state, and often it is many of them.
fn others<const WIDTH: usize>(
    states: &[u64],
    successors: &[u64],
    ends: &[u32],
    room: &mut [u64],
) -> usize {
    let (states, _) = states.as_chunks::<WIDTH>();
    let (successors, _) = successors.as_chunks::<WIDTH>();
    let (room, _) = room.as_chunks_mut::<WIDTH>();
    let (mut begin, mut count) = (0, 0);
    for (state, end) in states.iter().zip(ends) {
        for successor in &successors[begin..*end as usize] {
            room[count] = *successor;
            count += usize::from(successor != state);
        }
        begin = *end as usize;
    }
    count * WIDTH
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::store::hash::SHORT_BITS;

    /// What is handed on of some rows, in order, whose shards are right.
    fn handed_on(sieve: &mut Sieve, rows: &[u64], (width, hash): (usize, Hash)) -> Vec<Vec<u64>> {
        sieve.clear();
        sieve.add_rows(rows, width, hash);
        let rows = sieve.rows[..sieve.used * width].chunks(width);
        let shards = &sieve.shards[..sieve.used];
        let right = rows.clone().map(|row| hash.shard_of(hash.of(row)) as u8);
        assert!(right.eq(shards.iter().copied()));
        rows.map(<[u64]>::to_vec).collect()
    }

    /// A sieve that looks for rows from the beginning.
    fn eager() -> Sieve {
        let mut sieve = Sieve::default();
        sieve.trial.pause = 0;
        sieve
    }

    const KINDS: [(usize, u32); 7] = [
        (1, 3),
        (1, SHORT_BITS),
        (1, 64),
        (2, 64),
        (5, 64),
        (8, 64),
        (9, 64),
    ];

    fn rows(width: usize, bits: u32, numbers: impl Iterator<Item = u64>) -> Vec<u64> {
        let row = |n: u64| (0..width as u64).map(move |w| (n / (w + 1)) & finite::low_bits(bits));
        numbers.flat_map(row).collect()
    }

    #[test]
    fn a_row_is_left_out_only_where_it_was_handed_on_before() {
        for (width, bits) in KINDS {
            let hash = Hash::new(width, bits);
            let (mut sieve, mut met) = (eager(), BTreeSet::new());
            let mut left_out = 0;
            for batch in 0..40_u64 {
                // All of the first numbers, zero among them, come again and again, among others that come once.
                let numbers = (0..1_000).map(|n| {
                    if n % 2 == 0 {
                        n / 2
                    } else {
                        n * n * (batch + 3)
                    }
                });
                let rows = rows(width, bits, numbers);
                let new = handed_on(&mut sieve, &rows, (width, hash));
                left_out += 1_000 - new.len();
                met.extend(new);
                assert!(rows.chunks(width).all(|row| met.contains(row)));
            }
            assert_eq!(left_out > 10_000, width <= WIDEST, "{width}: {left_out}");
        }
    }

    #[test]
    fn what_is_forgotten_is_handed_on_again() {
        let hash = Hash::new(2, 64);
        let rows = rows(2, 64, 0..100);
        let mut sieve = eager();
        assert_eq!(handed_on(&mut sieve, &rows, (2, hash)).len(), 100);
        // Few rows belong to the same place.
        assert!(handed_on(&mut sieve, &rows, (2, hash)).len() < 10);
        sieve.forget();
        sieve.trial.pause = 0;
        assert_eq!(handed_on(&mut sieve, &rows, (2, hash)).len(), 100);
    }

    #[test]
    fn rows_are_not_looked_for_where_that_is_in_vain() {
        let hash = Hash::new(1, 64);
        let mut sieve = Sieve::default();
        let places = places(1) as u64;
        let mut batch = |begin: u64| {
            let rows: Vec<u64> = (begin..begin + places).collect();
            handed_on(&mut sieve, &rows, (1, hash));
            sieve.trial.pause > 0
        };
        let pauses: Vec<bool> = (1..100).map(|n| batch(n * places)).collect();
        let looked = pauses.iter().filter(|pause| !**pause).count();
        assert!((4..40).contains(&looked), "{looked} of {}", pauses.len());
        assert!((0..200).any(|_| !batch(0)), "it is looked for again");
        assert!((0..50).all(|_| !batch(0)), "what comes again is worth it");
    }
}
