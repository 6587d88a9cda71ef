//! One search of a swarm: depth first, in an order of its own, down to a bound of its own.

use interpreter::{Batch, Broken, Successors, Why};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::bits::{BitTable, Together};
use crate::search::Question;
use crate::search::path::{Path, PathStep};
use crate::search::questions::{Rest, resting};
use crate::store::hash::Hash;

/// A search asks once in so many states how many bytes values take.
const UNWATCHED: u64 = 256;

/// What tells a search of a swarm from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// What it draws from.
    pub seed: u64,
    /// States at this distance from the start, on the way it goes, are not expanded.
    pub depth: usize,
}

/// What holds for one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) states: u64,
    /// Bytes of its table.
    pub(super) table: u64,
    /// Bytes of the states on its way.
    pub(super) way: u64,
    /// Bytes of the values in states of all searches that do not lie in words: these are kept until the last search ends.
    pub(super) values: u64,
    pub(super) deadlocks: bool,
    pub(super) first: bool,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What was asked.
    pub question: Question,
    /// The number of the search, from 0.
    pub search: usize,
    /// How it came to a state of which the answer is no.
    pub path: Path,
}

/// Why a search of a swarm ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There was nothing left that it took for new.
    Exhausted,
    /// It has visited as many states as it may.
    States,
    /// The states on its way, or the values that all searches keep, take as many bytes as they may.
    Memory,
    /// It has found something.
    Found,
    /// It was no longer wanted.
    Cancelled,
}

/// A state on the way, and its successors that are yet to be visited.
struct Frame {
    /// Which of the successors of the state before it this is.
    ordinal: usize,
    row: Vec<u64>,
    successors: Vec<u64>,
    /// The successors to be visited, the next one last.
    order: Vec<u32>,
}

impl Frame {
    fn bytes(&self) -> u64 {
        let words = self.row.len() + self.successors.len();
        (words * size_of::<u64>() + self.order.len() * size_of::<u32>()) as u64
    }
}

/// A search under way.
pub(super) struct Dive {
    /// Its number in the swarm.
    pub(super) number: usize,
    course: Course,
    limits: Limits,
    hash: Hash,
    visited: BitTable,
    dice: ChaCha8Rng,
    /// The start states that are yet to be visited, the next one last.
    starts: Vec<Vec<u64>>,
    way: Vec<Frame>,
    bytes: u64,
    pub(super) found: Vec<Found>,
    pub(super) states: u64,
    pub(super) generated: u64,
    pub(super) deepest: usize,
    /// States at the bound on depth, which were not expanded.
    pub(super) cut: u64,
    pub(super) fired: Vec<u64>,
    pub(super) end: Option<End>,
}

/// What a search works with, and shares with others.
pub(super) struct Tools<'t, S> {
    pub(super) steps: &'t mut S,
    pub(super) batch: &'t mut Batch,
    pub(super) broken: &'t mut Vec<Broken>,
    pub(super) together: &'t Together,
}

impl Dive {
    pub(super) fn new(
        (number, course): (usize, Course),
        starts: &[u64],
        hash: (Hash, usize),
        limits: Limits,
    ) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(course.seed);
        let mut starts: Vec<Vec<u64>> = starts.chunks_exact(hash.1).map(<[u64]>::to_vec).collect();
        starts.shuffle(&mut dice);
        Self {
            number,
            course,
            limits,
            hash: hash.0,
            visited: BitTable::new(limits.table, course.seed),
            dice,
            starts,
            way: Vec::new(),
            bytes: 0,
            found: Vec::new(),
            states: 0,
            generated: 0,
            deepest: 0,
            cut: 0,
            fired: Vec::new(),
            end: None,
        }
    }

    /// Goes on until about so many more successors are generated, unless it ends before.
    pub(super) fn advance<S: Successors>(&mut self, tools: &mut Tools<'_, S>, count: u64) {
        let until = self.generated + count;
        while self.end.is_none() && self.generated < until {
            self.end = match () {
                () if tools.steps.is_cancelled() => Some(End::Cancelled),
                () if self.states >= self.limits.states => Some(End::States),
                () if self.bytes > self.limits.way => Some(End::Memory),
                () if self.keeps_too_much(tools.steps) => Some(End::Memory),
                () => self.next(tools),
            };
        }
    }

    /// Whether values are known to take more bytes than they may.
    fn keeps_too_much<S: Successors>(&self, steps: &S) -> bool {
        self.states.is_multiple_of(UNWATCHED) && steps.memory() > self.limits.values
    }

    /// Visits the next state, or goes back by a step.
    fn next<S: Successors>(&mut self, tools: &mut Tools<'_, S>) -> Option<End> {
        let Some(frame) = self.way.last_mut() else {
            let Some(start) = self.starts.pop() else {
                return Some(End::Exhausted);
            };
            return self.visit((0, start), tools);
        };
        let Some(ordinal) = frame.order.pop() else {
            self.bytes -= frame.bytes();
            self.way.pop();
            return None;
        };
        // The bytes of a frame shrink with the order.
        self.bytes -= size_of::<u32>() as u64;
        let width = frame.row.len();
        let row = frame.successors[ordinal as usize * width..][..width].to_vec();
        self.visit((ordinal as usize, row), tools)
    }

    /// Visits a state, if it seems to be new: asks whether the invariants hold in it, and goes on from it.
    fn visit<S: Successors>(
        &mut self,
        (ordinal, row): (usize, Vec<u64>),
        tools: &mut Tools<'_, S>,
    ) -> Option<End> {
        let hash = self.hash.of(&row);
        if !self.visited.insert(hash) {
            return None;
        }
        tools.together.note(hash);
        self.states += 1;
        let depth = self.way.len();
        self.deepest = self.deepest.max(depth);
        tools.steps.check(&row, tools.broken);
        self.way.push(Frame {
            ordinal,
            row,
            successors: Vec::new(),
            order: Vec::new(),
        });
        for broken in std::mem::take(tools.broken) {
            self.report(Question::Invariant(broken.invariant), tools.steps.engine());
        }
        match depth >= self.course.depth {
            true => self.cut += 1,
            false => self.expand(tools),
        }
        self.bytes += self.way.last().map_or(0, Frame::bytes);
        (!self.found.is_empty() && self.limits.first).then_some(End::Found)
    }

    /// Takes all steps from the last state on the way.
    fn expand<S: Successors>(&mut self, tools: &mut Tools<'_, S>) {
        let Some(frame) = self.way.last() else {
            return;
        };
        let expanded = tools.steps.expand(&frame.row, tools.batch);
        let engine = tools.steps.engine();
        self.fired.resize(tools.batch.fired.len(), 0);
        let fired = self.fired.iter_mut().zip(&tools.batch.fired);
        fired.for_each(|(sum, n)| *sum += n);
        let is_dead = resting(tools.batch).any(|(_, rest)| rest == Rest::Deadlock);
        let mut questions = vec![(Question::Deadlock, is_dead)];
        if let Err(unexpanded) = expanded {
            match unexpanded.why {
                Why::NoResult { dead } => {
                    questions = vec![(Question::Fault, true), (Question::Deadlock, dead)];
                }
                Why::Memory | Why::Cancelled => {}
            }
        }
        for (question, is_so) in questions {
            if is_so && (self.limits.deadlocks || question != Question::Deadlock) {
                self.report(question, engine);
            }
        }
        let Some(frame) = self.way.last_mut() else {
            return;
        };
        frame.successors.clone_from(&tools.batch.words);
        let count = frame.successors.len() / frame.row.len();
        self.generated += count as u64;
        frame.order = (0..count as u32).collect();
        frame.order.shuffle(&mut self.dice);
    }

    /// Keeps what was found in the last state on the way, with the way, unless the same question has an answer already.
    fn report(&mut self, question: Question, engine: &'static str) {
        if self.found.iter().any(|found| found.question == question) {
            return;
        }
        let mut way = self.way.iter();
        let Some(start) = way.next() else { return };
        let step = |frame: &Frame| PathStep {
            ordinal: frame.ordinal,
            row: frame.row.clone(),
        };
        self.found.push(Found {
            question,
            search: self.number,
            path: Path {
                engine,
                start: start.row.clone(),
                steps: way.map(step).collect(),
            },
        });
    }
}
