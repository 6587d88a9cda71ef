//! Where a term that was read differs from the one that was written.

use super::literal::{insertion, literal, parts};
use crate::core::{Expr, ExprKind, Op, Type};

/// Finds the outermost terms that were read differently.
pub(super) fn compare<'e>(read: &Expr, meant: &'e Expr, missed: &mut Vec<&'e Expr>) {
    match (&read.kind, &meant.kind) {
        (ExprKind::Apply(Op::ToReal, read), ExprKind::Apply(Op::ToReal, meant)) => {
            return compare(&read[0], &meant[0], missed);
        }
        // Its parts were made real numbers, and not their result.
        (_, ExprKind::Apply(Op::ToReal, meant)) if read.ty == Type::Real => {
            return missed.push(&meant[0]);
        }
        // `-5` is a number.
        (ExprKind::Int(_) | ExprKind::Real(_), ExprKind::Apply(Op::Neg, meant)) => {
            return missed.push(&meant[0]);
        }
        _ if read.ty != meant.ty || !same_form(read, meant) => return missed.push(meant),
        _ => {}
    }
    if !same_literal(read, meant) {
        return missed.push(meant);
    }
    for (read, meant) in parts(read).into_iter().zip(parts(meant)) {
        compare(read, meant, missed);
        if missed.last().is_some_and(|last| last.id() == meant.id()) {
            // Once it has its type, the others may be clear.
            break;
        }
    }
}

/// Whether two terms are the same but for their parts. What has no parts is read as it stands.
fn same_form(read: &Expr, meant: &Expr) -> bool {
    match (&read.kind, &meant.kind) {
        (ExprKind::Apply(one, a), ExprKind::Apply(other, b)) => one == other && a.len() == b.len(),
        (ExprKind::Theory(one, _), ExprKind::Theory(other, _)) => one == other,
        (ExprKind::Int(one), ExprKind::Int(other)) => one == other,
        (ExprKind::Real(_), ExprKind::Real(_))
        | (ExprKind::If(..), ExprKind::If(..))
        | (ExprKind::Random(..), ExprKind::Random(..)) => true,
        (ExprKind::Local(_), kind) => !matches!(
            kind,
            ExprKind::Apply(..)
                | ExprKind::If(..)
                | ExprKind::Int(_)
                | ExprKind::Real(_)
                | ExprKind::Random(..)
        ),
        _ => false,
    }
}

/// Whether two terms, if they are written with braces, have the same type at each of their insertions.
fn same_literal(read: &Expr, meant: &Expr) -> bool {
    let (mut read, mut meant) = (read, meant);
    while let (Some((_, a)), Some((_, b))) = (insertion(read), insertion(meant)) {
        (read, meant) = (a, b);
        if literal(meant).is_some() && (read.ty != meant.ty || !same_form(read, meant)) {
            return false;
        }
    }
    true
}
