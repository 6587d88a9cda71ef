//! Values cell by cell.

use std::collections::BTreeSet;

use ioa_lang::Value;

/// What a value holds by cells: at each index of an array, for each key of a map, of each element of a set or multiset.
fn cell(value: &Value, index: &Value) -> Option<Value> {
    match value {
        Value::Mset(counts) => {
            let count = counts.get(index).copied().unwrap_or(0);
            Some(Value::Int(count.into()))
        }
        Value::Set(elements) => Some(Value::Bool(elements.contains(index))),
        Value::Map(entries) => entries.get(index).cloned(),
        Value::Array { entries, default } => {
            let listed = entries.get(index).cloned();
            listed.or_else(|| default.as_deref().cloned())
        }
        _ => panic!("a value without cells: {value:?}"),
    }
}

/// The value with a cell as another one has it.
fn with_cell(value: &Value, index: &Value, from: &Value) -> Value {
    let mut changed = value.clone();
    match &mut changed {
        Value::Set(elements) => match cell(from, index) {
            Some(Value::Bool(true)) => {
                elements.insert(index.clone());
            }
            _ => {
                elements.remove(index);
            }
        },
        Value::Mset(counts) => {
            let Value::Mset(others) = from else {
                panic!("no multiset: {from:?}");
            };
            match others.get(index) {
                Some(count) => counts.insert(index.clone(), *count),
                None => counts.remove(index),
            };
        }
        Value::Map(entries) => match cell(from, index) {
            Some(entry) => {
                entries.insert(index.clone(), entry);
            }
            None => {
                entries.remove(index);
            }
        },
        Value::Array { entries, default } => {
            let entry = cell(from, index).expect("an array has an element everywhere");
            match default.as_deref() == Some(&entry) {
                true => entries.remove(index),
                false => entries.insert(index.clone(), entry),
            };
        }
        _ => panic!("a value without cells: {value:?}"),
    }
    changed
}

/// The value with a cell, by its indices, as another one has it.
pub(super) fn with_cell_of_cell(value: &Value, indices: &[Value], from: &Value) -> Value {
    match indices {
        [] => from.clone(),
        [index] => with_cell(value, index, from),
        [index, inner @ ..] => {
            let [mine, theirs] = [value, from].map(|v| cell(v, index).expect("an array"));
            let mut whole = value.clone();
            let Value::Array { entries, .. } = &mut whole else {
                panic!("only arrays have cells of cells: {value:?}");
            };
            entries.insert(index.clone(), with_cell_of_cell(&mine, inner, &theirs));
            with_cell(&whole, index, &whole)
        }
    }
}

/// The indices at which a value says something.
fn indices(value: &Value) -> Vec<Value> {
    match value {
        Value::Set(elements) => elements.iter().cloned().collect(),
        Value::Map(entries) | Value::Array { entries, .. } => entries.keys().cloned().collect(),
        Value::Mset(counts) => counts.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Whether something becomes the same in two places, or is left as it is in both.
fn same<T: PartialEq>(after: &T, there: &T, mine: &T, other: &T) -> bool {
    after == there || after == mine && there == other
}

/// Whether a step does the same to a variable from two states, given its values before and after each: it gets the same
/// value, or is left as it is, in all or in each cell.
pub(super) fn agree([mine, after]: [&Value; 2], [other, there]: [&Value; 2]) -> bool {
    if same(after, there, mine, other) {
        return true;
    }
    let all = [mine, after, other, there];
    let indices: BTreeSet<Value> = all.into_iter().flat_map(indices).collect();
    !indices.is_empty()
        && indices.iter().all(|index| {
            let cells = all.map(|value| cell(value, index));
            let [mine, after, other, there] = &cells;
            match cells.each_ref().map(Option::as_ref) {
                [Some(mine), Some(after), Some(other), Some(there)] => {
                    agree([mine, after], [other, there])
                }
                _ => same(after, there, mine, other),
            }
        })
}
