//! A swarm: many searches that go deep, each in an order of its own, where one search of all states would not end.
//!
//! Each search goes depth first, takes the steps from a state in random order, and remembers what it has visited in a table
//! that does not grow; its seed and its bound on depth differ from those of the others. So they go to different places, and
//! what one of them misses, another one may find (Holzmann, Joshi and Groce, "Swarm verification techniques", IEEE Transactions on
//! Software Engineering 37(6), 2011). That nothing is found says nothing about the states that were not visited.
//!
//! The searches share nothing but the count of what they visited together. So what is found does not depend on how many threads
//! there are: of those that find something, the one with the lowest number counts, and those before it go on to their ends.

mod bits;
mod dive;

use std::collections::VecDeque;

use interpreter::{Batch, Broken, Successors};
use rayon::ThreadPool;

use crate::search::round::threads_for;
use crate::store::hash::Hash;

use bits::Together;
use dive::{Dive, Limits, Tools};

pub use dive::{Course, End, Found};

/// Bytes of the common table, at most: enough to estimate several billion states, and allocated in a moment.
const MOST_TOGETHER: u64 = 64 << 20;

/// How many successors a search generates before the caller is asked whether the swarm is to go on.
const AT_ONCE: u64 = 1 << 16;
/// Bits of a search's table for each state that it may visit: of a thousand states, about four are then taken for visited.
const BITS_EACH: u64 = 32;
/// Bits of the common table for each state that may be visited, at most.
const BITS_TOGETHER: u64 = 4;
/// Searches that are under way at once, at most: what each may use does not depend on how many threads there are.
const MOST_AT_ONCE: usize = 16;
/// Bytes of a table, at least.
const LEAST_TABLE: u64 = 1 << 10;

/// What holds for all searches of a swarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwarmBounds {
    /// How many states each may visit.
    pub states: u64,
    /// How many bytes all of them may use.
    pub memory: u64,
    /// Whether states in which no action is enabled are findings.
    pub deadlocks: bool,
    /// Whether the first finding is enough.
    pub first: bool,
}

/// What a search has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dived {
    /// Its number, from 0.
    pub number: usize,
    /// States that it took for new.
    pub states: u64,
    /// The successors of all states that it expanded.
    pub generated: u64,
    /// The greatest number of steps on its way.
    pub deepest: usize,
    /// States at its bound on depth.
    pub cut: u64,
    /// Why it ended.
    pub end: End,
    /// By transition clause, the successors that it gave.
    fired: Vec<u64>,
    found: Vec<Found>,
}

/// A thread's means of taking steps, and the search that it is at.
struct Worker<S> {
    steps: S,
    batch: Batch,
    broken: Vec<Broken>,
    dive: Option<Dive>,
}

impl<S: Successors> Worker<S> {
    fn advance(&mut self, together: &Together) {
        let mut tools = Tools {
            steps: &mut self.steps,
            batch: &mut self.batch,
            broken: &mut self.broken,
            together,
        };
        if let Some(dive) = &mut self.dive {
            dive.advance(&mut tools, AT_ONCE);
        }
    }
}

/// Searches side by side.
pub struct Swarm<S> {
    workers: Vec<Worker<S>>,
    threads: Option<ThreadPool>,
    starts: Vec<u64>,
    waiting: VecDeque<(usize, Course)>,
    limits: Limits,
    hash: (Hash, usize),
    together: Together,
    dived: Vec<Dived>,
    /// Whether searches were given up because one before them has found something.
    has_given_up: bool,
}

impl<S: Successors> Swarm<S> {
    /// Searches from start states, given as rows, by as many threads as there are means to take steps.
    ///
    /// # Panics
    /// If there are none of these.
    #[must_use]
    pub fn new(steps: Vec<S>, starts: Vec<u64>, courses: &[Course], bounds: SwarmBounds) -> Self {
        let SwarmBounds {
            states,
            memory,
            deadlocks,
            first,
        } = bounds;
        let width = steps[0].words();
        let hash = (Hash::new(width, steps[0].bits()), width);
        let at_once = MOST_AT_ONCE as u64;
        let table = |bits: u64, most: u64| (bits / 8).clamp(LEAST_TABLE, most.max(LEAST_TABLE));
        let all = states.saturating_mul(courses.len() as u64);
        Self {
            threads: threads_for(steps.len()),
            workers: steps
                .into_iter()
                .take(MOST_AT_ONCE)
                .map(|steps| Worker {
                    steps,
                    batch: Batch::default(),
                    broken: Vec::new(),
                    dive: None,
                })
                .collect(),
            starts,
            waiting: courses.iter().copied().enumerate().collect(),
            limits: Limits {
                states,
                table: table(states.saturating_mul(BITS_EACH), memory / 4 / at_once),
                way: memory / 4 / at_once,
                values: memory / 4,
                deadlocks,
                first,
            },
            hash,
            together: Together::new(table(
                all.saturating_mul(BITS_TOGETHER),
                (memory / 4).min(MOST_TOGETHER),
            )),
            dived: Vec::new(),
            has_given_up: false,
        }
    }

    /// Goes on for a moment with as many searches as there are threads; says whether there is anything left to do.
    pub fn advance(&mut self) -> bool {
        for worker in &mut self.workers {
            if worker.dive.is_none()
                && let Some(next) = self.waiting.pop_front()
            {
                worker.dive = Some(Dive::new(next, &self.starts, self.hash, self.limits));
            }
        }
        let together = &self.together;
        let jobs = self.workers.iter_mut();
        match &self.threads {
            Some(threads) => threads.in_place_scope(|scope| {
                let mut jobs = jobs;
                // The thread that waits for the others works too.
                let own = jobs.next();
                jobs.for_each(|worker| scope.spawn(|_| worker.advance(together)));
                own.into_iter().for_each(|worker| worker.advance(together));
            }),
            None => jobs.for_each(|worker| worker.advance(together)),
        }
        for worker in &mut self.workers {
            if let Some(dive) = worker.dive.take_if(|dive| dive.end.is_some()) {
                self.dived.push(dived(dive));
            }
        }
        self.drop_beyond_first();
        let is_idle = self.workers.iter().all(|worker| worker.dive.is_none());
        !(is_idle && self.waiting.is_empty())
    }

    /// If one finding is enough, gives up the searches after the first one that has found something.
    fn drop_beyond_first(&mut self) {
        let finders = self.dived.iter().filter(|dived| !dived.found.is_empty());
        let Some(first) = finders.map(|dived| dived.number).min() else {
            return;
        };
        if !self.limits.first {
            return;
        }
        let dived = self.dived.len();
        self.dived.retain(|dived| dived.number <= first);
        self.has_given_up |= self.dived.len() < dived;
        self.has_given_up |= !self.waiting.is_empty();
        self.waiting.clear();
        for worker in &mut self.workers {
            let given_up = worker.dive.take_if(|dive| dive.number > first);
            self.has_given_up |= given_up.is_some();
        }
    }

    /// What the searches have come to that have ended, in their order.
    #[must_use]
    pub fn dived(&self) -> Vec<&Dived> {
        let mut dived: Vec<&Dived> = self.dived.iter().collect();
        dived.sort_by_key(|dived| dived.number);
        dived
    }

    /// About how many different states were visited, by all searches together; none if some were given up, for then they had
    /// visited as many as there was time for.
    #[must_use]
    pub fn together(&self) -> Option<u64> {
        (!self.has_given_up).then(|| self.together.estimate())
    }

    /// States that were visited so far, by each search anew.
    #[must_use]
    pub fn states(&self) -> u64 {
        let going = self
            .workers
            .iter()
            .filter_map(|worker| worker.dive.as_ref());
        let ended: u64 = self.dived.iter().map(|dived| dived.states).sum();
        ended + going.map(|dive| dive.states).sum::<u64>()
    }

    /// By transition clause, how many successors it gave.
    #[must_use]
    pub fn fired(&self, clauses: usize) -> Vec<u64> {
        let mut fired = vec![0; clauses];
        for dived in &self.dived {
            let each = fired.iter_mut().zip(&dived.fired);
            each.for_each(|(sum, n)| *sum += n);
        }
        fired
    }

    /// What was found: for each question, by the first search that found something.
    #[must_use]
    pub fn found(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for one in self.dived().into_iter().flat_map(|dived| &dived.found) {
            if found.iter().all(|other| other.question != one.question) {
                found.push(one.clone());
            }
        }
        found
    }
}

/// What a search that has ended has come to.
fn dived(dive: Dive) -> Dived {
    Dived {
        number: dive.number,
        states: dive.states,
        generated: dive.generated,
        deepest: dive.deepest,
        cut: dive.cut,
        end: dive.end.unwrap_or(End::Cancelled),
        fired: dive.fired,
        found: dive.found,
    }
}
