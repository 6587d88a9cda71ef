//! Which of two formulas to prefer: what is kept when one says the other, and what is shown first.
//!
//! Useful are formulas that relate several variables of the state, for all elements of a sort, under a premise that
//! holds often but not always. Less useful are those about constants, sizes and bounds, which often come from the
//! sizes of the instance or the length of the runs, and those with many parts.

use std::cmp::Reverse;

use crate::atom::Relation;
use crate::fold::Entry;
use crate::samples::Schema;
use crate::term::Kind;

/// What a formula costs to read; the text makes the order total. The cheaper of two equals is kept, and formulas are
/// tried as consequences of cheaper ones.
pub(crate) fn cost(schema: &Schema, entry: &Entry) -> (usize, String) {
    let space = &entry.found.space;
    let clause = &entry.finding.clause;
    let formula = space.formula(schema, clause);
    let relations: usize = clause
        .literals
        .iter()
        .map(|l| weight(&space.atoms[l.atom].relation))
        .sum();
    let parts = 6 * (clause.literals.len() - 1) + 4 * space.frame.binders.len();
    (parts + relations + formula.len() / 8, formula)
}

/// The order in which formulas are shown: a key whose least value comes first.
pub(crate) fn order(schema: &Schema, entry: &Entry) -> (Reverse<i64>, String) {
    let (cost, formula) = cost(schema, entry);
    let space = &entry.found.space;
    let clause = &entry.finding.clause;
    let related = clause.columns(space).len().min(3) as i64;
    let quantified = i64::from(!space.frame.binders.is_empty());
    let guarded = i64::from(!clause.guards(space).is_empty());
    let counts = clause.literals.iter().any(|l| {
        let args = &space.atoms[l.atom].args;
        args.iter()
            .any(|a| matches!(space.terms.get(*a).kind, Kind::Size(_) | Kind::Len(_)))
    });
    let score = 10 * related + 4 * quantified + 4 * guarded - cost as i64 - 15 * i64::from(counts);
    (Reverse(score), formula)
}

fn weight(relation: &Relation) -> usize {
    match relation {
        Relation::Equal
        | Relation::IsNil
        | Relation::IsEmpty
        | Relation::Is(_)
        | Relation::Truth
        | Relation::Subset
        | Relation::Disjoint
        | Relation::Member
        | Relation::Embeds => 0,
        Relation::Linear { .. } | Relation::Less | Relation::IsUnion => 1,
        Relation::AtMost | Relation::IsSum => 2,
        _ => 4,
    }
}
