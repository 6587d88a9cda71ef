//! What is learnt.

use ioa_lang::core::Invariant;

/// A formula that holds in all states that were looked at.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The formula.
    pub invariant: Invariant,
    /// How many made-up states it excludes that those before it do not.
    pub excludes: u64,
    /// Whether it was kept although it excludes nothing new, because it is a bound of a number. The others may imply it.
    pub is_spared: bool,
}

/// What was learnt.
#[derive(Clone, Debug, Default)]
pub struct Learnt {
    /// What holds, the simplest first.
    pub lemmas: Vec<Lemma>,
    /// How many more clauses hold that exclude no made-up state that these do not.
    pub redundant: usize,
    /// How many were left out because the others imply them, if anybody has shown that.
    pub implied: usize,
    /// How many were refuted by second looks.
    pub refuted: usize,
    /// Whether time or a limit ended the search, and what may be missing.
    pub partial: Vec<String>,
    /// Whether the last second look refuted nothing.
    pub is_settled: bool,
}
