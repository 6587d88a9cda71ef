//! What a part of the store can do, whatever form its states have.

use std::fmt::Debug;
use std::ops::Range;

/// Rows that are looked up together: enough to keep the processor waiting for many places at once.
pub(crate) const AT_ONCE: usize = 64;

/// A set of rows that remembers in which order they came. Membership is exact.
pub(crate) trait States: Debug + Send + Sync {
    /// The number of states.
    fn len(&self) -> usize;

    /// Appends the states at some positions.
    fn read(&self, positions: Range<usize>, rows: &mut Vec<u64>);

    /// Whether a state is there.
    fn has(&self, row: &[u64]) -> bool;

    /// Inserts a state unless it is there; whether it was not.
    fn insert(&mut self, row: &[u64]) -> bool;

    /// Inserts the rows that are not there, in their order; [in two passes](insert_in_two_passes).
    fn insert_all(&mut self, rows: &[u64]);

    /// The same states in a form that takes as many bytes and is faster, if there is one for so many: nothing is left here then.
    fn whole(&mut self) -> Option<Box<dyn States>> {
        None
    }

    /// So many rows that it is worth [warming](Self::warm) it before they are looked for: they lie anywhere, and reading in the
    /// order of the memory is many times as fast.
    fn worth_warming(&self) -> usize;

    /// Makes room for so many states, if there are none yet.
    fn reserve(&mut self, states: usize);

    /// Reads all that a search can touch, in the order of the memory; what is returned has no meaning.
    fn warm(&self) -> u64;

    /// The bytes it takes.
    fn bytes(&self) -> u64;

    /// The bytes it takes with so many more states.
    fn bytes_with(&self, more: usize) -> u64;
}

/// Inserts rows in two passes. The first looks for each in the bucket where the search for it begins, and does nothing
/// that depends on what is read but to count: so the processor waits for many buckets at once. Most rows are settled by
/// it; it lists the positions of the others. The second searches for these, and inserts those that are new.
pub(crate) fn insert_in_two_passes<S, R>(
    states: &mut S,
    rows: &[R],
    doubtful: impl Fn(&S, &[R], &mut Doubtful) -> usize,
    insert: impl Fn(&mut S, &R, u64) -> bool,
) {
    let mut listed = [(0, 0); AT_ONCE];
    for rows in rows.chunks(AT_ONCE) {
        let count = doubtful(states, rows, &mut listed);
        for (at, hash) in &listed[..count] {
            insert(states, &rows[*at], *hash);
        }
    }
}

/// Rows that the first pass has not settled, by their positions, each with its hash.
pub(crate) type Doubtful = [(usize, u64); AT_ONCE];
