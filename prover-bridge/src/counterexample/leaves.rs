//! The facts that make up a value in a finite instance: a list of scalar terms, and the value made of their values.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::{Model, Rational, Type, UnionId};
use ioa_lang::{Name, Value};
use z3::ast::{Ast, Bool, Dynamic, Int};

use crate::logic::{
    Encoded, Function, Instance, Logic, MAX_LENGTH, Sym, and, implies, read_text, unsupported,
};

/// In a counterexample no element is in a multiset more often than this.
const MAX_COUNT: i64 = 64;

/// Appends the scalar terms that determine a value of type `ty`, in the order in which [`assemble`] wants theirs.
///
/// # Errors
/// A collection indexed by a type of which even the values in a window cannot be listed.
pub(crate) fn leaves<'a>(
    logic: &'a Logic<'a>,
    value: &Sym<'a>,
    ty: &'a Type,
    out: &mut Vec<Dynamic>,
) -> Encoded<()> {
    match (value, ty) {
        (Sym::Bool(b), _) => out.push(b.into()),
        (Sym::Int(n), _) => out.push(n.into()),
        (Sym::Real(n), _) => out.push(n.into()),
        (Sym::Text(t), _) => out.push(t.into()),
        (Sym::Atom(t), _) => out.push(t.clone()),
        (Sym::Tuple(fields), Type::Tuple(id)) => {
            leaves_of_parts(logic, fields, &logic.model.tuples[id.index()].fields, out)?;
        }
        (Sym::Union(tag, payloads), Type::Union(id)) => {
            out.push(tag.clone());
            leaves_of_parts(
                logic,
                payloads,
                &logic.model.unions[id.index()].variants,
                out,
            )?;
        }
        (Sym::Null(some, value), Type::Null(inner)) => {
            out.push(some.into());
            leaves(logic, value, inner, out)?;
        }
        (Sym::Set(set), Type::Set(element)) => {
            for x in listed(logic, element)? {
                out.push(set.contains(&x.sym)?.into());
            }
        }
        (Sym::Mset(mset), Type::Mset(element)) => {
            for x in listed(logic, element)? {
                out.push(mset.count(&x.sym)?.into());
            }
        }
        (Sym::Array(array), Type::Array(index, element)) => {
            for i in listed(logic, index)? {
                leaves(logic, &array.call(&i.sym)?, element, out)?;
            }
            if let Some(far) = logic.beyond_window(index) {
                leaves(logic, &array.call(&far)?, element, out)?;
            }
        }
        (Sym::Map(map), Type::Map(domain, range)) => {
            for d in listed(logic, domain)? {
                let entry = map.call(&d.sym)?;
                let (some, value) = entry.null();
                out.push(some.into());
                leaves(logic, value, range, out)?;
            }
        }
        (Sym::Seq(seq), Type::Seq(element)) => {
            out.push((&seq.len).into());
            for i in 0..MAX_LENGTH {
                leaves(logic, &seq.nth(&Int::from_i64(i))?, element, out)?;
            }
        }
        _ => unreachable!("the value has the type"),
    }
    Ok(())
}

fn leaves_of_parts<'a>(
    logic: &'a Logic<'a>,
    values: &[Sym<'a>],
    types: &'a [(Name, Type)],
    out: &mut Vec<Dynamic>,
) -> Encoded<()> {
    let mut parts = values.iter().zip(types);
    parts.try_for_each(|(value, (_, ty))| leaves(logic, value, ty, out))
}

/// The value of type `ty` whose leaves have these values. A leaf that says nothing (behind a nil, beyond the end of a
/// sequence) may be without a value.
pub(crate) fn assemble<'a>(
    logic: &'a Logic<'a>,
    ty: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    match ty {
        Type::Bool
        | Type::Nat
        | Type::Int
        | Type::Real
        | Type::String
        | Type::Sort(_)
        | Type::Enum(_) => next(values),
        Type::Char => character(&next(values)?),
        Type::Tuple(id) => {
            let fields = logic.model.tuples[id.index()].fields.iter();
            let fields: Encoded<Vec<_>> =
                fields.map(|(_, ty)| assemble(logic, ty, values)).collect();
            Ok(Value::Tuple(*id, fields?))
        }
        Type::Union(id) => assemble_union(logic, *id, values),
        Type::Null(inner) => {
            let value = assemble_null(logic, inner, values)?;
            Ok(Value::Null(value.map(Box::new)))
        }
        Type::Set(element) => {
            let mut members = BTreeSet::new();
            for x in listed(logic, element)? {
                if next(values)? == Value::Bool(true) {
                    members.insert(x.value);
                }
            }
            Ok(Value::Set(members))
        }
        Type::Mset(element) => {
            let mut counts = BTreeMap::new();
            for x in listed(logic, element)? {
                counts.insert(x.value, count_of(&next(values)?)?);
            }
            counts.retain(|_, count| *count > 0);
            Ok(Value::Mset(counts))
        }
        Type::Array(index, element) => assemble_array(logic, index, element, values),
        Type::Seq(element) => {
            let len = length(&next(values)?)?;
            let elements: Encoded<Vec<Value>> =
                (0..len).map(|_| assemble(logic, element, values)).collect();
            let elements = elements?;
            (len..MAX_LENGTH).try_for_each(|_| skip(logic, element, values))?;
            Ok(Value::Seq(elements))
        }
        Type::Map(domain, range) => {
            let mut entries = BTreeMap::new();
            for d in listed(logic, domain)? {
                if let Some(value) = assemble_null(logic, range, values)? {
                    entries.insert(d.value, value);
                }
            }
            Ok(Value::Map(entries))
        }
    }
}

fn assemble_null<'a>(
    logic: &'a Logic<'a>,
    inner: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Option<Value>> {
    if next(values)? == Value::Bool(true) {
        return assemble(logic, inner, values).map(Some);
    }
    skip(logic, inner, values)?;
    Ok(None)
}

fn assemble_union<'a>(
    logic: &'a Logic<'a>,
    id: UnionId,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    let Value::Enumerator(_, tag) = next(values)? else {
        return unsupported("a union's value whose tag is none");
    };
    let mut carried = None;
    for (i, (_, ty)) in (0..).zip(&logic.model.unions[id.index()].variants) {
        if i == tag {
            carried = Some(assemble(logic, ty, values)?);
        } else {
            skip(logic, ty, values)?;
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
    logic: &'a Logic<'a>,
    ty: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<()> {
    for _ in 0..count(logic, ty)? {
        values.next();
    }
    Ok(())
}

/// The number of leaves of a value of type `ty`.
fn count<'a>(logic: &'a Logic<'a>, ty: &'a Type) -> Encoded<usize> {
    let sum = |parts: &'a [(Name, Type)]| -> Encoded<usize> {
        let counts = parts.iter().map(|(_, ty)| count(logic, ty));
        Ok(counts.collect::<Encoded<Vec<usize>>>()?.iter().sum())
    };
    Ok(match ty {
        Type::Bool
        | Type::Nat
        | Type::Int
        | Type::Real
        | Type::Char
        | Type::String
        | Type::Sort(_)
        | Type::Enum(_) => 1,
        Type::Tuple(id) => sum(&logic.model.tuples[id.index()].fields)?,
        Type::Union(id) => 1 + sum(&logic.model.unions[id.index()].variants)?,
        Type::Null(inner) => 1 + count(logic, inner)?,
        Type::Set(element) | Type::Mset(element) => listed(logic, element)?.len(),
        Type::Array(index, element) => {
            let far = logic.beyond_window(index).is_some();
            (listed(logic, index)?.len() + usize::from(far)) * count(logic, element)?
        }
        Type::Map(domain, range) => listed(logic, domain)?.len() * (1 + count(logic, range)?),
        Type::Seq(element) => 1 + MAX_LENGTH as usize * count(logic, element)?,
    })
}

fn assemble_array<'a>(
    logic: &'a Logic<'a>,
    index: &'a Type,
    element: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    let mut entries = BTreeMap::new();
    for i in listed(logic, index)? {
        entries.insert(i.value, assemble(logic, element, values)?);
    }
    let mut default = None;
    if logic.beyond_window(index).is_some() {
        let rest = assemble(logic, element, values)?;
        entries.retain(|_, value| *value != rest);
        default = Some(Box::new(rest));
    }
    Ok(Value::Array { entries, default })
}

/// Says that a value is one that its leaves determine: elements and indices of infinite types lie in their windows,
/// sequences are short, counts are small.
pub(crate) fn bounded<'a>(logic: &'a Logic<'a>, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
    match (value, ty) {
        (Sym::Tuple(fields), Type::Tuple(id)) => {
            let types = &logic.model.tuples[id.index()].fields;
            let each = fields.iter().zip(types);
            let each: Encoded<Vec<Bool>> = each
                .map(|(field, (_, ty))| bounded(logic, field, ty))
                .collect();
            Ok(and(&each?))
        }
        (Sym::Union(_, payloads), Type::Union(id)) => {
            let types = &logic.model.unions[id.index()].variants;
            let each = (0..).zip(payloads.iter().zip(types));
            let each: Encoded<Vec<Bool>> = each
                .map(|(i, (payload, (_, ty)))| {
                    let here = logic.has_tag(value, *id, i);
                    Ok(implies(&here, &bounded(logic, payload, ty)?))
                })
                .collect();
            Ok(and(&each?))
        }
        (Sym::Null(some, value), Type::Null(inner)) => {
            Ok(implies(some, &bounded(logic, value, inner)?))
        }
        _ => bounded_collection(logic, value, ty),
    }
}

fn bounded_collection<'a>(logic: &'a Logic<'a>, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
    match (value, ty) {
        (Sym::Set(set), Type::Set(element)) => only_in_window(logic, element, |x| set.contains(x)),
        (Sym::Mset(mset), Type::Mset(element)) => {
            let small = listed(logic, element)?
                .iter()
                .map(|x| Ok(mset.count(&x.sym)?.le(MAX_COUNT)))
                .collect::<Encoded<Vec<Bool>>>()?;
            let inside = only_in_window(logic, element, |x| Ok(mset.count(x)?.gt(0)))?;
            Ok(and(&[and(&small), inside]))
        }
        (Sym::Map(map), Type::Map(domain, range)) => {
            let each = listed(logic, domain)?
                .iter()
                .map(|d| {
                    let entry = map.call(&d.sym)?;
                    let (some, value) = entry.null();
                    Ok(implies(some, &bounded(logic, value, range)?))
                })
                .collect::<Encoded<Vec<Bool>>>()?;
            let inside = only_in_window(logic, domain, |d| Ok(map.call(d)?.null().0.clone()))?;
            Ok(and(&[and(&each), inside]))
        }
        (Sym::Array(array), Type::Array(index, element)) => {
            bounded_array(logic, array, (index, element))
        }
        (Sym::Seq(seq), Type::Seq(element)) => {
            let each: Encoded<Vec<Bool>> = (0..MAX_LENGTH)
                .map(|i| {
                    let inside = seq.len.gt(i);
                    Ok(implies(
                        &inside,
                        &bounded(logic, &seq.nth(&Int::from_i64(i))?, element)?,
                    ))
                })
                .collect();
            Ok(and(&[seq.len.le(MAX_LENGTH), and(&each?)]))
        }
        _ => Ok(Bool::from_bool(true)),
    }
}

fn bounded_array<'a>(
    logic: &'a Logic<'a>,
    array: &Function<'a>,
    (index, element): (&'a Type, &'a Type),
) -> Encoded<Bool> {
    let each: Encoded<Vec<Bool>> = listed(logic, index)?
        .iter()
        .map(|i| bounded(logic, &array.call(&i.sym)?, element))
        .collect();
    let inside = and(&each?);
    // What stands outside the window stands everywhere outside it.
    let Some(far) = logic.beyond_window(index) else {
        return Ok(inside);
    };
    let rest = array.call(&far)?;
    let outside = logic.forall("x", index, |i| {
        let same = array.call(&i)?.equal(&rest, element, logic)?;
        Ok(implies(&logic.in_window(&i, index).not(), &same))
    })?;
    Ok(and(&[inside, outside, bounded(logic, &rest, element)?]))
}

/// Says that a collection has nothing of a type but what is listed of it.
fn only_in_window<'a>(
    logic: &'a Logic<'a>,
    element: &'a Type,
    has: impl Fn(&Sym<'a>) -> Encoded<Bool>,
) -> Encoded<Bool> {
    if !has_window(logic.model, element) {
        return Ok(Bool::from_bool(true));
    }
    logic.forall("x", element, |x| {
        Ok(implies(&has(&x)?, &logic.in_window(&x, element)))
    })
}

/// The values of a type of elements or indices, its numbers restricted to the window.
fn listed<'a>(logic: &'a Logic<'a>, ty: &'a Type) -> Encoded<Vec<Instance<'a>>> {
    match logic.instances(ty, true) {
        Some(values) => Ok(values),
        None => unsupported(format!(
            "a collection over {}, of whose values there are too many to list",
            logic.model.type_name(ty)
        )),
    }
}

/// Whether values of the type have parts of which only those in a window are listed.
fn has_window(model: &Model, ty: &Type) -> bool {
    let any = |parts: &[(Name, Type)]| parts.iter().any(|(_, ty)| has_window(model, ty));
    match ty {
        Type::Nat | Type::Int | Type::Real | Type::Char | Type::String => true,
        Type::Bool | Type::Sort(_) | Type::Enum(_) => false,
        Type::Tuple(id) => any(&model.tuples[id.index()].fields),
        Type::Union(id) => any(&model.unions[id.index()].variants),
        Type::Set(inner) | Type::Mset(inner) | Type::Seq(inner) | Type::Null(inner) => {
            has_window(model, inner)
        }
        Type::Array(index, element) | Type::Map(index, element) => {
            has_window(model, index) || has_window(model, element)
        }
    }
}

/// A symbolic value in a model.
pub(crate) fn read_value<'a>(
    logic: &'a Logic<'a>,
    model: &z3::Model,
    value: &Sym<'a>,
    ty: &'a Type,
) -> Encoded<Value> {
    let mut terms = Vec::new();
    leaves(logic, value, ty, &mut terms)?;
    let scalars: Vec<Option<Value>> = terms
        .iter()
        .map(|term| scalar_value(logic, model, term))
        .collect();
    assemble(logic, ty, &mut scalars.into_iter())
}

/// The value of a scalar term in a model, as data.
pub(crate) fn scalar_value<'a>(
    logic: &'a Logic<'a>,
    model: &z3::Model,
    term: &Dynamic,
) -> Option<Value> {
    let value = model.eval(term, true)?;
    if let Some(b) = value.as_bool() {
        return b.as_bool().map(Value::Bool);
    }
    if value.as_int().is_some() {
        return parse_int(&value.to_string()).map(Value::Int);
    }
    if value.as_real().is_some() {
        return parse_fraction(&value.to_string()).map(Value::Real);
    }
    if let Some(text) = value.as_string() {
        return read_text(&text.as_string()?).map(|text| Value::Text(text.into()));
    }
    logic.atoms().find_map(|instance| match &instance.sym {
        Sym::Atom(atom) if atom.get_sort() == value.get_sort() => model
            .eval(atom, true)?
            .ast_eq(&value)
            .then(|| instance.value.clone()),
        _ => None,
    })
}

/// A numeral as Z3 writes it: `7` or `(- 7)`.
fn parse_int(text: &str) -> Option<num_bigint::BigInt> {
    match text
        .strip_prefix("(- ")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(digits) => digits.parse::<num_bigint::BigInt>().ok().map(|n| -n),
        None => text.parse().ok(),
    }
}

/// A fraction as Z3 writes it: `7.0`, `(/ 1.0 3.0)` or `(- (/ 1.0 3.0))`; `None` for an irrational number.
fn parse_fraction(text: &str) -> Option<Rational> {
    if let Some(rest) = text.strip_prefix("(- ") {
        return parse_fraction(rest.strip_suffix(')')?).map(|n| -n);
    }
    let whole = |digits: &str| digits.strip_suffix(".0").unwrap_or(digits).parse().ok();
    match text.strip_prefix("(/ ") {
        Some(rest) => {
            let (numerator, denominator) = rest.strip_suffix(')')?.split_once(' ')?;
            Some(Rational::new(whole(numerator)?, whole(denominator)?))
        }
        None => whole(text).map(Rational::from_integer),
    }
}
