//! Breadth-first search, round by round.

mod condense;
#[cfg(test)]
mod deep;
pub(crate) mod depth_first;
pub(crate) mod keep;
pub(crate) mod path;
pub(crate) mod questions;
pub(crate) mod round;
mod settle;
mod sieve;
mod starts;
mod told;

use interpreter::{RangeOverflows, Successors};
use rayon::ThreadPool;

use crate::search::condense::known::Condensing;
use crate::search::round::{Expanded, Inserted, TASK, Worker, share, threads_for};
use crate::store::Visited;
use crate::store::hash::{Hash, MOST_SHARDS};
use crate::store::layers::{InMemory, Layers};
use crate::store::shard::Shard;

pub(crate) use questions::Findings;
pub use questions::{Finding, Question};

/// The least number of successors of a round, where there are as many: enough to make the fixed cost of a round negligible.
const ROUND_LEAST: u64 = 1 << 20;

/// The greatest number of successors of a round, about.
const ROUND_MOST: u64 = 1 << 23;

/// Between these two limits, a round has one successor for every two visited states: the more successors belong to a shard,
/// the more lookups are made while the shard is in a cache.
const ROUND_PART: u64 = 2;

/// The number of successors of a round where computing one takes longer than looking it up: progress is then reported
/// several times a second.
const ROUND_SLOW: u64 = 1 << 16;

/// The greatest number of words of the successors of one task, about: each thread keeps a list of them.
const TASK_WORDS: usize = 1 << 19;

/// A round may use one part in so many of the memory that is left.
const ROUND_SHARE: u64 = 4;

/// Memory is tight where less than one part in so many is left.
const TIGHT: u64 = 8;

/// The greatest growth of a round over the largest one before it; while rounds are small, they double.
const ROUND_GROWTH: usize = 8;

/// Fewer successors than this are inserted sooner than another thread can be woken.
const WORTH_SHARING: u64 = 1 << 14;

/// While levels have fewer states than this, states are not taken to more shards: each shard costs something in each round, and a
/// deep search has many rounds.
const WORTH_SPREADING: usize = 8 * MOST_SHARDS;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// States at this distance from the start are visited, and not expanded.
    pub depth: Option<usize>,
    /// About how many states to visit.
    pub states: Option<u64>,
    /// How many bytes may be used.
    pub memory: u64,
}

/// What there is at one distance from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// States that are reached by so many steps and not by fewer.
    pub states: u64,
    /// Successors of those of them that were expanded.
    pub generated: u64,
}

/// Whether a search can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There are states to expand.
    Going,
    /// All reachable states are visited.
    Complete,
    /// The depth that was given is reached.
    Depth,
    /// The number of states that was given is reached.
    States,
    /// The next round would need more memory than was given.
    Memory,
    /// The steps are [no longer wanted](Successors::is_cancelled).
    Cancelled,
    /// States cannot be read or written: see [`Search::trouble`].
    Trouble,
}

/// A search that has visited some states.
pub struct Search<S> {
    pub(crate) workers: Vec<Worker<S>>,
    threads: Option<ThreadPool>,
    /// The states in memory.
    pub(crate) visited: Visited,
    /// The states of each depth, wherever they are.
    pub(crate) layers: Box<dyn Layers>,
    pub(crate) bounds: Bounds,
    pub(crate) progress: Progress,
    /// How far it had come when the last level was settled, where levels are settled: all until then is on disk.
    pub(crate) settled: Option<Progress>,
    /// Whether all start states are visited.
    pub(crate) has_started: bool,
    expanded: Vec<Expanded>,
    /// When states are condensed.
    condensing: Condensing,
    /// The states of the next round, at most.
    pub(crate) round: usize,
    /// How many successors a state of the last round had, rounded up.
    pub(crate) successors_each: usize,
}

/// How far a search has come, but for the states: all that it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The start states, those that came twice included.
    pub(crate) starts: u64,
    /// States of the current level that have been expanded.
    pub(crate) expanded: usize,
    /// The successors of the states of each depth, the current one last.
    pub(crate) generated: Vec<u64>,
    /// By transition clause, the successors that it gave.
    pub(crate) fired: Vec<u64>,
    /// The states that were expanded in which inputs alone are enabled.
    pub(crate) quiescent: u64,
    /// What was found.
    pub(crate) findings: Findings,
}

impl Progress {
    /// The depth of the level that is being expanded.
    pub(crate) fn depth(&self) -> usize {
        self.generated.len() - 1
    }
}

impl<S: Successors> Search<S> {
    /// A search from start states, given as rows, by as many threads as there are means to take steps.
    ///
    /// # Panics
    /// If there are none of these.
    #[must_use]
    pub fn new(steps: Vec<S>, starts: &[u64], bounds: Bounds) -> Self {
        let mut search = Self::begin(steps, bounds);
        search.add_starts(starts);
        search
    }

    /// Visits all start states, given as rows.
    pub fn add_starts(&mut self, starts: &[u64]) {
        for row in starts.chunks_exact(self.visited.width) {
            self.visit_start(row);
        }
        self.has_started = true;
    }

    /// A search that has yet to [`start`](Self::start), by as many threads as there are means to take steps.
    ///
    /// # Panics
    /// If there are none of these.
    #[must_use]
    pub fn begin(steps: Vec<S>, bounds: Bounds) -> Self {
        let width = steps[0].words();
        let mut search = Self::empty(steps, width, bounds);
        search.progress.generated.push(0);
        search
    }

    pub(crate) fn empty(steps: Vec<S>, width: usize, bounds: Bounds) -> Self {
        let hash = Hash::new(width, steps[0].bits());
        let takes_some = steps[0].takes_some();
        Self {
            threads: threads_for(steps.len()),
            workers: steps.into_iter().map(Worker::new).collect(),
            visited: Visited::new(width, hash),
            layers: Box::new(InMemory),
            bounds,
            progress: Progress::default(),
            settled: None,
            has_started: false,
            expanded: Vec::new(),
            condensing: Condensing::default(),
            round: if takes_some { usize::MAX } else { 1 },
            successors_each: 1,
        }
    }

    /// Takes a round, if it can.
    pub fn advance(&mut self) -> Status {
        if let Some(depth) = self.unsettled() {
            return self.settle(depth);
        }
        let depth = self.progress.depth();
        let level = self.level_len(depth);
        let status = self.status(level);
        if status != Status::Going {
            return status;
        }
        if self.is_tight() {
            self.layers.make_room(&mut self.visited, depth + 1);
        }
        let from = self.progress.expanded;
        let count = self.size_of_round().min(level - from);
        self.generate(depth, from..from + count);
        if self.workers[0].steps.is_cancelled() {
            // What there is of the round may be a part of it, and what did not fit then is not in any state that was visited.
            self.give_up_round();
            if let Some(misfits) = self.workers[0].steps.misfits() {
                misfits.forget();
            }
            self.workers.iter_mut().for_each(|w| w.steps.forget());
            return Status::Cancelled;
        }
        if self.layers.trouble().is_some() {
            return Status::Trouble;
        }
        if self.numbers_met() {
            self.give_up_round();
            return Status::Going;
        }
        if self.is_beyond() {
            return self.condense_anew();
        }
        if self.is_crowded() && !self.makes_room(depth + 1) {
            return self.shrink(count);
        }
        self.note_expanded(depth);
        let inserted = self.insert(depth + 1);
        let new = inserted.iter().map(|i| i.new).sum();
        self.visited.note_new(depth + 1, new);
        self.note_broken(&inserted, depth + 1);
        self.progress.expanded += count;
        // However slow the steps are, a round takes little longer than all before it together.
        self.round = self.round.max(match count {
            ..TASK => 2 * count,
            _ => ROUND_GROWTH * count,
        });
        if self.progress.expanded == level && self.layers.is_settled(depth + 1) {
            self.begin_level();
        }
        Status::Going
    }

    /// Gives numbers to elements that the last steps met; says whether there were some, so that these steps have to be taken again.
    fn numbers_met(&mut self) -> bool {
        let misfits = self.workers[0].steps.misfits();
        let were_met = misfits.is_some_and(RangeOverflows::number_met);
        if were_met {
            self.workers.iter_mut().for_each(|w| w.steps.forget());
        }
        were_met
    }

    /// Whether little memory is left, and most of what is used is for states: rounds would be small.
    fn is_tight(&self) -> bool {
        let Bounds { memory, .. } = self.bounds;
        self.visited.bytes() > memory / 4 && memory - memory / TIGHT < self.bytes()
    }

    /// Whether room could be made in memory for what is new in the last round, as states of a depth.
    fn makes_room(&mut self, depth: usize) -> bool {
        self.layers.make_room(&mut self.visited, depth) && !self.is_crowded()
    }

    /// The number of states of a depth.
    pub(crate) fn level_len(&self, depth: usize) -> usize {
        self.layers.level_len(&self.visited, depth)
    }

    /// The bytes of all states, and of what says where they are.
    pub(crate) fn bytes(&self) -> u64 {
        self.visited.bytes() + self.layers.bytes()
    }

    /// Goes on to the next level, if there is one.
    fn begin_level(&mut self) {
        if self.level_len(self.progress.depth() + 1) == 0 {
            return;
        }
        self.progress.expanded = 0;
        self.progress.generated.push(0);
        self.note_begin();
        // Between two levels nothing depends on the order of the states.
        if self.is_condensing_due() {
            self.condense();
        }
        let is_wide = self.level_len(self.progress.depth()) >= WORTH_SPREADING;
        if is_wide && self.visited.is_crowded() && self.visited.bytes() < self.bounds.memory / 2 {
            self.expanded = Vec::new();
            self.spread();
        }
    }

    /// Takes the states to more shards.
    fn spread(&mut self) {
        let (width, hash) = (self.visited.stored_width(), self.visited.hash);
        let shards = std::mem::take(&mut self.visited.shards);
        let mut split: Vec<Vec<Shard>> = Vec::new();
        split.resize_with(shards.len(), Vec::new);
        let jobs: Vec<_> = shards.into_iter().zip(&mut split).enumerate().collect();
        share(
            self.threads.as_ref(),
            &mut self.workers,
            jobs.into_iter(),
            |_, (number, (shard, split))| *split = shard.split((number, width, hash)),
        );
        self.visited.shards = split.into_iter().flatten().collect();
        self.visited.hash = hash.in_most_shards();
    }

    /// Gives up a round of so many states because there might be no room for what is new in it; a smaller one may have
    /// it.
    fn shrink(&mut self, count: usize) -> Status {
        self.give_up_round();
        if count == 1 {
            return Status::Memory;
        }
        self.round = count / 2;
        Status::Going
    }

    fn give_up_round(&mut self) {
        self.expanded = Vec::new();
        self.workers.iter_mut().for_each(Worker::release);
    }

    /// Whether there might be no room for what is new in the last round.
    fn is_crowded(&self) -> bool {
        let is_part = self.expanded.iter().any(|expanded| expanded.crowded);
        is_part || self.bytes_after_round() > self.bounds.memory
    }

    fn status(&self, level: usize) -> Status {
        let Bounds { depth, states, .. } = self.bounds;
        if self.layers.trouble().is_some() {
            Status::Trouble
        } else if self.progress.expanded == level {
            Status::Complete
        } else if depth.is_some_and(|d| self.progress.depth() >= d) {
            Status::Depth
        } else if states.is_some_and(|s| self.distinct() >= s) {
            Status::States
        } else {
            Status::Going
        }
    }

    /// How many states to expand in the next round: no more than what the bounds on states and memory let it use.
    fn size_of_round(&self) -> usize {
        let visited = self.visited.len();
        let steps = &self.workers[0].steps;
        let usual = match steps.is_fast() {
            // Where steps are left out, a state that an earlier round of the level has found counts as visited.
            _ if steps.takes_some() => ROUND_MOST,
            true => (visited / ROUND_PART).clamp(ROUND_LEAST, ROUND_MOST),
            false => ROUND_SLOW,
        };
        let left = self.bounds.states.map_or(usual, |s| s - self.distinct());
        let successors = usual.min(left).min(self.room()) as usize;
        self.round.min(successors / self.successors_each).max(1)
    }

    /// How many successors there is memory to list.
    fn room(&self) -> u64 {
        let row = (self.visited.width * size_of::<u64>()) as u64;
        self.free() / ROUND_SHARE / row
    }

    /// For how many bytes there is memory.
    fn free(&self) -> u64 {
        self.bounds.memory.saturating_sub(self.bytes())
    }

    fn generate(&mut self, depth: usize, positions: std::ops::Range<usize>) {
        // A checkpoint may claim that they were any number.
        let words_each = self.successors_each.saturating_mul(self.visited.width);
        let in_task = TASK_WORDS / words_each;
        let in_task = in_task.clamp(1, TASK);
        let tasks = positions.len().div_ceil(in_task);
        self.expanded.truncate(tasks);
        self.expanded.resize_with(tasks, Expanded::default);
        let room = self.free();
        self.workers.iter_mut().for_each(|w| w.set_room(room));
        let states = (&*self.layers, &self.visited);
        let jobs = self.expanded.iter_mut().enumerate();
        share(
            self.threads.as_ref(),
            &mut self.workers,
            jobs,
            |worker, (task, out)| {
                let from = positions.start + task * in_task;
                let to = positions.end.min(from + in_task);
                worker.expand(states, depth, from..to, out);
            },
        );
        self.successors_each = self.generated() as usize / positions.len() + 1;
    }

    /// How many successors the last round had.
    fn generated(&self) -> u64 {
        self.expanded.iter().map(|e| e.generated).sum()
    }

    /// The successors of the last round that belong to a shard.
    fn successors(&self, shard: usize) -> usize {
        self.expanded.iter().map(|e| e.successors.len(shard)).sum()
    }

    fn bytes_after_round(&self) -> u64 {
        let visited = self.visited.bytes_with(|shard| self.successors(shard));
        visited + self.layers.bytes() + self.bytes_of_round()
    }

    fn bytes_of_round(&self) -> u64 {
        let tasks = self.expanded.iter().map(|e| e.successors.bytes());
        // The successors of a task were in a list before they were sorted, which is at most half empty.
        let list = 2 * tasks.clone().max().unwrap_or(0);
        tasks.sum::<u64>() + list + self.workers[0].steps.memory()
    }

    /// Inserts what is new, as states of a depth.
    fn insert(&mut self, depth: usize) -> Vec<Inserted> {
        let (expanded, are_new) = (&self.expanded, self.layers.is_all_in_memory());
        let worth_sharing = self.generated() >= WORTH_SHARING;
        let condensed = self.visited.condensed.as_ref();
        // A round of few states concerns few shards.
        let has_successors = |n: usize| expanded.iter().any(|e| e.successors.len(n) > 0);
        let shards = self.visited.shards.iter_mut().enumerate();
        let shards: Vec<(usize, &mut Shard)> = shards.filter(|(n, _)| has_successors(*n)).collect();
        let mut results: Vec<Inserted> = Vec::new();
        results.resize_with(shards.len(), Inserted::default);
        let jobs: Vec<_> = shards.into_iter().zip(&mut results).collect();
        let workers = if worth_sharing { self.workers.len() } else { 1 };
        share(
            self.threads.as_ref(),
            &mut self.workers[..workers],
            jobs.into_iter(),
            |worker, ((n, shard), result)| {
                *result = worker.insert((shard, condensed), (n, depth), expanded, are_new);
            },
        );
        results
    }

    fn note_expanded(&mut self, depth: usize) {
        let from = self.progress.expanded;
        for expanded in &self.expanded {
            let progress = &mut self.progress;
            *progress.generated.last_mut().expect("a level") += expanded.generated;
            progress.quiescent += expanded.quiescent;
            progress.fired.resize(expanded.fired.len(), 0);
            let fired = progress.fired.iter_mut().zip(&expanded.fired);
            fired.for_each(|(sum, n)| *sum += n);
            // Positions are those of the level, whatever the task.
            debug_assert!(expanded.deadlock.is_none_or(|p| p >= from));
            let found = [
                (Question::Deadlock, expanded.deadlock),
                (Question::Fault, expanded.stuck),
            ];
            for (question, position) in found {
                if let Some(position) = position {
                    let state = self.at(depth, position);
                    self.progress.findings.report(question, state, depth);
                }
            }
        }
    }

    /// The state at a position of a level.
    fn at(&self, depth: usize, position: usize) -> Vec<u64> {
        let mut row = Vec::new();
        let positions = position..position + 1;
        self.layers.read(&self.visited, depth, positions, &mut row);
        row
    }

    fn note_broken(&mut self, inserted: &[Inserted], depth: usize) {
        for (invariant, state) in inserted.iter().flat_map(|i| &i.broken) {
            let question = Question::Invariant(*invariant);
            self.progress
                .findings
                .report(question, state.clone(), depth);
        }
    }
}
