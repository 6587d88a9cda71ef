//! Choosing clauses by what they exclude: a small set that together excludes all that any of them does.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use invariants::learn::{Clause, Exclusion, Targets};
use ioa_lang::core::AutomatonId;

use super::archive::Cti;

/// A clause with the counterexamples that it excludes.
#[derive(Debug)]
pub(in super::super) struct Choice {
    pub(in super::super) automaton: AutomatonId,
    pub(in super::super) clause: Clause,
    pub(in super::super) cost: u32,
    /// The counterexamples that it excludes, by their numbers, each with a weight: the more of the states near a counterexample
    /// are excluded too, the greater its weight.
    pub(in super::super) excludes: BTreeMap<usize, u64>,
}

/// So many of the best clauses are looked at closely for each counterexample: whether other instances refute them, and whether they
/// are inductive.
pub(super) const BEST: usize = 8;

/// The weight of a counterexample if all states near it are excluded too.
const WHOLE: u64 = 1000;

impl Choice {
    /// What a clause of an automaton excludes of the open counterexamples, some of which lie in these blocks.
    pub(in super::super) fn new(
        automaton: AutomatonId,
        found: Exclusion,
        targets: &Targets,
        open: &BTreeMap<usize, &Cti>,
    ) -> Self {
        let blocks: BTreeMap<usize, &Vec<u64>> =
            targets.keys().copied().zip(&found.excludes).collect();
        let weight = |cti: &Cti| {
            let own = cti.spots.iter().filter(|spot| spot.automaton == automaton);
            let each = own.filter_map(|spot| {
                let words = blocks.get(&spot.block)?;
                let is_excluded = |at: usize| words[at / 64] >> (at % 64) & 1 == 1;
                let near = spot.near.clone().filter(|at| is_excluded(*at)).count() as u64;
                let all = spot.near.len() as u64;
                is_excluded(spot.position).then_some(WHOLE * (1 + near) / (1 + all))
            });
            each.max()
        };
        let excluded = open
            .iter()
            .filter_map(|(at, cti)| Some((*at, weight(cti)?)));
        Self {
            automaton,
            excludes: excluded.collect(),
            clause: found.clause,
            cost: found.cost,
        }
    }
}

/// The best choices for each open counterexample, so many at most, by position: those that exclude most of what is near it, of equal
/// ones the simplest.
pub(super) fn best(choices: &[Choice], open: &BTreeSet<usize>, count: usize) -> BTreeSet<usize> {
    let each = open.iter().flat_map(|cti| {
        let excluding = choices.iter().enumerate();
        let excluding = excluding
            .filter_map(|(at, choice)| Some((Reverse(choice.excludes.get(cti)?), choice.cost, at)));
        let mut excluding: Vec<(Reverse<&u64>, u32, usize)> = excluding.collect();
        excluding.sort_unstable();
        excluding.into_iter().take(count).map(|(_, _, at)| at)
    });
    each.collect()
}

/// Takes the clause that excludes most of what is open and near it, of equal ones the simplest, until nothing more is excluded;
/// returns what was taken, and what stays open.
pub(in super::super) fn cover(
    mut choices: Vec<Choice>,
    open: BTreeSet<usize>,
) -> (Vec<Choice>, BTreeSet<usize>) {
    choices.sort_by(|a, b| {
        let (one, other) = ((a.cost, a.automaton), (b.cost, b.automaton));
        one.cmp(&other).then_with(|| a.clause.cmp(&b.clause))
    });
    greedy(choices, open, |choice| &choice.excludes)
}

/// Takes, again and again, the choice whose open counterexamples have the greatest weight together (the first of equal ones), until
/// nothing more is excluded; returns what was taken, and what stays open.
pub(in super::super) fn greedy<C>(
    mut choices: Vec<C>,
    mut open: BTreeSet<usize>,
    excludes: impl Fn(&C) -> &BTreeMap<usize, u64>,
) -> (Vec<C>, BTreeSet<usize>) {
    let mut taken = Vec::new();
    loop {
        let count = |choice: &C| -> u64 {
            let own = excludes(choice).iter();
            own.filter(|(cti, _)| open.contains(cti))
                .map(|(_, weight)| *weight)
                .sum()
        };
        // The first of those that exclude most.
        let best = (0..choices.len())
            .rev()
            .max_by_key(|at| count(&choices[*at]));
        let Some(best) = best.filter(|at| count(&choices[*at]) > 0) else {
            return (taken, open);
        };
        let choice = choices.remove(best);
        open.retain(|cti| !excludes(&choice).contains_key(cti));
        taken.push(choice);
    }
}
