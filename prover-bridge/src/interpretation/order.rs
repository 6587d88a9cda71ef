//! The order of interpretations: a ring comes before a function that leads everywhere to one element.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use finite::{Interpretation, Packing, Universe, is_interchangeable};
use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Model, SortId};
use num_bigint::BigInt;

use super::permutation::{Permutation, permuted};
use super::symmetry::exchanges;

/// Interpretations with more results than this stay in the order in which they were found: to compare them would take long.
const MAX_RESULTS: usize = 2_000;

/// Puts the least degenerate interpretations first: those come first whose operators lead fewest arguments back to themselves,
/// then those with most different results, then the least symmetric ones, which fewest exchanges of two elements leave as they
/// are, and then those whose greatest number is least.
pub fn least_degenerate_first(
    model: &Model,
    universe: &Universe,
    interpretations: &mut [Interpretation],
) {
    let Some(first) = interpretations.first() else {
        return;
    };
    if first.tables.values().map(Vec::len).sum::<usize>() > MAX_RESULTS {
        return;
    }
    let tables = first.tables.keys();
    let rows = tables.map(|id| Some((*id, rows((model, universe), *id)?)));
    let Some(rows) = rows.collect::<Option<Rows>>() else {
        return;
    };
    let exchanges = all_exchanges(model, universe);
    interpretations.sort_by_cached_key(|one| {
        let kept = exchanges.iter().filter(|by| is_kept(one, &rows, by));
        let tables = || {
            one.tables
                .iter()
                .map(|(id, results)| (&rows[id].arguments, results))
        };
        let stays = tables().flat_map(|(rows, results)| rows.iter().zip(results));
        let stays = stays.filter(|(row, result)| row.contains(result)).count();
        let different = |(_, results): (_, &Vec<Value>)| BTreeSet::from_iter(results).len();
        let different: usize = tables().map(different).sum();
        let shape = (stays, Reverse(different), kept.count());
        (shape, greatest(one), one.tables.clone())
    });
}

/// The greatest among the results of operators that are numbers, whatever its sign.
fn greatest(one: &Interpretation) -> BigInt {
    let results = one.tables.values().flatten();
    let numbers = results.filter_map(|result| match result {
        Value::Int(number) => Some(number.magnitude().clone().into()),
        _ => None,
    });
    numbers.max().unwrap_or_default()
}

/// The rows of the tables of some operators.
type Rows = BTreeMap<FunctionId, RowsOf>;

/// The rows of a table: the arguments of each, and the place of each list of arguments.
struct RowsOf {
    arguments: Vec<Vec<Value>>,
    places: BTreeMap<Vec<Value>, usize>,
}

/// The rows of an operator's table, in their order.
fn rows((model, universe): (&Model, &Universe), id: FunctionId) -> Option<RowsOf> {
    let mut arguments = vec![Vec::new()];
    for ty in &model.functions[id.index()].params {
        let packing = Packing::of(model, universe, ty)?;
        let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
            let values = packing.values().map(|code| packing.decode(code));
            values
                .map(|value| [&row[..], std::slice::from_ref(&value)].concat())
                .collect()
        };
        arguments = arguments.iter().flat_map(longer).collect();
    }
    let places = arguments.iter().cloned().zip(0..).collect();
    Some(RowsOf { arguments, places })
}

/// The exchanges of two interchangeable elements.
fn all_exchanges(model: &Model, universe: &Universe) -> Vec<Permutation> {
    let sorts = (0..model.sorts.len()).map(SortId::at);
    let of_sort = |sort: SortId| {
        let size = universe.size(sort) as u32;
        let each = exchanges(size).into_iter().map(move |(a, b)| {
            let mut order: Vec<u32> = (0..size).collect();
            order.swap(a as usize, b as usize);
            Permutation::from([(sort, order)])
        });
        each.collect::<Vec<_>>()
    };
    sorts
        .filter(|sort| is_interchangeable(model, *sort))
        .flat_map(of_sort)
        .collect()
}

/// Whether an interpretation stays as it is under a permutation.
fn is_kept(one: &Interpretation, rows: &Rows, by: &Permutation) -> bool {
    one.tables.iter().all(|(id, results)| {
        let RowsOf { arguments, places } = &rows[id];
        arguments.iter().zip(results).all(|(row, result)| {
            let image: Vec<Value> = row.iter().map(|value| permuted(value, by)).collect();
            let place = places.get(&image);
            place.is_some_and(|place| results[*place] == permuted(result, by))
        })
    })
}
