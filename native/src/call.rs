//! Calling generated code on slices and vectors.

use crate::jit::{Code, Ended, Job};

/// A function of some code, with what has to be known to make room for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    /// Its position in the code.
    pub(crate) position: usize,
    /// The words of a state.
    pub(crate) words: usize,
    /// The words of a result.
    pub(crate) result: usize,
    /// The greatest number of results of one state.
    pub(crate) results: u64,
}

/// A function that may have more results for one state looks for room before each of them.
const MANY: u64 = 1 << 12;

/// The room, in words, that is made at least.
const ROOM: usize = 1 << 10;

/// What is told of each state besides its results, and of each clause.
#[derive(Debug, Default)]
pub(crate) struct Tally<'t> {
    pub(crate) ends: &'t mut [u32],
    pub(crate) active: &'t mut [bool],
    pub(crate) fired: &'t mut [u64],
}

/// Whether a function with so many results for one state looks for room before each of them.
pub(crate) fn looks_each_time(results: u64) -> bool {
    results > MANY
}

impl Function {
    /// The words that have to be free where room is looked for.
    fn needs(&self) -> usize {
        let results = if looks_each_time(self.results) {
            1
        } else {
            self.results as usize
        };
        results * self.result
    }

    /// Appends the results for the states from one position on, and says at which state there is trouble, if there
    /// is; all is then as if that state were the end.
    pub(crate) fn run(
        &self,
        code: &Code,
        states: &[u64],
        mut from: usize,
        results: &mut Vec<u64>,
        mut tally: Tally<'_>,
    ) -> Option<usize> {
        let to = states.len() / self.words;
        results.reserve(self.needs().max(ROOM));
        loop {
            let (ended, at) = self.advance(code, states, (from, to), results, &mut tally);
            match ended {
                Ended::Done => return None,
                Ended::Trouble => return Some(at),
                Ended::Full => {
                    let room = results.capacity() - results.len();
                    results.reserve(2 * room.max(self.needs()));
                }
            }
            from = at;
        }
    }

    /// One call. Where it breaks off, some clauses may have been counted for a state that is not done: then it is
    /// taken back and done again up to that state.
    fn advance(
        &self,
        code: &Code,
        states: &[u64],
        (from, to): (usize, usize),
        results: &mut Vec<u64>,
        tally: &mut Tally<'_>,
    ) -> (Ended, usize) {
        let (length, fired) = (results.len(), tally.fired.to_vec());
        let (ended, at) = self.call(code, states, (from, to), results, tally);
        let clean = ended == Ended::Full && !looks_each_time(self.results);
        if ended != Ended::Done && !clean && !fired.is_empty() {
            tally.fired.copy_from_slice(&fired);
            results.truncate(length);
            let (again, _) = self.call(code, states, (from, at), results, tally);
            debug_assert_eq!(again, Ended::Done);
        }
        (ended, at)
    }

    fn call(
        &self,
        code: &Code,
        states: &[u64],
        (from, to): (usize, usize),
        results: &mut Vec<u64>,
        tally: &mut Tally<'_>,
    ) -> (Ended, usize) {
        assert!(to * self.words <= states.len());
        let base = results.as_mut_ptr();
        let room = results.capacity();
        let mut job = Job {
            states: states.as_ptr(),
            count: to as u64,
            at: from as u64,
            out: base.wrapping_add(results.len()),
            limit: base.wrapping_add(room.saturating_sub(self.needs())),
            base,
            ends: tally.ends.as_mut_ptr(),
            active: tally.active.as_mut_ptr(),
            fired: tally.fired.as_mut_ptr(),
        };
        // SAFETY: the job points to `count` states and, if the function tells of each state and each clause, to as
        // many entries (`Native::expand` makes them). The function stores no result where fewer words are left than
        // `needs`, and what it stored up to `out` lies behind the old length.
        #[allow(unsafe_code)]
        let ended = unsafe {
            let ended = code.call(self.position, &mut job);
            results.set_len(job.out.offset_from(base) as usize);
            ended
        };
        (ended, job.at as usize)
    }
}
