//! Permutations of the elements of sorts.

use std::collections::BTreeMap;

use finite::{Universe, is_interchangeable};
use ioa_lang::Value;
use ioa_lang::core::{Arrangement, Model, SortId};

use super::ring::{is_ring, rotations};
use crate::counterexample::renumbered;

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
    natural: &[&Arrangement],
) -> Vec<Permutation> {
    let mut all: Vec<Permutation> = vec![BTreeMap::new()];
    for sort in (0..model.sorts.len()).map(SortId::at) {
        if !is_interchangeable(model, sort) {
            continue;
        }
        let orders = match is_ring(natural, sort) {
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
pub(crate) fn orders(n: u64) -> Vec<Vec<u32>> {
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
    renumbered(value, &mut |sort, i| {
        let to = by.get(&sort).and_then(|order| order.get(i as usize));
        to.copied().unwrap_or(i)
    })
}
