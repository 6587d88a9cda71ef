//! Statistical justification: how likely it is that a relation holds on all samples by chance.
//!
//! As in Daikon, a relation is reported only if accident is an unlikely explanation of it, and evidence is counted by samples: a
//! state that was seen several times counts once, and so do the rows of one sample (the values of quantified variables). So facts
//! about small domains are reported, of which there are few distinct values. A relation whose constants are fitted is different: a
//! line goes through any two points, however often these are seen. Its evidence is counted in *situations*, the distinct
//! valuations of the variables that it speaks of. Both are counted on a cross section of the samples, which can only make the
//! count smaller.

use std::collections::{BTreeMap, BTreeSet};

use crate::bits::Bits;
use crate::relations::atom::{Atom, Relation};
use crate::relations::evaluate::{Block, cross_section};
use crate::relations::space::{Literal, Space};
use crate::relations::term::TermId;
use crate::relations::valuations::Valuations;
use crate::samples::Samples;

/// How well a relation is supported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Evidence {
    /// Situations in which it says something: its premise holds, its sets are not empty.
    pub(crate) support: u64,
    /// Probability that it holds in so many by chance.
    pub(crate) chance: f64,
}

/// A literal that holds on all samples.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) literal: Literal,
    pub(crate) evidence: Evidence,
}

/// Adds to each literal how well it is supported.
pub(crate) fn justify(samples: &Samples, space: &Space, literals: Vec<Literal>) -> Vec<Finding> {
    let table = samples.states();
    let about = (&space.frame, &*space.terms);
    let (block, rows) = cross_section((samples, table), about, space.case.as_ref());
    let mut valuations = Valuations::new(table, &rows);
    let mut situations: BTreeMap<BTreeSet<usize>, Bits> = BTreeMap::new();
    let judge = |literal: Literal| {
        let atom = &space.atoms[literal.atom];
        let mut telling = telling_rows(&block, atom, &block.defined(atom));
        if !is_fitted(&atom.relation) {
            let evidence = unit(&atom.relation, telling.folded(block.segment).count());
            return Finding { literal, evidence };
        }
        let distinct = situations
            .entry(space.columns(literal))
            .or_insert_with_key(|columns| {
                let is_live = block.live().folded(block.segment);
                let first = valuations.first_of_each(columns, &is_live);
                first.spread(block.live())
            });
        telling.and(distinct);
        let evidence = unit(&atom.relation, telling.folded(block.segment).count());
        Finding { literal, evidence }
    };
    literals.into_iter().map(judge).collect()
}

/// Whether the constants of a relation are chosen so that it holds.
fn is_fitted(relation: &Relation) -> bool {
    matches!(
        relation,
        Relation::Linear { .. }
            | Relation::Plane { .. }
            | Relation::Balance { .. }
            | Relation::IsSum
            | Relation::AtMostSum
            | Relation::Remainder { .. }
    )
}

/// The rows on which an atom says something that is not trivially so: sets are not empty, bounds are reached.
fn telling_rows(block: &Block, atom: &Atom, defined: &Bits) -> Bits {
    let mut rows = defined.clone();
    let sets: &[TermId] = match atom.relation {
        Relation::Subset | Relation::WithinUnion | Relation::IsUnion | Relation::Equal => {
            &atom.args[..1]
        }
        Relation::Disjoint | Relation::MeetWithin => &atom.args[..2],
        // Where a part is empty, the same is said of the others.
        Relation::Joined => &atom.args[1..],
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

/// The chance that a relation that is as likely true as false holds in all situations in which it says something. A
/// line uses two of them up, and a plane three.
pub(crate) fn unit(relation: &Relation, telling: u64) -> Evidence {
    let used = match relation {
        Relation::Linear { .. } | Relation::OneOf(_) | Relation::Remainder { .. } => 2,
        Relation::Plane { .. } | Relation::IsSum => 3,
        Relation::Balance { factors, .. } => factors.len() as u64,
        _ => 0,
    };
    Evidence {
        support: telling,
        chance: power(0.5, telling.saturating_sub(used)),
    }
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
}
