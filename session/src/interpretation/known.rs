//! The interpretations that were found already.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use finite::Interpretation;
use ioa_lang::core::Setting;

/// Interpretations, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// In the order of their numbers, the least degenerate ones first.
    pub tables: Vec<Interpretation>,
    /// Whether there are no others.
    pub are_all: bool,
}

impl Found {
    /// The one with this number, from 1, if there are so many. What needs no interpretation has the same one for every number.
    #[must_use]
    pub fn only(mut self, number: u64) -> Option<Self> {
        if self.tables.iter().all(|one| one.tables.is_empty()) {
            return Some(self);
        }
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        let are_all = self.are_all && self.tables.len() == 1;
        (place < self.tables.len()).then(|| Self {
            tables: vec![self.tables.swap_remove(place)],
            are_all,
        })
    }

    /// An interpretation beside which there is no other.
    pub(super) fn of(only: Interpretation) -> Self {
        Self {
            tables: vec![only],
            are_all: true,
        }
    }
}

/// The interpretations of a study's theories that were found so far: finding them takes time, and a command needs them more than
/// once. Copies of a study share them.
#[derive(Clone, Debug, Default)]
pub struct Known(Arc<Mutex<BTreeMap<Asked, Found>>>);

/// What interpretations were asked for: the setting, the sizes by name, and how many at most.
type Asked = (Setting, BTreeMap<String, u64>, u64);

impl Known {
    /// The interpretations that are asked for, which are found if they are not known yet.
    ///
    /// # Errors
    /// Why they cannot be found.
    pub fn or_find<E>(
        &self,
        asked: Asked,
        find: impl FnOnce() -> Result<Found, E>,
    ) -> Result<Found, E> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&asked) {
            return Ok(found.clone());
        }
        let found = find()?;
        known().insert(asked, found.clone());
        Ok(found)
    }
}
