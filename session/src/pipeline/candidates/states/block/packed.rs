//! The states of a block in the form that machine code reads: integers, lengths and counts have ranges that hold those of all its
//! states. Variables whose values do not fit in words then are left out, such as a set of messages that carry large numbers: what is
//! said of the others alone can still be evaluated by machine code.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::{Place, Range, Ranges, Universe};
use interpreter::{Instance, Layout, Location, Rows, States};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Expr, Model, Type, VarId, Variable, reads_of_expr};

use super::super::visits::without_steps;

/// States as rows of words.
pub(in super::super) struct Packed {
    /// The instance's universe, with ranges.
    pub(in super::super) universe: Universe,
    pub(in super::super) reached: Vec<u64>,
    pub(in super::super) made_up: Vec<u64>,
    /// The variables that are left out.
    absent: BTreeSet<VarId>,
}

impl Packed {
    /// Whether no variable is left out.
    pub(in super::super) fn is_whole(&self) -> bool {
        self.absent.is_empty()
    }

    /// Whether a formula is about variables that are not left out.
    pub(super) fn has_all_of(&self, formula: &Expr) -> bool {
        let mut has_all = true;
        reads_of_expr(formula, &mut |read, _| {
            has_all &= !self.absent.contains(&read.var);
        });
        has_all
    }

    /// A model with formulas about the variables that are not left out, for an instance whose states are these rows.
    pub(super) fn projected(&self, model: Arc<Model>, automaton: AutomatonId) -> Arc<Model> {
        match self.is_whole() {
            true => model,
            false => Arc::new(without(&model, automaton, &self.absent)),
        }
    }

    /// Bytes that the rows take.
    pub(in super::super) fn bytes(&self) -> u64 {
        (size_of::<u64>() * (self.reached.len() + self.made_up.len())) as u64
    }

    /// States of an automaton that are as they are where integers have no ranges; none if no variable fits in words.
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
        let has_numbers = !Ranges::of(&model, automaton, |place| Some(place.guess()))?.is_empty();
        let noted = reached.iter().chain(made_up.iter());
        for state in noted.filter(|_| has_numbers) {
            for variable in layout.ids() {
                let value = layout.value(&state, variable);
                let place = || Place::Variable(automaton, variable);
                numbers.note(&model, layout.ty(variable), &value, place);
            }
        }
        let ranges = Ranges::of(&model, automaton, |place| Some(numbers.range(place)))?;
        let universe = universe.clone().with_ranges(Some(ranges));
        let all = Layout::of(
            &model,
            &universe,
            Some(automaton),
            variables(&model, automaton),
        );
        let is_absent = |id: &VarId| matches!(all.location(*id), Location::Cell(_));
        let absent: BTreeSet<VarId> = layout.ids().filter(is_absent).collect();
        if absent.len() == layout.ids().count() {
            return None;
        }
        let fitting = Arc::new(without(&model, automaton, &absent));
        let packed = Instance::new(fitting, universe.clone());
        let to = packed.layout(automaton);
        let rows = Rows::new(&packed, automaton);
        // Without numbers, values mostly lie in words as they are, and at the same places.
        let mut each = layout.ids();
        let is_same = absent.is_empty() && each.all(|id| layout.location(id) == to.location(id));
        let words = |states: &States| {
            let mut words = Vec::new();
            if is_same {
                states
                    .iter()
                    .for_each(|state| rows.push(&state, &mut words));
                return Some(words);
            }
            for state in states.iter() {
                let values = layout.values(&state).zip(layout.ids());
                let values = values.map(|((_, value), id)| match absent.contains(&id) {
                    true => Value::Bool(false),
                    false => value,
                });
                rows.push(&to.state(&values.collect::<Vec<_>>()).ok()?, &mut words);
            }
            Some(words)
        };
        Some(Self {
            reached: words(reached)?,
            made_up: words(made_up)?,
            universe,
            absent,
        })
    }
}

fn variables(model: &Model, automaton: AutomatonId) -> &[Variable] {
    &model.automaton(automaton).variables
}

/// A model in which truth values stand in the place of some variables of an automaton. So that nothing is about these, it has
/// neither steps nor start states.
fn without(model: &Model, automaton: AutomatonId, absent: &BTreeSet<VarId>) -> Model {
    let mut model = model.clone();
    if absent.is_empty() {
        return model;
    }
    let automaton = &mut model.automata[automaton.index()];
    without_steps(automaton);
    automaton.start.program.body.clear();
    automaton.start.so_that = Expr::truth(automaton.span);
    for variable in absent {
        automaton.variables[variable.index()].ty = Type::Bool;
    }
    model
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
