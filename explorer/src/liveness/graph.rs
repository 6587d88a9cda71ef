//! All reachable states of an instance, with the steps between them and the tasks to which these belong.

use std::ops::ControlFlow;

use interpreter::{Firing, Interrupt, LimitKind, Rows, State, TransitionSystem};

use super::bits::Bits;
use super::index::Index;
use super::tasks::TaskSets;

/// After how many states the caller is asked whether the graph is to be continued.
const AT_ONCE: usize = 1 << 10;

/// States, the nearest to the start first, and all steps from each, in the order of the transition relation.
#[derive(Debug)]
pub struct Graph {
    /// The name of the engine that took the steps.
    engine: &'static str,
    width: usize,
    rows: Vec<u64>,
    index: Index,
    starts: Vec<u32>,
    /// For each state that is expanded, how many edges lead from it and from those before it.
    ends: Vec<usize>,
    /// The target of each edge, and the number of the set of tasks that its step belongs to.
    edges: Vec<(u32, u32)>,
    /// For each state that is expanded, the number of the set of tasks that are enabled in it.
    enabled: Vec<u32>,
    sets: TaskSets,
}

/// How far a graph may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// About how many states.
    pub states: u64,
    /// About how many bytes.
    pub memory: u64,
}

/// Why a graph is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It has as many states as it may.
    States,
    /// It takes as many bytes as it may.
    Memory,
    /// It is no longer wanted.
    Cancelled,
    /// A step has no result.
    Interrupted(Box<Interrupt>),
}

/// What a graph is made from.
pub struct Growth<'g, 'i> {
    /// The steps.
    pub system: &'g mut dyn TransitionSystem,
    /// The form that states have.
    pub rows: &'g Rows<'i>,
    /// Puts the tasks that a step belongs to into a set.
    pub tasks: &'g mut dyn FnMut(&Firing, &mut Bits),
    /// How many tasks there are.
    pub count: usize,
    /// Told how many states there are; breaks off if the graph is no longer wanted.
    pub progress: &'g mut dyn FnMut(usize) -> ControlFlow<()>,
}

impl Graph {
    /// The graph of all reachable states.
    ///
    /// # Errors
    /// Why it is not complete.
    pub fn new(mut growth: Growth<'_, '_>, limits: Limits) -> Result<Self, Stopped> {
        let mut graph = Self {
            engine: growth.system.engine(),
            width: growth.rows.width(),
            rows: Vec::new(),
            index: Index::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
            enabled: Vec::new(),
            sets: TaskSets::default(),
        };
        graph.visit_starts(&mut growth)?;
        let mut step = Bits::none(growth.count);
        let mut enabled = step.clone();
        while graph.enabled.len() < graph.states() {
            if graph.enabled.len().is_multiple_of(AT_ONCE) {
                graph.check(limits)?;
                if (growth.progress)(graph.states()).is_break() {
                    return Err(Stopped::Cancelled);
                }
            }
            graph.expand(&mut growth, (&mut step, &mut enabled))?;
        }
        Ok(graph)
    }

    fn visit_starts(&mut self, growth: &mut Growth<'_, '_>) -> Result<(), Stopped> {
        let (rows, mut row) = (growth.rows, Vec::new());
        let listed = growth.system.each_start(&mut |_, state| {
            let start = self.number(rows, state, &mut row);
            if self.starts.last() != Some(&start) {
                self.starts.push(start);
            }
            ControlFlow::Continue(())
        });
        let _ = listed.map_err(stopped)?;
        self.starts.sort_unstable();
        self.starts.dedup();
        Ok(())
    }

    /// Takes all steps from the first state that is not expanded.
    fn expand(
        &mut self,
        growth: &mut Growth<'_, '_>,
        (step, enabled): (&mut Bits, &mut Bits),
    ) -> Result<(), Stopped> {
        let from = self.row(self.enabled.len() as u32).to_vec();
        let (rows, mut row) = (growth.rows, Vec::new());
        enabled.clear();
        let taken = growth
            .system
            .each_step(&rows.state(&from), &mut |firing, _, after| {
                step.clear();
                (growth.tasks)(firing, step);
                enabled.unite(step);
                let target = self.number(rows, after, &mut row);
                self.edges.push((target, self.sets.number(step)));
                ControlFlow::Continue(())
            });
        let _ = taken.map_err(stopped)?;
        self.ends.push(self.edges.len());
        self.enabled.push(self.sets.number(enabled));
        Ok(())
    }

    /// The number of a state, which it gets if it is new.
    fn number(&mut self, rows: &Rows<'_>, state: &State, row: &mut Vec<u64>) -> u32 {
        row.clear();
        rows.push(state, row);
        if let Some(found) = self.index.find(&self.rows, row) {
            return found;
        }
        self.rows.extend_from_slice(row);
        self.index.push(&self.rows, self.width);
        self.states() as u32 - 1
    }

    fn check(&self, limits: Limits) -> Result<(), Stopped> {
        if self.states() as u64 > limits.states.min(u64::from(u32::MAX)) {
            return Err(Stopped::States);
        }
        match self.bytes() > limits.memory {
            true => Err(Stopped::Memory),
            false => Ok(()),
        }
    }

    /// The bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let words = self.rows.capacity() + self.ends.capacity() + self.edges.capacity();
        let numbers = self.enabled.capacity();
        (words * size_of::<u64>() + numbers * size_of::<u32>()) as u64 + self.index.bytes()
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.rows.len() / self.width
    }

    /// The rows of all states, one after another.
    #[must_use]
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.edges.len()
    }

    /// The position of a row that is one of its states.
    pub(crate) fn position(&self, row: &[u64]) -> usize {
        let found = self.index.find(&self.rows, row);
        found.expect("a state of the graph") as usize
    }

    pub(crate) fn engine(&self) -> &'static str {
        self.engine
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    pub(crate) fn row(&self, state: u32) -> &[u64] {
        &self.rows[state as usize * self.width..][..self.width]
    }

    /// The targets of the steps from a state, each with the number of the set of tasks that it belongs to.
    pub(crate) fn edges(&self, state: u32) -> &[(u32, u32)] {
        let state = state as usize;
        let begin = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[begin..self.ends[state]]
    }

    /// The tasks that are enabled in a state.
    pub(super) fn enabled(&self, state: u32) -> &Bits {
        self.sets.set(self.enabled[state as usize])
    }

    /// The tasks of a set.
    pub(super) fn set(&self, number: u32) -> &Bits {
        self.sets.set(number)
    }
}

/// Why no more steps are taken.
fn stopped(why: Interrupt) -> Stopped {
    match why {
        Interrupt::Limit(limit) if limit.kind == LimitKind::Cancelled => Stopped::Cancelled,
        other => Stopped::Interrupted(Box::new(other)),
    }
}
