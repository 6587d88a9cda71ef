//! Calling generated code on slices and vectors.

use super::job::{Exit, Job};
use super::{Code, Function};

/// Minimum room for results, in words.
const ROOM: usize = 1 << 10;

/// What a function reports about each state besides its results, and about each clause.
#[derive(Debug, Default)]
pub(crate) struct Tally<'t> {
    pub(crate) ends: &'t mut [u32],
    pub(crate) active: &'t mut [bool],
    pub(crate) fired: &'t mut [u64],
}

impl Code {
    /// Appends the results of a function for the states from one position on. If the function bails out, returns the state
    /// at which it did; the results are then those of the states before it.
    pub(crate) fn run(
        &self,
        function: Function,
        states: &[u64],
        mut from: usize,
        results: &mut Vec<u64>,
        mut tally: Tally<'_>,
    ) -> Option<usize> {
        let to = states.len() / self.shape(function).words.max(1);
        results.reserve(ROOM);
        loop {
            let (ended, at) = self.advance(function, states, (from, to), results, &mut tally);
            match ended {
                Exit::Done => return None,
                Exit::Bailout => return Some(at),
                Exit::Full => {
                    let room = results.capacity() - results.len();
                    if at == from && room > self.most(function) {
                        return Some(at);
                    }
                    results.reserve(2 * room.max(self.needs(function)));
                }
            }
            from = at;
        }
    }

    /// Makes one call. If it stops early, some clauses may already have been counted for a state that is not finished: then
    /// the call is undone and repeated up to that state.
    fn advance(
        &self,
        function: Function,
        states: &[u64],
        (from, to): (usize, usize),
        results: &mut Vec<u64>,
        tally: &mut Tally<'_>,
    ) -> (Exit, usize) {
        let (length, fired) = (results.len(), tally.fired.to_vec());
        let (ended, at) = self.once(function, states, (from, to), results, tally);
        let clean = ended == Exit::Full && !self.shape(function).each;
        if ended != Exit::Done && !clean && !fired.is_empty() {
            tally.fired.copy_from_slice(&fired);
            results.truncate(length);
            let (again, _) = self.once(function, states, (from, at), results, tally);
            debug_assert_eq!(again, Exit::Done);
        }
        (ended, at)
    }

    fn once(
        &self,
        function: Function,
        states: &[u64],
        (from, to): (usize, usize),
        results: &mut Vec<u64>,
        tally: &mut Tally<'_>,
    ) -> (Exit, usize) {
        let shape = self.shape(function);
        assert!(to <= states.len() / shape.words.max(1), "so many states");
        if let Some(clauses) = shape.clauses {
            let entries = tally.ends.len().min(tally.active.len());
            assert!(
                to <= entries && clauses <= tally.fired.len(),
                "a place for all"
            );
        }
        let needs = self.needs(function);
        results.reserve(needs);
        let (length, room) = (results.len(), results.capacity());
        let base = results.as_mut_ptr();
        let mut job = Job {
            states: states.as_ptr(),
            count: to as u64,
            at: from as u64,
            out: base.wrapping_add(length),
            limit: base.wrapping_add(room - needs),
            base,
            ends: tally.ends.as_mut_ptr(),
            active: tally.active.as_mut_ptr(),
            fired: tally.fired.as_mut_ptr(),
        };
        // SAFETY: there are as many states and entries as was asserted, and after `limit` the vector has the room that the
        // function needs. All of it is borrowed.
        #[allow(unsafe_code)]
        let ended = unsafe { self.call(function, &mut job) };
        let stored = (job.out.addr() - base.addr()) / size_of::<u64>();
        assert!(
            (length..=room).contains(&stored),
            "results lie in the vector"
        );
        // SAFETY: the words up to `out` are in the vector's room, and those after the old length were stored.
        #[allow(unsafe_code)]
        unsafe {
            results.set_len(stored);
        }
        (ended, job.at as usize)
    }
}
