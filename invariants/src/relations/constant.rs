//! Constants of theories in relations that were found in one instance, where they are numbers.

use std::cell::Cell;

use ioa_lang::core::{ExprKind, FunctionId, Invariant};
use num_bigint::BigInt;

use crate::build::rebuilt;

/// A relation with a constant of a theory wherever it has a number, which that constant is in the instance where the relation was
/// found; nothing if the number does not occur. Whether it holds in other instances is to be seen.
#[must_use]
pub fn with_constant(
    relation: &Invariant,
    number: &BigInt,
    constant: FunctionId,
) -> Option<Invariant> {
    let occurs = Cell::new(false);
    let leaf = |kind: &ExprKind| match kind {
        ExprKind::Int(own) if own == number => {
            occurs.set(true);
            Some(ExprKind::Theory(constant, Vec::new()))
        }
        _ => None,
    };
    let formula = rebuilt(&relation.formula, &leaf, &|bound| bound);
    occurs.get().then(|| Invariant {
        formula,
        ..relation.clone()
    })
}
