//! How much is done to find out what becomes of states.

/// How much is done to find out whether a state is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// At most so many states after it are visited.
    pub states: usize,
    /// So many walks are made, each of at most as many steps as a run.
    pub walks: u64,
    /// So many runs that were live lend their beginnings to later ones; with none, every run begins in a start state.
    pub prefixes: u64,
    /// Whether it is said how many steps runs take; if not, the depths of first live states decide.
    pub are_steps_given: bool,
}
