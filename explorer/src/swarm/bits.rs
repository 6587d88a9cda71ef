//! Bit tables that remember states approximately, in memory that does not grow.

use std::sync::atomic::{AtomicU64, Ordering};

/// Which states one search has visited: each sets two bits, and a state whose bits are both set counts as visited. So some states
/// are taken for visited by mistake (*bitstate hashing*; Holzmann, "An analysis of bitstate hashing", Formal Methods in System
/// Design 13, 1998).
pub(super) struct BitTable {
    words: Vec<u64>,
    seed: u64,
}

impl BitTable {
    /// A table of so many bytes, about. Tables with other seeds take other states for visited.
    pub(super) fn new(bytes: u64, seed: u64) -> Self {
        let words = (bytes / 8).max(1);
        Self {
            words: vec![0; usize::try_from(words).unwrap_or(usize::MAX)],
            seed: mixed(seed, SALT),
        }
    }

    /// Notes a state by its hash; says whether it is new.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        let first = mixed(hash, self.seed);
        let second = mixed(first, SALT);
        let is_new = [first, second].map(|at| {
            let bit = place(at, self.words.len());
            let (word, mask) = (&mut self.words[bit / 64], 1 << (bit % 64));
            let is_new = *word & mask == 0;
            *word |= mask;
            is_new
        });
        is_new.contains(&true)
    }
}

/// How many different states several searches have visited together, estimated by the bits that are set in a common table
/// (*linear counting*; Whang, Vander-Zanden and Taylor, ACM Transactions on Database Systems 15(2), 1990).
pub(super) struct Together(Vec<AtomicU64>);

impl Together {
    /// A table of so many bytes, about.
    pub(super) fn new(bytes: u64) -> Self {
        let words = usize::try_from((bytes / 8).max(1)).unwrap_or(usize::MAX);
        let mut table = Vec::new();
        table.resize_with(words, AtomicU64::default);
        Self(table)
    }

    /// Notes a state by its hash.
    pub(super) fn note(&self, hash: u64) {
        let bit = place(mixed(hash, SALT), self.0.len());
        self.0[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
    }

    /// About how many states were noted.
    pub(super) fn estimate(&self) -> u64 {
        let ones = self
            .0
            .iter()
            .map(|word| u64::from(word.load(Ordering::Relaxed).count_ones()));
        let bits = 64.0 * self.0.len() as f64;
        let clear = bits - ones.sum::<u64>() as f64;
        (bits * (bits / clear.max(1.0)).ln()).round() as u64
    }
}

/// An arbitrary odd number, as random as any.
const SALT: u64 = 0xd6e8_feb8_6659_fd93;

/// A hash with all its bits spread, depending on a seed (as in Wang Yi's wyhash).
fn mixed(hash: u64, seed: u64) -> u64 {
    let product = u128::from(hash ^ seed ^ (hash >> 32)) * u128::from(SALT);
    let half = (product >> u64::BITS) as u64 ^ product as u64;
    let again = u128::from(half ^ seed.rotate_left(32)) * u128::from(SALT);
    (again >> u64::BITS) as u64 ^ again as u64
}

/// The bit of a table of so many words that a spread hash stands for.
fn place(hash: u64, words: usize) -> usize {
    ((u128::from(hash) * (64 * words as u128)) >> u64::BITS) as usize
}

#[cfg(test)]
mod tests {
    use super::{BitTable, Together};

    #[test]
    fn a_state_is_new_once() {
        let mut table = BitTable::new(1 << 16, 7);
        let new = (0..1_000).filter(|n| table.insert(*n)).count();
        assert!(new > 990, "{new} of 1,000 in half a million bits");
        assert!((0..1_000).all(|n| !table.insert(n)));
    }

    #[test]
    fn an_estimate_is_near_what_was_noted() {
        for states in [0_u64, 1, 100, 20_000] {
            let together = Together::new(1 << 13);
            (0..2 * states).for_each(|n| together.note(n % states));
            let estimate = together.estimate();
            assert!(
                estimate.abs_diff(states) <= states / 50,
                "{estimate} for {states}"
            );
        }
    }
}
