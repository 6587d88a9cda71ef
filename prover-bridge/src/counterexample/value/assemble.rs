//! Values made of the values of their leaves.

use std::collections::BTreeMap;

use ioa_lang::Value;
use ioa_lang::core::{Type, UnionId};

use super::Facts;
use super::leaves::count;
use super::points::{MAX_POINTS, listed, listed_or_named};
use crate::logic::{Encoded, MAX_LENGTH, unsupported};

/// The value of type `ty` whose leaves have these values. A leaf that says nothing (after a nil, beyond the end of a
/// sequence) may be without a value.
pub(crate) fn assemble<'a>(
    facts: &Facts<'a>,
    ty: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    match ty {
        Type::Char => character(&next(values)?),
        Type::Tuple(id) => {
            let fields = facts.logic.model.parts_of(ty).into_iter();
            let fields: Encoded<Vec<_>> = fields.map(|ty| assemble(facts, ty, values)).collect();
            Ok(Value::Tuple(*id, fields?))
        }
        Type::Union(id) => assemble_union(facts, *id, values),
        Type::Null(inner) => {
            let value = assemble_null(facts, inner, values)?;
            Ok(Value::Null(value.map(Box::new)))
        }
        Type::Set(element) => {
            let is_member = |values: &mut _| Ok((next(values)? == Value::Bool(true)).then_some(()));
            let members = at_points(facts, element, values, is_member)?.into_iter();
            Ok(Value::Set(members.map(|(member, ())| member).collect()))
        }
        Type::Mset(element) => {
            let count = |values: &mut _| Ok(Some(count_of(&next(values)?)?).filter(|n| *n > 0));
            let counts = at_points(facts, element, values, count)?;
            Ok(Value::Mset(counts.into_iter().collect()))
        }
        Type::Array(index, element) => assemble_array(facts, index, element, values),
        Type::Seq(element) => {
            let len = length(&next(values)?)?;
            let elements: Encoded<Vec<Value>> =
                (0..len).map(|_| assemble(facts, element, values)).collect();
            let elements = elements?;
            (len..MAX_LENGTH).try_for_each(|_| skip(facts, element, values))?;
            Ok(Value::Seq(elements))
        }
        Type::Map(domain, range) => {
            let entry = |values: &mut _| assemble_null(facts, range, values);
            let entries = at_points(facts, domain, values, entry)?;
            Ok(Value::Map(entries.into_iter().collect()))
        }
        _ => next(values),
    }
}

/// What a collection has at its points, as [`super::leaves`] reads it there; where it has nothing, a point may be no value.
fn at_points<'a, T, V: Iterator<Item = Option<Value>>>(
    facts: &Facts<'a>,
    ty: &'a Type,
    values: &mut V,
    read: impl Fn(&mut V) -> Encoded<Option<T>>,
) -> Encoded<Vec<(Value, T)>> {
    let mut found = Vec::new();
    if let Some(listed) = listed_or_named(facts, ty)? {
        for point in listed {
            found.extend(read(values)?.map(|there| (point.value, there)));
        }
        return Ok(found);
    }
    for _ in 0..MAX_POINTS {
        match read(values)? {
            Some(there) => found.push((assemble(facts, ty, values)?, there)),
            None => skip(facts, ty, values)?,
        }
    }
    Ok(found)
}

fn assemble_null<'a>(
    facts: &Facts<'a>,
    inner: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Option<Value>> {
    if next(values)? == Value::Bool(true) {
        return assemble(facts, inner, values).map(Some);
    }
    skip(facts, inner, values)?;
    Ok(None)
}

fn assemble_union<'a>(
    facts: &Facts<'a>,
    id: UnionId,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    let Value::Enumerator(_, tag) = next(values)? else {
        return unsupported("a union's value whose tag is none");
    };
    let mut carried = None;
    for (i, (_, ty)) in (0..).zip(&facts.logic.model.unions[id.index()].variants) {
        if i == tag {
            carried = Some(assemble(facts, ty, values)?);
        } else {
            skip(facts, ty, values)?;
        }
    }
    match carried {
        Some(value) => Ok(Value::Union(id, tag, Box::new(value))),
        None => unsupported("a union's value whose tag is none"),
    }
}

/// The character with this number.
fn character(value: &Value) -> Encoded<Value> {
    let number = match value {
        Value::Int(n) => u32::try_from(n).ok(),
        _ => None,
    };
    match number.and_then(char::from_u32) {
        Some(c) => Ok(Value::Char(c)),
        None => unsupported("a character that is none"),
    }
}

fn count_of(value: &Value) -> Encoded<u64> {
    let count = match value {
        Value::Int(n) => u64::try_from(n).ok(),
        _ => None,
    };
    count.map_or_else(|| unsupported("a count that is none"), Ok)
}

/// The length of a sequence all of whose elements are among the leaves.
fn length(value: &Value) -> Encoded<i64> {
    let fits = |n: &i64| (0..=MAX_LENGTH).contains(n);
    match value {
        Value::Int(n) => i64::try_from(n).ok().filter(fits),
        _ => None,
    }
    .map_or_else(|| unsupported("a sequence too long to be read"), Ok)
}

fn next(values: &mut impl Iterator<Item = Option<Value>>) -> Encoded<Value> {
    match values.next() {
        Some(Some(value)) => Ok(value),
        _ => unsupported("a countermodel in which a part of the state has no value"),
    }
}

/// Passes over the leaves of a value of type `ty`.
fn skip<'a>(
    facts: &Facts<'a>,
    ty: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<()> {
    for _ in 0..count(facts, ty)? {
        values.next();
    }
    Ok(())
}

fn assemble_array<'a>(
    facts: &Facts<'a>,
    index: &'a Type,
    element: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    let mut entries = BTreeMap::new();
    for i in listed(facts, index)? {
        entries.insert(i.value, assemble(facts, element, values)?);
    }
    let mut default = None;
    if facts.logic.beyond_window(index).is_some() {
        let rest = assemble(facts, element, values)?;
        entries.retain(|_, value| *value != rest);
        default = Some(Box::new(rest));
    }
    Ok(Value::Array { entries, default })
}
