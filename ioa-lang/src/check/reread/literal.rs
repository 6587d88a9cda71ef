//! Collections that are written with braces.

use crate::core::{Expr, ExprKind, Op};

/// The elements of what is written with braces.
pub(super) fn literal(e: &Expr) -> Option<Vec<&Expr>> {
    let (mut elements, mut rest) = (Vec::new(), e);
    while let Some((element, others)) = insertion(rest) {
        elements.push(element);
        rest = others;
    }
    let is_empty = matches!(rest.kind, ExprKind::Apply(op, _) if op.is_like(Op::EmptySet));
    is_empty.then_some(elements)
}

/// The element and the collection of an insertion.
pub(super) fn insertion(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Apply(op, args) if op.is_like(Op::Insert) => Some((&args[0], &args[1])),
        _ => None,
    }
}

/// The terms directly below one that are written as terms of their own.
pub(super) fn parts(e: &Expr) -> Vec<&Expr> {
    match (&e.kind, literal(e)) {
        (ExprKind::Quantified(..) | ExprKind::Comprehension(..), _) => Vec::new(),
        (_, Some(elements)) => elements,
        _ => e.children().collect(),
    }
}
