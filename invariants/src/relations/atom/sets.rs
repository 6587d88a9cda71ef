//! Atoms over sets and sequences: emptiness, membership, inclusion, disjointness, and three sets at once.

use std::collections::BTreeMap;

use ioa_lang::core::Type;

use super::relation::{Atom, Relation};
use crate::relations::term::{Kind, TermId, Terms};
use crate::samples::Schema;

/// With more sets of one type than this in a frame, three are not related at once.
const MAX_FOR_TERNARY: usize = 10;

pub(super) fn propose(_: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
    let mut by_type: BTreeMap<&Type, Vec<TermId>> = BTreeMap::new();
    for id in terms.ids() {
        match terms.get(id).ty() {
            ty @ Type::Set(element) => {
                membership(terms, id, element, out);
                by_type.entry(ty).or_default().push(id);
            }
            Type::Seq(element) | Type::Mset(element) => membership(terms, id, element, out),
            _ => {}
        }
    }
    for sets in by_type.values() {
        pairs(sets, out);
        if sets.len() <= MAX_FOR_TERNARY {
            triples(sets, out);
        }
    }
}

fn membership(terms: &Terms, set: TermId, element: &Type, out: &mut Vec<Atom>) {
    out.push(Atom::new(Relation::IsEmpty, [set]));
    for id in terms.ids() {
        let term = terms.get(id);
        let fits = term.ty() == element && term.is_subject();
        if fits && !matches!(term.kind, Kind::Size(_)) {
            out.push(Atom::new(Relation::Member, [id, set]));
        }
    }
}

fn pairs(sets: &[TermId], out: &mut Vec<Atom>) {
    for (at, a) in sets.iter().enumerate() {
        for b in &sets[at + 1..] {
            for relation in [Relation::Equal, Relation::Subset, Relation::Disjoint] {
                out.push(Atom::new(relation, [*a, *b]));
            }
            out.push(Atom::new(Relation::Subset, [*b, *a]));
        }
    }
}

fn triples(sets: &[TermId], out: &mut Vec<Atom>) {
    for a in sets {
        for (at, b) in sets.iter().enumerate() {
            for c in &sets[at + 1..] {
                if a != b && a != c {
                    out.push(Atom::new(Relation::WithinUnion, [*a, *b, *c]));
                    out.push(Atom::new(Relation::IsUnion, [*a, *b, *c]));
                    out.push(Atom::new(Relation::MeetWithin, [*b, *c, *a]));
                }
            }
        }
    }
}
