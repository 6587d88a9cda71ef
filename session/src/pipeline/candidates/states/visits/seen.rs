//! States that were seen.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use interpreter::State;
use rustc_hash::FxHashSet;

/// States that were seen, by their hashes, which take less memory. That a new state has the hash of another one hardly ever happens;
/// then it is missing, which does no harm.
#[derive(Default)]
pub(in crate::pipeline::candidates::states) struct Seen(FxHashSet<u64>);

impl Seen {
    /// Those that were seen first.
    pub(in crate::pipeline::candidates::states) fn of(states: impl Iterator<Item = State>) -> Self {
        let mut seen = Self::default();
        states.for_each(|state| {
            seen.is_new(&state);
        });
        seen
    }

    /// Whether a state is seen for the first time.
    pub(in crate::pipeline::candidates::states) fn is_new(&mut self, state: &State) -> bool {
        let hash = BuildHasherDefault::<DefaultHasher>::new().hash_one(state);
        self.0.insert(hash)
    }
}
