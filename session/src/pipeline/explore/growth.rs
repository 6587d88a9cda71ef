//! Variables that keep growing: why a search has no end.

use interpreter::{Layout, Rows};
use ioa_lang::Value;
use num_bigint::BigInt;

/// Of fewer states, nothing is said: any number grows at first.
const FEW: u64 = 1_000;

/// Nothing is said of a search that is not this deep: a counter with a small bound has not reached it yet.
const SHALLOW: usize = 12;

/// States that are looked at, at most about so many in each quarter of the depth.
pub(super) const LOOKED_AT: usize = 1_000;

/// The variables whose greatest number or longest sequence was greater in each quarter of the depth than in the one
/// before, in a search of so many states and to such a depth.
pub(super) fn growing(
    layout: &Layout,
    rows: &Rows<'_>,
    (visited, depth): (u64, usize),
    quarters: &[Vec<Vec<u64>>; 4],
) -> Vec<String> {
    if visited < FEW || depth < SHALLOW || quarters.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let greatest = |quarter: &Vec<Vec<u64>>| {
        let mut greatest: Vec<BigInt> = Vec::new();
        for row in quarter {
            let state = rows.state(row);
            for (position, (_, value)) in layout.values(&state).enumerate() {
                let magnitude = magnitude(&value);
                match greatest.get_mut(position) {
                    Some(known) => *known = magnitude.max(std::mem::take(known)),
                    None => greatest.push(magnitude),
                }
            }
        }
        greatest
    };
    let quarters: Vec<Vec<BigInt>> = quarters.iter().map(greatest).collect();
    let grows = |position: usize| {
        let of = |quarter: usize| quarters[quarter].get(position);
        (1..quarters.len()).all(|quarter| of(quarter - 1) < of(quarter))
    };
    let names = layout.ids().enumerate();
    let growing = names.filter(|(position, _)| grows(*position));
    growing.map(|(_, v)| layout.name(v).to_string()).collect()
}

/// The greatest number in a value, or the length of the longest sequence. Sets count by their elements: one of them can grow
/// for ever only if these do.
fn magnitude(value: &Value) -> BigInt {
    let of_all = |values: &mut dyn Iterator<Item = &Value>| values.map(magnitude).max();
    let inside = match value {
        Value::Int(number) => Some(number.magnitude().clone().into()),
        Value::Union(_, _, value) => Some(magnitude(value)),
        Value::Null(inner) => inner.as_deref().map(magnitude),
        Value::Mset(counts) => {
            let most = counts.values().max().map(|count| BigInt::from(*count));
            most.max(of_all(&mut counts.keys()))
        }
        Value::Map(entries) => of_all(&mut entries.keys().chain(entries.values())),
        Value::Tuple(_, values) => of_all(&mut values.iter()),
        Value::Seq(values) => Some(BigInt::from(values.len())).max(of_all(&mut values.iter())),
        Value::Set(elements) => of_all(&mut elements.iter()),
        Value::Array { entries, default } => {
            of_all(&mut entries.values().chain(default.as_deref()))
        }
        _ => None,
    };
    inside.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lengths_count_wherever_they_are() {
        let number = Value::int;
        let seq = Value::Seq(vec![number(1); 5]);
        assert_eq!(magnitude(&number(-7)), 7.into());
        assert_eq!(magnitude(&seq), 5.into());
        assert_eq!(
            magnitude(&Value::Set([number(2), number(-9)].into())),
            9.into()
        );
        assert_eq!(magnitude(&Value::Null(Some(Box::new(seq)))), 5.into());
        assert_eq!(magnitude(&Value::Set([Value::Bool(true)].into())), 0.into());
    }
}
