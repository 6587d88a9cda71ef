//! Reads values according to their types.

use std::collections::BTreeMap;

use ioa_lang::Value;
use ioa_lang::core::{Model, Rational, TupleId, Type, UnionId};
use num_bigint::BigInt;
use serde_json::{Map, Value as Json};

use super::Mismatch;

/// Reads a value of the type from a file that another program may have written.
pub(in crate::trace) fn decode(json: &Json, ty: &Type, model: &Model) -> Result<Value, Mismatch> {
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
pub(in crate::trace) fn field(
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
