//! Which comprehensions denote finite sets. Sets are finite, so one over an infinite type is a set only if its
//! predicate bounds its elements; whether it does is read off its form.

use ioa_lang::core::{Constraint, Expr, ExprKind, LocalId, Model, Op, Type};

use crate::logic::{Encoded, unsupported};

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
pub(in crate::logic) fn finite_comprehension(
    model: &Model,
    binder: LocalId,
    ty: &Type,
    predicate: &Expr,
) -> Encoded<()> {
    if !model.is_infinite(ty) {
        return Ok(());
    }
    let bounds = bounds(predicate, (binder, ty));
    if bounds.above && (bounds.below || *ty == Type::Nat) {
        return Ok(());
    }
    unsupported("a set over an infinite type whose elements are not bounded on both sides")
}

fn bounds(predicate: &Expr, (binder, ty): (LocalId, &Type)) -> Bounds {
    match &predicate.kind {
        ExprKind::Bool(false) => return Bounds::BOTH,
        ExprKind::Apply(Op::And, parts) => {
            return join(parts, (binder, ty), Bounds::NONE, |a, b| a || b);
        }
        ExprKind::Apply(Op::Or, parts) => {
            return join(parts, (binder, ty), Bounds::BOTH, |a, b| a && b);
        }
        _ => {}
    }
    match predicate.constraint(binder) {
        Some(Constraint::Equal(_) | Constraint::Element(_)) => Bounds::BOTH,
        // Between two reals there are infinitely many, and so there are below a string.
        Some(Constraint::Below(_)) if ty.is_integer() => Bounds::on(false, true),
        Some(Constraint::Above(_)) if ty.is_integer() => Bounds::on(true, false),
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
