//! Atoms as formulas of the core.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Op, Type};

use super::relation::{Atom, Relation};
use crate::build::{apply, empty, enumerator, equal, formula, member, nil, not, number, order};
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
        (Relation::AtLeastNumber(n), false, [a]) => relate(Op::Lt, a, &number(*n, &a.ty)),
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
        (Relation::Linear { factor, offset }, [b]) => {
            linear(&[(1, a), (-i128::from(*factor), b)], *offset)
        }
        (Relation::Plane { factors, offset }, [b, c]) => {
            let terms = factors.iter().zip([a, b, c]);
            let terms: Vec<(i128, &Expr)> = terms.map(|(n, term)| (i128::from(*n), term)).collect();
            linear(&terms, *offset)
        }
        (Relation::Balance { factors, offset }, _) => {
            let terms = factors.iter().zip(args);
            let terms: Vec<(i128, &Expr)> =
                terms.map(|(n, term)| (i128::from(*n), *term)).collect();
            linear(&terms, *offset)
        }
        (Relation::Remainder { modulus, remainder }, []) => {
            let rest = joined(Op::Mod, &[a, &number(*modulus, &a.ty)], &Type::Nat);
            equal(rest, number(*remainder, &Type::Nat))
        }
        (Relation::WithinUnion, [b, c]) => {
            relate(Op::Subset, a, &joined(Op::Union, &[b, c], &a.ty))
        }
        (Relation::IsUnion, [b, c]) => relate(Op::Eq, a, &joined(Op::Union, &[b, c], &a.ty)),
        (Relation::MeetWithin, [b, c]) => {
            relate(Op::Subset, &joined(Op::Intersection, &[a, b], &a.ty), c)
        }
        (Relation::Joined, [first, others @ ..]) => {
            let parts = others.iter().fold((*first).clone(), |whole, part| {
                joined(Op::Concat, &[&whole, part], &a.ty)
            });
            relate(Op::Eq, a, &parts)
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
    match order(schema.model(), schema.automaton(), &a.ty) {
        Some(order) => formula(ExprKind::Theory(order, vec![a.clone(), b.clone()])),
        None => relate(Op::Lt, a, b),
    }
}

/// That the sum of some terms, each times its factor, is the offset: without a difference of natural numbers, which would be partial.
/// What has a positive factor stands on the left, unless that makes it the longer side.
fn linear(terms: &[(i128, &Expr)], offset: i64) -> Expr {
    let all: Vec<&Expr> = terms.iter().map(|(_, term)| *term).collect();
    let ty = kind_of(&all);
    let side = |sign: i128| {
        let own = terms.iter().filter(|(factor, _)| factor.signum() == sign);
        let scaled = own.map(|(factor, term)| match factor.unsigned_abs() {
            1 => (*term).clone(),
            n => joined(Op::Mul, &[&number(n, &ty), term], &ty),
        });
        let constant =
            (i128::from(offset).signum() == -sign).then(|| number(offset.unsigned_abs(), &ty));
        let parts = scaled.chain(constant);
        let sum = parts.reduce(|sum, part| apply(Op::Add, vec![sum, part], &ty));
        sum.unwrap_or_else(|| number(0, &ty))
    };
    let positive = terms.iter().filter(|(factor, _)| *factor > 0).count();
    match 2 * positive <= terms.len() || positive == terms.len() {
        true => equal(side(1), side(-1)),
        false => equal(side(-1), side(1)),
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
