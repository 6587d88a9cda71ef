//! What the search for lemmas asks of whoever has states and can evaluate formulas.

use finite::Universe;
use ioa_lang::core::Invariant;

/// The states in which a formula is true, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Of the states that were reached.
    pub reached: Vec<u64>,
    /// Of the states that were made up: they have the right types, and nothing else is known of them.
    pub made_up: Vec<u64>,
}

/// States to learn from, in blocks: those of a block are of one finite instance.
pub trait Evidence {
    /// The sizes and the interpretation of each block. There may be more blocks after each second look.
    fn universes(&self) -> Vec<&Universe>;

    /// How many states of a block were reached, and how many were made up.
    fn states(&self, block: usize) -> (usize, usize);

    /// Where invariants are true, in their order; one that is undefined is not true.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    fn truths(&mut self, block: usize, formulas: &[Invariant]) -> Result<Vec<Truth>, String>;

    /// Looks for states that refute candidates, in instances other than those of the blocks: says of each candidate
    /// whether there is one. The states that were found are in the blocks from then on. If nothing was refuted, and there was
    /// time for all instances, the look is whole.
    ///
    /// # Errors
    /// Why they cannot be looked for.
    fn second_look(&mut self, candidates: &[Invariant]) -> Result<Vec<bool>, String>;

    /// Whether the last second look was whole.
    fn is_whole(&self) -> bool;

    /// Whether there is no time left: what was found so far is to be returned.
    fn is_over(&self) -> bool;
}
