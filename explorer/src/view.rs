//! States that differ in more than what is ignored: of all that look alike, the first one stands for all.

use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::represented::Represent;

/// For what is seen of a row, the first row of which it was seen.
type First = FxHashMap<Box<[u64]>, Box<[u64]>>;

/// What a search looks at in a row, and the first row that it has met of each look: the meaning of a view in TLC.
///
/// Every row that stands for others is a state that steps lead to, so an execution through such rows is one of the automaton.
/// What the other rows lead to may be missed.
#[derive(Debug)]
pub struct View {
    /// The bits that are looked at.
    mask: Vec<u64>,
    first: Mutex<First>,
    /// Whether rows are replaced.
    replaces: AtomicBool,
}

impl View {
    /// A view that looks at some bits of each row.
    #[must_use]
    pub fn of(mask: Vec<u64>) -> Self {
        Self {
            mask,
            first: Mutex::default(),
            replaces: AtomicBool::new(true),
        }
    }

    /// Replaces no rows from now on: steps are those of the automaton again, by which the way to a row is found.
    pub fn end(&self) {
        self.replaces.store(false, Ordering::Relaxed);
    }

    fn first(&self) -> MutexGuard<'_, First> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which row stands for others depends on the order in which rows are met.
impl Represent for &View {
    fn represent(&mut self, row: &mut [u64]) {
        if !self.replaces.load(Ordering::Relaxed) {
            return;
        }
        let seen = row.iter().zip(&self.mask).map(|(word, mask)| word & mask);
        match self.first().entry(seen.collect()) {
            Entry::Occupied(found) => row.copy_from_slice(found.get()),
            Entry::Vacant(place) => {
                place.insert(row.into());
            }
        }
    }

    fn memory(&self) -> u64 {
        let row = 2 * (size_of::<Box<[u64]>>() + self.mask.len() * size_of::<u64>());
        (self.first().capacity() * row) as u64
    }
}
