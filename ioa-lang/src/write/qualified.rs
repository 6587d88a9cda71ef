//! Terms that are written with their types.

use std::collections::BTreeSet;

use crate::core::{Expr, TermId};

/// Nodes of a term: of equal ones in several places, some may need their types and others not.
#[derive(Default)]
pub(crate) struct Qualified(BTreeSet<TermId>);

impl Qualified {
    /// Whether a term must be written with its type.
    pub(crate) fn contains(&self, term: &Expr) -> bool {
        self.0.contains(&term.id())
    }

    /// Adds a term, and says whether that is new.
    pub(crate) fn add(&mut self, term: &Expr) -> bool {
        self.0.insert(term.id())
    }
}
