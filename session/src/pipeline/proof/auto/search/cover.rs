//! Choosing clauses by what they exclude: a small set that together excludes all that any of them does.

use std::collections::{BTreeMap, BTreeSet};

use invariants::learn::{Clause, Exclusion};
use ioa_lang::core::AutomatonId;

use super::archive::Cti;

/// A clause with the counterexamples that it excludes.
#[derive(Debug)]
pub(in super::super) struct Choice {
    pub(in super::super) automaton: AutomatonId,
    pub(in super::super) clause: Clause,
    pub(in super::super) cost: u32,
    /// Numbers of counterexamples.
    pub(in super::super) excludes: BTreeSet<usize>,
}

impl Choice {
    /// What a clause of an automaton excludes of the open counterexamples, some of which lie in these blocks.
    pub(in super::super) fn new(
        automaton: AutomatonId,
        found: Exclusion,
        blocks: &[usize],
        open: &BTreeMap<usize, &Cti>,
    ) -> Self {
        let is_excluded = |cti: &Cti| {
            let own = cti.spots.iter().filter(|spot| spot.automaton == automaton);
            own.into_iter().any(|spot| {
                let block = blocks.iter().position(|block| *block == spot.block);
                let words = block.map(|at| &found.excludes[at]);
                words.is_some_and(|w| w[spot.position / 64] >> (spot.position % 64) & 1 == 1)
            })
        };
        let excluded = open.iter().filter(|(_, cti)| is_excluded(cti));
        Self {
            automaton,
            excludes: excluded.map(|(at, _)| *at).collect(),
            clause: found.clause,
            cost: found.cost,
        }
    }
}

/// Takes the clause that excludes most of what is open, of equal ones the simplest, until nothing more is excluded; returns
/// what was taken, and what stays open.
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

/// Takes what excludes most of what is open, of equal ones the first, until nothing more is excluded; returns what was taken,
/// and what stays open.
pub(in super::super) fn greedy<C>(
    mut choices: Vec<C>,
    mut open: BTreeSet<usize>,
    excludes: impl Fn(&C) -> &BTreeSet<usize>,
) -> (Vec<C>, BTreeSet<usize>) {
    let mut taken = Vec::new();
    loop {
        let count = |choice: &C| excludes(choice).intersection(&open).count();
        // The first of those that exclude most.
        let best = (0..choices.len())
            .rev()
            .max_by_key(|at| count(&choices[*at]));
        let Some(best) = best.filter(|at| count(&choices[*at]) > 0) else {
            return (taken, open);
        };
        let choice = choices.remove(best);
        open.retain(|cti| !excludes(&choice).contains(cti));
        taken.push(choice);
    }
}
