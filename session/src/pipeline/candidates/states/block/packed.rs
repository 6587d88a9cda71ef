//! The states of a block in the form that machine code reads: integers, lengths and counts have ranges that hold those of all its
//! states.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::{Place, Range, Ranges, Universe};
use interpreter::{Instance, Rows, States};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Model, Type};

/// States as rows of words.
pub(in super::super) struct Packed {
    /// The instance's universe, with ranges.
    pub(in super::super) universe: Universe,
    pub(in super::super) reached: Vec<u64>,
    pub(in super::super) made_up: Vec<u64>,
}

impl Packed {
    /// Bytes that the rows take.
    pub(in super::super) fn bytes(&self) -> u64 {
        (size_of::<u64>() * (self.reached.len() + self.made_up.len())) as u64
    }

    /// States of an automaton that are as they are where integers have no ranges; none if they do not fit in words.
    pub(in super::super) fn of(
        (model, automaton): (&Model, AutomatonId),
        universe: &Universe,
        (reached, made_up): (&States, &States),
    ) -> Option<Self> {
        let mut bare = model.clone();
        bare.invariants.clear();
        let model = Arc::new(bare);
        let plain = Instance::new(Arc::clone(&model), universe.clone());
        let layout = plain.layout(automaton);
        let mut numbers = Numbers::default();
        for state in reached.iter().chain(made_up.iter()) {
            for variable in layout.ids() {
                let value = layout.value(&state, variable);
                let place = || Place::Variable(automaton, variable);
                numbers.note(&model, layout.ty(variable), &value, place);
            }
        }
        let ranges = Ranges::of(&model, automaton, |place| Some(numbers.range(place)))?;
        let universe = universe.clone().with_ranges(Some(ranges));
        let packed = Instance::new(Arc::clone(&model), universe.clone());
        let to = packed.layout(automaton);
        if !to.is_packed() {
            return None;
        }
        let rows = Rows::new(&packed, automaton);
        let words = |states: &States| {
            let mut words = Vec::new();
            for state in states.iter() {
                rows.push(&layout.translated(&state, to).ok()?, &mut words);
            }
            Some(words)
        };
        Some(Self {
            reached: words(reached)?,
            made_up: words(made_up)?,
            universe,
        })
    }
}

/// The numbers at each place.
#[derive(Default)]
struct Numbers(BTreeMap<Place, Range>);

impl Numbers {
    /// A range for a place: what is guessed of it, and its numbers.
    fn range(&self, place: &Place) -> Range {
        let guess = place.guess();
        self.0.get(place).map_or(guess, |seen| Range {
            low: seen.low.min(guess.low),
            high: seen.high.max(guess.high),
        })
    }

    fn add(&mut self, place: Place, number: i64) {
        let seen = self.0.entry(place).or_insert(Range {
            low: number,
            high: number,
        });
        seen.low = seen.low.min(number);
        seen.high = seen.high.max(number);
    }

    /// Notes the numbers in a value of a type; if it is a number itself, it is at `place`.
    fn note(&mut self, model: &Model, ty: &Type, value: &Value, place: impl FnOnce() -> Place) {
        let amount = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        match value {
            // A number that is too large has no range, so nothing is packed.
            Value::Int(number) => self.add(place(), i64::try_from(number).unwrap_or(i64::MAX)),
            Value::Null(inner) => inner.iter().for_each(|v| self.part(model, ty, 0, v)),
            Value::Union(_, variant, inner) => self.part(model, ty, *variant, inner),
            Value::Tuple(_, fields) => {
                (0..)
                    .zip(fields)
                    .for_each(|(at, field)| self.part(model, ty, at, field));
            }
            Value::Set(items) => items.iter().for_each(|item| self.part(model, ty, 0, item)),
            Value::Seq(items) => {
                self.add(Place::length_of(ty), amount(items.len()));
                items.iter().for_each(|item| self.part(model, ty, 0, item));
            }
            Value::Mset(counts) => {
                for (item, count) in counts {
                    self.add(
                        Place::count_of(ty),
                        i64::try_from(*count).unwrap_or(i64::MAX),
                    );
                    self.part(model, ty, 0, item);
                }
            }
            Value::Map(entries) => self.entries(model, ty, entries),
            Value::Array { entries, default } => {
                self.entries(model, ty, entries);
                default.iter().for_each(|v| self.part(model, ty, 1, v));
            }
            Value::Bool(_)
            | Value::Element(..)
            | Value::Enumerator(..)
            | Value::Real(_)
            | Value::Char(_)
            | Value::Text(_) => {}
        }
    }

    fn entries(&mut self, model: &Model, ty: &Type, entries: &BTreeMap<Value, Value>) {
        for (key, value) in entries {
            self.part(model, ty, 0, key);
            self.part(model, ty, 1, value);
        }
    }

    /// Notes the numbers in a part of a value of a type, by the position of the part.
    fn part(&mut self, model: &Model, ty: &Type, position: u32, value: &Value) {
        let part = model.parts_of(ty)[position as usize];
        self.note(model, part, value, || Place::Part(ty.clone(), position));
    }
}
