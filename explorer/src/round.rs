//! The two halves of a round: generating successors, and inserting those that are new.

use std::sync::Mutex;

use interpreter::{Batch, Broken, Successors, Unexpanded};

use crate::shard::{SHARDS, Shard, shard_of};
use crate::visited::{Room, StateId, Visited};

/// The states that one thread expands before it asks for more.
pub(crate) const TASK: usize = 1024;

/// At most about so many successors are held in a batch.
const BATCH: usize = 1 << 14;

/// The states of a first batch, when nothing is known of how many successors they have.
const FIRST_BATCH: usize = 16;

/// A thread's means of taking steps, with room to work in.
pub(crate) struct Worker<S> {
    pub(crate) steps: S,
    batch: Batch,
    room: Room,
    states: Vec<u64>,
    broken: Vec<Broken>,
    /// How many states to expand at once.
    at_once: usize,
}

/// What came of expanding some states.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    /// The successors that were not visited, by shard.
    unknown: Vec<Vec<u64>>,
    hashes: Vec<Vec<u64>>,
    /// All successors.
    pub(crate) generated: u64,
    /// By transition clause, the successors that it gave.
    pub(crate) fired: Vec<u64>,
    /// The first state in which no locally controlled action is enabled, by its position in the level.
    pub(crate) deadlock: Option<usize>,
    /// The first state from which a step cannot be computed.
    pub(crate) stuck: Option<usize>,
}

/// What came of inserting some states into a shard.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// The invariants that are broken, each with the first state that breaks it.
    pub(crate) broken: Vec<(usize, StateId)>,
}

impl Expanded {
    fn clear(&mut self) {
        self.unknown.resize_with(SHARDS, Vec::new);
        self.hashes.resize_with(SHARDS, Vec::new);
        self.unknown.iter_mut().for_each(Vec::clear);
        self.hashes.iter_mut().for_each(Vec::clear);
        self.generated = 0;
        self.fired.clear();
        (self.deadlock, self.stuck) = (None, None);
    }

    /// How many states it would insert into a shard, if no two of them were equal.
    pub(crate) fn unknown(&self, shard: usize) -> usize {
        self.hashes[shard].len()
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.unknown.iter().chain(&self.hashes);
        lists
            .map(|l| (l.capacity() * size_of::<u64>()) as u64)
            .sum()
    }
}

impl<S: Successors> Worker<S> {
    pub(crate) fn new(steps: S) -> Self {
        Self {
            steps,
            batch: Batch::default(),
            room: Room::default(),
            states: Vec::new(),
            broken: Vec::new(),
            at_once: FIRST_BATCH,
        }
    }

    /// Expands the states of a depth that stand at some positions of the level.
    pub(crate) fn expand(
        &mut self,
        visited: &Visited,
        depth: usize,
        positions: std::ops::Range<usize>,
        out: &mut Expanded,
    ) {
        out.clear();
        let mut at = positions.start;
        while at < positions.end {
            let count = self.at_once.min(positions.end - at);
            let mut states = std::mem::take(&mut self.states);
            states.clear();
            visited.copy(depth, at..at + count, &mut states);
            let result = self.steps.expand(&states, &mut self.batch);
            self.states = states;
            self.take(visited, at, out);
            at += match result {
                Ok(()) => count,
                Err(Unexpanded(position)) => {
                    out.stuck.get_or_insert(at + position);
                    position + 1
                }
            };
        }
    }

    /// Sums up a batch that begins at a position of the level.
    fn take(&mut self, visited: &Visited, at: usize, out: &mut Expanded) {
        let Batch {
            words,
            ends,
            active,
            fired,
        } = &self.batch;
        let generated = words.len() / visited.width;
        self.at_once = (BATCH * ends.len().max(1) / (generated + 1)).clamp(1, TASK);
        out.generated += generated as u64;
        out.fired.resize(fired.len(), 0);
        out.fired.iter_mut().zip(fired).for_each(|(a, b)| *a += b);
        if out.deadlock.is_none() {
            out.deadlock = active.iter().position(|a| !a).map(|p| at + p);
        }
        let Expanded {
            unknown, hashes, ..
        } = out;
        visited.unknown(words, &mut self.room, |hash, row| {
            let shard = shard_of(hash);
            hashes[shard].push(hash);
            unknown[shard].extend_from_slice(row);
        });
    }

    /// Inserts the states that belong to a shard, in their order, and checks the new ones.
    pub(crate) fn insert(
        &mut self,
        shard: &mut Shard,
        number: usize,
        from: &[Expanded],
    ) -> Inserted {
        let before = shard.states.len();
        shard.reserve(from.iter().map(|e| e.unknown(number)).sum());
        for expanded in from {
            let rows = expanded.unknown[number].chunks_exact(self.steps.words());
            for (hash, row) in expanded.hashes[number].iter().zip(rows) {
                shard.insert(*hash, row);
            }
        }
        self.check(shard, number, before)
    }

    /// Checks the states of a shard from a position on.
    pub(crate) fn check(&mut self, shard: &Shard, number: usize, from: usize) -> Inserted {
        let mut found = Inserted::default();
        let mut at = from;
        for rows in shard.states.slices(from, shard.states.len()) {
            self.steps.check(rows, &mut self.broken);
            for broken in &self.broken {
                if found.broken.iter().all(|(i, _)| *i != broken.invariant) {
                    let id = StateId {
                        shard: number as u32,
                        position: at + broken.state,
                    };
                    found.broken.push((broken.invariant, id));
                }
            }
            at += rows.len() / self.steps.words();
        }
        found
    }
}

/// Lets all workers do jobs until none is left. The jobs of one worker are in order; which worker does which is open, so
/// that nothing may depend on it.
pub(crate) fn share<W: Send, J: Send>(
    workers: &mut [W],
    jobs: impl ExactSizeIterator<Item = J> + Send,
    run: impl Fn(&mut W, J) + Sync,
) {
    let (first, others) = workers.split_first_mut().expect("at least one worker");
    let wanted = others.len().min(jobs.len().saturating_sub(1));
    let others = &mut others[..wanted];
    if others.is_empty() {
        return jobs.for_each(|job| run(first, job));
    }
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().expect("taking a job does not panic").next();
    let work = |worker: &mut W| {
        while let Some(job) = next() {
            run(worker, job);
        }
    };
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| work(worker));
        }
        work(first);
    });
}
