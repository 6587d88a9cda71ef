//! All steps from many states at once: what a search asks for, and what native code can give it.

/// The steps and the invariants of one automaton, as functions of states given as [`Rows`](crate::Rows).
///
/// Rows stand one after another in a slice, [`words`](Self::words) words each. Whatever implements this gives
/// the same successors in the same order as the [`Executor`](crate::Executor): by transition clause, then by the values
/// of the parameters, then by the choices of the effect.
pub trait Successors: Send {
    /// The name of whatever computes the steps, for reports.
    fn engine(&self) -> &'static str;

    /// The words of a state.
    fn words(&self) -> usize;

    /// The bits, from the lowest on, that the words of a state use, if it has one word.
    fn bits(&self) -> u32 {
        u64::BITS
    }

    /// Whether a successor takes nanoseconds, so that finding out whether it was visited is what takes time.
    fn is_fast(&self) -> bool {
        false
    }

    /// Replaces what is in `batch` by the successors of each of `states`, duplicates included.
    ///
    /// # Errors
    /// The first state from which a step faults or hits a limit. What the batch holds of the states before it is right;
    /// that and why is for the executor to say, from the same state.
    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded>;

    /// Replaces what is in `broken` by the states that violate an invariant, or for which one is undefined, in the
    /// order of the states.
    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>);

    /// About how many bytes states take beside their rows, in all that share them.
    fn memory(&self) -> u64 {
        0
    }

    /// Whether the steps are no longer wanted.
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

    fn bits(&self) -> u32 {
        (**self).bits()
    }

    fn is_fast(&self) -> bool {
        (**self).is_fast()
    }

    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded> {
        (**self).expand(states, batch)
    }

    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>) {
        (**self).check(states, broken);
    }

    fn memory(&self) -> u64 {
        (**self).memory()
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
    /// For each state, the number of successors of it and of those before it.
    pub ends: Vec<u32>,
    /// For each state, whether a locally controlled action was enabled in it.
    pub active: Vec<bool>,
    /// For each transition clause, the number of successors it gave.
    pub fired: Vec<u64>,
    /// How many words there is memory for that the successors of one state need, if that is bounded.
    pub room: Option<usize>,
}

impl Batch {
    /// Makes it the batch of no states, of an automaton with so many transition clauses.
    pub fn clear(&mut self, clauses: usize) {
        self.words.clear();
        self.ends.clear();
        self.active.clear();
        self.fired.clear();
        self.fired.resize(clauses, 0);
    }

    /// Says that these are all successors of one more state, of so many words each, and whether it is active.
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

/// That not all steps from a state are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpanded {
    /// The position of the state.
    pub state: usize,
    /// What keeps them from it.
    pub why: Why,
}

/// Why not all steps from a state are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A step has no result: the model goes wrong, or it is too much work.
    NoResult {
        /// Whether it is known that no action has a result.
        dead: bool,
    },
    /// There is no [room](Batch::room) for all successors.
    Memory,
    /// They are no longer wanted.
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
