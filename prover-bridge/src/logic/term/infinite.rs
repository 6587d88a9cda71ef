//! Which types have parts whose values are finite collections out of infinitely many values.

use ioa_lang::core::{Model, Type};

/// Whether some set, multiset or map within the type is finite though the values to choose from are infinitely many, in a
/// finite instance too.
pub(in crate::logic) fn has_infinite_set(model: &Model, ty: &Type) -> bool {
    let is_one = match ty {
        Type::Set(element) | Type::Mset(element) => model.is_infinite(element),
        Type::Map(domain, _) => model.is_infinite(domain),
        _ => false,
    };
    let mut parts = model.parts_of(ty).into_iter();
    is_one || parts.any(|part| has_infinite_set(model, part))
}
