//! Relations between whole values, for sets, sequences and arrays that have no packing.

use std::collections::BTreeSet;

use ioa_lang::value::Value;

use crate::relations::atom::Relation;

/// Whether a relation between sets or sequences holds of these values.
pub(crate) fn relates(relation: &Relation, values: &[Value]) -> bool {
    match (relation, values) {
        (Relation::Subset, [Value::Set(a), Value::Set(b)]) => a.is_subset(b),
        (Relation::Disjoint, [Value::Set(a), Value::Set(b)]) => a.is_disjoint(b),
        (Relation::WithinUnion, [Value::Set(a), Value::Set(b), Value::Set(c)]) => {
            a.iter().all(|x| b.contains(x) || c.contains(x))
        }
        (Relation::IsUnion, [Value::Set(a), Value::Set(b), Value::Set(c)]) => {
            a.iter().eq(b.union(c))
        }
        (Relation::MeetWithin, [Value::Set(a), Value::Set(b), Value::Set(c)]) => {
            a.intersection(b).all(|x| c.contains(x))
        }
        (Relation::Joined, [Value::Seq(whole), parts @ ..]) => {
            let mut left = whole.iter();
            let mut parts = parts.iter();
            parts.all(|part| {
                matches!(part, Value::Seq(part) if part.iter().all(|element| left.next() == Some(element)))
            }) && left.next().is_none()
        }
        (Relation::Inserted, [Value::Set(a), x, Value::Set(c)]) => {
            a.contains(x) && same_without(a, c, x)
        }
        (Relation::Deleted, [Value::Set(a), x, Value::Set(c)]) => {
            !a.contains(x) && same_without(a, c, x)
        }
        _ => false,
    }
}

fn same_without(a: &BTreeSet<Value>, b: &BTreeSet<Value>, x: &Value) -> bool {
    let others =
        |s: &BTreeSet<Value>| -> Vec<Value> { s.iter().filter(|v| *v != x).cloned().collect() };
    others(a) == others(b)
}

/// Whether two arrays have the same element at every index but one.
pub(crate) fn differ_at_most_at(a: &Value, b: &Value, index: &Value) -> bool {
    let (
        Value::Array {
            entries: a,
            default: other_a,
        },
        Value::Array {
            entries: b,
            default: other_b,
        },
    ) = (a, b)
    else {
        return false;
    };
    let at = |entries: &std::collections::BTreeMap<Value, Value>,
              default: &Option<Box<Value>>,
              i: &Value| { entries.get(i).or(default.as_deref()).cloned() };
    let mut listed = a.keys().chain(b.keys()).filter(|i| *i != index);
    other_a == other_b && listed.all(|i| at(a, other_a, i) == at(b, other_b, i))
}
