//! Made-up states that no candidate excludes. If many more are made up at random, nearly all are excluded for simple reasons, and
//! what only an intricate candidate excludes is never met. So states are changed again and again, and a change is undone if it
//! makes a candidate false: what comes of it is ever farther from the states that were reached, and looks like them to all
//! candidates.

use std::sync::Arc;

use finite::Universe;
use interpreter::{Instance, Layout, State, States};
use ioa_lang::Value;
use ioa_lang::core::{Invariant, Type};
use rand::RngExt;

use super::super::StatePool;
use super::super::block::{Block, Check, Packed, has};
use super::super::visits::Seen;
use super::Maker;

/// States that are changed at a time.
const CHANGED: usize = 800;
/// Changes of each of them,
const CHANGES: usize = 24;
/// and so many before it is taken: what is nearer to what was reached was made up before.
const FIRST_CHANGES: usize = 8;

impl StatePool<'_> {
    /// States in which formulas are true, made up from those of a block that were reached, as a block of about so many bytes at most; none
    /// if there are none.
    pub(in crate::pipeline::candidates::states) fn misses(
        &self,
        block: usize,
        formulas: &[Invariant],
        room: u64,
    ) -> Result<Option<Block>, String> {
        let Block {
            universe, reached, ..
        } = &self.blocks[block];
        let instance = Instance::new(Arc::new(self.bare.clone()), universe.clone());
        let layout = instance.layout(self.automaton);
        let mut maker = Maker::drawing(&self.bare, universe, self.drawn);
        let mut states = maker.some(reached, CHANGED);
        let probe = maker.changed_states(layout, &states, reached);
        let packed = self.packed(universe, (reached, &probe), formulas);
        let is_stopped = || self.is_stopped();
        let mut together = packed
            .as_ref()
            .and_then(|packed| self.together((layout, packed), &is_stopped));
        let mut known = Seen::of(reached.iter());
        let mut made = States::new();
        for change in 0..CHANGES {
            if self.is_stopped() || made.bytes() >= room {
                break;
            }
            let changed = maker.changed_states(layout, &states, reached);
            let native = together.as_mut().and_then(|all| all.are_true(&changed));
            let are_true = match native {
                Some(are_true) => are_true,
                None => self.are_true(universe, changed.clone(), formulas)?,
            };
            let both = states.iter().zip(changed.iter()).zip(are_true);
            let kept = both.map(|((own, changed), is_true)| {
                if is_true && change >= FIRST_CHANGES && known.is_new(&changed) {
                    made.push(&changed);
                }
                if is_true { changed } else { own }
            });
            states = kept.collect();
        }
        let is_any = !made.is_empty();
        Ok(is_any.then(|| Block::new(universe.clone(), States::new(), made)))
    }

    /// Whether all formulas are true in each of some states.
    fn are_true(
        &self,
        universe: &Universe,
        states: States,
        formulas: &[Invariant],
    ) -> Result<Vec<bool>, String> {
        let block = Block::new(universe.clone(), States::new(), states);
        let truths = self.truths_in(&block, formulas)?;
        let all =
            (0..block.made_up.len()).map(|at| truths.iter().all(|truth| has(&truth.made_up, at)));
        Ok(all.collect())
    }

    /// An instance that states formulas, with ranges that hold the numbers of these states, if they fit in words.
    fn packed(
        &self,
        universe: &Universe,
        states: (&States, &States),
        formulas: &[Invariant],
    ) -> Option<Instance> {
        let packed = Packed::of((&self.bare, self.automaton), universe, states);
        let packed = packed.filter(Packed::is_whole)?;
        Some(Instance::new(self.stating(formulas), packed.universe))
    }

    /// What tests all formulas of an instance together by machine code, if that can be had.
    fn together<'i>(
        &'i self,
        (layout, packed): (&'i Layout, &'i Instance),
        is_stopped: &'i dyn Fn() -> bool,
    ) -> Option<Together<'i>> {
        let form = (packed, true);
        let asked = (self.study, self.automaton);
        let check = Check::new(asked, form, (&self.work, CHANGED * CHANGES), is_stopped).ok()??;
        check.is_native.then_some(Together {
            from: layout,
            to: packed.layout(self.automaton),
            packed,
            check,
        })
    }
}

/// Tests formulas together on states, again and again.
struct Together<'i> {
    from: &'i Layout,
    to: &'i Layout,
    packed: &'i Instance,
    check: Check<'i>,
}

impl Together<'_> {
    /// Whether all formulas are true in each of some states; what does not fit the ranges counts as if they were not. Nothing if it is
    /// stopped, or if a formula makes a number that does not fit.
    fn are_true(&mut self, states: &States) -> Option<Vec<bool>> {
        let translated = states.iter().enumerate();
        let translated = translated
            .filter_map(|(at, state)| Some((at, self.from.translated(&state, self.to).ok()?)));
        let (fitting, translated): (Vec<usize>, States) = translated.unzip();
        let columns = self.check.states(&translated)?;
        let mut are_true = vec![false; states.len()];
        for (own, at) in fitting.into_iter().enumerate() {
            are_true[at] = columns.iter().all(|column| has(column, own));
        }
        self.packed.range_overflows().is_empty().then_some(are_true)
    }
}

impl Maker<'_> {
    /// Some of these states.
    fn some(&mut self, states: &States, count: usize) -> States {
        let drawn = (0..count).map(|_| states.get(self.dice.random_range(0..states.len())));
        drawn.collect()
    }

    /// Each of these states, changed.
    fn changed_states(&mut self, layout: &Layout, states: &States, reached: &States) -> States {
        let each = states.iter();
        each.map(|state| self.changed_state(layout, &state, reached))
            .collect()
    }

    /// A state that differs from one in a few parts, in some variables, or in what is said of an element: in the latter cases it
    /// is like another reached one there. It is the same one if nothing fits.
    fn changed_state(&mut self, layout: &Layout, state: &State, reached: &States) -> State {
        let donor = reached.get(self.dice.random_range(0..reached.len()));
        let made = match self.dice.random_range(0..4) {
            0 => self.near(layout, state, 1).pop(),
            1 => {
                let own = layout.values(state).zip(layout.values(&donor));
                let values = own.map(|((_, own), (_, other))| {
                    let is_own = self.dice.random_bool(0.7);
                    if is_own { own } else { other }
                });
                let values: Vec<Value> = values.collect();
                layout.state(&values).ok()
            }
            _ => self.grafted(layout, state, &donor),
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
