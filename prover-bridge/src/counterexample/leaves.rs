//! The facts that make up a value in a finite instance: a list of scalar terms, and the value made of their values.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{Model, Type};
use z3::ast::{Ast, Bool, Dynamic, Int};

use crate::encode::{Encoded, Instance, Logic, MAX_LENGTH, Sym, and, implies, outside};

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
        (Sym::Atom(t), _) => out.push(t.clone()),
        (Sym::Tuple(fields), Type::Tuple(id)) => {
            let types = &logic.model.tuples[id.index()].fields;
            for (field, (_, ty)) in fields.iter().zip(types) {
                leaves(logic, field, ty, out)?;
            }
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
        (Sym::Array(array), Type::Array(index, element)) => {
            for i in listed(logic, index)? {
                leaves(logic, &array.call(&i.sym)?, element, out)?;
            }
            if let Some(far) = elsewhere(index) {
                leaves(logic, &array.call(&far)?, element, out)?;
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

/// The value of type `ty` whose leaves have these values. A leaf that says nothing (behind a nil, beyond the end of a
/// sequence) may be without a value.
pub(crate) fn assemble<'a>(
    logic: &'a Logic<'a>,
    ty: &'a Type,
    values: &mut impl Iterator<Item = Option<Value>>,
) -> Encoded<Value> {
    match ty {
        Type::Bool | Type::Nat | Type::Int | Type::Sort(_) | Type::Enum(_) => next(values),
        Type::Tuple(id) => {
            let fields = logic.model.tuples[id.index()].fields.iter();
            let fields: Encoded<Vec<_>> =
                fields.map(|(_, ty)| assemble(logic, ty, values)).collect();
            Ok(Value::Tuple(*id, fields?))
        }
        Type::Null(inner) => {
            if next(values)? == Value::Bool(true) {
                let value = assemble(logic, inner, values)?;
                return Ok(Value::Null(Some(Box::new(value))));
            }
            skip(logic, inner, values)?;
            Ok(Value::Null(None))
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
        Type::Array(index, element) => assemble_array(logic, index, element, values),
        Type::Seq(element) => {
            let len = length(&next(values)?)?;
            let elements: Encoded<Vec<Value>> =
                (0..len).map(|_| assemble(logic, element, values)).collect();
            let elements = elements?;
            (len..MAX_LENGTH).try_for_each(|_| skip(logic, element, values))?;
            Ok(Value::Seq(elements))
        }
        _ => unreachable!("nothing makes these yet"),
    }
}

/// The length of a sequence all of whose elements are among the leaves.
fn length(value: &Value) -> Encoded<i64> {
    let fits = |n: &i64| (0..=MAX_LENGTH).contains(n);
    match value {
        Value::Int(n) => i64::try_from(n).ok().filter(fits),
        _ => None,
    }
    .map_or_else(|| outside("a sequence too long to be read"), Ok)
}

fn next(values: &mut impl Iterator<Item = Option<Value>>) -> Encoded<Value> {
    match values.next() {
        Some(Some(value)) => Ok(value),
        _ => outside("a countermodel in which a part of the state has no value"),
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
    Ok(match ty {
        Type::Bool | Type::Nat | Type::Int | Type::Sort(_) | Type::Enum(_) => 1,
        Type::Tuple(id) => {
            let fields = logic.model.tuples[id.index()].fields.iter();
            let counts: Encoded<Vec<usize>> = fields.map(|(_, ty)| count(logic, ty)).collect();
            counts?.iter().sum()
        }
        Type::Null(inner) => 1 + count(logic, inner)?,
        Type::Set(element) => listed(logic, element)?.len(),
        Type::Array(index, element) => {
            let slots = listed(logic, index)?.len() + usize::from(elsewhere(index).is_some());
            slots * count(logic, element)?
        }
        Type::Seq(element) => 1 + MAX_LENGTH as usize * count(logic, element)?,
        _ => unreachable!("nothing makes these yet"),
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
    if elsewhere(index).is_some() {
        let rest = assemble(logic, element, values)?;
        entries.retain(|_, value| *value != rest);
        default = Some(Box::new(rest));
    }
    Ok(Value::Array { entries, default })
}

/// Says that a value is one that its leaves determine: numbers that are elements or indices lie in the window,
/// sequences are short.
pub(crate) fn bounded<'a>(logic: &'a Logic<'a>, value: &Sym<'a>, ty: &'a Type) -> Encoded<Bool> {
    let yes = Bool::from_bool(true);
    match (value, ty) {
        (Sym::Tuple(fields), Type::Tuple(id)) => {
            let types = &logic.model.tuples[id.index()].fields;
            let each = fields.iter().zip(types);
            let each: Encoded<Vec<Bool>> = each
                .map(|(field, (_, ty))| bounded(logic, field, ty))
                .collect();
            Ok(and(&each?))
        }
        (Sym::Null(some, value), Type::Null(inner)) => {
            Ok(implies(some, &bounded(logic, value, inner)?))
        }
        (Sym::Set(set), Type::Set(element)) if has_number(logic.model, element) => {
            logic.forall("x", element, |x| {
                Ok(implies(&set.contains(&x)?, &in_window(&x)))
            })
        }
        (Sym::Array(array), Type::Array(index, element)) => {
            let each: Encoded<Vec<Bool>> = listed(logic, index)?
                .iter()
                .map(|i| bounded(logic, &array.call(&i.sym)?, element))
                .collect();
            let inside = and(&each?);
            let Some(far) = elsewhere(index) else {
                return Ok(inside);
            };
            let rest = array.call(&far)?;
            let outside = logic.forall("x", index, |i| {
                let same = array.call(&i)?.equal(&rest, element, logic)?;
                Ok(implies(&in_window(&i).not(), &same))
            })?;
            Ok(and(&[inside, outside, bounded(logic, &rest, element)?]))
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
        _ => Ok(yes),
    }
}

/// The values of a type of elements or indices, its numbers restricted to the window.
fn listed<'a>(logic: &'a Logic<'a>, ty: &'a Type) -> Encoded<Vec<Instance<'a>>> {
    match logic.instances(ty, true) {
        Some(values) => Ok(values),
        None => outside(format!(
            "a collection over {}, of whose values there are too many to list",
            logic.model.type_name(ty)
        )),
    }
}

/// An index outside the window, for arrays over numbers: what stands there stands everywhere else too.
fn elsewhere<'a>(index: &Type) -> Option<Sym<'a>> {
    let beyond = crate::encode::WINDOW.end() + 1;
    index.is_integer().then(|| Sym::Int(Int::from_i64(beyond)))
}

fn has_number(model: &Model, ty: &Type) -> bool {
    match ty {
        Type::Nat | Type::Int => true,
        Type::Bool | Type::Sort(_) | Type::Enum(_) => false,
        Type::Tuple(id) => {
            let mut fields = model.tuples[id.index()].fields.iter();
            fields.any(|(_, ty)| has_number(model, ty))
        }
        Type::Set(inner) | Type::Seq(inner) | Type::Null(inner) => has_number(model, inner),
        Type::Array(index, element) => has_number(model, index) || has_number(model, element),
        _ => unreachable!("nothing makes these yet"),
    }
}

fn in_window(value: &Sym<'_>) -> Bool {
    match value {
        Sym::Int(n) => and(&[
            n.ge(*crate::encode::WINDOW.start()),
            n.le(*crate::encode::WINDOW.end()),
        ]),
        Sym::Tuple(fields) => and(&fields.iter().map(in_window).collect::<Vec<_>>()),
        Sym::Null(some, value) => implies(some, &in_window(value)),
        Sym::Bool(_) | Sym::Atom(_) | Sym::Set(_) | Sym::Array(_) | Sym::Seq(_) => {
            Bool::from_bool(true)
        }
    }
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
