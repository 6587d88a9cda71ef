//! Which comprehensions denote finite sets. Sets are finite, so one over an infinite type is a set only if its
//! predicate bounds its elements; whether it does is read off its form.

use ioa_lang::core::{Expr, ExprKind, LocalId, Model, Op, Type};

use super::binder::is_infinite;
use super::{Encoded, outside};

/// The sides on which a predicate bounds a number.
#[derive(Clone, Copy)]
struct Bounds {
    below: bool,
    above: bool,
}

impl Bounds {
    const NONE: Self = Self::on(false, false);
    const BOTH: Self = Self::on(true, true);

    const fn on(below: bool, above: bool) -> Self {
        Self { below, above }
    }
}

/// Refuses `{binder: ty where predicate}` unless it is seen to be finite.
pub(super) fn finite_comprehension(
    model: &Model,
    binder: LocalId,
    ty: &Type,
    predicate: &Expr,
) -> Encoded<()> {
    if !is_infinite(model, ty) {
        return Ok(());
    }
    let bounds = bounds(predicate, (binder, ty));
    if bounds.above && (bounds.below || *ty == Type::Nat) {
        return Ok(());
    }
    outside("a set over an infinite type whose elements are not bounded on both sides")
}

fn bounds(predicate: &Expr, (binder, ty): (LocalId, &Type)) -> Bounds {
    let is_it = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == binder);
    let is_free = |e: &Expr| !mentions(e, binder);
    let ExprKind::Apply(op, args) = &predicate.kind else {
        return match predicate.kind {
            ExprKind::Bool(false) => Bounds::BOTH,
            _ => Bounds::NONE,
        };
    };
    match (op, args.as_slice()) {
        (Op::And, parts) => join(parts, (binder, ty), Bounds::NONE, |a, b| a || b),
        (Op::Or, parts) => join(parts, (binder, ty), Bounds::BOTH, |a, b| a && b),
        // Between two reals there are infinitely many, and so there are below a string.
        (Op::Lt | Op::Le, [a, b]) if ty.is_integer() => {
            Bounds::on(is_it(b) && is_free(a), is_it(a) && is_free(b))
        }
        (Op::Eq, [a, b]) if is_it(a) && is_free(b) || is_it(b) && is_free(a) => Bounds::BOTH,
        (Op::Member | Op::MsetMember | Op::SeqMember, [e, s]) | (Op::Defined, [s, e])
            if is_it(e) && is_free(s) =>
        {
            Bounds::BOTH
        }
        _ => Bounds::NONE,
    }
}

fn join(
    parts: &[Expr],
    binder: (LocalId, &Type),
    none: Bounds,
    with: fn(bool, bool) -> bool,
) -> Bounds {
    let each = parts.iter().map(|part| bounds(part, binder));
    each.fold(none, |a, b| {
        Bounds::on(with(a.below, b.below), with(a.above, b.above))
    })
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(l) if l == local)
        || expr.children().any(|child| mentions(child, local))
}
