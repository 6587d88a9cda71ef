//! The values of variables of components that do not exist.
//!
//! `C[i: H]: K(i) where i ~= h0` keeps its variables in arrays over all of `H`. At an index without a component, nothing is
//! initialised: no initial value is computed, and nothing is chosen. The array has an element there all the same. It holds a
//! fixed value that every reader of the core knows, if the type has one that can be written down.

use crate::core::{Expr, ExprKind, Model, Op, Type};
use crate::source::Span;

/// The first value of a type, as a term; none for a sort, whose elements have no names.
pub(super) fn first_value(model: &Model, ty: &Type, span: Span) -> Option<Expr> {
    let literal = |kind: ExprKind| Expr::new(kind, ty.clone(), span);
    let apply = |op: Op, args: Vec<Expr>| Expr::apply(op, args, ty.clone(), span);
    let of = |part: &Type| first_value(model, part, span);
    Some(match ty {
        Type::Bool => literal(ExprKind::Bool(false)),
        Type::Nat | Type::Int => literal(ExprKind::Int(0.into())),
        Type::Real => literal(ExprKind::Real(crate::core::Rational::from_integer(
            0.into(),
        ))),
        Type::Char => literal(ExprKind::Char('\0')),
        Type::String => literal(ExprKind::Text("".into())),
        Type::Enum(_) => literal(ExprKind::Enumerator(0)),
        Type::Sort(_) => return None,
        Type::Array(_, element) => apply(Op::Constant, vec![of(element)?]),
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter();
            apply(
                Op::Tuple,
                fields.map(|(_, field)| of(field)).collect::<Option<_>>()?,
            )
        }
        Type::Union(id) => {
            let (_, carried) = model.unions[id.index()].variants.first()?;
            apply(Op::Variant(0), vec![of(carried)?])
        }
        other => apply(other.constructor()?.empty?, Vec::new()),
    })
}
