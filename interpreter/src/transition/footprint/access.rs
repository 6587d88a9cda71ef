//! What is read or written.

use ioa_lang::Value;
use ioa_lang::core::VarId;

/// A variable, or a cell of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The variable.
    pub variable: VarId,
    /// The cell, by its index: what stands at an index of an array, what a map has for a key, whether an element is in a
    /// set, how often it is in a multiset. None for all of the variable.
    pub cell: Option<Value>,
}

impl Access {
    /// Whether the two overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.variable == other.variable && self.may_have_index_of(other)
    }

    /// Whether both may have the same index, possibly in different variables.
    pub(in crate::transition) fn may_have_index_of(&self, other: &Self) -> bool {
        let cells = self.cell.as_ref().zip(other.cell.as_ref());
        cells.is_none_or(|(mine, theirs)| mine == theirs)
    }
}
