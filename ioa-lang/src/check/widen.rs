//! From `Nat` to `Int`: a term of natural numbers where integers are wanted.
//!
//! The arithmetic in a widened term is that of the integers, so `n - 1` is defined for `n = 0` too. A collection is
//! widened where it is built (`{1, n}`, `embed(3)`); a variable of type `Set[Nat]` is no `Set[Int]`.

use crate::core::{Expr, ExprKind, Op, Type};

/// Whether `to` is `from` with some `Nat` replaced by `Int`.
pub(super) fn widens(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Nat, Type::Int) => true,
        (Type::Set(from), Type::Set(to))
        | (Type::Seq(from), Type::Seq(to))
        | (Type::Null(from), Type::Null(to)) => widens(from, to),
        (Type::Array(i, from), Type::Array(j, to)) => i == j && widens(from, to),
        _ => false,
    }
}

/// Whether a term can be widened to a type that its own type widens to.
pub(super) fn can_widen(expr: &Expr, wanted: &Type) -> bool {
    if expr.ty == *wanted || (&expr.ty, wanted) == (&Type::Nat, &Type::Int) {
        return true;
    }
    if !widens(&expr.ty, wanted) {
        return false;
    }
    match &expr.kind {
        ExprKind::If(_, a, b) => can_widen(a, wanted) && can_widen(b, wanted),
        ExprKind::Apply(op, args) => {
            builds(*op)
                && args
                    .iter()
                    .all(|arg| can_widen(arg, part(arg, &expr.ty, wanted)))
        }
        _ => false,
    }
}

/// The widened term; call only if [`can_widen`] says so.
pub(super) fn widen(expr: Expr, wanted: &Type) -> Expr {
    if expr.ty == *wanted {
        return expr;
    }
    let kind = match expr.kind {
        ExprKind::Int(n) => ExprKind::Int(n),
        ExprKind::If(c, a, b) => {
            ExprKind::If(c, Box::new(widen(*a, wanted)), Box::new(widen(*b, wanted)))
        }
        ExprKind::Apply(Op::Pow, mut args) => {
            args[0] = widen(args[0].clone(), wanted);
            ExprKind::Apply(Op::Pow, args)
        }
        ExprKind::Apply(op, args) if builds(op) || computes(op) => {
            let widened = args.into_iter().map(|arg| {
                let wanted = part(&arg, &expr.ty, wanted).clone();
                widen(arg, &wanted)
            });
            ExprKind::Apply(op, widened.collect())
        }
        kind => return Expr { kind, ..expr },
    };
    Expr {
        kind,
        ty: wanted.clone(),
        span: expr.span,
    }
}

/// What is wanted of an argument: an element's type of an element, and of anything else what is wanted of the whole.
fn part<'t>(arg: &Expr, whole: &Type, wanted: &'t Type) -> &'t Type {
    match (whole, wanted) {
        (Type::Set(element), Type::Set(wanted))
        | (Type::Seq(element), Type::Seq(wanted))
        | (Type::Null(element), Type::Null(wanted))
        | (Type::Array(_, element), Type::Array(_, wanted))
            if arg.ty == **element =>
        {
            wanted
        }
        _ => wanted,
    }
}

/// Operators that build a collection from elements and from collections of the same type.
fn builds(op: Op) -> bool {
    matches!(
        op,
        Op::EmptySet
            | Op::Insert
            | Op::Union
            | Op::Intersection
            | Op::Difference
            | Op::EmptySeq
            | Op::Append
            | Op::Prepend
            | Op::Concat
            | Op::Nil
            | Op::Embed
            | Op::Constant
    )
}

/// Operators on numbers whose result is of their arguments' type.
fn computes(op: Op) -> bool {
    matches!(
        op,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max
    )
}
