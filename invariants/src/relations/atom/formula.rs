//! Atoms as formulas of the core.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Op, Type};
use num_bigint::BigInt;

use super::relation::{Atom, Relation};
use crate::build::{apply, empty, enumerator, equal, formula, member, nil, not, order};
use crate::relations::term::Terms;
use crate::samples::Schema;

/// The atom, or its negation.
pub(crate) fn literal(schema: &Schema, terms: &Terms, atom: &Atom, positive: bool) -> Expr {
    let args = atom.args.iter().map(|id| &terms.get(*id).expr);
    let args: Vec<&Expr> = args.collect();
    match (&atom.relation, positive, &args[..]) {
        (relation, true, args) => holds(schema, relation, args),
        // `b <= a` is read more easily than `~(a < b)`; where a theory orders a sort, it has no other form.
        (Relation::Less, false, [a, b]) if !matches!(a.ty, Type::Sort(_)) => relate(Op::Le, b, a),
        (relation, false, args) => not(holds(schema, relation, args)),
    }
}

fn holds(schema: &Schema, relation: &Relation, args: &[&Expr]) -> Expr {
    let a = args[0];
    match (relation, &args[1..]) {
        (Relation::Truth, []) => a.clone(),
        (Relation::IsNil, []) => equal(a.clone(), nil(&a.ty)),
        (Relation::IsEmpty, []) => equal(a.clone(), empty(&a.ty)),
        (Relation::Is(n), []) => is(a, *n),
        (Relation::AtMostNumber(n), []) => relate(Op::Le, a, &number(*n, &a.ty)),
        (Relation::AtLeastNumber(n), []) => relate(Op::Le, &number(*n, &a.ty), a),
        (Relation::OneOf(numbers), []) => {
            let each = numbers.iter().map(|n| is(a, *n));
            Expr::disjunction(each.collect(), Span::default())
        }
        (Relation::Equal, [b]) => relate(Op::Eq, a, b),
        (Relation::Embeds, [b]) => relate(Op::Eq, a, &joined(Op::Embed, &[b], &a.ty)),
        (Relation::Less, [b]) => less(schema, a, b),
        (Relation::AtMost, [b]) => relate(Op::Le, a, b),
        (Relation::Member, [b]) => member(a.clone(), (*b).clone()),
        (Relation::Subset, [b]) => relate(Op::Subset, a, b),
        (Relation::Disjoint, [b]) => {
            let common = joined(Op::Intersection, &[a, b], &a.ty);
            equal(common, empty(&a.ty))
        }
        (Relation::Linear { factor, offset }, [b]) => linear(a, b, *factor, *offset),
        (Relation::WithinUnion, [b, c]) => {
            relate(Op::Subset, a, &joined(Op::Union, &[b, c], &a.ty))
        }
        (Relation::IsUnion, [b, c]) => relate(Op::Eq, a, &joined(Op::Union, &[b, c], &a.ty)),
        (Relation::MeetWithin, [b, c]) => {
            relate(Op::Subset, &joined(Op::Intersection, &[a, b], &a.ty), c)
        }
        (Relation::IsSum, [b, c]) => relate(Op::Eq, a, &joined(Op::Add, &[b, c], &kind_of(args))),
        (Relation::AtMostSum, [b, c]) => {
            relate(Op::Le, a, &joined(Op::Add, &[b, c], &kind_of(args)))
        }
        (Relation::Inserted, [b, c]) => relate(Op::Eq, a, &joined(Op::Insert, &[b, c], &a.ty)),
        (Relation::Deleted, [b, c]) => relate(Op::Eq, a, &joined(Op::Delete, &[b, c], &a.ty)),
        (Relation::SameElsewhere, [b, c]) => {
            let element = a.ty.element().expect("an array has elements");
            let element = joined(Op::Select, &[a, c], element);
            relate(Op::Eq, a, &joined(Op::Assign, &[b, c, &element], &a.ty))
        }
        (relation, _) => unreachable!("{relation:?} has {} arguments", args.len()),
    }
}

fn relate(op: Op, a: &Expr, b: &Expr) -> Expr {
    joined(op, &[a, b], &Type::Bool)
}

fn joined(op: Op, args: &[&Expr], ty: &Type) -> Expr {
    apply(op, args.iter().map(|arg| (*arg).clone()).collect(), ty)
}

/// `a < b`; by the theory that orders them where they are of a sort.
pub(crate) fn less(schema: &Schema, a: &Expr, b: &Expr) -> Expr {
    match order(schema.model(), &a.ty) {
        Some(order) => formula(ExprKind::Theory(order, vec![a.clone(), b.clone()])),
        None => relate(Op::Lt, a, b),
    }
}

/// `a = factor * b + offset` without a difference of natural numbers, which would be partial.
fn linear(a: &Expr, b: &Expr, factor: i64, offset: i64) -> Expr {
    let ty = kind_of(&[a, b]);
    let positive = |n: i64| number(n.unsigned_abs(), &ty);
    let plus = |term: Expr, more: Expr| apply(Op::Add, vec![term, more], &ty);
    let offset_by = |term: Expr| match offset {
        0 => term,
        n => plus(term, positive(n)),
    };
    let scaled = match factor.unsigned_abs() {
        1 => b.clone(),
        _ => joined(Op::Mul, &[&positive(factor), b], &ty),
    };
    match (factor > 0, offset >= 0) {
        (true, true) => equal(a.clone(), offset_by(scaled)),
        (true, false) => equal(offset_by(a.clone()), scaled),
        (false, true) => equal(plus(a.clone(), scaled), positive(offset)),
        (false, false) => equal(offset_by(plus(a.clone(), scaled)), positive(0)),
    }
}

/// The kind of numbers that some numbers are computed with.
fn kind_of(numbers: &[&Expr]) -> Type {
    match numbers.iter().all(|number| number.ty == Type::Nat) {
        true => Type::Nat,
        false => Type::Int,
    }
}

/// That a term is a number or the value of an enumeration with this position.
fn is(term: &Expr, n: i64) -> Expr {
    let value = match term.ty {
        Type::Enum(id) => enumerator(id, n as u32),
        _ => number(n, &term.ty),
    };
    equal(term.clone(), value)
}

fn number(n: impl Into<BigInt>, ty: &Type) -> Expr {
    Expr::new(ExprKind::Int(n.into()), ty.clone(), Span::default())
}
