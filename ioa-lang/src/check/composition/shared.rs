//! What is evident about a condition without a solver.

use crate::core::{Expr, ExprKind, Op};

/// The conjuncts of a condition that say something: not those that a term equals itself.
pub(super) fn simplified(condition: Expr) -> Expr {
    let span = condition.span;
    let parts = condition.into_conjuncts().into_iter();
    Expr::conjunction(parts.filter(|part| evidently(part) != Some(true)), span)
}

/// Whether a formula that reads no state is true, if its literals show it.
pub(super) fn evidently(formula: &Expr) -> Option<bool> {
    match &formula.kind {
        ExprKind::Bool(value) => Some(*value),
        ExprKind::Quantified(_, _, body) => evidently(body),
        ExprKind::Apply(Op::Not, args) => evidently(&args[0]).map(|value| !value),
        ExprKind::Apply(Op::And, args) => all(args.iter().map(evidently)),
        ExprKind::Apply(Op::Or, args) => {
            all(args.iter().map(|arg| evidently(arg).map(|value| !value))).map(|value| !value)
        }
        ExprKind::Apply(Op::Eq, args) if args[0] == args[1] => Some(true),
        ExprKind::Apply(op, args) => compare(*op, args.first()?, args.get(1)?),
        _ => None,
    }
}

/// Whether all are true: false as soon as one is known to be false.
fn all(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for value in values {
        match value {
            Some(false) => return Some(false),
            None => known = None,
            Some(true) => {}
        }
    }
    known
}

fn compare(op: Op, a: &Expr, b: &Expr) -> Option<bool> {
    match (&a.kind, &b.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => match op {
            Op::Lt => Some(a < b),
            Op::Le => Some(a <= b),
            Op::Eq => Some(a == b),
            _ => None,
        },
        (ExprKind::Enumerator(a), ExprKind::Enumerator(b)) if op == Op::Eq => Some(a == b),
        (ExprKind::Text(a), ExprKind::Text(b)) if op == Op::Eq => Some(a == b),
        _ => None,
    }
}

/// Whether each conjunct of `condition` is among those of `known`.
pub(super) fn follows(condition: &Expr, known: &[Expr]) -> bool {
    let known: Vec<&Expr> = known.iter().flat_map(Expr::conjuncts).collect();
    condition
        .conjuncts()
        .into_iter()
        .all(|part| part.is_true() || known.contains(&part))
}

/// Whether two conditions are each other's negation, so that one of them always holds.
pub(super) fn complement(a: &Expr, b: &Expr) -> bool {
    let negates = |a: &Expr, b: &Expr| match &a.kind {
        ExprKind::Apply(Op::Not, args) => args[0] == *b,
        _ => false,
    };
    let is_rest = match (&a.kind, &b.kind) {
        (ExprKind::Apply(one, x), ExprKind::Apply(other, y)) if one.opposite() == Some(*other) => {
            x[0] == y[1] && x[1] == y[0]
        }
        _ => false,
    };
    is_rest || negates(a, b) || negates(b, a)
}

/// Whether two conditions fix one thing to different literals, so that they never hold together.
pub(super) fn exclude(a: &Expr, b: &Expr) -> bool {
    let fixed = |condition: &Expr| -> Vec<(Expr, Expr)> {
        let parts = condition.conjuncts().into_iter();
        parts
            .filter_map(|part| match &part.kind {
                ExprKind::Apply(Op::Eq, args) => Some((args[0].clone(), args[1].clone())),
                _ => None,
            })
            .collect()
    };
    let others = fixed(b);
    fixed(a).iter().any(|(left, value)| {
        others
            .iter()
            .any(|(other, second)| *left == *other && compare(Op::Eq, value, second) == Some(false))
    })
}
