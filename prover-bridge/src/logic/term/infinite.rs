//! Which types have infinitely many values, or parts of such types.

use ioa_lang::Name;
use ioa_lang::core::{Model, Type};

/// Whether some set, multiset or map within the type is finite though the values to choose from are infinitely many, in a
/// finite instance too.
pub(in crate::logic) fn has_infinite_set(model: &Model, ty: &Type) -> bool {
    let any = |parts: &[(Name, Type)]| parts.iter().any(|(_, ty)| has_infinite_set(model, ty));
    match ty {
        Type::Set(element) | Type::Mset(element) => {
            is_infinite(model, element) || has_infinite_set(model, element)
        }
        Type::Map(domain, range) => {
            is_infinite(model, domain)
                || has_infinite_set(model, domain)
                || has_infinite_set(model, range)
        }
        Type::Array(index, element) => {
            has_infinite_set(model, index) || has_infinite_set(model, element)
        }
        Type::Null(inner) | Type::Seq(inner) => has_infinite_set(model, inner),
        Type::Tuple(id) => any(&model.tuples[id.index()].fields),
        Type::Union(id) => any(&model.unions[id.index()].variants),
        Type::Bool
        | Type::Nat
        | Type::Int
        | Type::Real
        | Type::Char
        | Type::String
        | Type::Sort(_)
        | Type::Enum(_) => false,
    }
}

/// Whether the type has infinitely many values in a finite instance.
pub(in crate::logic) fn is_infinite(model: &Model, ty: &Type) -> bool {
    let any = |parts: &[(Name, Type)]| parts.iter().any(|(_, ty)| is_infinite(model, ty));
    match ty {
        Type::Nat | Type::Int | Type::Real | Type::String | Type::Seq(_) | Type::Mset(_) => true,
        Type::Bool | Type::Char | Type::Sort(_) | Type::Enum(_) => false,
        Type::Set(inner) | Type::Null(inner) => is_infinite(model, inner),
        Type::Array(index, element) | Type::Map(index, element) => {
            is_infinite(model, index) || is_infinite(model, element)
        }
        Type::Tuple(id) => any(&model.tuples[id.index()].fields),
        Type::Union(id) => any(&model.unions[id.index()].variants),
    }
}
