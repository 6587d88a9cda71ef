//! All steps from many packed states at once: what a search asks for, and what native code can give it.

/// The steps and the invariants of one automaton, as functions of packed states.
///
/// Packed states stand one after another in a slice, [`words`](Self::words) words each. Whatever implements this gives
/// the same successors in the same order as the [`Executor`](crate::Executor): by transition clause, then by the values
/// of the parameters, then by the choices of the effect.
pub trait Successors: Send {
    /// The words of a state.
    fn words(&self) -> usize;

    /// Replaces what is in `batch` by the successors of each of `states`, duplicates included.
    ///
    /// # Errors
    /// The first state from which a step faults or hits a limit. What the batch holds of the states before it is right;
    /// that and why is for the executor to say, from the same state.
    fn expand(&mut self, states: &[u64], batch: &mut Batch) -> Result<(), Unexpanded>;

    /// Replaces what is in `broken` by the states that violate an invariant, or for which one is undefined, in the
    /// order of the states.
    fn check(&mut self, states: &[u64], broken: &mut Vec<Broken>);
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
}

/// The position of a state from which some step cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpanded(pub usize);

/// A state in which an invariant does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The state's position.
    pub state: usize,
    /// The invariant's position among those that are checked.
    pub invariant: usize,
}
