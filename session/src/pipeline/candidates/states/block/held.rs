//! What the collections of states hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::{Packing, Universe};
use interpreter::{Instance, State, States};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Model, Type, VarId};

/// What collections hold.
#[derive(Default)]
pub(in super::super) struct Held {
    /// The elements of those types that have infinitely many values.
    pub(in super::super) elements: BTreeMap<Type, BTreeSet<Value>>,
    /// The length of the longest sequence of each type.
    pub(in super::super) longest: BTreeMap<Type, usize>,
}

/// States of runs with more elements in a collection are not learnt from: a formula about each two of them takes too long.
const MAX_IN_A_RUN: usize = 100;

/// So many elements that only made-up states hold are looked at, of each type: what reached states never hold is told by these alone.
const MADE_UP: usize = 8;

/// No more elements of a type are kept: variables range over fewer.
const MAX_ELEMENTS: usize = 300;

impl Held {
    /// Whether a collection holds so many elements that to look at each two of them takes long.
    fn is_crowded(&self) -> bool {
        let sizes = self.elements.values().map(BTreeSet::len);
        sizes
            .chain(self.longest.values().copied())
            .any(|n| n > MAX_IN_A_RUN)
    }

    /// Adds a few elements that others hold, evenly chosen.
    pub(super) fn add_some(&mut self, others: Self) {
        for (ty, others) in others.elements {
            let own = self.elements.entry(ty).or_default();
            let others: Vec<Value> = others.difference(own).cloned().collect();
            let step = others.len().div_ceil(MADE_UP).max(1);
            own.extend(others.into_iter().step_by(step));
        }
    }

    fn take(&mut self, about: (&Model, &Universe), value: &Value, ty: &Type) {
        let (model, universe) = about;
        match (value, ty) {
            (Value::Seq(items), Type::Seq(element)) => {
                match self.longest.get_mut(ty) {
                    Some(longest) => *longest = items.len().max(*longest),
                    None => {
                        self.longest.insert(ty.clone(), items.len());
                    }
                }
                items
                    .iter()
                    .for_each(|item| self.take(about, item, element));
            }
            (Value::Set(items), Type::Set(element)) => {
                items
                    .iter()
                    .for_each(|item| self.keep(about, item, element));
            }
            (Value::Mset(counts), Type::Mset(element)) => {
                counts
                    .keys()
                    .for_each(|item| self.keep(about, item, element));
            }
            (Value::Tuple(id, fields), _) => {
                let types = &model.tuples[id.index()].fields;
                for (field, (_, ty)) in fields.iter().zip(types) {
                    self.take(about, field, ty);
                }
            }
            (Value::Array { entries, default }, Type::Array(_, entry)) => {
                let values = entries.values();
                let values = values.chain(default.as_deref());
                values.for_each(|value| self.take((model, universe), value, entry));
            }
            _ => {}
        }
    }

    fn keep(&mut self, about: (&Model, &Universe), item: &Value, ty: &Type) {
        if let Some(known) = self.elements.get_mut(ty) {
            if known.len() < MAX_ELEMENTS {
                known.insert(item.clone());
            }
        } else if Packing::of(about.0, about.1, ty).is_none() {
            let first = BTreeSet::from([item.clone()]);
            self.elements.insert(ty.clone(), first);
        }
    }
}

/// Whether values of a type have sets, multisets or sequences in them.
fn has_collection(model: &Model, ty: &Type) -> bool {
    matches!(ty, Type::Set(_) | Type::Mset(_) | Type::Seq(_))
        || model
            .parts_of(ty)
            .into_iter()
            .any(|part| has_collection(model, part))
}

/// Reads what the collections in states of an instance hold.
pub(in super::super) struct Reader<'m> {
    model: &'m Model,
    automaton: AutomatonId,
    instance: Instance,
    /// The variables in which there are collections.
    holding: BTreeSet<VarId>,
}

impl<'m> Reader<'m> {
    pub(in super::super) fn new(
        model: &'m Model,
        automaton: AutomatonId,
        universe: &Universe,
    ) -> Self {
        let instance = Instance::new(Arc::new(model.clone()), universe.clone());
        let layout = instance.layout(automaton);
        let holding = layout.ids();
        let holding = holding.filter(|id| has_collection(model, layout.ty(*id)));
        let holding = holding.collect();
        Self {
            model,
            automaton,
            instance,
            holding,
        }
    }

    /// What some states hold.
    pub(super) fn all(&self, states: &States) -> Held {
        let mut held = Held::default();
        states.iter().for_each(|state| self.read(&state, &mut held));
        held
    }

    /// Adds what a state holds.
    pub(in super::super) fn read(&self, state: &State, held: &mut Held) {
        let layout = self.instance.layout(self.automaton);
        let about = (self.model, self.instance.universe());
        for id in &self.holding {
            held.take(about, &layout.value(state, *id), layout.ty(*id));
        }
    }

    /// Whether a state holds so many elements that to look at each two of them takes long.
    pub(in super::super) fn is_crowded(&self, state: &State) -> bool {
        let mut held = Held::default();
        self.read(state, &mut held);
        held.is_crowded()
    }
}
