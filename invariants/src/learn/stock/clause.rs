//! Clauses of a stock, and where they are from.

use super::super::learner::Source;

/// A clause of a stock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause(pub(super) Origin);

/// Where a clause is from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Origin {
    /// The frames of the learner.
    Learnt(Source),
    /// A frame of diagrams, by its number.
    Diagram(usize, Vec<usize>),
    /// A frame of clauses that say more than another one, by its number.
    Stronger(usize, Vec<usize>),
    /// A clause that supposes less than another one, by its number.
    General(usize),
}
