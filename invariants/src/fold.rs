//! From what holds to what is worth showing: justified, merged, without what the rest implies.

use std::collections::BTreeMap;

use crate::canonical::{Form, Prover, Statement};
use crate::rank;
use crate::samples::Schema;
use crate::search::{Finding, Found};

/// A finding with the space that its literals refer to.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) found: &'a Found,
    pub(crate) finding: &'a Finding,
}

/// Why a finding is not shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is true whatever the state.
    Trivial,
    /// It says the same as another, by its position among the entries.
    SameAs(usize),
    /// Those that are kept imply it.
    Implied,
    Kept,
}

impl<'a> Entry<'a> {
    fn statement(self) -> Statement<'a> {
        Statement {
            space: &self.found.space,
            clause: &self.finding.clause,
        }
    }
}

/// The fate of each entry. The entries are all of the same samples, and stand space by space.
pub(crate) fn fold(schema: &Schema, entries: &[Entry]) -> Vec<Fate> {
    let prover = Prover::new(schema);
    let mut fates = vec![Fate::Kept; entries.len()];
    let mut start = 0;
    for group in entries.chunk_by(|a, b| std::ptr::eq(a.found, b.found)) {
        merge(schema, &prover, start, group, &mut fates);
        start += group.len();
    }
    let mut order: Vec<usize> = (0..entries.len())
        .filter(|at| fates[*at] == Fate::Kept)
        .collect();
    order.sort_by_cached_key(|at| rank::cost(schema, &entries[*at]));
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        if follows(&prover, entries, &kept, at) {
            fates[at] = Fate::Implied;
        } else {
            kept.push(at);
        }
    }
    // A stronger clause may have come after a weaker one. Here one clause must imply another by itself: a simple
    // clause is not given up because several intricate ones together say the same.
    for at in kept.clone().into_iter().rev() {
        let alone = |k: &usize| *k != at && follows(&prover, entries, &[*k], at);
        if kept.iter().any(alone) {
            fates[at] = Fate::Implied;
            kept.retain(|k| *k != at);
        }
    }
    fates
}

/// Merges the entries of one space that the identities make equal.
fn merge(schema: &Schema, prover: &Prover, start: usize, group: &[Entry], fates: &mut [Fate]) {
    let statements: Vec<Statement> = group.iter().map(|e| e.statement()).collect();
    let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, form) in prover.forms(&statements).into_iter().enumerate() {
        match form {
            Form::Trivial => fates[start + at] = Fate::Trivial,
            Form::Class(class) => classes.entry(class).or_default().push(at),
        }
    }
    for members in classes.values() {
        let best = members
            .iter()
            .min_by_key(|at| rank::cost(schema, &group[**at]));
        for at in members.iter().filter(|at| Some(*at) != best) {
            fates[start + at] = Fate::SameAs(start + best.copied().unwrap_or(*at));
        }
    }
}

fn follows(prover: &Prover, entries: &[Entry], facts: &[usize], goal: usize) -> bool {
    let goal = entries[goal].statement();
    let facts: Vec<Statement> = facts.iter().map(|at| entries[*at].statement()).collect();
    prover.follows(&facts, goal)
}
