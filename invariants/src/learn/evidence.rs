//! What the search for lemmas asks of whoever has states and can evaluate formulas.

use finite::Universe;
use ioa_lang::core::{Expr, Invariant, Local, Type};

/// The states in which a formula is true, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Of the states that were reached.
    pub reached: Vec<u64>,
    /// Of the states that were made up: they have the right types, and nothing else is known of them.
    pub made_up: Vec<u64>,
}

impl Truth {
    /// In how many states it is true.
    #[must_use]
    pub fn count(&self) -> usize {
        let words = self.reached.iter().chain(&self.made_up);
        words.map(|word| word.count_ones() as usize).sum()
    }
}

/// States to learn from, in blocks: those of a block are of one finite instance.
pub trait Evidence {
    /// The sizes and the interpretation of each block. There may be more blocks after each second look.
    fn universes(&self) -> Vec<&Universe>;

    /// How many states of a block were reached, and how many were made up.
    fn states(&self, block: usize) -> (usize, usize);

    /// The values of a type that collections hold in the reached states of a block, as closed terms, each once.
    fn held(&self, block: usize, ty: &Type) -> Vec<Expr>;

    /// How long the longest sequence of a type in the reached states of a block is.
    fn longest(&self, block: usize, ty: &Type) -> usize;

    /// Where invariants are true, in their order; one that is undefined is not true.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    fn truths(&mut self, block: usize, formulas: &[Invariant]) -> Result<Vec<Truth>, String>;

    /// The same for invariants that are known to be true but `within` some states, each if that is said of it: it need not be
    /// evaluated in others. Nothing if all is stopped meanwhile.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    fn truths_within(
        &mut self,
        block: usize,
        formulas: &[Invariant],
        within: &[Option<&Truth>],
    ) -> Result<Option<Vec<Truth>>, String>;

    /// Looks for states that refute candidates, in instances other than those of the blocks: says of each candidate
    /// whether there is one. The states that were found are in the blocks from then on. If nothing was refuted, and there was
    /// time for all instances, the look is whole.
    ///
    /// # Errors
    /// Why they cannot be looked for.
    fn second_look(&mut self, candidates: &[Invariant]) -> Result<Vec<bool>, String>;

    /// The same in more instances, and farther: for what is to be reported otherwise. If this is not final, it ends at the first instance
    /// that refutes some of the candidates.
    fn last_look(&mut self, candidates: &[Invariant], is_final: bool) -> Vec<bool>;

    /// Makes up states in which all of these formulas are true, other ones each time: says whether there are any. They are in
    /// blocks of their own from then on, without states that were reached.
    ///
    /// # Errors
    /// Why the formulas cannot be evaluated.
    fn make_up(&mut self, formulas: &[Invariant]) -> Result<bool, String>;

    /// Whether the last second look was whole.
    fn is_whole(&self) -> bool;

    /// Hears over which variables clauses are looked for next.
    fn begins(&mut self, variables: &[Local]);

    /// Counts work beside evaluations as spent: so many looks at a valuation of some hundred literals.
    fn spend(&self, looks: u64);

    /// Which part of what may be spent is left: all of it is 1. Where nothing is left, what was found so far is to be returned.
    fn left(&self) -> f64;

    /// Whether nothing is left.
    fn is_spent(&self) -> bool {
        self.left() <= 0.0
    }
}

/// Combines two truths, word by word.
pub(crate) fn merge(into: &mut Truth, other: &Truth, op: impl Fn(u64, u64) -> u64) {
    for (a, b) in into.reached.iter_mut().zip(&other.reached) {
        *a = op(*a, *b);
    }
    for (a, b) in into.made_up.iter_mut().zip(&other.made_up) {
        *a = op(*a, *b);
    }
}

/// The states of so many that are not among some.
pub(crate) fn complement(truth: &Truth, (reached, made_up): (usize, usize)) -> Truth {
    let of = |words: &[u64], count: usize| -> Vec<u64> {
        let each = words.iter().enumerate();
        each.map(|(at, word)| !word & live(count, at)).collect()
    };
    Truth {
        reached: of(&truth.reached, reached),
        made_up: of(&truth.made_up, made_up),
    }
}

/// The bits of a word that stand for one of so many states.
pub(crate) fn live(count: usize, word: usize) -> u64 {
    match count.saturating_sub(word * 64) {
        0 => 0,
        left if left >= 64 => !0,
        left => (1 << left) - 1,
    }
}

/// A bit for each of so many states, all set.
#[must_use]
pub fn ones(count: usize) -> Vec<u64> {
    let words = 0..count.div_ceil(64);
    words.map(|word| live(count, word)).collect()
}
