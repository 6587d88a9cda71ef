//! The two halves of a round: generating successors, and inserting those that are new.

use std::sync::Mutex;

use interpreter::{Batch, Broken, Successors, Unexpanded, Why};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::questions::{Rest, resting};
use super::sieve::Sieve;
use crate::store::condensed::Condensed;
use crate::store::layers::Layers;
use crate::store::partition::Partition;
use crate::store::shard::Shard;
use crate::store::{Visited, read};

/// The states that one thread expands before it asks for more.
pub(crate) const TASK: usize = 2048;

/// At most about so many successors are held in a batch.
const BATCH: usize = 1 << 14;

/// They have at most about so many words.
const BATCH_WORDS: usize = 1 << 17;

/// The states of a first batch, when nothing is known of how many successors they have.
const FIRST_BATCH: usize = 16;

/// A thread's means of taking steps, with room to work in.
pub(crate) struct Worker<S> {
    pub(crate) steps: S,
    batch: Batch,
    /// Of the states of the batch, whether steps from them are left out.
    left_out: Vec<bool>,
    states: Vec<u64>,
    /// The successors of the states that have been expanded.
    sieve: Sieve,
    broken: Vec<Broken>,
    /// How many states to expand at once.
    at_once: usize,
    /// How many bytes the steps may keep.
    may_keep: u64,
}

/// What came of expanding some states.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    /// The successors, by shard.
    pub(crate) successors: Partition,
    /// How many there are.
    pub(crate) generated: u64,
    /// By transition clause, the successors that it gave.
    pub(crate) fired: Vec<u64>,
    /// The first state in which no action is enabled, by its position in the level.
    pub(crate) deadlock: Option<usize>,
    /// How many states there are in which inputs alone are enabled.
    pub(crate) quiescent: u64,
    /// The first state from which a step has no result.
    pub(crate) stuck: Option<usize>,
    /// Whether it was given up because there is no room for all successors of one state.
    pub(crate) crowded: bool,
    /// The bits in which successors are beyond the states as they are stored, in each word, if there are any. Then it was given
    /// up.
    pub(crate) beyond: Vec<u64>,
}

/// What came of inserting some states into a shard.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// How many of them were new.
    pub(crate) new: usize,
    /// The invariants that are broken, each with the first state that breaks it.
    pub(crate) broken: Vec<(usize, Vec<u64>)>,
}

impl Expanded {
    fn clear(&mut self) {
        self.generated = 0;
        self.fired.clear();
        self.quiescent = 0;
        (self.deadlock, self.stuck) = (None, None);
        self.crowded = false;
        self.beyond.clear();
    }

    /// Whether successors cannot be stored as the states are.
    pub(crate) fn is_beyond(&self) -> bool {
        self.beyond.iter().any(|bits| *bits != 0)
    }
}

impl Expanded {
    /// Notes that not all steps from the state at a position of the level are computed.
    fn note(&mut self, position: usize, why: Why) {
        match why {
            Why::NoResult { dead } => {
                self.stuck.get_or_insert(position);
                if dead {
                    self.deadlock.get_or_insert(position);
                }
            }
            Why::Memory => self.crowded = true,
            // Whoever cancels it gives up the round.
            Why::Cancelled => {}
        }
    }
}

/// How many words have room in some bytes.
pub(crate) fn words_in(bytes: u64) -> usize {
    let words = bytes / size_of::<u64>() as u64;
    usize::try_from(words).unwrap_or(usize::MAX)
}

/// The part of the free memory that steps may use to remember what they can compute again.
const REMEMBERED_SHARE: u64 = 16;

impl<S: Successors> Worker<S> {
    pub(crate) fn new(steps: S) -> Self {
        Self {
            steps,
            batch: Batch::default(),
            left_out: Vec::new(),
            states: Vec::new(),
            sieve: Sieve::default(),
            broken: Vec::new(),
            at_once: FIRST_BATCH,
            may_keep: u64::MAX,
        }
    }

    /// Gives back the room it has worked in; what it has handed on may be given up.
    pub(crate) fn release(&mut self) {
        let room = self.batch.room;
        self.batch = Batch {
            room,
            ..Batch::default()
        };
        self.states = Vec::new();
        self.sieve.forget();
        self.at_once = FIRST_BATCH;
    }

    /// Says for how many bytes there is memory: for the successors of one state, and for what the steps keep.
    pub(crate) fn set_room(&mut self, bytes: u64) {
        self.batch.room = Some(words_in(bytes));
        self.may_keep = bytes;
        self.steps.may_remember(bytes / REMEMBERED_SHARE);
    }

    /// Expands the states of a depth that stand at some positions of the level, if they can be read.
    pub(crate) fn expand(
        &mut self,
        (layers, visited): (&dyn Layers, &Visited),
        depth: usize,
        positions: std::ops::Range<usize>,
        out: &mut Expanded,
    ) {
        out.clear();
        self.states.clear();
        self.sieve.clear();
        layers.read(visited, depth, positions.clone(), &mut self.states);
        if self.states.len() < positions.len() * visited.width {
            return;
        }
        let mut done = 0;
        // What the steps keep of values stays when a round is given up.
        out.crowded = self.is_crowded();
        let is_given_up = |out: &Expanded| out.crowded || out.is_beyond();
        while done < positions.len() && !is_given_up(out) && !self.steps.is_cancelled() {
            let count = self.at_once.min(positions.len() - done);
            let states = &self.states[done * visited.width..][..count * visited.width];
            let result = self
                .steps
                .expand_some(states, &mut self.batch, &mut self.left_out);
            let result = self.expand_repeated((done, visited), result);
            let at = positions.start + done;
            self.take(visited, done, at, out);
            done += match result {
                Ok(()) => count,
                Err(Unexpanded { state, why }) => {
                    out.note(at + state, why);
                    state + 1
                }
            };
            out.crowded |= self.is_crowded();
        }
        self.sieve.sort(visited, &mut out.successors);
    }

    /// Whether the steps keep more than they may.
    fn is_crowded(&self) -> bool {
        self.steps.memory() > self.may_keep
    }

    /// Takes all steps from the states of a batch, which begins at a position of the states that are expanded, from which some are left out
    /// while those that are taken lead only to states that are visited.
    fn expand_repeated(
        &mut self,
        (from, visited): (usize, &Visited),
        result: Result<(), Unexpanded>,
    ) -> Result<(), Unexpanded> {
        if !self.left_out.contains(&true) {
            return result;
        }
        let width = visited.width;
        let part = std::mem::take(&mut self.batch);
        let (mut all, mut some, mut begin) = (Batch::default(), Batch::default(), 0);
        self.batch.clear(part.fired.len());
        self.batch.room = part.room;
        self.batch.fired.clone_from(&part.fired);
        let ends = part.ends.iter().zip(&part.active);
        for (state, (end, active)) in ends.enumerate() {
            let rows = &part.words[begin * width..*end as usize * width];
            begin = *end as usize;
            let is_new = |row: &[u64]| !visited.has(row);
            if !self.left_out[state] || rows.chunks_exact(width).any(is_new) {
                self.batch.words.extend_from_slice(rows);
                self.batch.conclude(*active, width);
                continue;
            }
            let row = &self.states[(from + state) * width..][..width];
            all.room = part.room;
            let whole = self.steps.expand(row, &mut all);
            self.batch.words.extend_from_slice(&all.words);
            self.batch.conclude(*active, width);
            // The steps that were taken before are among all of them.
            self.steps.expand_some(row, &mut some, &mut Vec::new())?;
            let fired = all.fired.iter().zip(&some.fired);
            let sums = self.batch.fired.iter_mut().zip(fired);
            sums.for_each(|(sum, (all, some))| *sum = *sum + all - some);
            whole.map_err(|Unexpanded { why, .. }| Unexpanded { state, why })?;
        }
        result
    }

    /// Sums up a batch that begins at a position of the states that are expanded, and of the level.
    fn take(&mut self, visited: &Visited, from: usize, at: usize, out: &mut Expanded) {
        let width = visited.width;
        let Batch {
            words, ends, fired, ..
        } = &self.batch;
        let generated = words.len() / width;
        let wanted = BATCH.min(BATCH_WORDS / width);
        self.at_once = (wanted * ends.len().max(1) / (generated + 1)).clamp(1, TASK);
        out.generated += generated as u64;
        out.fired.resize(fired.len(), 0);
        out.fired.iter_mut().zip(fired).for_each(|(a, b)| *a += b);
        for (position, rest) in resting(&self.batch) {
            match rest {
                Rest::Deadlock => {
                    out.deadlock.get_or_insert(at + position);
                }
                Rest::Quiescent => out.quiescent += 1,
            }
        }
        let states = &self.states[from * width..];
        self.sieve
            .add(visited, states, &self.batch, &mut out.beyond);
    }

    /// Inserts the states that belong to a shard, in their order, and checks those that the shard did not have, if these are
    /// new.
    pub(crate) fn insert(
        &mut self,
        (shard, condensed): (&mut Shard, Option<&Condensed>),
        (number, depth): (usize, usize),
        from: &[Expanded],
        are_new: bool,
    ) -> Inserted {
        let begin = shard.states.len();
        shard.warm(from.iter().map(|e| e.successors.len(number)).sum());
        for expanded in from {
            shard.states.insert_all(expanded.successors.rows(number));
        }
        shard.note_level(depth, begin);
        Inserted {
            new: shard.states.len() - begin,
            broken: match are_new {
                true => self.check((shard, condensed), begin),
                false => Vec::new(),
            },
        }
    }

    /// The invariants that one state breaks.
    pub(crate) fn broken_by(&mut self, row: &[u64]) -> Vec<usize> {
        self.steps.check(row, &mut self.broken);
        self.broken.iter().map(|broken| broken.invariant).collect()
    }

    /// Checks the states of a shard from a position on.
    fn check(
        &mut self,
        (shard, condensed): (&Shard, Option<&Condensed>),
        from: usize,
    ) -> Vec<(usize, Vec<u64>)> {
        let mut rows = std::mem::take(&mut self.states);
        rows.clear();
        read(shard, condensed, from..shard.states.len(), &mut rows);
        let found = self.broken_in(&rows);
        self.states = rows;
        found
    }

    /// The invariants that some states break, each with the first that does.
    pub(crate) fn broken_in(&mut self, rows: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let mut found: Vec<(usize, Vec<u64>)> = Vec::new();
        if rows.is_empty() {
            return found;
        }
        self.steps.check(rows, &mut self.broken);
        for broken in &self.broken {
            if found.iter().all(|(i, _)| *i != broken.invariant) {
                let width = self.steps.words();
                let row = &rows[broken.state * width..][..width];
                found.push((broken.invariant, row.to_vec()));
            }
        }
        found
    }
}

/// Threads that wait for work, for all workers but one; none where there is no other, or where the system gives no more.
pub(crate) fn threads_for(workers: usize) -> Option<ThreadPool> {
    let others = workers.checked_sub(1).filter(|others| *others > 0)?;
    ThreadPoolBuilder::new().num_threads(others).build().ok()
}

/// Lets all workers do jobs until none is left. The jobs of one worker are in order; which worker does which is open, so
/// that nothing may depend on it.
pub(crate) fn share<W: Send, J: Send>(
    threads: Option<&ThreadPool>,
    workers: &mut [W],
    jobs: impl ExactSizeIterator<Item = J> + Send,
    run: impl Fn(&mut W, J) + Sync,
) {
    let (first, others) = workers.split_first_mut().expect("at least one worker");
    let wanted = others.len().min(jobs.len().saturating_sub(1));
    let others = &mut others[..wanted];
    let (Some(threads), false) = (threads, others.is_empty()) else {
        return jobs.for_each(|job| run(first, job));
    };
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().expect("taking a job does not panic").next();
    let work = |worker: &mut W| {
        while let Some(job) = next() {
            run(worker, job);
        }
    };
    threads.in_place_scope(|scope| {
        for worker in others {
            scope.spawn(|_| work(worker));
        }
        work(first);
    });
}
