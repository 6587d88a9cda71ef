//! Atoms over single values: truth, nil, constants, equality, order.

use ioa_lang::core::Type;

use super::relation::{Atom, Relation, is_composite};
use crate::relations::term::{Kind, Term, TermId, Terms};
use crate::samples::Schema;

/// An enumeration with more values than this is compared with variables only.
pub(super) const MAX_ENUMERATORS: usize = 8;

pub(super) fn propose(schema: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
    let subjects = terms.select(Term::is_subject);
    for id in &subjects {
        unary(schema, terms, *id, out);
    }
    for (at, a) in subjects.iter().enumerate() {
        for b in &subjects[at + 1..] {
            binary(schema, terms, *a, *b, out);
        }
    }
}

fn unary(schema: &Schema, terms: &Terms, id: TermId, out: &mut Vec<Atom>) {
    let term = terms.get(id);
    if matches!(term.kind, Kind::Bound(_)) {
        return;
    }
    match term.ty() {
        Type::Bool => out.push(Atom::new(Relation::Truth, [id])),
        Type::Null(_) => out.push(Atom::new(Relation::IsNil, [id])),
        Type::Enum(ty) => {
            let count = schema.model().enumerations[ty.index()].values.len();
            if count <= MAX_ENUMERATORS {
                out.extend((0..count as i64).map(|at| Atom::new(Relation::Is(at), [id])));
            }
        }
        _ => {}
    }
}

fn binary(schema: &Schema, terms: &Terms, a: TermId, b: TermId, out: &mut Vec<Atom>) {
    let (x, y) = (terms.get(a), terms.get(b));
    let is_bound = |id| matches!(terms.get(id).kind, Kind::Bound(_));
    if is_bound(a) && is_bound(b) {
        return;
    }
    // That a quantified variable is inside a nullable term needs no guard this way; the other way round it does.
    for (whole, inner) in [(a, b), (b, a)] {
        let holds =
            |t: &Type| matches!(t, Type::Null(inside) if **inside == *terms.get(inner).ty());
        if holds(terms.get(whole).ty()) && !matches!(terms.get(inner).kind, Kind::Val(_)) {
            out.push(Atom::new(Relation::Embeds, [whole, inner]));
        }
    }
    if x.ty() != y.ty() || x.ty().is_integer() || matches!(x.ty(), Type::Set(_)) {
        return;
    }
    // The values inside two nullable terms are equal where the terms are, and one inside is what Embeds says.
    if is_embedded(terms, a) || is_embedded(terms, b) {
        return;
    }
    out.push(Atom::new(Relation::Equal, [a, b]));
    if schema.is_ordered(x.ty()) {
        out.push(Atom::new(Relation::Less, [a, b]));
        out.push(Atom::new(Relation::Less, [b, a]));
    }
}

fn is_embedded(terms: &Terms, id: TermId) -> bool {
    matches!(terms.get(id).kind, Kind::Val(_)) && !is_composite(terms.get(id).ty())
}
