//! From values to codes and back.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;

use super::{Form, Packing, Slice, payload, shl, slot_at};
use ioa_lang::Value;

impl Packing {
    /// The value that a code stands for.
    #[must_use]
    pub fn decode(&self, word: u64) -> Value {
        match &self.form {
            Form::Bool => Value::Bool(word != 0),
            Form::Sort(id) => Value::Element(*id, word as u32),
            Form::Enum(id) => Value::Enumerator(*id, word as u32),
            Form::Null(inner) => Value::Null((word != 0).then(|| Box::new(inner.decode(word - 1)))),
            Form::Set(element) => Value::Set(
                (0..=element.max)
                    .filter(|code| word >> code & 1 == 1)
                    .map(|code| element.decode(code))
                    .collect::<BTreeSet<_>>(),
            ),
            Form::Tuple(id, fields) => Value::Tuple(
                *id,
                fields
                    .iter()
                    .map(|(at, f)| f.decode(Slice::new(*at, f.bits).read(word)))
                    .collect(),
            ),
            Form::Array(index, element) => Value::Array {
                entries: index
                    .values()
                    .map(|i| (index.decode(i), element.decode(element.slot(word, i))))
                    .collect::<BTreeMap<_, _>>(),
                default: None,
            },
            Form::Map(domain, slot) => {
                let entries = domain
                    .values()
                    .map(|d| (d, slot.decode(slot.slot(word, d))));
                let defined = entries.filter_map(|(d, slot)| match slot {
                    Value::Null(Some(value)) => Some((domain.decode(d), *value)),
                    _ => None,
                });
                Value::Map(defined.collect())
            }
            Form::Union(id, variants) => {
                let (variant, payload) = payload(variants, word);
                let value = variants[variant].1.decode(payload);
                Value::Union(*id, variant as u32, Box::new(value))
            }
            Form::Char => {
                let number = u32::try_from(word).ok().and_then(char::from_u32);
                Value::Char(number.unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            Form::Seq(length, element) => {
                let slot = |slot| slot_at(length, element, slot).read(word);
                let slots = 0..Slice::new(0, length.bits).read(word);
                Value::Seq(slots.map(|at| element.decode(slot(at))).collect())
            }
            Form::Mset(element, count) => {
                let counts = element.values().map(|e| (e, count.slot(word, e)));
                let there = counts.filter(|(_, n)| *n > 0);
                Value::Mset(there.map(|(e, n)| (element.decode(e), n)).collect())
            }
            Form::Int(low, _) => Value::Int(BigInt::from(low.wrapping_add_unsigned(word))),
            Form::Numbered(inner, dictionary, _) => inner.decode(dictionary.code(word)),
        }
    }

    /// The code of a value, or `None` if it is not a value of this type or has no code.
    #[must_use]
    pub fn encode(&self, value: &Value) -> Option<u64> {
        let word = match (&self.form, value) {
            (Form::Bool, Value::Bool(b)) => u64::from(*b),
            (Form::Sort(id), Value::Element(sort, i)) if id == sort => u64::from(*i),
            (Form::Enum(id), Value::Enumerator(of, i)) if id == of => u64::from(*i),
            (Form::Null(_), Value::Null(None)) => 0,
            (Form::Null(inner), Value::Null(Some(value))) => inner.encode(value)? + 1,
            (Form::Set(element), Value::Set(values)) => values
                .iter()
                .try_fold(0, |mask, v| Some(mask | 1 << element.encode(v)?))?,
            (Form::Tuple(id, fields), Value::Tuple(of, values))
                if id == of && fields.len() == values.len() =>
            {
                fields
                    .iter()
                    .zip(values)
                    .try_fold(0, |word, ((at, f), v)| Some(word | shl(f.encode(v)?, *at)))?
            }
            (Form::Array(index, element), Value::Array { entries, default }) => {
                index.values().try_fold(0, |word, i| {
                    let value = entries.get(&index.decode(i)).or(default.as_deref())?;
                    Some(word | shl(element.encode(value)?, element.bits * i as u32))
                })?
            }
            (Form::Map(domain, slot), Value::Map(entries)) => {
                entries.iter().try_fold(0, |word, (key, value)| {
                    let Form::Null(range) = &slot.form else {
                        return None;
                    };
                    let code = range.encode(value)? + 1;
                    Some(word | shl(code, slot.bits * domain.encode(key)? as u32))
                })?
            }
            (Form::Union(id, variants), Value::Union(of, variant, value)) if id == of => {
                let (begin, payload) = variants.get(*variant as usize)?;
                begin + payload.encode(value)?
            }
            (Form::Char, Value::Char(c)) => u64::from(*c),
            (Form::Seq(length, element), Value::Seq(values)) => {
                let count = values.len() as u64;
                if count > length.max {
                    return None;
                }
                (0..).zip(values).try_fold(count, |word, (at, value)| {
                    Some(slot_at(length, element, at).replaced(word, element.encode(value)?))
                })?
            }
            (Form::Mset(element, count), Value::Mset(counts)) => {
                counts.iter().try_fold(0, |word, (value, n)| {
                    let at = count.bits * element.encode(value)? as u32;
                    (*n <= count.max).then(|| word | shl(*n, at))
                })?
            }
            (Form::Int(low, _), Value::Int(n)) => u64::try_from(n - low).ok()?,
            (Form::Numbered(inner, dictionary, _), value) => {
                dictionary.number_of_met(inner.encode(value)?)?
            }
            _ => return None,
        };
        self.is_code(word).then_some(word)
    }
}
