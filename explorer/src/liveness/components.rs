//! Strongly connected components, without recursion.

use super::product::{Node, Product};

/// A part of the nodes: those that have some number.
pub(super) type Region = u32;

/// What Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972) keeps of each node.
pub(super) struct Components<'p, 'g> {
    product: &'p Product<'g>,
    /// The region that each node is in. A step that leads out of it does not count.
    pub(super) region: Vec<Region>,
    /// In which order nodes were met, from 1; 0 for those that were not.
    met: Vec<u32>,
    /// The first node that is known to be reached from a node and to reach it.
    low: Vec<u32>,
    count: u32,
}

/// A node whose steps are being followed.
struct Visit {
    node: Node,
    /// How many of its steps were followed.
    followed: usize,
}

impl<'p, 'g> Components<'p, 'g> {
    pub(super) fn new(product: &'p Product<'g>) -> Self {
        Self {
            product,
            region: vec![0; product.nodes()],
            met: vec![0; product.nodes()],
            low: vec![0; product.nodes()],
            count: 0,
        }
    }

    /// Calls `found` with each strongly connected component of a region, of which all nodes are given. It may give its
    /// nodes other regions: none of them is looked at again.
    pub(super) fn each(&mut self, nodes: &[Node], mut found: impl FnMut(&mut [Region], &[Node])) {
        nodes.iter().for_each(|node| self.met[*node as usize] = 0);
        self.count = 0;
        let (mut open, mut visits) = (Vec::new(), Vec::new());
        for &root in nodes {
            if self.met[root as usize] != 0 {
                continue;
            }
            self.enter(root, &mut open, &mut visits);
            while let Some(visit) = visits.last_mut() {
                let node = visit.node;
                let state = self.product.state(node);
                if let Some((target, _)) = self.product.graph.edges(state).get(visit.followed) {
                    visit.followed += 1;
                    let next = self.product.next(node, *target);
                    self.follow(node, next, (&mut open, &mut visits));
                    continue;
                }
                visits.pop();
                let low = self.low[node as usize];
                if let Some(before) = visits.last() {
                    let before = &mut self.low[before.node as usize];
                    *before = low.min(*before);
                }
                if low == self.met[node as usize] {
                    self.close(node, &mut open, &mut found);
                }
            }
        }
    }

    fn enter(&mut self, node: Node, open: &mut Vec<Node>, visits: &mut Vec<Visit>) {
        self.count += 1;
        self.met[node as usize] = self.count;
        self.low[node as usize] = self.count;
        open.push(node);
        visits.push(Visit { node, followed: 0 });
    }

    fn follow(&mut self, from: Node, to: Node, (open, visits): (&mut Vec<Node>, &mut Vec<Visit>)) {
        // A component that is closed is out of every region, until `close` is done with it.
        if self.region[to as usize] != self.region[from as usize] {
            return;
        }
        match self.met[to as usize] {
            0 => self.enter(to, open, visits),
            met => {
                let low = &mut self.low[from as usize];
                *low = met.min(*low);
            }
        }
    }

    /// Ends the component that began with a node.
    fn close(
        &mut self,
        first: Node,
        open: &mut Vec<Node>,
        found: &mut impl FnMut(&mut [Region], &[Node]),
    ) {
        let begin = open.iter().rposition(|node| *node == first);
        let begin = begin.expect("a node is open until its component is closed");
        let nodes = &open[begin..];
        nodes
            .iter()
            .for_each(|node| self.region[*node as usize] = 0);
        found(&mut self.region, nodes);
        open.truncate(begin);
    }
}
