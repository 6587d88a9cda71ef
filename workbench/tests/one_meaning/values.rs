//! Random values of a type, small ones.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{Model, Rational, Type};
use ioa_lang::finite::Universe;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A value of the type.
pub(crate) fn draw(model: &Model, universe: &Universe, ty: &Type, rng: &mut ChaCha8Rng) -> Value {
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
        Type::Real => {
            let (a, b): (i32, i32) = (rng.random_range(-4..5), rng.random_range(1..4));
            Value::Real(Rational::new(a.into(), b.into()))
        }
        Type::Char => Value::Char(rng.random_range('a'..='c')),
        Type::String => Value::Text(["", "a", "ab", "b"][rng.random_range(0..4)].into()),
        Type::Union(id) => {
            let variants = &model.unions[id.index()].variants;
            let at = rng.random_range(0..variants.len());
            let carried = draw(model, universe, &variants[at].1, rng);
            Value::Union(*id, at as u32, Box::new(carried))
        }
        Type::Map(domain, range) => {
            let keys = subset(model, universe, domain, rng).into_iter();
            Value::Map(
                keys.map(|k| (k, draw(model, universe, range, rng)))
                    .collect(),
            )
        }
        Type::Mset(element) => {
            let elements = subset(model, universe, element, rng).into_iter();
            Value::Mset(elements.map(|e| (e, rng.random_range(1..3))).collect())
        }
    }
}

fn subset(
    model: &Model,
    universe: &Universe,
    element: &Type,
    rng: &mut ChaCha8Rng,
) -> BTreeSet<Value> {
    let all = universe
        .values(model, element, 64)
        .expect("a small element type");
    all.into_iter().filter(|_| rng.random_bool(0.5)).collect()
}
