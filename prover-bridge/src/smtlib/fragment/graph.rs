//! The arrows between sorts, and circles of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Arrows between sorts, each with the formulas that make it and what in them does.
#[derive(Default)]
pub(super) struct Graph {
    arrows: BTreeMap<String, BTreeMap<String, Made>>,
}

/// What makes an arrow.
struct Made {
    formulas: BTreeSet<String>,
    through: String,
}

/// A circle of arrows.
pub(super) struct Circle {
    /// The formulas that it takes.
    pub(super) formulas: Vec<String>,
    /// What it is, in words.
    pub(super) words: String,
}

impl Graph {
    pub(super) fn add(&mut self, from: &str, to: &str, formula: &str, through: &str) {
        let of_sort = self.arrows.entry(from.to_owned()).or_default();
        let made = of_sort.entry(to.to_owned()).or_insert_with(|| Made {
            formulas: BTreeSet::new(),
            through: through.to_owned(),
        });
        made.formulas.insert(formula.to_owned());
    }

    /// All arrows, in words.
    pub(super) fn arrows(&self) -> Vec<String> {
        let each = self.arrows.iter();
        let arrows =
            each.flat_map(|(from, all)| all.keys().map(move |to| format!("{from} -> {to}")));
        arrows.collect()
    }

    /// A shortest circle through each sort that is on one, each circle once.
    pub(super) fn circles(&self) -> Vec<Circle> {
        let (mut known, mut circles) = (BTreeSet::new(), Vec::new());
        for sort in self.arrows.keys() {
            let Some(way) = self.way_back(sort) else {
                continue;
            };
            if known.insert(way.iter().cloned().collect::<BTreeSet<_>>()) {
                circles.push(self.circle(&way));
            }
        }
        circles
    }

    /// The sorts on a shortest way from a sort to itself, which stands first.
    fn way_back(&self, sort: &str) -> Option<Vec<String>> {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = VecDeque::from([sort]);
        while let Some(at) = open.pop_front() {
            for to in self.arrows.get(at).into_iter().flat_map(BTreeMap::keys) {
                if to == sort {
                    let mut way = vec![at.to_owned()];
                    let mut here = at;
                    while here != sort {
                        here = before[here];
                        way.push(here.to_owned());
                    }
                    way.reverse();
                    return Some(way);
                }
                if !before.contains_key(&**to) {
                    before.insert(to, at);
                    open.push_back(to);
                }
            }
        }
        None
    }

    fn circle(&self, way: &[String]) -> Circle {
        let next = way.iter().cycle().skip(1);
        let arrows: Vec<(&String, &Made)> = way
            .iter()
            .zip(next)
            .map(|(from, to)| (to, &self.arrows[from][to]))
            .collect();
        let mut words = way[0].clone();
        for (to, made) in &arrows {
            words.push_str(&format!(" -> {to} by {}", made.through));
        }
        let formulas: BTreeSet<&String> = arrows
            .iter()
            .filter_map(|(_, m)| m.formulas.first())
            .collect();
        Circle {
            formulas: formulas.into_iter().cloned().collect(),
            words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_told_once() {
        let mut graph = Graph::default();
        graph.add("A", "B", "one", "f");
        graph.add("B", "C", "two", "g");
        assert!(graph.circles().is_empty());
        graph.add("C", "A", "three", "h");
        let circles = graph.circles();
        assert_eq!(circles.len(), 1);
        assert_eq!(circles[0].words, "A -> B by f -> C by g -> A by h");
        assert_eq!(circles[0].formulas, ["one", "three", "two"]);
        graph.add("B", "B", "four", "next");
        assert_eq!(graph.circles().len(), 2);
    }
}
