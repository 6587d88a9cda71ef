//! Made-up states that nothing excludes yet: what is still to be excluded.

use super::super::evidence::ones;

/// Which made-up states are open: nothing excludes them yet. They are numbered through all blocks, each of which begins with a word of
/// its own.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    words: Vec<u64>,
}

/// The number of the first state of a block, by how many made-up states those before it have.
pub(crate) fn first_of(before: impl Iterator<Item = usize>) -> usize {
    before.map(|count| count.next_multiple_of(64)).sum()
}

impl Open {
    /// All of so many states in each block.
    pub(crate) fn all(counts: &[usize]) -> Self {
        let words = counts.iter().flat_map(|count| ones(*count));
        Self {
            words: words.collect(),
        }
    }

    pub(crate) fn has(&self, state: u32) -> bool {
        self.words[state as usize / 64] >> (state % 64) & 1 == 1
    }

    /// The open ones among states that are given word by word.
    pub(crate) fn among(&self, states: &[u64]) -> Vec<u32> {
        let both = self.words.iter().zip(states).zip(0..);
        let each = both.flat_map(|((open, states), at)| {
            let both = open & states;
            (0..64_u32)
                .filter(move |bit| both >> bit & 1 == 1)
                .map(move |bit| 64 * at + bit)
        });
        each.collect()
    }

    /// Closes states.
    pub(crate) fn close(&mut self, states: &[u32]) {
        for state in states {
            self.words[*state as usize / 64] &= !(1 << (state % 64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_excluded_is_not_open_any_more() {
        let mut open = Open::all(&[70, 3]);
        assert_eq!(first_of([70, 3].into_iter()), 192);
        // The first states and the last one of the first block, and one of the second.
        let excluded = open.among(&[0b11, 1 << 5, 0b110]);
        assert_eq!(excluded, [0, 1, 69, 129, 130]);
        open.close(&excluded);
        assert_eq!(open.among(&[!0, !0, !0]).len(), 73 - 5);
        assert!(open.has(2) && open.has(128) && !open.has(69));
        // What is no state is not open.
        assert!(!open.has(70) && !open.has(131));
    }
}
