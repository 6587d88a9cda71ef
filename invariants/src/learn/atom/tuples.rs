//! Tuples that a collection may hold, put together from what there is: the grant that a message speaks of, a vote of one node for
//! another one.

use ioa_lang::core::{ExprKind, Model, Op, Type};

use super::super::frame::Frame;
use super::super::term::{Term, enumerators, is_where_a_tuple_says, joined};
use crate::build::{apply, formula, mask};

/// At most so many tuples are made for one collection.
const MAX_TUPLES: usize = 300;
/// Of those that are made of any terms, so many are kept at most.
const MAX_OF_TERMS: usize = 16;
/// More are kept where no variable occurs in them, because such atoms are tested quickly.
const MAX_OF_THE_STATE: usize = 64;
/// For one place of such a tuple, so many terms are tried at most, the simplest ones.
const MAX_IN_A_PLACE: usize = 6;
/// None of these terms has more parts than this.
const MAX_PARTS: u32 = 3;

/// The tuples of variables, constants and numbers of the state that a collection of this type may hold. They count as simple.
pub(super) fn of_variables(model: &Model, ty: &Type, terms: &[Term]) -> Vec<Term> {
    let fits = |term: &&Term| match term.ty() {
        Type::Nat | Type::Int => term.guards.is_empty(),
        Type::Enum(_) | Type::Bool => false,
        _ => term.is_variable(),
    };
    let values = |ty: &Type| {
        let own = terms.iter().filter(|term| term.ty() == ty).filter(fits);
        [constants(model, ty), own.cloned().collect()].concat()
    };
    let simple = |tuple: Term| Term { cost: 1, ..tuple };
    tuples(model, ty, &values).into_iter().map(simple).collect()
}

/// The tuples of terms and constants that a collection of this type may hold, that speak of all variables of the frame: those first
/// in which these stand in most places.
pub(super) fn of_terms(model: &Model, frame: &Frame, ty: &Type, terms: &[Term]) -> Vec<Term> {
    let values = |ty: &Type| {
        let own = terms.iter().filter(|term| term.ty() == ty);
        // A tuple that has what stands where it says needs no other tuple to say so.
        let own = own
            .filter(|term| term.cost <= MAX_PARTS && !is_where_a_tuple_says(term))
            .take(MAX_IN_A_PLACE);
        [constants(model, ty), own.cloned().collect()].concat()
    };
    let whole = (1_u8 << frame.binders.len()) - 1;
    let mut made = tuples(model, ty, &values);
    made.retain(|tuple| tuple.binders == whole);
    made.sort_by_key(|tuple| (places_without(tuple, frame), tuple.cost));
    made.truncate(match whole {
        0 => MAX_OF_THE_STATE,
        _ => MAX_OF_TERMS,
    });
    made
}

/// In how many places of a tuple no variable of the frame stands.
fn places_without(tuple: &Term, frame: &Frame) -> usize {
    let ExprKind::Apply(_, parts) = &tuple.expr.kind else {
        return 0;
    };
    let count = frame.binders.len();
    parts.iter().filter(|part| mask(part, count) == 0).count()
}

/// The tuples that a collection of this type may hold, with these values in the places of each type.
fn tuples(model: &Model, ty: &Type, values: &dyn Fn(&Type) -> Vec<Term>) -> Vec<Term> {
    let (Type::Set(element) | Type::Mset(element) | Type::Seq(element) | Type::Null(element)) = ty
    else {
        return Vec::new();
    };
    let Type::Tuple(id) = **element else {
        return Vec::new();
    };
    let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
    for (_, ty) in &model.tuples[id.index()].fields {
        let values = values(ty);
        let longer = rows.iter().flat_map(|row| {
            values
                .iter()
                .map(|value| [&row[..], std::slice::from_ref(value)].concat())
        });
        rows = longer.take(MAX_TUPLES).collect();
    }
    let tuple = |row: Vec<Term>| {
        let args = row.iter().map(|term| term.expr.clone()).collect();
        let made = apply(Op::Tuple, args, element);
        joined(&row.iter().collect::<Vec<_>>(), made)
    };
    rows.into_iter().map(tuple).collect()
}

/// The values of an enumeration, and truth values.
fn constants(model: &Model, ty: &Type) -> Vec<Term> {
    match ty {
        Type::Enum(id) => enumerators(model, *id),
        Type::Bool => [false, true]
            .map(|value| Term::leaf(formula(ExprKind::Bool(value))))
            .to_vec(),
        _ => Vec::new(),
    }
}
