//! Atoms over sets and sequences: emptiness, membership, inclusion, disjointness, three sets at once, and sequences that are joined.

use std::collections::BTreeMap;

use ioa_lang::core::Type;

use super::relation::{Atom, Relation};
use crate::relations::term::{Kind, TermId, Terms};
use crate::samples::Schema;

/// With more sets of one type than this in a frame, three are not related at once.
const MAX_FOR_TERNARY: usize = 10;

/// With more sequences of one type than this in a frame, none is compared with others that are joined,
const MAX_FOR_JOINTS: usize = 8;
/// and with more than this, none with three others.
const MAX_FOR_LONG_JOINTS: usize = 5;

pub(super) fn propose(_: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
    let mut by_type: BTreeMap<&Type, Vec<TermId>> = BTreeMap::new();
    let mut sequences: BTreeMap<&Type, Vec<TermId>> = BTreeMap::new();
    for id in terms.ids() {
        match terms.get(id).ty() {
            ty @ Type::Set(element) => {
                membership(terms, id, element, out);
                by_type.entry(ty).or_default().push(id);
            }
            ty @ Type::Seq(element) => {
                membership(terms, id, element, out);
                sequences.entry(ty).or_default().push(id);
            }
            Type::Mset(element) => membership(terms, id, element, out),
            _ => {}
        }
    }
    for sequences in sequences.values() {
        joints(sequences, out);
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

/// A sequence that is two or three others, one after the other: what went in is what came out, and then what is on the way.
fn joints(sequences: &[TermId], out: &mut Vec<Atom>) {
    let most = match sequences.len() {
        count if count <= MAX_FOR_LONG_JOINTS => 3,
        count if count <= MAX_FOR_JOINTS => 2,
        _ => return,
    };
    let mut chosen: Vec<Vec<TermId>> = sequences.iter().map(|whole| vec![*whole]).collect();
    for parts in 1..=most {
        let longer = chosen.iter().flat_map(|chosen| {
            let others = sequences.iter().filter(|other| !chosen.contains(other));
            others.map(|other| [&chosen[..], &[*other]].concat())
        });
        chosen = longer.collect();
        if parts > 1 {
            let each = chosen.iter().cloned();
            out.extend(each.map(|args| Atom::new(Relation::Joined, args)));
        }
    }
}
