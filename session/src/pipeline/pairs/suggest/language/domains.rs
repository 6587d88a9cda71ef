//! Values and names for bound variables.

use finite::{Packing, Universe};
use ioa_lang::Value;
use ioa_lang::core::{EnumId, Model, Type};

/// All values of a type in an instance, if there are few.
pub(in crate::pipeline::pairs::suggest) fn domain(
    model: &Model,
    universe: &Universe,
    ty: &Type,
) -> Option<Vec<Value>> {
    let packing = Packing::of(model, universe, ty)?;
    let codes = packing.codes(MAX_DOMAIN)?;
    Some(codes.into_iter().map(|code| packing.decode(code)).collect())
}

const MAX_DOMAIN: u64 = 16;

/// Every choice of one value from each domain; the last one changes fastest.
pub(in crate::pipeline::pairs::suggest) fn combinations(domains: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for domain in domains {
        let longer = all.iter().flat_map(|before: &Vec<Value>| {
            let with = |value: &Value| [&before[..], std::slice::from_ref(value)].concat();
            domain.iter().map(with)
        });
        all = longer.collect();
    }
    all
}

/// Whether an enumeration is that of a union's tags.
pub(in crate::pipeline::pairs::suggest) fn is_tag(model: &Model, id: EnumId) -> bool {
    model.unions.iter().any(|union| union.tags == id)
}
