//! The values of a type in an instance as terms without variables.

use ioa_lang::core::{Expr, ExprKind, Model, Op, Type};
use ioa_lang::{Span, Value};

use crate::{Packing, Universe};

/// The values of a type as closed terms; none if there are more than `most` values, or no terms for them.
#[must_use]
pub fn closed_values(
    (model, universe): (&Model, &Universe),
    ty: &Type,
    most: u64,
) -> Option<Vec<Expr>> {
    let packing = Packing::of(model, universe, ty)?;
    let codes = packing.codes(most)?;
    let each = codes
        .into_iter()
        .map(|code| closed_term(model, &packing.decode(code), ty));
    each.collect()
}

/// A value as a term without variables; collections have none.
#[must_use]
pub fn closed_term(model: &Model, value: &Value, ty: &Type) -> Option<Expr> {
    let term = |kind| Some(Expr::new(kind, ty.clone(), Span::default()));
    match (value, ty) {
        (Value::Bool(b), _) => term(ExprKind::Bool(*b)),
        (Value::Int(n), _) => term(ExprKind::Int(n.clone())),
        (Value::Element(_, at), _) => term(ExprKind::Element(*at)),
        (Value::Enumerator(_, at), _) => term(ExprKind::Enumerator(*at)),
        (Value::Tuple(id, fields), _) => {
            let types = model.tuples[id.index()].fields.iter();
            let parts = fields
                .iter()
                .zip(types)
                .map(|(f, (_, ty))| closed_term(model, f, ty));
            term(ExprKind::Apply(Op::Tuple, parts.collect::<Option<_>>()?))
        }
        (Value::Union(id, variant, carried), _) => {
            let (_, ty) = model.unions[id.index()].variants.get(*variant as usize)?;
            let part = closed_term(model, carried, ty)?;
            term(ExprKind::Apply(Op::Variant(*variant), vec![part]))
        }
        (Value::Null(None), _) => term(ExprKind::Apply(Op::Nil, Vec::new())),
        (Value::Null(Some(inner)), Type::Null(ty)) => {
            let part = closed_term(model, inner, ty)?;
            term(ExprKind::Apply(Op::Embed, vec![part]))
        }
        _ => None,
    }
}
