//! Widening from `Nat` to `Int` to `Real`: a term of one kind of numbers is used where a larger kind is expected.
//!
//! The arithmetic in a widened term is that of the larger kind, so `n - 1` is defined for `n = 0` where an `Int` or a `Real`
//! is expected. The core distinguishes only `Real`: literals become real ones, other terms get an `Op::ToReal`. A collection
//! is widened where it is built (`{1, n}`, `embed(3)`); a variable of type `Set[Nat]` is not a `Set[Int]`. A term that was
//! written with its type (`(n - 1):Nat`) is like a variable: what it means does not depend on where it stands.

use std::collections::BTreeSet;

use crate::core::{Expr, ExprKind, Op, Pattern, TermId, Type, Typing};
use crate::source::Span;

/// Whether `to` is `from` with some types of numbers replaced by larger ones.
pub(super) fn widens(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (from, to) if from == to => true,
        (Type::Nat, Type::Int) | (Type::Nat | Type::Int, Type::Real) => true,
        (from, to) if from.is_like(to) => {
            let pairs: Vec<_> = from.args().into_iter().zip(to.args()).collect();
            // The indices of arrays and maps are not widened.
            pairs.split_last().is_some_and(|((from, to), indices)| {
                indices.iter().all(|(i, j)| i == j) && widens(from, to)
            })
        }
        _ => false,
    }
}

/// Whether a term can be widened to a type that its own type widens to. The terms `qualified` were written with their
/// types.
pub(super) fn can_widen(expr: &Expr, wanted: &Type, qualified: &BTreeSet<TermId>) -> bool {
    if expr.ty == *wanted || is_number(&expr.ty) && widens(&expr.ty, wanted) {
        return true;
    }
    if !widens(&expr.ty, wanted) || qualified.contains(&expr.id()) {
        return false;
    }
    match &expr.kind {
        ExprKind::If(_, a, b) => can_widen(a, wanted, qualified) && can_widen(b, wanted, qualified),
        ExprKind::Entries(_, entry) => wanted
            .element()
            .is_some_and(|wanted| can_widen(entry, wanted, qualified)),
        ExprKind::Apply(op, args) => wanted_of_args(*op, args, wanted).is_some_and(|types| {
            let mut args = args.iter().zip(&types);
            args.all(|(arg, wanted)| can_widen(arg, wanted, qualified))
        }),
        _ => false,
    }
}

/// The widened term; call only if [`can_widen`] says so.
pub(super) fn widen(expr: Expr, wanted: &Type, qualified: &BTreeSet<TermId>) -> Expr {
    if expr.ty == *wanted {
        return expr;
    }
    if qualified.contains(&expr.id()) {
        return variable(expr, wanted);
    }
    let kind = match expr.kind {
        ExprKind::Int(n) if *wanted == Type::Real => ExprKind::Real(n.into()),
        ExprKind::Int(n) => ExprKind::Int(n),
        ExprKind::If(c, a, b) => {
            let widened = |branch: Expr| Box::new(widen(branch, wanted, qualified));
            ExprKind::If(c, widened(*a), widened(*b))
        }
        ExprKind::Entries(index, entry) => {
            let inner = wanted.element().unwrap_or(wanted);
            ExprKind::Entries(index, Box::new(widen(*entry, inner, qualified)))
        }
        ExprKind::Apply(op, args) => match wanted_of_args(op, &args, wanted) {
            Some(types) => {
                let args = args.into_iter().zip(&types);
                let widened = args.map(|(arg, wanted)| widen(arg, wanted, qualified));
                ExprKind::Apply(op, widened.collect())
            }
            None => {
                let kind = ExprKind::Apply(op, args);
                return variable(Expr::new(kind, expr.ty, expr.span), wanted);
            }
        },
        kind => return variable(Expr::new(kind, expr.ty, expr.span), wanted),
    };
    Expr::new(kind, wanted.clone(), expr.span)
}

/// A term that was written with its type, which it has from here on. It was made for that type, but for a natural number
/// that is written as an integer. What such a term means may depend on its type (`0 - 1` is a natural number nowhere): then
/// it keeps that, and a sum that is an integer stands around it.
pub(super) fn as_written(term: Expr, ty: Type, span: Span) -> Expr {
    let depends = match &term.kind {
        ExprKind::Apply(op, _) => op.is_partial(&term.ty) != op.is_partial(&ty),
        _ => false,
    };
    if !depends {
        return term.retyped(ty, span);
    }
    let zero = Expr::new(ExprKind::Int(0.into()), ty.clone(), span);
    Expr::apply(Op::Add, vec![term, zero], ty, span)
}

/// A number whose parts are not widened, used where a larger kind is expected.
fn variable(number: Expr, wanted: &Type) -> Expr {
    if *wanted != Type::Real {
        return number;
    }
    let span = number.span;
    Expr::apply(Op::ToReal, vec![number], Type::Real, span)
}

/// The expected types of the arguments, if the operator is the same operation at the expected type, or builds a collection
/// of it; none if it is neither. The type of an element is expected for an element; the expectation for an index does not
/// change.
fn wanted_of_args(op: Op, args: &[Expr], wanted: &Type) -> Option<Vec<Type>> {
    let row = op.row();
    let typing = match is_number(wanted) {
        true => row.typings.iter().find(|typing| gives(typing, wanted))?,
        false => row.typings.first().filter(|_| row.builds)?,
    };
    let of_arg = |(param, arg): (&Pattern, &Expr)| match param {
        Pattern::Nat => Type::Nat,
        param if *param == Pattern::INDEX => arg.ty.clone(),
        param if *param == Pattern::ELEMENT => wanted.element().unwrap_or(&arg.ty).clone(),
        _ => wanted.clone(),
    };
    Some(typing.params.iter().zip(args).map(of_arg).collect())
}

/// Whether an operation has a number of this kind for a result. Nothing is widened to a `Nat`.
fn gives(typing: &Typing, wanted: &Type) -> bool {
    matches!(
        (typing.result, wanted),
        (Pattern::Int, Type::Int) | (Pattern::Real, Type::Real)
    )
}

pub(super) fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Nat | Type::Int | Type::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain types, arrays and maps of them, and up to two collections around each.
    fn types() -> Vec<Type> {
        let plain = [Type::Bool, Type::Nat, Type::Int, Type::Real, Type::String];
        let mut all = plain.to_vec();
        for index in &plain {
            for element in &plain {
                all.push(Type::array(index.clone(), element.clone()));
                all.push(Type::Map(
                    Box::new(index.clone()),
                    Box::new(element.clone()),
                ));
            }
        }
        let mut inner = all.clone();
        for _ in 0..2 {
            let around = [Type::Set, Type::Mset, Type::Seq, Type::Null];
            inner = around
                .iter()
                .flat_map(|around| inner.iter().map(|ty| around(Box::new(ty.clone()))))
                .collect();
            all.extend(inner.iter().cloned());
        }
        all
    }

    #[test]
    fn widening_is_a_partial_order() {
        let types = types();
        let wider: Vec<Vec<usize>> = types
            .iter()
            .map(|from| {
                (0..types.len())
                    .filter(|to| widens(from, &types[*to]))
                    .collect()
            })
            .collect();
        for (from, reached) in wider.iter().enumerate() {
            assert!(reached.contains(&from), "{:?}", types[from]);
            for &middle in reached {
                let back = wider[middle].contains(&from);
                assert!(!back || middle == from, "{:?}", types[from]);
                let beyond = wider[middle].iter().all(|to| reached.contains(to));
                assert!(beyond, "{:?} by way of {:?}", types[from], types[middle]);
            }
        }
        assert!(wider.iter().any(|reached| reached.len() == 3));
    }

    #[test]
    fn an_index_and_what_is_no_number_are_never_widened() {
        let array = |index, element| Type::array(index, element);
        assert!(widens(
            &array(Type::Int, Type::Nat),
            &array(Type::Int, Type::Real)
        ));
        assert!(!widens(
            &array(Type::Nat, Type::Nat),
            &array(Type::Int, Type::Nat)
        ));
        assert!(!widens(&Type::Real, &Type::Int) && !widens(&Type::Bool, &Type::Nat));
        assert!(!widens(
            &Type::set(Type::Nat),
            &Type::Seq(Box::new(Type::Nat))
        ));
    }
}
