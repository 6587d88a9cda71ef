//! The differences between two states, in the user's own names.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Model;
use ioa_lang::{Name, Value};

use crate::state::layout::{Layout, State};

/// A variable whose value changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable.
    pub variable: Name,
    /// Its value before.
    pub before: Value,
    /// Its value after.
    pub after: Value,
    /// The parts that changed.
    pub parts: Vec<Part>,
}

/// A part of a value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// An element of an array, an entry of a map or a field of a tuple changed; in it, the given parts did.
    At {
        /// The index as written, such as `[Node#1]` or `.src`.
        place: String,
        /// The element before.
        before: Value,
        /// The element after.
        after: Value,
        /// What changed in it.
        parts: Vec<Part>,
    },
    /// An entry of a map was added or removed.
    Entry {
        /// The key as written, such as `[Node#1]`.
        place: String,
        /// The entry before; none if there was none.
        before: Option<Value>,
        /// The entry after; none if there is none.
        after: Option<Value>,
    },
    /// An element was added to the set.
    Added(Value),
    /// An element was removed from the set.
    Removed(Value),
    /// The value changed as a whole.
    Whole,
}

/// The variables in which two states of one automaton differ, in the order of their declaration.
#[must_use]
pub fn diff(model: &Model, layout: &Layout, before: &State, after: &State) -> Vec<Change> {
    let changed = layout.changed(before, after).into_iter();
    changed
        .map(|v| {
            let (before, after) = (layout.value(before, v), layout.value(after, v));
            let parts = parts(model, &before, &after);
            Change {
                variable: layout.name(v).clone(),
                before,
                after,
                parts,
            }
        })
        .collect()
}

/// The parts in which two different values of one type differ.
#[must_use]
pub fn parts(model: &Model, before: &Value, after: &Value) -> Vec<Part> {
    match (before, after) {
        (Value::Set(old), Value::Set(new)) => {
            let removed = old.difference(new).cloned().map(Part::Removed);
            removed
                .chain(new.difference(old).cloned().map(Part::Added))
                .collect()
        }
        (Value::Tuple(id, old), Value::Tuple(_, new)) => {
            let names = model.tuples[id.index()]
                .fields
                .iter()
                .map(|(name, _)| format!(".{name}"));
            let fields = names.zip(old.iter().zip(new));
            fields
                .filter_map(|(name, (old, new))| part(model, name, old, new))
                .collect()
        }
        (
            Value::Array {
                entries: old,
                default: old_default,
            },
            Value::Array {
                entries: new,
                default: new_default,
            },
        ) if old_default == new_default => {
            let indices: BTreeSet<&Value> = old.keys().chain(new.keys()).collect();
            let element = |entries: &BTreeMap<Value, Value>, i: &Value| {
                entries.get(i).or(old_default.as_deref()).cloned()
            };
            let parts = indices.into_iter().filter_map(|i| {
                let place = format!("[{}]", i.display(model));
                part(model, place, &element(old, i)?, &element(new, i)?)
            });
            parts.collect()
        }
        (Value::Map(old), Value::Map(new)) => {
            let keys: BTreeSet<&Value> = old.keys().chain(new.keys()).collect();
            let parts = keys.into_iter().filter_map(|key| {
                let place = format!("[{}]", key.display(model));
                entry(model, place, old.get(key), new.get(key))
            });
            parts.collect()
        }
        _ => vec![Part::Whole],
    }
}

fn part(model: &Model, place: String, before: &Value, after: &Value) -> Option<Part> {
    (before != after).then(|| Part::At {
        place,
        before: before.clone(),
        after: after.clone(),
        parts: parts(model, before, after),
    })
}

fn entry(
    model: &Model,
    place: String,
    before: Option<&Value>,
    after: Option<&Value>,
) -> Option<Part> {
    match (before, after) {
        (Some(before), Some(after)) => part(model, place, before, after),
        _ => Some(Part::Entry {
            place,
            before: before.cloned(),
            after: after.cloned(),
        }),
    }
}
