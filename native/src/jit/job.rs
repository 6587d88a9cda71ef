//! What generated code is called with, and how a call ends: the emitter and the caller have to agree on it.

/// If a function may have more results than this for one state, it checks for room before each of them.
const MANY: u64 = 1 << 12;

/// What generated code works on. Its fields are read and written by offset.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Job {
    /// The packed states, one after another.
    pub(crate) states: *const u64,
    /// How many there are.
    pub(crate) count: u64,
    /// The position of the first state to process; after the call, of the first that is not finished.
    pub(crate) at: u64,
    /// Where the results go; after the call, the position after the last of them.
    pub(crate) out: *mut u64,
    /// No state is begun after this position; in functions with many results, no result is stored after it.
    pub(crate) limit: *mut u64,
    /// Where the results begin.
    pub(crate) base: *mut u64,
    /// For each state, where the number of results goes.
    pub(crate) ends: *mut u32,
    /// For each state, whether a locally controlled action is enabled.
    pub(crate) active: *mut bool,
    /// For each clause, the bytes of its results.
    pub(crate) fired: *mut u64,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All states are finished.
    Done,
    /// There is no room for the results of the next state.
    Full,
    /// In the next state some term has, or seems to have, no value.
    Bailout,
}

impl Exit {
    pub(crate) const ALL: [Self; 3] = [Self::Done, Self::Full, Self::Bailout];

    /// The number that the code returns.
    pub(crate) fn code(self) -> u64 {
        self as u64
    }

    /// Decodes the number that the code returned. An unknown number counts as a bailout to the interpreter.
    pub(crate) fn decode(code: u64) -> Self {
        let known = Self::ALL.into_iter().find(|ended| ended.code() == code);
        known.unwrap_or(Self::Bailout)
    }
}

/// What a function reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The words of a state.
    pub(crate) words: usize,
    /// The words of a result.
    pub(crate) result: usize,
    /// Whether it checks for room before each result, not once for each state.
    pub(crate) each: bool,
    /// For how many clauses it counts the results; none if it reports neither clauses nor states.
    pub(crate) clauses: Option<usize>,
}

/// Whether a function with this many results for one state checks for room before each of them.
pub(crate) fn looks_each_time(results: u64) -> bool {
    results > MANY
}
