//! Which elements may bear each other's names, and rings in finite instances: of the names that the elements of a ring may
//! have, those are as good as any that number them in the order in which one comes past them.

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Meaning, Model, Ring, SortId, SortSize};

/// Whether no built-in theory tells the elements of a sort apart.
pub(super) fn is_interchangeable(model: &Model, sort: SortId) -> bool {
    let built_in = model.functions.iter().any(|f| match f.meaning {
        Meaning::Axioms => false,
        Meaning::Less(ordered) => ordered == sort,
        Meaning::InGroup { member, group } => member == sort || group == sort,
    });
    !built_in && model.sorts[sort.index()].size == SortSize::Given
}

/// The rings of a universe whose elements may be numbered as they come. Every interpretation is one of those in which they are,
/// but for the names of elements.
pub(super) fn numbered<'m>(model: &'m Model, universe: &Universe) -> Vec<&'m Ring> {
    let is_known = |ring: &&Ring| model.is_known(ring.next, universe.setting());
    let rings = model.rings.iter().filter(is_known);
    rings
        .filter(|ring| is_interchangeable(model, ring.sort))
        .collect()
}

/// What an operator of a ring whose elements are numbered as they come says of some of them.
pub(super) fn meaning(
    (ring, size): (&Ring, u32),
    operator: FunctionId,
    arguments: &[Value],
) -> Option<Value> {
    let place = |value: &Value| match value {
        Value::Element(_, place) => Some(*place),
        _ => None,
    };
    let places: Vec<u32> = arguments.iter().filter_map(place).collect();
    match places.as_slice() {
        [a] if operator == ring.next => Some(Value::Element(ring.sort, (a + 1) % size)),
        [a] if operator == ring.previous => Some(Value::Element(ring.sort, (a + size - 1) % size)),
        [a, b, c] if operator == ring.between => {
            let in_order = |x: &u32, y: &u32, z: &u32| x < y && y < z;
            Some(Value::Bool(
                in_order(a, b, c) || in_order(b, c, a) || in_order(c, a, b),
            ))
        }
        _ => None,
    }
}

/// The orders of `0..size` that leave a ring what it is.
pub(super) fn rotations(size: u32) -> Vec<Vec<u32>> {
    let by = |shift: u32| (0..size).map(|place| (place + shift) % size).collect();
    (0..size).map(by).collect()
}

/// Whether a sort is one of some rings.
pub(super) fn is_one_of(rings: &[&Ring], sort: SortId) -> bool {
    rings.iter().any(|ring| ring.sort == sort)
}
