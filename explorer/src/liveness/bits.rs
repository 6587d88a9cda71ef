//! Sets of small numbers, one bit each.

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below a bound.
    #[must_use]
    pub fn none(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// The set of all numbers below a bound.
    #[must_use]
    pub fn all(bound: usize) -> Self {
        let mut all = Self(vec![u64::MAX; bound.div_ceil(64)]);
        if let Some(last) = all.0.last_mut() {
            *last >>= (64 - bound % 64) % 64;
        }
        all
    }

    /// Whether a number is in it.
    #[must_use]
    pub fn has(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 != 0
    }

    /// Puts a number into it.
    pub fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    /// Takes a number out of it.
    pub fn remove(&mut self, n: usize) {
        self.0[n / 64] &= !(1 << (n % 64));
    }

    /// Makes it empty.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Puts the numbers of another set with the same bound into it.
    pub fn unite(&mut self, other: &Self) {
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(a, b)| *a |= b);
    }

    /// Takes out the numbers that are not in another set with the same bound.
    pub fn intersect(&mut self, other: &Self) {
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(a, b)| *a &= b);
    }

    /// Takes out the numbers that are in another set with the same bound.
    pub fn subtract(&mut self, other: &Self) {
        let words = self.0.iter_mut().zip(&other.0);
        words.for_each(|(a, b)| *a &= !b);
    }

    /// Whether it has no numbers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether it has a number in common with another set of the same bound.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The numbers in it, the smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 != 0);
            bits.map(move |bit| 64 * at + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn all_has_the_numbers_below_the_bound_and_no_other() {
        for bound in [0, 1, 63, 64, 65, 128] {
            assert!(Bits::all(bound).iter().eq(0..bound));
        }
    }
}
