//! Interpretations of theories.

use std::collections::{BTreeMap, BTreeSet};

use finite::{Interpretation, Universe};
use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Meaning, Model, SortId, Type};

/// Maximum number of values of the type of a parameter or a result.
const MOST: u64 = 1 << 12;

/// An interpretation of the uninterpreted operators that ignores the axioms: the rows of each table cycle through the values
/// of the result, beginning with another value for each operator.
#[must_use]
pub fn any(model: &Model, universe: &Universe) -> Interpretation {
    interpretation(model, universe, |id, row| row + id.index())
}

/// The interpretation in which every result is the first value of its type.
#[must_use]
pub fn first(model: &Model, universe: &Universe) -> Interpretation {
    interpretation(model, universe, |_, _| 0)
}

/// An interpretation given by the positions of the results of each operator, modulo the number of values.
fn interpretation(
    model: &Model,
    universe: &Universe,
    position: impl Fn(FunctionId, usize) -> usize,
) -> Interpretation {
    let functions = (0..).map(FunctionId).zip(&model.functions);
    let open = functions.filter(|(_, function)| function.meaning == Meaning::Axioms);
    let tables = open.map(|(id, function)| {
        let values = |ty| universe.values(model, ty, MOST).unwrap_or_default();
        let rows = function.params.iter().map(|ty| values(ty).len());
        let rows: usize = rows.product();
        let results = match values(&function.result) {
            // For types that cannot be enumerated, such as numbers, a value that every such type has is used.
            none if none.is_empty() => vec![Value::int(0)],
            some => some,
        };
        let rows = (0..rows).map(|row| results[position(id, row) % results.len()].clone());
        (id, rows.collect())
    });
    Interpretation {
        tables: tables.collect(),
    }
}

/// The tables of operators.
type Tables = BTreeMap<FunctionId, Vec<Value>>;

/// All interpretations of the uninterpreted operators, ignoring the axioms.
///
/// # Panics
/// If there are too many, or infinitely many.
#[must_use]
pub fn all(model: &Model, universe: &Universe) -> Vec<Tables> {
    let mut found = vec![Tables::new()];
    for (id, function) in (0..).map(FunctionId).zip(&model.functions) {
        if function.meaning != Meaning::Axioms {
            continue;
        }
        let values = |ty| universe.values(model, ty, MOST).expect("few values");
        let rows: usize = function.params.iter().map(|ty| values(ty).len()).product();
        let results = values(&function.result);
        let mut tables = vec![Vec::new()];
        for _ in 0..rows {
            let longer = |table: &Vec<Value>| {
                let with = |value: &Value| [&table[..], std::slice::from_ref(value)].concat();
                results.iter().map(with).collect::<Vec<_>>()
            };
            tables = tables.iter().flat_map(longer).collect();
            assert!(tables.len() * found.len() <= 1 << 16, "few interpretations");
        }
        let with_each = |found: &Tables| {
            let with = |table: &Vec<Value>| {
                let mut found = found.clone();
                found.insert(id, table.clone());
                found
            };
            tables.iter().map(with).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(with_each).collect();
    }
    found
}

/// An interpretation together with all those that differ from it only in the names of elements.
#[must_use]
pub fn renamed(model: &Model, universe: &Universe, tables: &Tables) -> BTreeSet<Tables> {
    let mut found = BTreeSet::from([tables.clone()]);
    for (sort, _) in (0..).map(SortId).zip(&model.sorts) {
        // Exchanges of neighbours generate all permutations.
        let exchanges = 1..u32::try_from(universe.size(sort)).expect("a size");
        let mut open: Vec<Tables> = found.iter().cloned().collect();
        while let Some(next) = open.pop() {
            for n in exchanges.clone() {
                let other = exchanged(model, universe, &next, (sort, n));
                if found.insert(other.clone()) {
                    open.push(other);
                }
            }
        }
    }
    found
}

/// The same tables with an element of a sort and the one before it exchanged.
fn exchanged(model: &Model, universe: &Universe, tables: &Tables, pair: (SortId, u32)) -> Tables {
    let other = |value: &Value| match value {
        Value::Element(sort, n) if *sort == pair.0 && *n == pair.1 => Value::Element(*sort, n - 1),
        Value::Element(sort, n) if *sort == pair.0 && n + 1 == pair.1 => {
            Value::Element(*sort, pair.1)
        }
        value => value.clone(),
    };
    let table = |(id, results): (&FunctionId, &Vec<Value>)| {
        let params = &model.functions[id.index()].params;
        let rows = rows(model, universe, params);
        let by_args: BTreeMap<Vec<Value>, Value> = (rows.iter().zip(results))
            .map(|(args, result)| (args.iter().map(other).collect(), other(result)))
            .collect();
        let results = rows.iter().map(|args| by_args[args].clone());
        (*id, results.collect())
    };
    tables.iter().map(table).collect()
}

/// The arguments for which a table has results, in its order: the last argument changes fastest.
#[must_use]
pub fn rows(model: &Model, universe: &Universe, params: &[Type]) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for ty in params {
        let values = universe.values(model, ty, MOST);
        let values = values.expect("a table has finitely many rows");
        let longer = |row: &Vec<Value>| {
            let with = |value: &Value| [&row[..], std::slice::from_ref(value)].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}
