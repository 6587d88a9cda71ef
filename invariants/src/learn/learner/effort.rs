//! How much is tried.

use super::super::atom::Mining;

/// Which of the clauses that exclude the same made-up states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The simplest ones.
    Simple,
    /// Those that exclude most, and of these the simplest ones.
    Strong,
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Literals of a clause, at most.
    pub literals: usize,
    /// Nested formulas of each form that have two literals, at most.
    pub pairs: usize,
    /// Which formulas of the text are atoms too.
    pub mining: Mining,
    /// Quantified variables of a clause, at most, apart from nested ones and from the indices of collections that others range over.
    pub variables: usize,
    /// Whether variables range over positions in sequences too, and over the elements of collections whose types have
    /// infinitely many values.
    pub is_ranged: bool,
    /// Whether little is said of the variables, so that all clauses can be found that say no more than that.
    pub is_lean: bool,
    /// Which of the clauses that exclude the same are kept.
    pub prefers: Preference,
    /// Candidates that are kept, at most.
    pub candidates: usize,
    /// Bytes that the truth of atoms in all states may take, about.
    pub memory: u64,
    /// Second looks that refute something, at most, one after the other.
    pub rounds: usize,
    /// How often states are made up that nothing excludes of what was found, for more to be found that does.
    pub made_up: usize,
    /// Reached states in which each literal of a clause must have been the only true one; 0 where all states of an instance
    /// were reached, so that nothing holds by chance.
    pub support: u64,
    /// Whether bounds of numbers are kept (spared) although they exclude nothing that simpler clauses do not: hardly any made-up state
    /// has several numbers that are too large and agree with each other.
    pub spares_bounds: bool,
}
