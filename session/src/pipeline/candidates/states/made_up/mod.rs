//! Made-up states: well-typed, and otherwise arbitrary. Each is a reached state in which some variables have other values.

mod instance;
mod misses;

use std::collections::{BTreeMap, BTreeSet};

use finite::{Packing, Universe};
use interpreter::{Layout, State, States};
use ioa_lang::Value;
use ioa_lang::core::{Model, Rational, Type};
use num_bigint::BigInt;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The seed of all draws: the same states are made up every time.
const SEED: u64 = 1;
/// Elements of a collection that is made up, at most.
const MAX_ELEMENTS: u64 = 4;
/// Parts in which a state near another one differs from it, at most.
const MOST_CHANGES: usize = 4;
/// Numbers are drawn from 0 to this, those that may be negative from its opposite on.
const MAX_NUMBER: i64 = 6;

/// Draws values of types.
pub(super) struct Maker<'a> {
    model: &'a Model,
    universe: &'a Universe,
    pub(super) dice: ChaCha8Rng,
    /// The numbers of the state that is changed.
    numbers: Vec<BigInt>,
}

impl<'a> Maker<'a> {
    pub(super) fn new(model: &'a Model, universe: &'a Universe) -> Self {
        Self::drawing(model, universe, 0)
    }

    /// One that draws otherwise each time.
    pub(super) fn drawing(model: &'a Model, universe: &'a Universe, time: u64) -> Self {
        Self {
            model,
            universe,
            dice: ChaCha8Rng::seed_from_u64(SEED + time),
            numbers: Vec::new(),
        }
    }

    /// States with some variables changed: `count` of them unless fewer are enough, or none if there is no state to begin with.
    pub(super) fn states(
        &mut self,
        layout: &Layout,
        reached: &States,
        count: usize,
        is_enough: &dyn Fn(&States) -> bool,
    ) -> States {
        let width = layout.ids().count();
        let mut made = States::new();
        if reached.is_empty() || width == 0 {
            return made;
        }
        for round in 0..count {
            if is_enough(&made) {
                break;
            }
            let base = reached.get(self.dice.random_range(0..reached.len()));
            let mut values: Vec<Value> = layout.values(&base).map(|(_, value)| value).collect();
            self.numbers.clear();
            values
                .iter()
                .for_each(|value| note_numbers(value, &mut self.numbers));
            // Most often one variable: a near miss of a reachable state tells formulas apart best.
            let changes = 1 + usize::from(round % 4 == 0);
            for _ in 0..changes {
                let at = self.dice.random_range(0..width);
                let variable = ioa_lang::core::VarId::at(at);
                let donor = self.dice.random_range(0..reached.len());
                values[at] = match self.dice.random_range(0..3) {
                    0 => layout.value(&reached.get(donor), variable),
                    1 => self.value(layout.ty(variable)),
                    _ => self.changed(&values[at], layout.ty(variable)),
                };
            }
            // A value that does not fit makes no state.
            made.extend(layout.state(&values).ok());
        }
        made
    }

    /// States that differ from one in few parts: so many, of which some may be the same.
    pub(super) fn near(&mut self, layout: &Layout, base: &State, count: usize) -> Vec<State> {
        let given: Vec<Value> = layout.values(base).map(|(_, value)| value).collect();
        let mut made = Vec::new();
        if given.is_empty() {
            return made;
        }
        for _ in 0..count {
            let mut values = given.clone();
            for _ in 0..self.dice.random_range(1..=MOST_CHANGES) {
                let at = self.dice.random_range(0..values.len());
                let ty = layout.ty(ioa_lang::core::VarId::at(at));
                values[at] = self.changed(&values[at], ty);
            }
            made.extend(layout.state(&values).ok());
        }
        made
    }

    /// Any value of a type.
    fn value(&mut self, ty: &Type) -> Value {
        if !ty.is_integer()
            && let Some(packing) = Packing::of(self.model, self.universe, ty)
            && let Some(codes) = packing.codes(1 << 12)
        {
            return packing.decode(codes[self.dice.random_range(0..codes.len())]);
        }
        match ty {
            Type::Nat => Value::int(self.dice.random_range(0..=MAX_NUMBER)),
            Type::Int => Value::int(self.dice.random_range(-MAX_NUMBER..=MAX_NUMBER)),
            Type::Tuple(id) => {
                let fields = &self.model.tuples[id.index()].fields;
                Value::Tuple(*id, fields.iter().map(|(_, ty)| self.value(ty)).collect())
            }
            Type::Union(id) => {
                let variants = &self.model.unions[id.index()].variants;
                let at = self.dice.random_range(0..variants.len());
                Value::Union(*id, at as u32, Box::new(self.value(&variants[at].1)))
            }
            Type::Null(inner) => match self.dice.random_range(0..3) {
                0 => Value::Null(None),
                _ => Value::Null(Some(Box::new(self.value(inner)))),
            },
            Type::Set(element) => {
                Value::Set(self.several(element).into_iter().collect::<BTreeSet<_>>())
            }
            Type::Seq(element) => Value::Seq(self.several(element)),
            Type::Mset(element) => {
                let mut counts = BTreeMap::new();
                for value in self.several(element) {
                    *counts.entry(value).or_insert(0) += 1;
                }
                Value::Mset(counts)
            }
            Type::Map(domain, range) => {
                let keys = self.several(domain);
                Value::Map(
                    keys.into_iter()
                        .map(|key| (key, self.value(range)))
                        .collect(),
                )
            }
            Type::Array(index, element) => {
                let indices = self.all(index);
                let entries = indices.into_iter().map(|at| (at, self.value(element)));
                Value::Array {
                    entries: entries.collect(),
                    default: None,
                }
            }
            Type::Real => {
                let number = self.dice.random_range(-MAX_NUMBER..=MAX_NUMBER);
                let parts = self.dice.random_range(1..=MAX_NUMBER);
                Value::Real(Rational::new(number.into(), parts.into()))
            }
            Type::Char => Value::Char(self.letter()),
            Type::String => {
                let length = self.dice.random_range(0..=MAX_ELEMENTS);
                let text: String = (0..length).map(|_| self.letter()).collect();
                Value::Text(text.into())
            }
            // Elements and enumerators are few, so they were drawn above.
            Type::Bool | Type::Sort(_) | Type::Enum(_) => Value::Bool(self.dice.random_bool(0.5)),
        }
    }

    fn letter(&mut self) -> char {
        self.dice.random_range('a'..='e')
    }

    fn several(&mut self, element: &Type) -> Vec<Value> {
        let count = self.dice.random_range(0..=MAX_ELEMENTS);
        (0..count).map(|_| self.value(element)).collect()
    }

    pub(super) fn all(&self, ty: &Type) -> Vec<Value> {
        let packing = Packing::of(self.model, self.universe, ty);
        let codes = packing
            .as_ref()
            .and_then(|p| p.codes(1 << 12))
            .unwrap_or_default();
        packing.map_or_else(Vec::new, |p| {
            codes.iter().map(|code| p.decode(*code)).collect()
        })
    }

    /// A number near another one, or one that the state has elsewhere: what must differ may be made equal that way.
    fn near_number(&mut self, number: &BigInt) -> BigInt {
        match self.numbers.len() {
            0 => number + self.dice.random_range(-2..=2),
            _ if self.dice.random_bool(0.5) => number + self.dice.random_range(-2..=2),
            count => self.numbers[self.dice.random_range(0..count)].clone(),
        }
    }

    /// A value with one part of it changed.
    fn changed(&mut self, value: &Value, ty: &Type) -> Value {
        match (value, ty) {
            (Value::Array { entries, default }, Type::Array(_, element)) if !entries.is_empty() => {
                let mut entries = entries.clone();
                let at = self.dice.random_range(0..entries.len());
                if let Some(entry) = entries.values_mut().nth(at) {
                    *entry = self.changed(entry, element);
                }
                Value::Array {
                    entries,
                    default: default.clone(),
                }
            }
            (Value::Set(elements), Type::Set(element)) => {
                let mut elements = elements.clone();
                // That a message is another one says more of messages than that there is one more.
                if !elements.is_empty() && self.dice.random_bool(0.5) {
                    let at = self.dice.random_range(0..elements.len());
                    let held = elements.iter().nth(at).cloned();
                    let held = held.expect("the position is that of an element");
                    elements.remove(&held);
                    elements.insert(self.changed(&held, element));
                    return Value::Set(elements);
                }
                let other = self.value(element);
                if !elements.remove(&other) {
                    elements.insert(other);
                }
                Value::Set(elements)
            }
            (Value::Mset(counts), Type::Mset(element)) => {
                let mut counts = counts.clone();
                let at = self.dice.random_range(0..=counts.len());
                match counts.keys().nth(at).cloned() {
                    Some(held) if self.dice.random_bool(0.5) => {
                        counts.remove(&held);
                    }
                    _ => *counts.entry(self.value(element)).or_insert(0) += 1,
                }
                Value::Mset(counts)
            }
            (Value::Seq(elements), Type::Seq(element)) => {
                let mut elements = elements.clone();
                if elements.is_empty() || self.dice.random_bool(0.5) {
                    elements.push(self.value(element));
                } else {
                    let at = self.dice.random_range(0..elements.len());
                    elements[at] = match self.dice.random_bool(0.5) {
                        true => self.value(element),
                        false => self.changed(&elements[at], element),
                    };
                }
                Value::Seq(elements)
            }
            (Value::Tuple(id, fields), _) if !fields.is_empty() => {
                let mut fields = fields.clone();
                let at = self.dice.random_range(0..fields.len());
                let ty = &self.model.tuples[id.index()].fields[at].1;
                fields[at] = self.changed(&fields[at], ty);
                Value::Tuple(*id, fields)
            }
            (Value::Int(n), Type::Int | Type::Nat) => {
                let next = self.near_number(n);
                match next < 0.into() && *ty == Type::Nat {
                    true => Value::Int(0.into()),
                    false => Value::Int(next),
                }
            }
            _ => self.value(ty),
        }
    }
}

/// Notes the numbers in a value.
fn note_numbers(value: &Value, numbers: &mut Vec<BigInt>) {
    let mut all = |values: &mut dyn Iterator<Item = &Value>| {
        values.for_each(|value| note_numbers(value, numbers));
    };
    match value {
        Value::Int(number) => numbers.push(number.clone()),
        Value::Null(inner) => all(&mut inner.iter().map(|inner| &**inner)),
        Value::Union(_, _, inner) => all(&mut std::iter::once(&**inner)),
        Value::Tuple(_, parts) | Value::Seq(parts) => all(&mut parts.iter()),
        Value::Set(parts) => all(&mut parts.iter()),
        Value::Mset(counts) => all(&mut counts.keys()),
        Value::Map(entries) => all(&mut entries.values()),
        Value::Array { entries, default } => {
            all(&mut entries.values().chain(default.as_deref()));
        }
        Value::Bool(_)
        | Value::Element(..)
        | Value::Enumerator(..)
        | Value::Real(_)
        | Value::Char(_)
        | Value::Text(_) => {}
    }
}
