//! Views: of all states that differ in ignored variables alone, the first that is met stands for all.

use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::represented::Represent;

/// The first row that was met with some values in the bits that are looked at, by these values.
type First = FxHashMap<Box<[u64]>, Box<[u64]>>;

/// Which bits of a row a search looks at. Rows that agree in these are taken for one, the first that was met, as in TLC's `VIEW`.
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

    /// Ends the search: rows are no longer replaced, so that the way to one is found by the automaton's own steps.
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

    fn remembers(&self) -> bool {
        true
    }

    fn memory(&self) -> u64 {
        let row = 2 * (size_of::<Box<[u64]>>() + self.mask.len() * size_of::<u64>());
        (self.first().capacity() * row) as u64
    }
}
