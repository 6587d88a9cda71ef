//! Which types have infinitely many values, or parts of such types.

use ioa_lang::core::{Model, Type};

/// Whether some set, multiset or map within the type is finite though the values to choose from are infinitely many, in a
/// finite instance too.
pub(in crate::logic) fn has_infinite_set(model: &Model, ty: &Type) -> bool {
    let is_one = match ty {
        Type::Set(element) | Type::Mset(element) => is_infinite(model, element),
        Type::Map(domain, _) => is_infinite(model, domain),
        _ => false,
    };
    let mut parts = model.parts_of(ty).into_iter();
    is_one || parts.any(|part| has_infinite_set(model, part))
}

/// Whether the type has infinitely many values in a finite instance.
pub(in crate::logic) fn is_infinite(model: &Model, ty: &Type) -> bool {
    let mut parts = model.parts_of(ty).into_iter();
    match ty {
        Type::Nat | Type::Int | Type::Real | Type::String | Type::Seq(_) | Type::Mset(_) => true,
        _ => parts.any(|part| is_infinite(model, part)),
    }
}
