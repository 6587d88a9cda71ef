//! The differences between two states, in the user's own names.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

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
    pub parts: Vec<ChangedPart>,
}

/// A part of a value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedPart {
    /// An element of an array, an entry of a map or a field of a tuple changed; in it, the given parts did.
    At {
        /// The index as written, such as `[Node#1]` or `.src`.
        place: String,
        /// The element before.
        before: Value,
        /// The element after.
        after: Value,
        /// What changed in it.
        parts: Vec<ChangedPart>,
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
    /// An element was added to the set, or once to the multiset.
    Added(Value),
    /// An element was removed from the set, or once from the multiset.
    Removed(Value),
    /// An element was put at an end of the sequence.
    Put(Value, Edge),
    /// An element was taken from an end of the sequence.
    Taken(Value, Edge),
    /// The value changed as a whole.
    Whole,
}

/// An end of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Where its head is.
    Front,
    /// Where its last element is.
    Back,
}

/// Of a sequence or a multiset in which more elements came or went than this, it is said that it changed as a whole.
const FEW: usize = 4;

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
pub fn parts(model: &Model, before: &Value, after: &Value) -> Vec<ChangedPart> {
    match (before, after) {
        (Value::Set(old), Value::Set(new)) => {
            let removed = old.difference(new).cloned().map(ChangedPart::Removed);
            removed
                .chain(new.difference(old).cloned().map(ChangedPart::Added))
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
        (Value::Mset(old), Value::Mset(new)) => copies(old, new),
        (Value::Seq(old), Value::Seq(new)) => ends(old, new),
        _ => vec![ChangedPart::Whole],
    }
}

/// The elements of which a multiset has more or fewer copies than before.
fn copies(old: &BTreeMap<Value, u64>, new: &BTreeMap<Value, u64>) -> Vec<ChangedPart> {
    let more = |these: &BTreeMap<Value, u64>, than: &BTreeMap<Value, u64>| {
        let more = these.iter().flat_map(|(element, count)| {
            let before = than.get(element).copied().unwrap_or(0);
            let copies = count.saturating_sub(before).min(FEW as u64 + 1);
            iter::repeat_n(element.clone(), copies as usize)
        });
        more.collect::<Vec<Value>>()
    };
    let (removed, added) = (more(old, new), more(new, old));
    if removed.len() + added.len() > FEW {
        return vec![ChangedPart::Whole];
    }
    let removed = removed.into_iter().map(ChangedPart::Removed);
    removed
        .chain(added.into_iter().map(ChangedPart::Added))
        .collect()
}

/// What was put at one end of a sequence, or taken from one, if that is all.
fn ends(old: &[Value], new: &[Value]) -> Vec<ChangedPart> {
    let has_grown = old.len() < new.len();
    let (shorter, longer) = match has_grown {
        true => (old, new),
        false => (new, old),
    };
    // A queue is taken from at its front and put to at its back, where either would do.
    let end = match (longer.ends_with(shorter), longer.starts_with(shorter)) {
        (false, false) => return vec![ChangedPart::Whole],
        (true, is_start) if !has_grown || !is_start => Edge::Front,
        _ => Edge::Back,
    };
    let moved = match end {
        Edge::Front => &longer[..longer.len() - shorter.len()],
        Edge::Back => &longer[shorter.len()..],
    };
    if moved.len() > FEW {
        return vec![ChangedPart::Whole];
    }
    let part = |element: &Value| match has_grown {
        true => ChangedPart::Put(element.clone(), end),
        false => ChangedPart::Taken(element.clone(), end),
    };
    moved.iter().map(part).collect()
}

fn part(model: &Model, place: String, before: &Value, after: &Value) -> Option<ChangedPart> {
    (before != after).then(|| ChangedPart::At {
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
) -> Option<ChangedPart> {
    match (before, after) {
        (Some(before), Some(after)) => part(model, place, before, after),
        _ => Some(ChangedPart::Entry {
            place,
            before: before.cloned(),
            after: after.cloned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seq(numbers: &[i64]) -> Vec<Value> {
        numbers.iter().copied().map(Value::int).collect()
    }

    #[test]
    fn a_queue_grows_at_its_back_and_shrinks_at_its_front() {
        let put = |n, end| ChangedPart::Put(Value::int(n), end);
        let taken = |n, end| ChangedPart::Taken(Value::int(n), end);
        let cases: [(&[i64], &[i64], Vec<ChangedPart>); 7] = [
            (&[1, 2], &[1, 2, 3], vec![put(3, Edge::Back)]),
            (&[2, 3], &[1, 2, 3], vec![put(1, Edge::Front)]),
            (&[1, 2, 3], &[2, 3], vec![taken(1, Edge::Front)]),
            (
                &[1, 2, 3],
                &[1],
                vec![taken(2, Edge::Back), taken(3, Edge::Back)],
            ),
            (&[1, 1], &[1], vec![taken(1, Edge::Front)]),
            (&[1], &[1, 1], vec![put(1, Edge::Back)]),
            (&[1, 2, 3], &[2, 3, 4], vec![ChangedPart::Whole]),
        ];
        for (old, new, expected) in cases {
            assert_eq!(ends(&seq(old), &seq(new)), expected, "{old:?} {new:?}");
        }
        assert_eq!(ends(&[], &seq(&[1, 2, 3, 4, 5])), [ChangedPart::Whole]);
    }

    #[test]
    fn a_multiset_says_each_copy() {
        let counts = |all: &[(i64, u64)]| -> BTreeMap<Value, u64> {
            all.iter()
                .map(|(n, count)| (Value::int(*n), *count))
                .collect()
        };
        let found = copies(&counts(&[(1, 2), (2, 1)]), &counts(&[(1, 4)]));
        let one = || ChangedPart::Added(Value::int(1));
        assert_eq!(found, [ChangedPart::Removed(Value::int(2)), one(), one()]);
        let many = copies(&counts(&[]), &counts(&[(1, u64::MAX)]));
        assert_eq!(many, [ChangedPart::Whole]);
    }
}
