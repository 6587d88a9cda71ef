//! The only source of randomness: a seeded generator that yields whole numbers only.

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::code::Site;

/// Which of the independent sequences of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The scheduler's: which action, which parameters; and the random helpers of a schedule.
    Schedule,
    /// The choices inside steps and start states.
    Choices,
    /// All choices of the high automaton in a paired run.
    High,
}

/// Numbers that are generated at once.
const AT_ONCE: usize = 64;

/// A reproducible sequence of draws, together with the position of the run in each determinator.
#[derive(Clone, Debug)]
pub struct Draws {
    generator: ChaCha8Rng,
    /// Numbers that were generated.
    ready: Vec<u64>,
    /// How many of them have been used.
    used: usize,
    /// How many rows each determinator has yielded.
    yielded: BTreeMap<Site, usize>,
    /// Whether a draw had more than one possible result.
    has_decided: bool,
}

impl Draws {
    /// The sequence of a seed.
    #[must_use]
    pub fn new(seed: u64, stream: Stream) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream as u64);
        Self {
            generator,
            ready: Vec::new(),
            used: 0,
            yielded: BTreeMap::new(),
            has_decided: false,
        }
    }

    /// Whether a draw had more than one possible result.
    #[must_use]
    pub fn has_decided(&self) -> bool {
        self.has_decided
    }

    fn next(&mut self) -> u64 {
        if self.used == self.ready.len() {
            self.ready.clear();
            self.used = 0;
            let more = (0..AT_ONCE).map(|_| self.generator.next_u64());
            self.ready.extend(more);
        }
        self.used += 1;
        self.ready[self.used - 1]
    }

    /// A number below `n`, all equally likely, by Lemire's method. `n` is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.has_decided |= n > 1;
        loop {
            let wide = u128::from(self.next()) * u128::from(n);
            // Among the products that give one result, the low half is uniform, except for a few values at the bottom.
            if wide as u64 >= n || wide as u64 >= n.wrapping_neg() % n {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Which of its `count` rows a determinator yields now.
    pub(crate) fn row(&mut self, site: Site, count: usize) -> usize {
        self.has_decided |= count > 1;
        let yielded = self.yielded.entry(site).or_insert(0);
        let row = *yielded % count;
        *yielded = row + 1;
        row
    }

    /// A position in a list of `count`, which is not 0.
    pub fn position(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_repeat_by_seed_and_differ_by_stream() {
        let take = |seed, stream| {
            let mut draws = Draws::new(seed, stream);
            (0..8).map(|_| draws.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(take(7, Stream::Schedule), take(7, Stream::Schedule));
        assert_ne!(take(7, Stream::Schedule), take(7, Stream::Choices));
        assert_ne!(take(7, Stream::Schedule), take(8, Stream::Schedule));
    }

    #[test]
    fn draws_are_uniform_enough() {
        let mut draws = Draws::new(1, Stream::Schedule);
        let mut counts = [0_u32; 3];
        (0..30_000).for_each(|_| counts[draws.position(3)] += 1);
        assert!(
            counts.iter().all(|c| (9_600..10_400).contains(c)),
            "{counts:?}"
        );
    }
}
