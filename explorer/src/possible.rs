//! What stays possible: does some way lead from every reachable state to one where a fact is true?
//!
//! This is another question than that of fair executions: a way need not be taken. A state from which there is none is
//! *dead* (Killian, Anderson, Jhala and Vahdat, "Life, Death, and the Critical Transition", NSDI 2007, section 2). The question is answered by going backward from the states where the fact is true.

use crate::liveness::{Bits, Graph, way};
use crate::search::path::{Path, PathStep};

/// What is known about a fact that is to stay possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// The dead states, if there are any.
    pub dead: Option<Dead>,
    /// The states in which the fact is false and from which some way leads to it, if there are any.
    pub transient: Option<Transient>,
}

/// States from which no way leads to the fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    /// How many there are.
    pub count: usize,
    /// A shortest way to one of them.
    pub path: Path,
    /// A shortest way from the state before it to the fact; none if a start state is dead.
    pub way_out: Option<Path>,
}

/// States in which the fact is false, and from which some way leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transient {
    /// How many there are.
    pub count: usize,
    /// A shortest way to one from which the most steps are needed.
    pub path: Path,
    /// A shortest way from there to the fact.
    pub way_out: Path,
}

/// From which states of a graph a way leads to those where a fact is true.
#[must_use]
pub fn possible(graph: &Graph, fact: &Bits) -> Possible {
    let distances = Distances::to(graph, fact);
    Possible {
        dead: distances.dead(),
        transient: distances.transient(),
    }
}

/// The states of a graph from which one where a fact is true can be reached; the others are dead.
#[must_use]
pub fn alive(graph: &Graph, fact: &Bits) -> Bits {
    let distances = Distances::to(graph, fact);
    let mut alive = Bits::none(graph.states());
    for state in (0..graph.states()).filter(|state| distances.steps[*state] != NONE) {
        alive.insert(state);
    }
    alive
}

/// The distance of a state from which there is no way.
const NONE: u32 = u32::MAX;

/// How many steps the shortest way has from each state of a graph to one where a fact is true.
struct Distances<'g> {
    graph: &'g Graph,
    steps: Vec<u32>,
}

impl<'g> Distances<'g> {
    fn to(graph: &'g Graph, fact: &Bits) -> Self {
        let before = Before::of(graph);
        let mut steps = vec![NONE; graph.states()];
        let mut level: Vec<usize> = fact.iter().collect();
        level.iter().for_each(|state| steps[*state] = 0);
        for distance in 1.. {
            let mut next = Vec::new();
            for state in level.iter().flat_map(|state| before.states(*state)) {
                if steps[*state as usize] == NONE {
                    steps[*state as usize] = distance;
                    next.push(*state as usize);
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Self { graph, steps }
    }

    fn dead(&self) -> Option<Dead> {
        // The states are numbered by their distance from the start.
        let first = self.steps.iter().position(|steps| *steps == NONE)?;
        let path = way(self.graph, first);
        let before = path.rows().rev().nth(1);
        let way_out = before.map(|row| self.way_out(self.graph.position(row)));
        Some(Dead {
            count: self.steps.iter().filter(|steps| **steps == NONE).count(),
            path,
            way_out,
        })
    }

    fn transient(&self) -> Option<Transient> {
        let all = self.steps.iter().enumerate();
        let transient = all.filter(|(_, steps)| **steps != NONE && **steps > 0);
        // Of several, the first is the nearest to the start.
        let farthest = transient.clone().rev().max_by_key(|(_, steps)| **steps);
        let (farthest, _) = farthest?;
        Some(Transient {
            count: transient.count(),
            path: way(self.graph, farthest),
            way_out: self.way_out(farthest),
        })
    }

    /// A shortest way from a state that is not dead to the fact.
    fn way_out(&self, from: usize) -> Path {
        let (mut state, mut steps) = (from as u32, Vec::new());
        while self.steps[state as usize] > 0 {
            let nearer = self.steps[state as usize] - 1;
            let mut edges = self.graph.edges(state).iter();
            let ordinal = edges.position(|(target, _)| self.steps[*target as usize] == nearer);
            let ordinal = ordinal.expect("some step leads nearer");
            (state, _) = self.graph.edges(state)[ordinal];
            let row = self.graph.row(state).to_vec();
            steps.push(PathStep { ordinal, row });
        }
        Path {
            engine: self.graph.engine(),
            start: self.graph.row(from as u32).to_vec(),
            steps,
        }
    }
}

/// For each state, those from which a step leads to it.
struct Before {
    ends: Vec<usize>,
    states: Vec<u32>,
}

impl Before {
    fn of(graph: &Graph) -> Self {
        let all = 0..graph.states() as u32;
        let mut ends = vec![0; graph.states() + 1];
        for (target, _) in all.clone().flat_map(|state| graph.edges(state)) {
            ends[*target as usize + 1] += 1;
        }
        for state in 0..graph.states() {
            ends[state + 1] += ends[state];
        }
        let mut places = ends.clone();
        let mut states = vec![0; graph.steps()];
        for state in all {
            for (target, _) in graph.edges(state) {
                let place = &mut places[*target as usize];
                states[*place] = state;
                *place += 1;
            }
        }
        Self { ends, states }
    }

    fn states(&self, state: usize) -> &[u32] {
        &self.states[self.ends[state]..self.ends[state + 1]]
    }
}
