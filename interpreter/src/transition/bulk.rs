//! All steps from many states at once: the interface for searches, which native code can implement.

use crate::state::range_overflows::RangeOverflows;

/// The steps and the invariants of one automaton, as functions of states given as [`Rows`](crate::Rows).
///
/// Rows stand one after another in a slice, [`words`](Self::words) words each. Every implementation computes the same
/// successors in the same order as the [`Executor`](crate::Executor): by transition clause, then by the values of the
/// parameters, then by the choices of the effect.
pub trait Successors: Send {
    /// The name of the implementation, for reports.
    fn engine(&self) -> &'static str;

    /// The number of words of a state.
    fn words(&self) -> usize;

    /// The bits, from the lowest on, that the words of a state use, if it has one word.
    fn bits(&self) -> u32 {
        u64::BITS
    }

    /// Whether computing a successor takes only nanoseconds, so that the test whether it was visited dominates.
    fn is_fast(&self) -> bool {
        false
    }

    /// Replaces the contents of `batch` by the successors of each of `states`, including duplicates.
    ///
    /// # Errors
    /// The first state from which a step faults or hits a limit. The contents of the batch for the states before it are
    /// valid; the executor, applied to the same state, determines the fault or limit. If a step [has no
    /// result](Why::NoResult), the batch also has the steps from that state that have one.
    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded>;

    /// Whether [`expand_some`](Self::expand_some) may leave steps out.
    fn takes_some(&self) -> bool {
        false
    }

    /// The same as [`expand`](Self::expand), but steps from some states may be left out; `left_out` says for each state whether this
    /// is so. If all steps that are taken from such a state lead to visited states, the search must take the others too.
    ///
    /// # Errors
    /// As those of [`expand`](Self::expand); from the state itself no steps are left out.
    fn expand_some(
        &mut self,
        states: &[u64],
        batch: &mut Batch,
        left_out: &mut Vec<bool>,
    ) -> Result<(), Unexpanded> {
        left_out.clear();
        self.expand(states, batch)
    }

    /// Whether what a step leads to depends on the states that were expanded before.
    fn remembers(&self) -> bool {
        false
    }

    /// Replaces the contents of `broken` by the states that violate an invariant, or for which one is undefined, in the
    /// order of the states.
    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>);

    /// Approximate number of bytes that states take in addition to their rows, in all clones that share them.
    fn memory(&self) -> u64 {
        0
    }

    /// Says how many bytes may be taken for what can be computed again, and is remembered only because that is faster.
    fn may_remember(&mut self, _bytes: u64) {}

    /// How many turns loops have taken so far in invariants that are interpreted: with collections that grow, these tell how long it
    /// takes to check them.
    fn turns(&self) -> u64 {
        0
    }

    /// Where it is recorded what did not fit in the steps of this and of all clones; none where everything fits.
    fn misfits(&self) -> Option<&RangeOverflows> {
        None
    }

    /// Forgets what is remembered of steps to states with elements that had no number.
    fn forget(&mut self) {}

    /// Whether the work is cancelled.
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl<S: Successors + ?Sized> Successors for Box<S> {
    fn engine(&self) -> &'static str {
        (**self).engine()
    }

    fn words(&self) -> usize {
        (**self).words()
    }

    fn may_remember(&mut self, bytes: u64) {
        (**self).may_remember(bytes);
    }

    fn bits(&self) -> u32 {
        (**self).bits()
    }

    fn is_fast(&self) -> bool {
        (**self).is_fast()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        (**self).expand(states, batch)
    }

    fn takes_some(&self) -> bool {
        (**self).takes_some()
    }

    fn remembers(&self) -> bool {
        (**self).remembers()
    }

    fn expand_some(
        &mut self,
        states: &[u64],
        batch: &mut Batch,
        left_out: &mut Vec<bool>,
    ) -> Result<(), Unexpanded> {
        (**self).expand_some(states, batch, left_out)
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        (**self).check(states, broken);
    }

    fn memory(&self) -> u64 {
        (**self).memory()
    }

    fn turns(&self) -> u64 {
        (**self).turns()
    }

    fn misfits(&self) -> Option<&RangeOverflows> {
        (**self).misfits()
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn is_cancelled(&self) -> bool {
        (**self).is_cancelled()
    }
}

/// The successors of some states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The successors, packed one after another.
    pub words: Vec<u64>,
    /// For each state, the total number of its successors and those of the states before it.
    pub ends: Vec<u32>,
    /// For each state, whether a locally controlled action was enabled in it.
    pub active: Vec<bool>,
    /// For each transition clause, the number of its successors.
    pub fired: Vec<u64>,
    /// Maximum number of words for the successors of one state, if memory is bounded.
    pub room: Option<usize>,
}

impl Batch {
    /// Makes the batch empty, for an automaton with the given number of transition clauses.
    pub fn clear(&mut self, clauses: usize) {
        self.words.clear();
        self.ends.clear();
        self.active.clear();
        self.fired.clear();
        self.fired.resize(clauses, 0);
    }

    /// Marks the end of the successors of one more state, given the number of words of each and whether the state is active.
    ///
    /// # Panics
    /// If there are more successors than `ends` can count.
    pub fn conclude(&mut self, active: bool, words: usize) {
        let successors = self.words.len() / words;
        let successors = u32::try_from(successors).expect("fewer than 2^32 successors");
        self.ends.push(successors);
        self.active.push(active);
    }
}

/// A state from which not all steps were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpanded {
    /// The position of the state.
    pub state: usize,
    /// The reason.
    pub why: Why,
}

/// Why not all steps from a state were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A step has no result, because of an error in the model or because it takes too much work.
    NoResult {
        /// Whether it is known that no action has a result.
        dead: bool,
    },
    /// There is no [room](Batch::room) for all successors.
    Memory,
    /// The work was cancelled.
    Cancelled,
}

/// A state in which an invariant does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The state's position.
    pub state: usize,
    /// The invariant's position among those that are checked.
    pub invariant: usize,
}
