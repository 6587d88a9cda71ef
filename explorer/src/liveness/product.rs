//! The states of a graph with the pending bits of a formula.

use super::bits::Bits;
use super::condition::{Literal, Mark};
use super::graph::Graph;
use crate::search::path::{Path, PathStep};

/// A state with pending bits: the state's number, then the bits, as the lowest ones.
pub(super) type Node = u32;

/// A step: which of the steps from the node before it, and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) ordinal: usize,
    pub(super) to: Node,
}

/// Not reached.
const NOWHERE: u32 = u32::MAX;

/// The nodes that can be reached, each with the way there.
pub(super) struct Product<'g> {
    pub(super) graph: &'g Graph,
    /// The premise and the goal of each `leads to`.
    pending: Vec<(usize, usize)>,
    facts: &'g [Bits],
    /// The nodes in the order in which they are reached, the nearest to the start first.
    pub(super) reached: Vec<Node>,
    /// For each node the one from which it was reached; for a start, itself.
    before: Vec<Node>,
    /// For each node that is reached, the number of steps on a shortest way there.
    depth: Vec<u32>,
}

impl<'g> Product<'g> {
    pub(super) fn new(graph: &'g Graph, pending: Vec<(usize, usize)>, facts: &'g [Bits]) -> Self {
        let nodes = graph.states() << pending.len();
        let mut product = Self {
            graph,
            pending,
            facts,
            reached: Vec::new(),
            before: vec![NOWHERE; nodes],
            depth: vec![0; nodes],
        };
        product.reach();
        product
    }

    fn reach(&mut self) {
        for &state in self.graph.starts() {
            let node = self.node(state, 0);
            self.before[node as usize] = node;
            self.reached.push(node);
        }
        let mut at = 0;
        while let Some(&node) = self.reached.get(at) {
            at += 1;
            let graph = self.graph;
            for (target, _) in graph.edges(self.state(node)) {
                let next = self.next(node, *target);
                if self.before[next as usize] == NOWHERE {
                    self.before[next as usize] = node;
                    self.depth[next as usize] = self.depth[node as usize] + 1;
                    self.reached.push(next);
                }
            }
        }
    }

    /// How many nodes there could be.
    pub(super) fn nodes(&self) -> usize {
        self.before.len()
    }

    pub(super) fn state(&self, node: Node) -> u32 {
        node >> self.pending.len()
    }

    /// The node after a step from one to a state.
    pub(super) fn next(&self, node: Node, target: u32) -> Node {
        self.node(target, node & ((1 << self.pending.len()) - 1))
    }

    /// The node of a state that is reached with some bits from before.
    fn node(&self, state: u32, before: u32) -> Node {
        let has = |fact: usize| self.facts[fact].has(state as usize);
        let mut node = state;
        for (position, (premise, goal)) in self.pending.iter().enumerate().rev() {
            let was = before >> position & 1 != 0;
            let is_pending = !has(*goal) && (was || has(*premise));
            node = node << 1 | u32::from(is_pending);
        }
        node
    }

    /// The nodes that are reached and have the state of a node, those with other pending bits among them.
    ///
    /// Going round a cycle a second time changes no bits: of each `leads to`, the first round settles whether it waits for
    /// its goal, or leaves it as it was.
    pub(super) fn alike(&self, node: Node) -> impl Iterator<Item = Node> {
        let first = self.state(node) << self.pending.len();
        let nodes = first..first + (1 << self.pending.len());
        nodes.filter(|node| self.before[*node as usize] != NOWHERE)
    }

    /// Whether a literal is true of a node.
    pub(super) fn holds(&self, literal: Literal, node: Node) -> bool {
        let there = match literal.mark {
            Mark::Fact(fact) => self.facts[fact].has(self.state(node) as usize),
            Mark::Pending(position) => node >> position & 1 != 0,
        };
        there == literal.truth
    }

    /// The steps from a node: the node after it, and the number of the set of tasks that it belongs to.
    pub(super) fn steps(&self, node: Node) -> impl Iterator<Item = (Node, u32)> {
        let edges = self.graph.edges(self.state(node)).iter();
        edges.map(move |(target, tasks)| (self.next(node, *target), *tasks))
    }

    /// A shortest way to a node, and steps that go on from it.
    pub(super) fn path(&self, node: Node, more: Vec<Arrow>) -> Path {
        let way = self.way(node);
        let arrows = way.windows(2).map(|pair| {
            let ordinal = self.steps(pair[0]).position(|(next, _)| next == pair[1]);
            Arrow {
                ordinal: ordinal.expect("each node of a way follows from the one before it"),
                to: pair[1],
            }
        });
        let steps = arrows.chain(more).map(|arrow| PathStep {
            ordinal: arrow.ordinal,
            row: self.graph.row(self.state(arrow.to)).to_vec(),
        });
        Path {
            engine: self.graph.engine(),
            start: self.graph.row(self.state(way[0])).to_vec(),
            steps: steps.collect(),
        }
    }

    /// The nodes on a shortest way to a node, from the start on.
    fn way(&self, node: Node) -> Vec<Node> {
        let mut way = vec![node];
        let mut last = node;
        while self.before[last as usize] != last {
            last = self.before[last as usize];
            way.push(last);
        }
        way.reverse();
        way
    }

    /// The number of steps on a shortest way to a node.
    pub(super) fn depth(&self, node: Node) -> usize {
        self.depth[node as usize] as usize
    }
}
