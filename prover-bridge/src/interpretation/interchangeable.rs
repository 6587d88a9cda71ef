//! Which elements may take each other's names.

use ioa_lang::core::{Meaning, Model, SortId, SortSize};

/// Whether no built-in theory tells the elements of a sort apart.
pub(super) fn is_interchangeable(model: &Model, sort: SortId) -> bool {
    let built_in = model.functions.iter().any(|f| match f.meaning {
        Meaning::Axioms => false,
        Meaning::Less(ordered) => ordered == sort,
        Meaning::InGroup { member, group } => member == sort || group == sort,
    });
    !built_in && model.sorts[sort.index()].size == SortSize::Given
}
