//! Values in a finite instance: the scalar terms that determine a value, and the value made of theirs.
//!
//! ```text
//! points    where a collection may have something
//! leaves    the scalar terms of a value
//! bounded   which values these terms determine
//! assemble  the value that they determine
//! elements  the same value with other elements
//! ```

mod assemble;
mod bounded;
mod elements;
mod leaves;
mod points;

use ioa_lang::Value;
use ioa_lang::core::{Rational, Type};
use z3::ast::{Ast, Dynamic};

pub(crate) use assemble::assemble;
pub(crate) use bounded::bounded;
pub(crate) use elements::renumbered;
pub(crate) use leaves::leaves;
pub(crate) use points::Facts;

use crate::logic::{Encoded, Logic, Sym, read_text};

/// A symbolic value in a model.
pub(crate) fn read_value<'a>(
    facts: &Facts<'a>,
    model: &z3::Model,
    value: &Sym<'a>,
    ty: &'a Type,
) -> Encoded<Value> {
    let mut terms = Vec::new();
    leaves(facts, value, ty, &mut terms)?;
    let scalars: Vec<Option<Value>> = terms
        .iter()
        .map(|term| scalar_value(facts.logic, model, term))
        .collect();
    assemble(facts, ty, &mut scalars.into_iter())
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
