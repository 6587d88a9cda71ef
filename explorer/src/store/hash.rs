//! Hashes of rows, which say where a row belongs.

/// The bits of a row that 32 bits can stand for, in the shard that its hash belongs to.
pub(crate) const SHORT_BITS: u32 = u32::BITS + MOST_SHARD_BITS;

/// The bits of a hash that say the shard, as long as few states are visited: each shard costs something in each round.
const FEW_SHARD_BITS: u32 = 5;

/// The same, of a search of many states: enough for one shard of ten million of them to lie in the nearest caches while
/// states are looked for in it; and for any number of threads.
const MOST_SHARD_BITS: u32 = 8;

/// There are no more shards than these.
pub(crate) const MOST_SHARDS: usize = 1 << MOST_SHARD_BITS;

/// Odd numbers, so that multiplying by them can be undone.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];

/// By how many bits a hash is turned before a word is put to it: 64 words later it is where it was.
const ROTATION: u32 = 23;

/// What undoes the multiplications.
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// How rows of one kind are hashed.
///
/// Rows of one word are hashed one to one: multiplications carry every bit upwards, and shifts bring it down again. The
/// hash has as many bits as the rows use, the highest ones; so where these are few, a shard and 32 bits are all of a
/// row.
///
/// The highest bits of a hash say the shard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    bits: u32,
    shard_bits: u32,
}

impl Hash {
    /// For rows of so many words, of which so many bits are used, in few shards.
    pub(crate) fn new(words: usize, bits: u32) -> Self {
        let bits = if words == 1 {
            bits.clamp(1, u64::BITS)
        } else {
            u64::BITS
        };
        let shard_bits = match bits {
            ..=SHORT_BITS => FEW_SHARD_BITS.max(bits.saturating_sub(u32::BITS)),
            _ => FEW_SHARD_BITS,
        };
        Self { bits, shard_bits }
    }

    /// For the same rows, in as many shards as there can be.
    pub(crate) fn in_most_shards(self) -> Self {
        let shard_bits = MOST_SHARD_BITS;
        Self { shard_bits, ..self }
    }

    /// The number of shards.
    pub(crate) fn shards(self) -> usize {
        1 << self.shard_bits
    }

    /// Whether there can be more shards.
    pub(crate) fn can_have_more_shards(self) -> bool {
        self.shard_bits < MOST_SHARD_BITS
    }

    /// Which shard a hash belongs to.
    #[inline]
    pub(crate) fn shard_of(self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.shard_bits)) as usize
    }

    /// The bits of a hash after those that say the shard.
    #[inline]
    pub(crate) fn place(self, hash: u64) -> u64 {
        hash << self.shard_bits
    }

    /// What is left of a hash within a shard, if 32 bits are enough for it.
    #[inline]
    pub(crate) fn key(self, hash: u64) -> u32 {
        (self.place(hash) >> u32::BITS) as u32
    }

    /// The hash in a shard of which this is left.
    #[inline]
    pub(crate) fn with_key(self, shard: usize, key: u32) -> u64 {
        ((shard as u64) << u32::BITS | u64::from(key)) << (u32::BITS - self.shard_bits)
    }

    /// Whether 32 bits, in the right shard, can stand for a row.
    pub(crate) fn is_short(self) -> bool {
        self.bits <= SHORT_BITS
    }

    /// The bits of a hash that are left within a shard.
    pub(crate) fn bits_in_shard(self) -> u32 {
        self.bits.saturating_sub(self.shard_bits)
    }

    /// Whether a word has bits that no row uses.
    pub(crate) fn is_beyond(self, word: u64) -> bool {
        self.bits < u64::BITS && word >> self.bits != 0
    }

    /// The hash of a row.
    #[inline]
    pub(crate) fn of(self, row: &[u64]) -> u64 {
        match row {
            [word] => self.mix(word << (u64::BITS - self.bits)),
            _ => spread(row.iter().fold(0, |hash, word| joined(hash, *word))),
        }
    }

    /// The row of one word that has a hash.
    #[inline]
    pub(crate) fn word(self, hash: u64) -> u64 {
        let hash = self.fold(hash.wrapping_mul(INVERSES[1]));
        let word = self.fold(hash.wrapping_mul(INVERSES[0]));
        word >> (u64::BITS - self.bits)
    }

    #[inline]
    fn mix(self, word: u64) -> u64 {
        let hash = self.fold(word).wrapping_mul(FACTORS[0]);
        self.fold(hash).wrapping_mul(FACTORS[1])
    }

    /// Brings the upper half of the bits down to the lower one; it is its own inverse.
    #[inline]
    fn fold(self, word: u64) -> u64 {
        let used = u64::MAX << (u64::BITS - self.bits);
        word ^ (word >> self.bits.div_ceil(2) & used)
    }
}

/// A hash with one more word mixed in. For a given hash, different words give different results, and for a given word,
/// different hashes do. The products do not depend on each other, so the processor can compute them at the same time.
#[inline]
fn joined(hash: u64, word: u64) -> u64 {
    hash.rotate_left(ROTATION) ^ word.wrapping_mul(FACTORS[0])
}

/// A hash with its bits spread: the two halves of a product, one laid over the other (as in Wang Yi's wyhash).
#[inline]
fn spread(hash: u64) -> u64 {
    let product = u128::from(hash ^ (hash >> (u64::BITS / 2))) * u128::from(FACTORS[1]);
    (product >> u64::BITS) as u64 ^ product as u64
}

/// The number that a product with an odd number has to be multiplied by to undo it (Newton's iteration: each round
/// doubles the bits that are right, of which there are three at first).
pub(crate) const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut round) = (odd, 0);
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_row_of_one_word_is_found_by_its_hash() {
        for bits in 1..=64 {
            let hash = Hash::new(1, bits);
            for n in 0..1_000_u64 {
                let word = n.wrapping_mul(0x1234_5678_9abc_def1) >> (64 - bits);
                assert_eq!(hash.word(hash.of(&[word])), word, "{bits} bits");
            }
        }
    }

    #[test]
    fn a_shard_and_32_bits_are_all_of_a_short_row() {
        for bits in 1..=SHORT_BITS {
            let few = Hash::new(1, bits);
            for n in 0..1_000_u64 {
                let found = few.of(&[n.wrapping_mul(0x1234_5678_9abc_def1) >> (64 - bits)]);
                for hash in [few, few.in_most_shards()] {
                    let whole = hash.with_key(hash.shard_of(found), hash.key(found));
                    assert_eq!(whole, found, "{bits} bits");
                }
            }
        }
        assert!(!Hash::new(1, SHORT_BITS + 1).is_short());
        assert!(!Hash::new(2, 10).is_short());
    }

    #[test]
    fn no_word_keeps_the_others_from_being_spread() {
        let hash = Hash::new(2, 64);
        let odd = [0, 1, u64::MAX, FACTORS[0], FACTORS[1], FACTORS[1] ^ 1];
        for fixed in odd
            .into_iter()
            .flat_map(|word| [word, word.rotate_left(32)])
        {
            for place in 0..2 {
                let mut seen = BTreeSet::new();
                for n in 0..20_000 {
                    let mut row = [n; 2];
                    row[place] = fixed;
                    seen.insert(hash.of(&row) >> 32);
                }
                assert!(seen.len() > 19_900, "{fixed:x} at {place}: {}", seen.len());
            }
        }
    }

    #[test]
    fn rows_that_differ_little_are_spread_over_all_shards() {
        for (words, bits) in [(1, 20), (1, 40), (1, 64), (2, 64)] {
            let few = Hash::new(words, bits);
            for hash in [few, few.in_most_shards()] {
                let rows = (0..20_000_u64).map(|n| vec![n; words]);
                let shards: Vec<usize> = rows.map(|row| hash.shard_of(hash.of(&row))).collect();
                let used: BTreeSet<usize> = shards.iter().copied().collect();
                assert_eq!(used.len(), hash.shards());
                let fullest =
                    (0..hash.shards()).map(|s| shards.iter().filter(|t| **t == s).count());
                assert!(fullest.max() < Some(20_000 / hash.shards() * 2));
            }
        }
    }
}
