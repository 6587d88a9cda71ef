//! Permutations of the elements of sorts.

use std::collections::BTreeMap;

use finite::{Universe, is_interchangeable};
use ioa_lang::Value;
use ioa_lang::core::{Model, Ring, SortId};

use super::ring::{is_one_of, rotations};

/// No more permutations than this are tried on an interpretation.
const MAX_PERMUTATIONS: usize = 1_000;

/// For each sort, where its elements go.
pub(super) type Permutation = BTreeMap<SortId, Vec<u32>>;

/// The permutations of the elements that leave everything but the tables alone: for each sort that no built-in
/// theory speaks of, where its elements go. Of a ring that is numbered they are the rotations. The identity alone where there
/// are too many.
pub(super) fn permutations(
    model: &Model,
    universe: &Universe,
    rings: &[&Ring],
) -> Vec<Permutation> {
    let mut all: Vec<Permutation> = vec![BTreeMap::new()];
    for sort in (0..model.sorts.len()).map(SortId::at) {
        if !is_interchangeable(model, sort) {
            continue;
        }
        let orders = match is_one_of(rings, sort) {
            true => rotations(universe.size(sort) as u32),
            false => orders(universe.size(sort)),
        };
        if all.len().saturating_mul(orders.len()) > MAX_PERMUTATIONS || orders.is_empty() {
            return vec![BTreeMap::new()];
        }
        let extended = |known: &Permutation| -> Vec<Permutation> {
            let with = |order: &Vec<u32>| {
                let mut longer = known.clone();
                longer.insert(sort, order.clone());
                longer
            };
            orders.iter().map(with).collect()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

/// All orders of `0..n`; none where there are too many.
fn orders(n: u64) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for next in 0..n as u32 {
        if all.len().saturating_mul(next as usize + 1) > MAX_PERMUTATIONS {
            return Vec::new();
        }
        let inserted = |order: &Vec<u32>| -> Vec<Vec<u32>> {
            let at = |place: usize| {
                let mut longer = order.clone();
                longer.insert(place, next);
                longer
            };
            (0..=order.len()).map(at).collect()
        };
        all = all.iter().flat_map(inserted).collect();
    }
    all
}

/// A value with its elements permuted.
pub(super) fn permuted(value: &Value, by: &Permutation) -> Value {
    let all = |values: &[Value]| values.iter().map(|v| permuted(v, by)).collect();
    let boxed = |value: &Value| Box::new(permuted(value, by));
    let entries = |entries: &BTreeMap<Value, Value>| {
        let each = entries.iter();
        each.map(|(k, v)| (permuted(k, by), permuted(v, by)))
            .collect()
    };
    match value {
        Value::Element(sort, i) => {
            let to = by.get(sort).and_then(|order| order.get(*i as usize));
            Value::Element(*sort, to.copied().unwrap_or(*i))
        }
        Value::Union(id, variant, carried) => Value::Union(*id, *variant, boxed(carried)),
        Value::Map(map) => Value::Map(entries(map)),
        Value::Mset(counts) => {
            let each = counts.iter();
            Value::Mset(each.map(|(v, n)| (permuted(v, by), *n)).collect())
        }
        Value::Tuple(id, fields) => Value::Tuple(*id, all(fields)),
        Value::Set(elements) => Value::Set(elements.iter().map(|v| permuted(v, by)).collect()),
        Value::Seq(elements) => Value::Seq(all(elements)),
        Value::Null(inner) => Value::Null(inner.as_deref().map(boxed)),
        Value::Array {
            entries: listed,
            default,
        } => Value::Array {
            entries: entries(listed),
            default: default.as_deref().map(boxed),
        },
        Value::Bool(_)
        | Value::Int(_)
        | Value::Enumerator(..)
        | Value::Real(_)
        | Value::Char(_)
        | Value::Text(_) => value.clone(),
    }
}
