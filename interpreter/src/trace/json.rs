//! Values as ITF writes them, read back by their types.
//!
//! | IOA | ITF |
//! |---|---|
//! | Bool | `true` |
//! | Nat, Int | `{"#bigint": "7"}` |
//! | element of a sort | `"Node#2"` |
//! | enumeration | `{"tag": "idle", "value": {"#tup": []}}` |
//! | tuple | `{"src": .., "dst": ..}` |
//! | Set, Seq | `{"#set": [..]}`, `[..]` |
//! | Null | `{"tag": "nil", "value": {"#tup": []}}`, `{"tag": "embed", "value": ..}` |
//! | Array | `{"#map": [[index, element], ..]}`; over an infinite index type `{"default": .., "except": {"#map": ..}}` |

use std::collections::BTreeMap;
use std::fmt::Display;

use ioa_lang::Value;
use ioa_lang::core::{Model, Type};
use num_bigint::BigInt;
use serde_json::{Map, Value as Json, json};

/// What does not belong: the path to it, outermost step first, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) path: Vec<String>,
    pub(super) expected: String,
}

impl Mismatch {
    pub(super) fn new(expected: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            expected: expected.into(),
        }
    }

    /// Seen from one level further out.
    pub(super) fn within(mut self, step: impl Display) -> Self {
        self.path.insert(0, step.to_string());
        self
    }
}

/// A value.
pub(super) fn encode(value: &Value, model: &Model) -> Json {
    let list = |values: &mut dyn Iterator<Item = &Value>| -> Json {
        values.map(|v| encode(v, model)).collect()
    };
    match value {
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!({ "#bigint": n.to_string() }),
        Value::Element(..) => json!(value.display(model)),
        Value::Enumerator(..) => variant(&value.display(model), &unit()),
        Value::Tuple(id, values) => {
            let fields = model.tuples[id.index()].fields.iter().zip(values);
            fields
                .map(|((name, _), v)| (name.to_string(), encode(v, model)))
                .collect()
        }
        Value::Set(elements) => json!({ "#set": list(&mut elements.iter()) }),
        Value::Seq(elements) => list(&mut elements.iter()),
        Value::Null(None) => variant("nil", &unit()),
        Value::Null(Some(inner)) => variant("embed", &encode(inner, model)),
        Value::Array { entries, default } => {
            let pairs: Json = entries
                .iter()
                .map(|(i, e)| json!([encode(i, model), encode(e, model)]))
                .collect();
            let map = json!({ "#map": pairs });
            match default {
                None => map,
                Some(default) => json!({ "default": encode(default, model), "except": map }),
            }
        }
        _ => unreachable!("nothing makes these yet"),
    }
}

fn unit() -> Json {
    json!({ "#tup": [] })
}

/// A value of a variant type.
pub(super) fn variant(tag: &str, value: &Json) -> Json {
    json!({ "tag": tag, "value": value })
}

/// A value of the type, read from what someone else may have written.
pub(super) fn decode(json: &Json, ty: &Type, model: &Model) -> Result<Value, Mismatch> {
    let expected = || Mismatch::new(format!("a value of type {}", model.type_name(ty)));
    match ty {
        Type::Bool => json.as_bool().map(Value::Bool).ok_or_else(expected),
        Type::Nat | Type::Int => {
            let number = integer(json).filter(|n| *ty == Type::Int || *n >= BigInt::ZERO);
            number.map(Value::Int).ok_or_else(expected)
        }
        Type::Sort(id) => {
            let name = &model.sorts[id.index()].name;
            let index = json
                .as_str()
                .and_then(|s| s.strip_prefix(&**name)?.strip_prefix('#'));
            let index = index
                .and_then(|digits| digits.parse().ok())
                .ok_or_else(expected)?;
            Ok(Value::Element(*id, index))
        }
        Type::Enum(id) => {
            let values = &model.enumerations[id.index()].values;
            let (tag, _) = tagged(json).ok_or_else(expected)?;
            let index = values
                .iter()
                .position(|name| **name == *tag)
                .ok_or_else(expected)?;
            Ok(Value::Enumerator(*id, index as u32))
        }
        Type::Tuple(id) => {
            let record = json.as_object().ok_or_else(expected)?;
            let fields = &model.tuples[id.index()].fields;
            let values = fields
                .iter()
                .map(|(name, ty)| field(record, name, ty, model));
            Ok(Value::Tuple(*id, values.collect::<Result<_, _>>()?))
        }
        Type::Set(element) => {
            let items = json
                .get("#set")
                .and_then(Json::as_array)
                .ok_or_else(expected)?;
            Ok(Value::Set(
                decode_all(items, element, model)?.into_iter().collect(),
            ))
        }
        Type::Seq(element) => {
            let items = json.as_array().ok_or_else(expected)?;
            Ok(Value::Seq(decode_all(items, element, model)?))
        }
        Type::Null(inner) => match tagged(json).ok_or_else(expected)? {
            ("nil", _) => Ok(Value::Null(None)),
            ("embed", Some(value)) => {
                let inner = decode(value, inner, model).map_err(|m| m.within("embed"))?;
                Ok(Value::Null(Some(Box::new(inner))))
            }
            _ => Err(expected()),
        },
        Type::Array(index, element) => decode_array(json, (index, element), model, &expected),
        _ => unreachable!("nothing makes these yet"),
    }
}

fn decode_all(items: &[Json], ty: &Type, model: &Model) -> Result<Vec<Value>, Mismatch> {
    let items = items.iter().enumerate();
    items
        .map(|(n, item)| decode(item, ty, model).map_err(|m| m.within(n)))
        .collect()
}

/// A field of a record.
pub(super) fn field(
    record: &Map<String, Json>,
    name: &str,
    ty: &Type,
    model: &Model,
) -> Result<Value, Mismatch> {
    let missing = || Mismatch::new("a value, and there is none").within(name);
    let value = record.get(name).ok_or_else(missing)?;
    decode(value, ty, model).map_err(|m| m.within(name))
}

fn decode_array(
    json: &Json,
    (index, element): (&Type, &Type),
    model: &Model,
    expected: &dyn Fn() -> Mismatch,
) -> Result<Value, Mismatch> {
    let (map, default) = match json.get("except") {
        None => (json, None),
        Some(except) => {
            let default = json.get("default").ok_or_else(expected)?;
            let default = decode(default, element, model).map_err(|m| m.within("default"))?;
            (except, Some(Box::new(default)))
        }
    };
    let pairs = map
        .get("#map")
        .and_then(Json::as_array)
        .ok_or_else(expected)?;
    let mut entries = BTreeMap::new();
    for (n, pair) in pairs.iter().enumerate() {
        let Some([i, e]) = pair.as_array().map(Vec::as_slice) else {
            return Err(expected().within(n));
        };
        let i = decode(i, index, model).map_err(|m| m.within(n))?;
        let e = decode(e, element, model).map_err(|m| m.within(n))?;
        entries.insert(i, e);
    }
    Ok(Value::Array { entries, default })
}

/// A number as ITF wants it, or as other tools write it.
fn integer(json: &Json) -> Option<BigInt> {
    // A text of more digits than a run could ever make is not read: parsing takes time quadratic in its length.
    let digits = |s: &str| (s.len() <= 20_000).then(|| s.parse().ok()).flatten();
    match json {
        Json::Number(n) => n.as_i64().map(BigInt::from),
        other => other.get("#bigint").and_then(Json::as_str).and_then(digits),
    }
}

fn tagged(json: &Json) -> Option<(&str, Option<&Json>)> {
    Some((json.get("tag")?.as_str()?, json.get("value")))
}

/// A type in Apalache's notation, as `#meta.varTypes` wants it.
pub(super) fn type_name(ty: &Type, model: &Model) -> String {
    let of = |ty: &Type| type_name(ty, model);
    match ty {
        Type::Bool => "Bool".into(),
        Type::Nat | Type::Int => "Int".into(),
        Type::Sort(id) => model.sorts[id.index()].name.to_uppercase(),
        Type::Enum(id) => {
            let values = model.enumerations[id.index()].values.iter();
            let variants: Vec<String> = values.map(|v| format!("{v}(UNIT)")).collect();
            variants.join(" | ")
        }
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter();
            let fields: Vec<String> = fields
                .map(|(name, ty)| format!("{name}: {}", of(ty)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Type::Set(element) => format!("Set({})", of(element)),
        Type::Seq(element) => format!("Seq({})", of(element)),
        Type::Null(inner) => format!("nil(UNIT) | embed({})", of(inner)),
        Type::Array(index, element) => format!("({} -> {})", of(index), of(element)),
        _ => unreachable!("nothing makes these yet"),
    }
}
