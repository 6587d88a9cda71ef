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

/// A value as a term without variables: an array is assigned its elements one by one, a set is filled. Multisets and sequences have
/// none.
#[must_use]
pub fn closed_term(model: &Model, value: &Value, ty: &Type) -> Option<Expr> {
    let term = |kind| Expr::new(kind, ty.clone(), Span::default());
    let apply = |op, args| term(ExprKind::Apply(op, args));
    let part = |value, ty| closed_term(model, value, ty);
    Some(match (value, ty) {
        (Value::Bool(b), _) => term(ExprKind::Bool(*b)),
        (Value::Int(n), _) => term(ExprKind::Int(n.clone())),
        (Value::Element(_, at), _) => term(ExprKind::Element(*at)),
        (Value::Enumerator(_, at), _) => term(ExprKind::Enumerator(*at)),
        (Value::Tuple(id, fields), _) => {
            let types = model.tuples[id.index()].fields.iter();
            let parts = fields.iter().zip(types).map(|(f, (_, ty))| part(f, ty));
            apply(Op::Tuple, parts.collect::<Option<_>>()?)
        }
        (Value::Union(id, variant, carried), _) => {
            let (_, ty) = model.unions[id.index()].variants.get(*variant as usize)?;
            apply(Op::Variant(*variant), vec![part(carried, ty)?])
        }
        (Value::Null(None), _) => apply(Op::Nil, Vec::new()),
        (Value::Null(Some(inner)), Type::Null(ty)) => apply(Op::Embed, vec![part(inner, ty)?]),
        (Value::Set(items), Type::Set(element)) => {
            let empty = apply(Op::EmptySet, Vec::new());
            items.iter().try_fold(empty, |set, item| {
                Some(apply(Op::Insert, vec![part(item, element)?, set]))
            })?
        }
        (Value::Array { entries, default }, Type::Array(index, element)) => {
            let base = default.as_deref().or_else(|| entries.values().next())?;
            let everywhere = apply(Op::Constant, vec![part(base, element)?]);
            let mut others = entries.iter().filter(|(_, entry)| *entry != base);
            others.try_fold(everywhere, |array, (at, entry)| {
                let args = vec![array, part(at, index)?, part(entry, element)?];
                Some(apply(Op::Assign, args))
            })?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use ioa_lang::print::{self, Context};

    use super::*;

    fn printed(value: &Value, ty: &Type) -> Option<String> {
        let model = Model::default();
        let term = closed_term(&model, value, ty)?;
        Some(print::expr(&model, &Context::stateless(&[]), &term))
    }

    #[test]
    fn arrays_and_sets_are_put_together() {
        let truths = [(false, 2), (true, 7)].map(|(at, n)| (Value::Bool(at), Value::int(n)));
        let array = |default: Option<i64>| Value::Array {
            entries: BTreeMap::from(truths.clone()),
            default: default.map(|n| Box::new(Value::int(n))),
        };
        let ty = Type::array(Type::Bool, Type::Nat);
        let whole = printed(&array(None), &ty).expect("an array has a term");
        assert_eq!(whole, "assign(constant(2), true, 7)");
        let sparse = printed(&array(Some(7)), &ty).expect("an array has a term");
        assert_eq!(sparse, "assign(constant(7), false, 2)");
        let set = Value::Set(BTreeSet::from([Value::Bool(true)]));
        let set = printed(&set, &Type::set(Type::Bool)).expect("a set has a term");
        assert_eq!(set, "{true}");
        assert_eq!(
            printed(&Value::Seq(Vec::new()), &Type::seq(Type::Bool)),
            None
        );
    }
}
