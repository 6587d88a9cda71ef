//! Made-up states that no candidate excludes. If many more are made up at random, nearly all are excluded for simple reasons, and
//! what only an intricate candidate excludes is never met. So states are changed again and again, and a change is undone if it
//! makes a candidate false: what comes of it is ever farther from the states that were reached, and looks like them to all
//! candidates.

use std::collections::BTreeSet;
use std::sync::Arc;

use interpreter::{Instance, Layout, State};
use ioa_lang::Value;
use ioa_lang::core::{Invariant, Type};
use rand::RngExt;

use super::StatePool;
use super::block::{Block, has};
use super::made_up::Maker;

/// States that are changed at a time.
const CHANGED: usize = 800;
/// Changes of each of them,
const CHANGES: usize = 24;
/// and so many before it is taken: what is nearer to what was reached was made up before.
const FIRST_CHANGES: usize = 8;

impl StatePool<'_> {
    /// States in which formulas are true, made up from those of a block that were reached, as a block; none if there are none.
    pub(super) fn misses(
        &self,
        block: usize,
        formulas: &[Invariant],
    ) -> Result<Option<Block>, String> {
        let Block {
            universe, reached, ..
        } = &self.blocks[block];
        let instance = Instance::new(Arc::new(self.bare.clone()), universe.clone());
        let layout = instance.layout(self.automaton);
        let mut maker = Maker::drawing(&self.bare, universe, self.drawn);
        let mut states = maker.some(reached, CHANGED);
        let mut known: BTreeSet<State> = reached.iter().cloned().collect();
        let mut made = Vec::new();
        for change in 0..CHANGES {
            if self.is_stopped() {
                break;
            }
            let changed = states
                .iter()
                .map(|state| maker.changed_state(layout, state, reached));
            let changed = Block::new(universe.clone(), Vec::new(), changed.collect());
            let truths = self.truths_in(&changed, formulas)?;
            for (at, state) in changed.made_up.into_iter().enumerate() {
                if truths.iter().all(|truth| has(&truth.made_up, at)) {
                    states[at] = state.clone();
                    if change >= FIRST_CHANGES && known.insert(state.clone()) {
                        made.push(state);
                    }
                }
            }
        }
        let is_any = !made.is_empty();
        Ok(is_any.then(|| Block::new(universe.clone(), Vec::new(), made)))
    }
}

impl Maker<'_> {
    /// Some of these states.
    fn some(&mut self, states: &[State], count: usize) -> Vec<State> {
        let drawn = (0..count).map(|_| states[self.dice.random_range(0..states.len())].clone());
        drawn.collect()
    }

    /// A state that differs from one in a few parts, in some variables, or in what is said of an element: in the latter cases it
    /// is like another reached one there. It is the same one if nothing fits.
    fn changed_state(&mut self, layout: &Layout, state: &State, reached: &[State]) -> State {
        let donor = &reached[self.dice.random_range(0..reached.len())];
        let made = match self.dice.random_range(0..4) {
            0 => self.near(layout, state, 1).pop(),
            1 => {
                let own = layout.values(state).zip(layout.values(donor));
                let values = own.map(|((_, own), (_, other))| {
                    let is_own = self.dice.random_bool(0.7);
                    if is_own { own } else { other }
                });
                let values: Vec<Value> = values.collect();
                layout.state(&values).ok()
            }
            _ => self.grafted(layout, state, donor),
        };
        made.unwrap_or_else(|| state.clone())
    }

    /// A state in which all is said of an element that another state says of the same one, or of another one.
    fn grafted(&mut self, layout: &Layout, state: &State, donor: &State) -> Option<State> {
        let types = layout.ids().filter_map(|id| of_elements(layout.ty(id)));
        let types: Vec<Type> = types.cloned().collect();
        let ty = types.get(self.dice.random_range(0..types.len().max(1)))?;
        let elements = self.all(ty);
        let count = elements.len();
        if count == 0 {
            return None;
        }
        let to = &elements[self.dice.random_range(0..count)];
        let from = match self.dice.random_bool(0.5) {
            true => to,
            false => &elements[self.dice.random_range(0..count)],
        };
        let both = layout
            .ids()
            .zip(layout.values(state))
            .zip(layout.values(donor));
        let values = both.map(|((id, (_, own)), (_, other))| {
            let is_about = of_elements(layout.ty(id)) == Some(ty);
            match is_about {
                true => with_entry(own, to, &other, from),
                false => own,
            }
        });
        let values: Vec<Value> = values.collect();
        layout.state(&values).ok()
    }
}

/// The type of what a variable says something of: of what its type is a set, or of its indices.
fn of_elements(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(element, _) | Type::Map(element, _) | Type::Set(element) => Some(element),
        _ => None,
    }
}

/// A value that says of an element what another one says of an element.
fn with_entry(own: Value, to: &Value, other: &Value, from: &Value) -> Value {
    match (own, other) {
        (
            Value::Array {
                mut entries,
                default,
            },
            Value::Array {
                entries: others, ..
            },
        ) => {
            if let (Some(entry), Some(other)) = (entries.get_mut(to), others.get(from)) {
                entry.clone_from(other);
            }
            Value::Array { entries, default }
        }
        (Value::Map(mut entries), Value::Map(others)) => {
            match others.get(from) {
                Some(other) => entries.insert(to.clone(), other.clone()),
                None => entries.remove(to),
            };
            Value::Map(entries)
        }
        (Value::Set(mut elements), Value::Set(others)) => {
            match others.contains(from) {
                true => elements.insert(to.clone()),
                false => elements.remove(to),
            };
            Value::Set(elements)
        }
        (own, _) => own,
    }
}
