//! What stays possible: does some way lead from every reachable state to one where a fact is true?
//!
//! This is another question than that of fair executions: a way need not be taken. A state from which there is none is
//! *dead* (Killian, Anderson, Jhala and Vahdat, "Life, Death, and the Critical Transition", NSDI 2007, section 2). The question is answered by going backward from the states where the fact is true.

use crate::liveness::{Bits, Graph, way};
use crate::search::path::Path;

/// How far the states of a graph are from those where a fact is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// There is a way from every state.
    Always {
        /// The greatest number of steps that a shortest way has.
        farthest: usize,
    },
    /// Some states are dead.
    Dead {
        /// A shortest way to one of them.
        path: Path,
        /// How many there are.
        count: usize,
    },
}

/// Whether the states where a fact is true can be reached from all states of a graph.
#[must_use]
pub fn possible(graph: &Graph, fact: &Bits) -> Possible {
    let (alive, farthest) = backward(graph, fact);
    // The states are numbered by their distance from the start.
    match (0..graph.states()).find(|state| !alive.has(*state)) {
        None => Possible::Always { farthest },
        Some(dead) => Possible::Dead {
            path: way(graph, dead),
            count: graph.states() - alive.iter().count(),
        },
    }
}

/// The states of a graph from which one where a fact is true can be reached; the others are dead.
#[must_use]
pub fn alive(graph: &Graph, fact: &Bits) -> Bits {
    backward(graph, fact).0
}

/// The states from which a way leads to one where a fact is true, and the greatest number of steps that a shortest way has.
fn backward(graph: &Graph, fact: &Bits) -> (Bits, usize) {
    let before = Before::of(graph);
    let mut seen = fact.clone();
    let mut level: Vec<usize> = fact.iter().collect();
    let mut farthest = 0;
    loop {
        let mut next = Vec::new();
        for state in level.iter().flat_map(|state| before.states(*state)) {
            if !seen.has(*state as usize) {
                seen.insert(*state as usize);
                next.push(*state as usize);
            }
        }
        if next.is_empty() {
            return (seen, farthest);
        }
        farthest += 1;
        level = next;
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
