//! Rings in finite instances: their elements are numbered in the order in which one comes past them. A ring that is numbered
//! otherwise is the same one, but for the names of its elements.

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Model, Ring, SortId};

use super::interchangeable::is_interchangeable;

/// The rings of a universe whose elements may be numbered in the order of the ring without loss: every interpretation is the
/// same as one with such numbers, up to the names of elements.
pub(super) fn numbered<'m>(model: &'m Model, universe: &Universe) -> Vec<&'m Ring> {
    let is_known = |ring: &&Ring| model.is_known(ring.next, universe.setting());
    let rings = model.rings.iter().filter(is_known);
    rings
        .filter(|ring| is_interchangeable(model, ring.sort))
        .collect()
}

/// The value of an operator of a ring whose elements are numbered in its order.
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
