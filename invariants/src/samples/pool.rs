//! Values of types without a packing, each kept once.

use std::sync::Arc;

use ioa_lang::core::Type;
use ioa_lang::value::Value;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::{Encoding, Schema};

/// Interned values. A value's parts are interned with it, so that taking a value apart needs no writing.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    ids: FxHashMap<Arc<Value>, u64>,
    values: Vec<Arc<Value>>,
    bytes: u64,
}

/// About how many bytes a value takes beside its parts, with its place in the pool.
const BYTES_A_VALUE: u64 = 160;
/// And each of its parts.
const BYTES_A_PART: u64 = 64;

impl Pool {
    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Bytes that they take, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value that an interned word stands for.
    #[must_use]
    pub fn value(&self, word: u64) -> &Value {
        &self.values[word as usize]
    }

    /// The word in place of a value where there is none.
    pub(crate) fn no_value(&mut self) -> u64 {
        if self.values.is_empty() {
            self.values.push(Arc::new(Value::Bool(false)));
        }
        0
    }

    /// The word of a value that belongs to the type, or `None` where it holds a number beyond 64 bits.
    pub fn intern(&mut self, schema: &Schema, ty: &Type, value: &Value) -> Option<u64> {
        match schema.encoding(ty) {
            Encoding::Packed(packing) => packing.encode(value),
            Encoding::Number => number(value),
            Encoding::Interned => {
                if let Some(id) = self.ids.get(value) {
                    return Some(*id);
                }
                self.intern_parts(schema, ty, value)?;
                let id = self.values.len() as u64;
                self.bytes += BYTES_A_VALUE + BYTES_A_PART * parts(value);
                let shared = Arc::new(value.clone());
                self.values.push(Arc::clone(&shared));
                self.ids.insert(shared, id);
                Some(id)
            }
        }
    }

    fn intern_parts(&mut self, schema: &Schema, ty: &Type, value: &Value) -> Option<()> {
        match (ty, value) {
            (Type::Set(element), Value::Set(elements)) => {
                for part in elements {
                    self.intern(schema, element, part)?;
                }
            }
            (Type::Seq(element), Value::Seq(elements)) => {
                for part in elements {
                    self.intern(schema, element, part)?;
                }
            }
            (Type::Null(inner), Value::Null(Some(part))) => {
                self.intern(schema, inner, part)?;
            }
            (Type::Tuple(_), Value::Tuple(_, fields)) => {
                for (ty, part) in schema.model().parts_of(ty).into_iter().zip(fields) {
                    self.intern(schema, ty, part)?;
                }
            }
            (Type::Union(_), Value::Union(_, variant, part)) => {
                let types = schema.model().parts_of(ty);
                self.intern(schema, types.get(*variant as usize)?, part)?;
            }
            (Type::Map(_, range), Value::Map(entries)) => {
                for part in entries.values() {
                    self.intern(schema, range, part)?;
                }
            }
            (Type::Array(_, element), Value::Array { entries, default }) => {
                for part in entries.values().chain(default.as_deref()) {
                    self.intern(schema, element, part)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The word of a value whose whole was interned before.
    pub(crate) fn word(&self, schema: &Schema, ty: &Type, value: &Value) -> u64 {
        let known = match schema.encoding(ty) {
            Encoding::Packed(packing) => packing.encode(value),
            Encoding::Number => number(value),
            Encoding::Interned => self.ids.get(value).copied(),
        };
        known.unwrap_or(0)
    }

    /// The value that a word of this type stands for.
    pub(crate) fn decode(&self, schema: &Schema, ty: &Type, word: u64) -> Value {
        match schema.encoding(ty) {
            Encoding::Packed(packing) => packing.decode(word),
            Encoding::Number => Value::int(word as i64),
            Encoding::Interned => self.value(word).clone(),
        }
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Int(n) => n.to_i64().map(|n| n as u64),
        _ => None,
    }
}

/// How many values a value is made of.
fn parts(value: &Value) -> u64 {
    match value {
        Value::Null(Some(part)) | Value::Union(_, _, part) => 1 + parts(part),
        Value::Tuple(_, all) | Value::Seq(all) => 1 + all.iter().map(parts).sum::<u64>(),
        Value::Set(all) => 1 + all.iter().map(parts).sum::<u64>(),
        Value::Mset(counts) => 1 + counts.keys().map(parts).sum::<u64>(),
        Value::Map(entries) => entries.iter().map(|(k, v)| parts(k) + parts(v)).sum(),
        Value::Array { entries, default } => {
            let entries = entries.iter().map(|(k, v)| parts(k) + parts(v));
            entries.sum::<u64>() + default.iter().map(|v| parts(v)).sum::<u64>()
        }
        _ => 1,
    }
}
