//! Small random values of a type.

use std::collections::{BTreeMap, BTreeSet};

use finite::Universe;
use ioa_lang::Value;
use ioa_lang::core::{Model, Rational, Type};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A value of the type.
pub fn draw(model: &Model, universe: &Universe, ty: &Type, rng: &mut ChaCha8Rng) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.random_bool(0.5)),
        Type::Nat => Value::int(rng.random_range(0..4)),
        Type::Int => Value::int(rng.random_range(-3..4)),
        Type::Sort(id) => Value::Element(*id, rng.random_range(0..universe.size(*id) as u32)),
        Type::Enum(id) => {
            let count = model.enumerations[id.index()].values.len() as u32;
            Value::Enumerator(*id, rng.random_range(0..count))
        }
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter();
            Value::Tuple(
                *id,
                fields
                    .map(|(_, ty)| draw(model, universe, ty, rng))
                    .collect(),
            )
        }
        Type::Real => {
            let (numerator, denominator) = REALS[rng.random_range(0..REALS.len())];
            Value::Real(Rational::new(numerator.into(), denominator.into()))
        }
        Type::Char => Value::Char(['a', 'b', 'c'][rng.random_range(0..3)]),
        Type::String => Value::Text(["", "a", "b"][rng.random_range(0..3)].into()),
        Type::Union(id) => {
            let variants = &model.unions[id.index()].variants;
            let variant = rng.random_range(0..variants.len());
            let carried = draw(model, universe, &variants[variant].1, rng);
            Value::Union(*id, variant as u32, Box::new(carried))
        }
        Type::Map(domain, range) => {
            let keys = (0..3).map(|_| draw(model, universe, domain, rng));
            let keys: Vec<Value> = keys.collect();
            let taken = rng.random_range(0..=keys.len());
            let entries = keys.into_iter().take(taken);
            Value::Map(
                entries
                    .map(|key| (key, draw(model, universe, range, rng)))
                    .collect(),
            )
        }
        Type::Mset(element) => {
            let mut counts = BTreeMap::new();
            for _ in 0..rng.random_range(0..4) {
                let value = draw(model, universe, element, rng);
                *counts.entry(value).or_insert(0) += rng.random_range(1..3);
            }
            Value::Mset(counts)
        }
        Type::Set(element) => Value::Set(subset(model, universe, element, rng)),
        Type::Seq(element) => {
            let length = rng.random_range(0..4);
            Value::Seq(
                (0..length)
                    .map(|_| draw(model, universe, element, rng))
                    .collect(),
            )
        }
        Type::Null(inner) => Value::Null(
            rng.random_bool(0.6)
                .then(|| Box::new(draw(model, universe, inner, rng))),
        ),
        Type::Array(index, element) => {
            let indices = universe
                .values(model, index, 64)
                .expect("a small index type");
            let entries: BTreeMap<Value, Value> = indices
                .into_iter()
                .map(|i| (i, draw(model, universe, element, rng)))
                .collect();
            Value::Array {
                entries,
                default: None,
            }
        }
    }
}

/// Fractions that the logic can list as elements or keys.
const REALS: [(i64, i64); 6] = [(-1, 1), (0, 1), (1, 2), (1, 1), (2, 1), (3, 1)];

fn subset(
    model: &Model,
    universe: &Universe,
    element: &Type,
    rng: &mut ChaCha8Rng,
) -> BTreeSet<Value> {
    match universe.values(model, element, 64) {
        Some(all) => all.into_iter().filter(|_| rng.random_bool(0.5)).collect(),
        None => (0..rng.random_range(0..4))
            .map(|_| draw(model, universe, element, rng))
            .collect(),
    }
}
