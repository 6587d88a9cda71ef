//! Statistical justification: how likely it is that a clause holds on all samples by chance.
//!
//! As in Daikon, a clause is reported only if accident is an unlikely explanation of it. The samples of a run resemble
//! each other, so they are not counted one by one: evidence is counted in *situations*, the distinct valuations of the
//! variables that the clause speaks of. Nor are the rows of one situation (the values of quantified variables) counted
//! one by one. Situations are counted on a cross section of the samples, which can only make the count smaller.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::atom::{Atom, Relation};
use crate::bits::Bits;
use crate::clause::{Clause, Literal, Space};
use crate::evaluate::{Block, cross_section};
use crate::samples::{Samples, Table};
use crate::search::{Finding, Truths};
use crate::term::TermId;

/// An implication whose premise holds in fewer situations is never justified: a start state alone, where everything is
/// empty, would make many.
const MIN_SITUATIONS: u64 = 3;

/// How well a clause is supported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    /// Situations in which it says something: its premise holds, its sets are not empty.
    pub(crate) support: u64,
    /// Probability that it holds in so many by chance.
    pub(crate) chance: f64,
}

/// Adds to each clause how well it is supported.
pub(crate) fn justify(samples: &Samples, space: &Space, clauses: Vec<Clause>) -> Vec<Finding> {
    let table = samples.states();
    let (block, rows) = cross_section(samples, table, &space.frame, &space.terms);
    let literals: BTreeSet<Literal> = clauses.iter().flat_map(|c| c.literals.clone()).collect();
    let literals: Vec<Literal> = literals.into_iter().collect();
    let truths = Truths::of(space, &block, &literals);
    let position = |l: &Literal| literals.binary_search(l).unwrap_or_default();
    let mut situations: BTreeMap<BTreeSet<usize>, Bits> = BTreeMap::new();
    let judge = |clause: Clause| {
        let distinct = situations
            .entry(clause.columns(space))
            .or_insert_with_key(|columns| first_of_each(table, &rows, columns, &block));
        let mut telling = distinct.clone();
        for literal in &clause.literals {
            let defined = &truths.rows[position(literal)].0;
            telling.and(&telling_rows(&block, &space.atoms[literal.atom], defined));
        }
        let violating = |l: &Literal| truths.rows[position(l)].1.intersection(&telling);
        let evidence = match &clause.literals[..] {
            [one] => {
                let relation = &space.atoms[one.atom].relation;
                unit(relation, telling.count_folded(block.segment))
            }
            several => {
                let view = |l| View::of(&block, &telling, &violating(l));
                let views: Vec<View> = several.iter().map(view).collect();
                pair(views[0], views[1])
            }
        };
        Finding { clause, evidence }
    };
    clauses.into_iter().map(judge).collect()
}

/// The samples of a block that are the first with their values in some columns, for every assignment.
fn first_of_each(table: &Table, rows: &[usize], columns: &BTreeSet<usize>, block: &Block) -> Bits {
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    let mut is_first = |at: usize| {
        let values = columns.iter().map(|c| table.column(*c)[rows[at]]);
        seen.insert(values.collect())
    };
    let one = Bits::collect(rows.len(), &mut is_first);
    one.spread(block.live())
}

/// The rows on which an atom says something that is not trivially so: sets are not empty, bounds are reached.
fn telling_rows(block: &Block, atom: &Atom, defined: &Bits) -> Bits {
    let mut rows = defined.clone();
    let sets: &[TermId] = match atom.relation {
        Relation::Subset | Relation::WithinUnion | Relation::IsUnion | Relation::Equal => {
            &atom.args[..1]
        }
        Relation::Disjoint | Relation::MeetWithin => &atom.args[..2],
        _ => &[],
    };
    for set in sets.iter().filter(|set| block.is_collection(**set)) {
        rows = rows.and_not(&block.holds(&Atom::new(Relation::IsEmpty, [*set])));
    }
    if atom.relation == Relation::AtMostSum {
        rows.and(&block.holds(&Atom::new(Relation::IsSum, atom.args.clone())));
    }
    if let Relation::AtMostNumber(n) | Relation::AtLeastNumber(n) = atom.relation {
        rows.and(&block.holds(&Atom::new(Relation::Is(n), atom.args.clone())));
    }
    rows
}

/// What the situations say of one literal of a pair.
#[derive(Clone, Copy, Debug)]
struct View {
    /// How often it is true.
    rate: f64,
    /// Situations in which it is false.
    violating: u64,
}

impl View {
    fn of(block: &Block, telling: &Bits, violating: &Bits) -> Self {
        let (all, bad) = (telling.count().max(1) as f64, violating.count() as f64);
        Self {
            rate: 1.0 - bad / all,
            violating: violating.count_folded(block.segment),
        }
    }
}

/// The chance that a relation that is as likely true as false holds in all situations in which it says something. A
/// line uses two of them up.
pub(crate) fn unit(relation: &Relation, telling: u64) -> Evidence {
    let used = match relation {
        Relation::Linear { .. } | Relation::OneOf(_) => 2,
        _ => 0,
    };
    Evidence {
        support: telling,
        chance: power(0.5, telling.saturating_sub(used)),
    }
}

/// The chance that two literals are never false together. If the rows on which one is false were drawn at random,
/// each would find the other true at the rate at which that is true anyway. Both ways are bounds, so the lesser is one.
fn pair(p: View, q: View) -> Evidence {
    let one_way = power(q.rate, p.violating);
    let other_way = power(p.rate, q.violating);
    let support = p.violating.min(q.violating);
    let chance = if support < MIN_SITUATIONS {
        1.0
    } else {
        one_way.min(other_way)
    };
    Evidence { support, chance }
}

fn power(base: f64, exponent: u64) -> f64 {
    base.powi(i32::try_from(exponent).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_situations_justify_nothing() {
        assert!(unit(&Relation::Subset, 3).chance > 0.1);
        assert!(unit(&Relation::Subset, 10).chance < 0.001);
    }

    #[test]
    fn a_rare_premise_says_little_of_a_common_conclusion() {
        let view = |rate, violating| View { rate, violating };
        let (rare, common) = (view(0.996, 4), view(0.9, 100));
        assert!(pair(rare, common).chance > 0.5);
        assert!(pair(view(0.5, 500), common).chance < 1e-9);
    }
}
