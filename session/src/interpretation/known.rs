//! The interpretations that a command asks for, and those that were found already.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use finite::Interpretation;
use ioa_lang::core::Setting;

/// Which interpretations are wanted, of those that differ in more than the names of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// The one with this number, from 1.
    Number(u64),
    /// All, or as many as are tried.
    Many,
}

/// Interpretations, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// In the order of their numbers, the least degenerate ones first.
    pub tables: Vec<Interpretation>,
    /// Whether there are no others.
    pub are_all: bool,
}

impl Found {
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

/// What interpretations were asked for: the setting, the sizes by name, and which of them.
type Asked = (Setting, BTreeMap<String, u64>, Choice);

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
