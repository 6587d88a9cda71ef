//! Which layer of a picture each node of a graph stands in, and in which order.
//!
//! This is the way of Sugiyama, Tagawa and Toda (Methods for visual understanding of hierarchical system structures, IEEE Transactions on
//! Systems, Man, and Cybernetics, 1981): arrows that would close a circle are set aside; each node stands below all that points to it;
//! a longer arrow has a spot in each layer that it passes; and the spots of a layer are put in the order of the means of what points
//! to them.

use std::collections::{BTreeMap, BTreeSet};

use super::Graph;

/// How often the order within the layers is improved.
const SWEEPS: usize = 8;

/// The layers of a graph.
pub(super) struct Layers {
    /// The spots of each layer, from the top down. The first spots are the nodes, the others those of arrows that pass.
    pub(super) rows: Vec<Vec<usize>>,
    /// How many spots there are.
    pub(super) spots: usize,
    /// For each arrow that leads down the spots that it goes through, from its node to the other.
    pub(super) ways: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Layers {
    pub(super) fn of(graph: &Graph) -> Self {
        let down = down(graph);
        let mut rank = vec![0; graph.nodes.len()];
        // A way has no more arrows than there are nodes.
        for _ in 0..graph.nodes.len() {
            for (user, used) in &down {
                rank[*used] = rank[*used].max(rank[*user] + 1);
            }
        }
        let mut ways = BTreeMap::new();
        for (user, used) in down {
            let first = rank.len();
            let passed = rank[user] + 1..rank[used];
            rank.extend(passed);
            let way = [user].into_iter().chain(first..rank.len()).chain([used]);
            ways.insert((user, used), way.collect());
        }
        let count = rank.iter().max().map_or(0, |most| most + 1);
        let mut rows = vec![Vec::new(); count];
        for (spot, rank) in rank.iter().enumerate() {
            rows[*rank].push(spot);
        }
        let spots = rank.len();
        let mut layers = Self { rows, spots, ways };
        layers.order();
        layers
    }

    /// Puts the spots of each layer in an order in which few arrows cross: going down by what points to them, going up by what they
    /// point to.
    fn order(&mut self) {
        let segments: Vec<(usize, usize)> = (self.ways.values())
            .flat_map(|way| way.windows(2).map(|pair| (pair[0], pair[1])))
            .collect();
        for sweep in 0..SWEEPS {
            for at in 1..self.rows.len() {
                let (row, beside) = match sweep % 2 {
                    0 => (at, at - 1),
                    _ => (self.rows.len() - 1 - at, self.rows.len() - at),
                };
                let other = self.rows[beside].clone();
                let place = |spot: usize| other.iter().position(|other| *other == spot);
                let mean = |spot: usize| {
                    let places: Vec<usize> = (segments.iter())
                        .filter(|(from, to)| *from == spot || *to == spot)
                        .filter_map(|(from, to)| place(*from).or(place(*to)))
                        .collect();
                    match places.len() {
                        0 => 500 * other.len(),
                        count => 1000 * places.iter().sum::<usize>() / count,
                    }
                };
                self.rows[row].sort_by_cached_key(|spot| mean(*spot));
            }
        }
    }
}

/// The arrows without those that close a circle, as a walk from the first nodes meets them.
fn down(graph: &Graph) -> BTreeSet<(usize, usize)> {
    let mut used_by: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (user, used, _) in &graph.edges {
        used_by[*user].push(*used);
    }
    let mut down = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for root in 0..graph.nodes.len() {
        // The way from the root, each node with how many of its arrows were tried.
        let mut way: Vec<(usize, usize)> = Vec::new();
        way.extend(seen.insert(root).then_some((root, 0)));
        while let Some((node, tried)) = way.last_mut() {
            let (node, next) = (*node, used_by[*node].get(*tried).copied());
            *tried += 1;
            match next {
                None => drop(way.pop()),
                Some(next) if way.iter().any(|(other, _)| *other == next) => {}
                Some(next) => {
                    down.insert((node, next));
                    way.extend(seen.insert(next).then_some((next, 0)));
                }
            }
        }
    }
    down
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::graph::Node;

    /// The rows and ways of a graph with so many nodes and these arrows.
    fn layers(nodes: usize, edges: &[(usize, usize)]) -> Layers {
        let node = Node {
            name: "n".into(),
            of: String::new(),
            verdict: None,
            is_simulation: false,
        };
        Layers::of(&Graph {
            nodes: vec![node; nodes],
            edges: edges.iter().map(|(a, b)| (*a, *b, String::new())).collect(),
        })
    }

    #[test]
    fn what_is_used_stands_below_and_long_arrows_pass_the_layers_between() {
        let found = layers(4, &[(0, 1), (1, 2), (0, 2), (3, 2)]);
        assert_eq!(found.rows.len(), 3);
        assert!(found.rows[0].contains(&0) && found.rows[0].contains(&3));
        assert_eq!(found.ways[&(0, 2)].len(), 3);
        assert_eq!(found.spots, 6);
        let row = |spot: usize| found.rows.iter().position(|row| row.contains(&spot));
        for way in found.ways.values() {
            assert!(
                way.windows(2)
                    .all(|pair| row(pair[0]).map(|r| r + 1) == row(pair[1]))
            );
        }
    }

    #[test]
    fn circles_are_cut_once() {
        let found = layers(3, &[(0, 1), (1, 2), (2, 0), (2, 1)]);
        assert_eq!(found.ways.keys().collect::<Vec<_>>(), [&(0, 1), &(1, 2)]);
        assert_eq!(found.rows, [[0], [1], [2]]);
    }

    #[test]
    fn arrows_are_untangled() {
        let found = layers(4, &[(0, 3), (1, 2)]);
        assert_eq!(found.rows, [[0, 1], [3, 2]]);
    }
}
