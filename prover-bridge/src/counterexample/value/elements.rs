//! Elements of sorts inside values.

use std::collections::BTreeMap;

use ioa_lang::Value;
use ioa_lang::core::SortId;

/// A value in which elements have other numbers, each the one that is given for it.
pub(crate) fn renumbered(value: &Value, number: &mut dyn FnMut(SortId, u32) -> u32) -> Value {
    let mut again = |value: &Value| renumbered(value, number);
    match value {
        Value::Element(sort, i) => Value::Element(*sort, number(*sort, *i)),
        Value::Union(id, variant, carried) => Value::Union(*id, *variant, Box::new(again(carried))),
        Value::Null(inner) => Value::Null(inner.as_deref().map(|inner| Box::new(again(inner)))),
        Value::Tuple(id, fields) => Value::Tuple(*id, fields.iter().map(again).collect()),
        Value::Seq(elements) => Value::Seq(elements.iter().map(again).collect()),
        Value::Set(elements) => Value::Set(elements.iter().map(again).collect()),
        Value::Mset(counts) => {
            let counts = counts.iter();
            Value::Mset(counts.map(|(e, n)| (again(e), *n)).collect())
        }
        Value::Map(map) => Value::Map(entries(map, number)),
        Value::Array {
            entries: listed,
            default,
        } => Value::Array {
            entries: entries(listed, number),
            default: default
                .as_deref()
                .map(|default| Box::new(renumbered(default, number))),
        },
        Value::Bool(_)
        | Value::Int(_)
        | Value::Enumerator(..)
        | Value::Real(_)
        | Value::Char(_)
        | Value::Text(_) => value.clone(),
    }
}

fn entries(
    of: &BTreeMap<Value, Value>,
    number: &mut dyn FnMut(SortId, u32) -> u32,
) -> BTreeMap<Value, Value> {
    let each = of.iter();
    each.map(|(key, value)| (renumbered(key, number), renumbered(value, number)))
        .collect()
}
