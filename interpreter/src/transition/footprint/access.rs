//! What is read or written.

use ioa_lang::Value;
use ioa_lang::core::VarId;

/// A variable, or a cell of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The variable.
    pub variable: VarId,
    /// The cell, by its index: what stands at an index of an array, what a map has for a key, whether an element is in a
    /// set, how often it is in a multiset. If an array has such things for elements, there is a further index for a cell of one
    /// of them. None for all of the variable.
    pub cell: Vec<Value>,
}

impl Access {
    /// Whether the two overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let mut indices = self.cell.iter().zip(&other.cell);
        self.variable == other.variable && indices.all(|(mine, theirs)| mine == theirs)
    }
}
