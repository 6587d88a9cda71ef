//! Values in the notation of ITF, which are read back according to their types.
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
//! | union | `{"tag": "num", "value": ..}` |
//! | Map | `{"#map": [[key, value], ..]}`: what is defined |
//! | Mset | `{"#map": [[element, {"#bigint": "2"}], ..]}`: how often each is in it |
//! | Char, String | `"a"`, `"abc"` |
//! | Real | `{"#real": "-1/3"}`, in lowest terms; where the denominator is 1, `{"#real": "2"}` |
//! | Array | `{"#map": [[index, element], ..]}`; over an infinite index type `{"default": .., "except": {"#map": ..}}` |

use std::collections::BTreeMap;
use std::fmt::Display;

use ioa_lang::Value;
use ioa_lang::core::{Model, Rational, TupleId, Type, UnionId};
use num_bigint::BigInt;
use serde_json::{Map, Value as Json, json};

/// A mistake in a value: the path to it, outermost step first, and what was expected there.
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

    /// The same mistake with its path extended by one outer step.
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
        Value::Real(n) => json!({ "#real": n.to_string() }),
        Value::Char(c) => json!(c),
        Value::Text(text) => json!(&**text),
        Value::Union(id, at, value) => {
            let variants = &model.unions[id.index()].variants;
            variant(&variants[*at as usize].0, &encode(value, model))
        }
        Value::Map(entries) => map(entries.iter().map(|(d, r)| (d, encode(r, model))), model),
        Value::Mset(counts) => {
            let counts = counts.iter();
            map(
                counts.map(|(e, n)| (e, json!({ "#bigint": n.to_string() }))),
                model,
            )
        }
        Value::Array { entries, default } => {
            let map = map(entries.iter().map(|(i, e)| (i, encode(e, model))), model);
            match default {
                None => map,
                Some(default) => json!({ "default": encode(default, model), "except": map }),
            }
        }
    }
}

/// Keys with their values.
fn map<'v>(pairs: impl Iterator<Item = (&'v Value, Json)>, model: &Model) -> Json {
    let pairs: Json = pairs.map(|(k, v)| json!([encode(k, model), v])).collect();
    json!({ "#map": pairs })
}

fn unit() -> Json {
    json!({ "#tup": [] })
}

/// A value of a variant type.
pub(super) fn variant(tag: &str, value: &Json) -> Json {
    json!({ "tag": tag, "value": value })
}

/// Reads a value of the type from a file that another program may have written.
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
        Type::Tuple(id) => decode_tuple(json, *id, model, &expected),
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
        Type::Real => fraction(json).map(Value::Real).ok_or_else(expected),
        Type::Char => character(json).map(Value::Char).ok_or_else(expected),
        Type::String => {
            let text = json.as_str().map(|text| Value::Text(text.into()));
            text.ok_or_else(expected)
        }
        Type::Union(id) => decode_union(json, *id, model, &expected),
        Type::Map(domain, range) => {
            let range = |json: &Json| decode(json, range, model);
            Ok(Value::Map(decode_pairs(
                json, domain, range, model, &expected,
            )?))
        }
        Type::Mset(element) => {
            let count = |json: &Json| {
                let count = integer(json).and_then(|n| u64::try_from(n).ok());
                let count = count.filter(|n| *n > 0);
                count.ok_or_else(|| Mismatch::new("how often the element is in the multiset"))
            };
            Ok(Value::Mset(decode_pairs(
                json, element, count, model, &expected,
            )?))
        }
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
    let entries = decode_pairs(
        map,
        index,
        |json| decode(json, element, model),
        model,
        expected,
    )?;
    Ok(Value::Array { entries, default })
}

/// Distinct keys with their values.
fn decode_pairs<T>(
    json: &Json,
    key: &Type,
    read: impl Fn(&Json) -> Result<T, Mismatch>,
    model: &Model,
    expected: &dyn Fn() -> Mismatch,
) -> Result<BTreeMap<Value, T>, Mismatch> {
    let pairs = json.get("#map").and_then(Json::as_array);
    let mut entries = BTreeMap::new();
    for (n, pair) in pairs.ok_or_else(expected)?.iter().enumerate() {
        let Some([k, v]) = pair.as_array().map(Vec::as_slice) else {
            return Err(expected().within(n));
        };
        let k = decode(k, key, model).map_err(|m| m.within(n))?;
        if entries
            .insert(k, read(v).map_err(|m| m.within(n))?)
            .is_some()
        {
            return Err(Mismatch::new("a key that does not stand before").within(n));
        }
    }
    Ok(entries)
}

fn decode_tuple(
    json: &Json,
    id: TupleId,
    model: &Model,
    expected: &dyn Fn() -> Mismatch,
) -> Result<Value, Mismatch> {
    let record = json.as_object().ok_or_else(expected)?;
    let fields = &model.tuples[id.index()].fields;
    let values = fields
        .iter()
        .map(|(name, ty)| field(record, name, ty, model));
    Ok(Value::Tuple(id, values.collect::<Result<_, _>>()?))
}

fn decode_union(
    json: &Json,
    id: UnionId,
    model: &Model,
    expected: &dyn Fn() -> Mismatch,
) -> Result<Value, Mismatch> {
    let (Some((tag, Some(value))), variants) = (tagged(json), &model.unions[id.index()].variants)
    else {
        return Err(expected());
    };
    let at = variants.iter().position(|(name, _)| **name == *tag);
    let at = at.ok_or_else(expected)?;
    let value = decode(value, &variants[at].1, model).map_err(|m| m.within(tag))?;
    Ok(Value::Union(id, at as u32, Box::new(value)))
}

/// A text of one character.
fn character(json: &Json) -> Option<char> {
    let mut text = json.as_str()?.chars();
    match (text.next(), text.next()) {
        (Some(c), None) => Some(c),
        _ => None,
    }
}

/// A fraction as we write it, or as a strict reader of the format requires it, or a number.
fn fraction(json: &Json) -> Option<Rational> {
    let Some(text) = json.get("#real").or_else(|| json.get("#unserializable")) else {
        return integer(json).map(Rational::from_integer);
    };
    let (numerator, denominator) = match text.as_str()?.split_once('/') {
        Some((a, b)) => (digits(a)?, digits(b)?),
        None => (digits(text.as_str()?)?, BigInt::from(1)),
    };
    (denominator > BigInt::ZERO).then(|| Rational::new(numerator, denominator))
}

/// A number as ITF requires it, or as other tools write it.
fn integer(json: &Json) -> Option<BigInt> {
    match json {
        Json::Number(n) => n.as_i64().map(BigInt::from),
        other => other.get("#bigint").and_then(Json::as_str).and_then(digits),
    }
}

/// A number in decimal notation. It is refused if it has more digits than any run could produce, since parsing takes
/// quadratic time.
fn digits(text: &str) -> Option<BigInt> {
    (text.len() <= 20_000).then(|| text.parse().ok()).flatten()
}

fn tagged(json: &Json) -> Option<(&str, Option<&Json>)> {
    Some((json.get("tag")?.as_str()?, json.get("value")))
}

/// A type in Apalache's notation, as `#meta.varTypes` requires it.
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
        Type::Real => "Real".into(),
        Type::Char | Type::String => "Str".into(),
        Type::Union(id) => {
            let variants = model.unions[id.index()].variants.iter();
            let variants: Vec<String> = variants
                .map(|(name, ty)| format!("{name}({})", of(ty)))
                .collect();
            variants.join(" | ")
        }
        Type::Map(domain, range) => format!("({} -> {})", of(domain), of(range)),
        Type::Mset(element) => format!("({} -> Int)", of(element)),
    }
}

#[cfg(test)]
mod tests {
    use ioa_lang::Span;
    use ioa_lang::core::{EnumId, UnionType};

    use super::*;

    fn model() -> Model {
        let variants = vec![("num".into(), Type::Int), ("name".into(), Type::String)];
        let item = UnionType {
            name: "Item".into(),
            variants,
            tags: EnumId(0),
            span: Span::default(),
        };
        let mut model = Model::default();
        model.unions.push(item);
        model
    }

    fn item() -> Type {
        Type::Union(UnionId(0))
    }

    fn num(n: i64) -> Value {
        Value::Union(UnionId(0), 0, Box::new(Value::int(n)))
    }

    #[test]
    fn every_value_is_read_back() {
        let name = Value::Union(UnionId(0), 1, Box::new(Value::Text("\"x\"\n".into())));
        let counts = [(num(1), 2), (name.clone(), 1)];
        let third = Rational::new((-1).into(), 3.into());
        let values = [
            (item(), name.clone()),
            (Type::Real, Value::Real(third)),
            (Type::Real, Value::Real(Rational::from_integer(7.into()))),
            (Type::Char, Value::Char('\u{e000}')),
            (Type::String, Value::Text("".into())),
            (
                Type::map(Type::Char, item()),
                Value::Map([(Value::Char('k'), name)].into()),
            ),
            (Type::mset(item()), Value::Mset(counts.into())),
        ];
        for (ty, value) in values {
            let json = encode(&value, &model());
            assert_eq!(decode(&json, &ty, &model()), Ok(value), "{json}");
        }
        let third = Value::Real(Rational::new((-1).into(), 3.into()));
        let strict = json!({ "#unserializable": "-1/3" });
        assert_eq!(decode(&strict, &Type::Real, &model()), Ok(third));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let twice = json!([["a", num_json("1")], ["a", num_json("2")]]);
        let wrong = [
            (Type::Real, json!({ "#real": "1/0" })),
            (Type::Real, json!({ "#real": "1/-2" })),
            (Type::Real, json!({ "#real": "0.5" })),
            (Type::Real, json!({ "#real": "1".repeat(30_000) })),
            (Type::Real, json!(0.5)),
            (Type::Char, json!("")),
            (Type::Char, json!("ab")),
            (Type::String, json!(["a"])),
            (item(), json!({ "tag": "other", "value": 1 })),
            (item(), json!({ "tag": "num" })),
            (item(), json!({ "tag": "num", "value": "1" })),
            (Type::map(Type::Char, Type::Int), json!({ "#map": twice })),
            (Type::map(Type::Char, Type::Int), json!({ "#map": [["a"]] })),
            (
                Type::mset(Type::Char),
                json!({ "#map": [["a", num_json("0")]] }),
            ),
            (
                Type::mset(Type::Char),
                json!({ "#map": [["a", num_json("-1")]] }),
            ),
            (
                Type::mset(Type::Char),
                json!({ "#map": [["a", num_json("99999999999999999999")]] }),
            ),
            (Type::mset(Type::Char), json!(["a"])),
        ];
        for (ty, json) in wrong {
            assert!(decode(&json, &ty, &model()).is_err(), "{json}");
        }
    }

    #[test]
    fn a_mismatch_says_where_it_is() {
        let json = json!({ "#map": [["a", { "tag": "num", "value": 1 }], ["b", { "tag": "name", "value": 1 }]] });
        let mismatch = decode(&json, &Type::map(Type::Char, item()), &model()).unwrap_err();
        assert_eq!(
            (mismatch.path, &*mismatch.expected),
            (vec!["1".into(), "name".into()], "a value of type String")
        );
    }

    fn num_json(n: &str) -> Json {
        json!({ "#bigint": n })
    }
}
