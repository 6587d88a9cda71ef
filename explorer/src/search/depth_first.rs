//! Depth first: the same store and the same questions as those of the breadth-first [`Search`](super::Search), with a
//! stack for a frontier.

use interpreter::{Batch, Broken, Successors, Why};

use super::Status;
use super::questions::{Finding, Findings, Question, Rest, resting};
use crate::store::Visited;
use crate::store::hash::Hash;

/// A search that goes on from the state that it has found last.
///
/// It visits the same states as a breadth-first search that is complete, and answers the same questions; the depth of a
/// finding is the length of the way on which it was found, which need not be a shortest one.
pub struct DepthFirst<S> {
    steps: S,
    visited: Visited,
    /// The states that are visited and not yet expanded, each with its depth.
    frontier: Vec<(usize, Vec<u64>)>,
    findings: Findings,
    generated: u64,
    quiescent: u64,
    batch: Batch,
    broken: Vec<Broken>,
}

impl<S: Successors> DepthFirst<S> {
    /// A search from start states, given as rows.
    #[must_use]
    pub fn new(steps: S, starts: &[u64]) -> Self {
        let width = steps.words();
        let hash = Hash::new(width, steps.bits());
        let mut search = Self {
            steps,
            visited: Visited::new(width, hash),
            frontier: Vec::new(),
            findings: Findings::default(),
            generated: 0,
            quiescent: 0,
            batch: Batch::default(),
            broken: Vec::new(),
        };
        for row in starts.chunks_exact(width) {
            search.visit(row, 0);
        }
        search
    }

    /// Expands one state.
    pub fn advance(&mut self) -> Status {
        if self.steps.is_cancelled() {
            return Status::Cancelled;
        }
        let Some((depth, row)) = self.frontier.pop() else {
            return Status::Complete;
        };
        let expanded = self.steps.expand(&row, &mut self.batch);
        let resting: Vec<Rest> = resting(&self.batch).map(|(_, rest)| rest).collect();
        for rest in resting {
            match rest {
                Rest::Deadlock => self.report(Question::Deadlock, &row, depth),
                Rest::Quiescent => self.quiescent += 1,
            }
        }
        if let Err(unexpanded) = expanded {
            match unexpanded.why {
                Why::NoResult { dead } => {
                    self.report(Question::Fault, &row, depth);
                    if dead {
                        self.report(Question::Deadlock, &row, depth);
                    }
                }
                Why::Memory => return Status::Memory,
                Why::Cancelled => return Status::Cancelled,
            }
        }
        let words = std::mem::take(&mut self.batch.words);
        for successor in words.chunks_exact(self.visited.width) {
            self.generated += 1;
            self.visit(successor, depth + 1);
        }
        self.batch.words = words;
        Status::Going
    }

    /// Visits a state, if it is new, and asks whether the invariants hold in it.
    fn visit(&mut self, row: &[u64], depth: usize) {
        // The store keeps levels, of which there is one here.
        if !self.visited.insert(row, 0) {
            return;
        }
        self.frontier.push((depth, row.to_vec()));
        let mut broken = std::mem::take(&mut self.broken);
        self.steps.check(row, &mut broken);
        for broken in &broken {
            self.report(Question::Invariant(broken.invariant), row, depth);
        }
        self.broken = broken;
    }

    fn report(&mut self, question: Question, row: &[u64], depth: usize) {
        self.findings.report(question, row.to_vec(), depth);
    }

    /// What was found, in the order in which it was.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        self.findings.all()
    }

    /// The states that were visited.
    #[must_use]
    pub fn distinct(&self) -> u64 {
        self.visited.len()
    }

    /// The successors of all states that were expanded.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// The states that were expanded in which inputs alone are enabled.
    #[must_use]
    pub fn quiescent(&self) -> u64 {
        self.quiescent
    }
}
