//! The states of one instance that are learnt from.

mod held;
mod packed;

use std::sync::{Arc, OnceLock};

use finite::Universe;
use interpreter::{Executor, Instance, Rows, States};
use invariants::learn::{Truth, ones};
use ioa_lang::core::{AutomatonId, Model};

use super::visits::words;

use crate::pipeline::candidates::Work;
use crate::pipeline::explore::{Steps, steps};
use crate::study::Study;

pub(super) use held::Reader;
pub(super) use packed::Packed;

use held::Held;

/// From so many evaluations on, machine code takes less time than it saves.
const WORTH_COMPILING: usize = 400_000;
/// The same where loops take longer than evaluations usually do: from so many of their turns on.
const TURNS_WORTH_COMPILING: usize = 1_000_000;
/// How many turns there are is told from so many of the states, if there are so many evaluations at least.
const PROBED: usize = 16;
const WORTH_PROBING: usize = 20_000;
/// So many formulas are made machine code together: with more, each takes longer, and nobody can stop it meanwhile.
const COMPILED_TOGETHER: usize = 64;
/// States that are checked at once by machine code.
const AT_ONCE: usize = 4096;
/// And by the interpreter, which may take long for each of them.
const FEW_AT_ONCE: usize = 16;

/// States of one instance.
pub(super) struct Block {
    pub(super) universe: Universe,
    pub(super) reached: States,
    pub(super) made_up: States,
    held: OnceLock<Held>,
    packed: OnceLock<Option<Packed>>,
}

/// The states of an instance that a visit came to.
pub(super) struct Kept {
    pub(super) is_complete: bool,
    pub(super) distinct: u64,
    pub(super) block: Block,
}

impl Block {
    pub(super) fn new(universe: Universe, reached: States, made_up: States) -> Self {
        Self {
            universe,
            reached,
            made_up,
            held: OnceLock::new(),
            packed: OnceLock::new(),
        }
    }

    /// Bytes that the states take, about.
    pub(super) fn bytes(&self) -> u64 {
        let packed = self.packed.get().and_then(Option::as_ref);
        self.reached.bytes() + self.made_up.bytes() + packed.map_or(0, Packed::bytes)
    }

    /// Where the invariants of a model are true. What that takes is added to the work.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    pub(super) fn truths(
        &self,
        asked: (&Study, Arc<Model>, AutomatonId),
        work: &Work,
    ) -> Result<Vec<Truth>, String> {
        let found = self.truths_within(asked, &[], (work, &|| false))?;
        Ok(found.expect("nothing stops this"))
    }

    /// The same for invariants that are known to be true but `within` some states, if it is said of them. Nothing if it is
    /// stopped.
    ///
    /// # Errors
    /// Why they cannot be evaluated.
    pub(super) fn truths_within(
        &self,
        (study, model, automaton): (&Study, Arc<Model>, AutomatonId),
        within: &[Option<&Truth>],
        (work, is_stopped): (&Work, &dyn Fn() -> bool),
    ) -> Result<Option<Vec<Truth>>, String> {
        let formulas = model.invariants.len();
        let states = self.reached.len() + self.made_up.len();
        let is_much = states * formulas >= WORTH_COMPILING
            || states * formulas >= WORTH_PROBING
                && self.turns((study, Arc::clone(&model), automaton), work)?
                    >= TURNS_WORTH_COMPILING;
        let packed = is_much.then(|| self.packed(&model, automaton)).flatten();
        let asked = (study, model, automaton);
        match packed {
            Some(packed) => self.truths_of_parts(packed, asked, within, (work, is_stopped)),
            None => self.truths_of_states(asked, within, (work, is_stopped), is_much),
        }
    }

    /// Where invariants are true: those that are about variables that are packed, and the others.
    fn truths_of_parts(
        &self,
        packed: &Packed,
        (study, model, automaton): (&Study, Arc<Model>, AutomatonId),
        within: &[Option<&Truth>],
        (work, is_stopped): (&Work, &dyn Fn() -> bool),
    ) -> Result<Option<Vec<Truth>>, String> {
        let formulas = model.invariants.len();
        let fits = |at: &usize| packed.has_all_of(&model.invariants[*at].formula);
        let (fitting, others): (Vec<usize>, Vec<usize>) = (0..formulas).partition(fits);
        let mut truths: Vec<Option<Truth>> = vec![None; formulas];
        for (positions, is_packed) in [(fitting, true), (others, false)] {
            if positions.is_empty() {
                continue;
            }
            let some = (study, with_some(&model, &positions), automaton);
            let within = some_of(within, &positions);
            let found = match is_packed {
                true => self.truths_of_rows(packed, some, (work, is_stopped))?,
                false => self.truths_of_states(some, &within, (work, is_stopped), true)?,
            };
            let Some(found) = found else {
                return Ok(None);
            };
            for (at, truth) in positions.into_iter().zip(found) {
                truths[at] = Some(truth);
            }
        }
        Ok(truths.into_iter().collect())
    }

    /// Where invariants about variables that are packed are true.
    fn truths_of_rows(
        &self,
        packed: &Packed,
        (study, model, automaton): (&Study, Arc<Model>, AutomatonId),
        (work, is_stopped): (&Work, &dyn Fn() -> bool),
    ) -> Result<Option<Vec<Truth>>, String> {
        let states = self.reached.len() + self.made_up.len();
        let projected = packed.projected(Arc::clone(&model), automaton);
        let instance = Instance::new(projected, packed.universe.clone());
        let form = (&instance, true);
        let check = Check::new((study, automaton), form, (work, states), is_stopped)?;
        let both = check.and_then(|mut check| {
            let truths = both(check.rows(&packed.reached), check.rows(&packed.made_up));
            work.looped(check.turns(), check.counted);
            truths
        });
        // Where a formula makes a number that is beyond the ranges, the integers are general values.
        match instance.range_overflows().is_empty() {
            true => Ok(both),
            false => {
                let asked = (study, model, automaton);
                self.truths_of_states(asked, &[], (work, is_stopped), true)
            }
        }
    }

    /// Where invariants are true that are evaluated on the states as they are.
    fn truths_of_states(
        &self,
        (study, model, automaton): (&Study, Arc<Model>, AutomatonId),
        within: &[Option<&Truth>],
        (work, is_stopped): (&Work, &dyn Fn() -> bool),
        is_much: bool,
    ) -> Result<Option<Vec<Truth>>, String> {
        if within.iter().any(Option::is_some) {
            return self.some((model, automaton), within, (work, is_stopped));
        }
        let states = self.reached.len() + self.made_up.len();
        let instance = Instance::new(model, self.universe.clone());
        let form = (&instance, is_much);
        let check = Check::new((study, automaton), form, (work, states), is_stopped)?;
        Ok(check.and_then(|mut check| {
            let reached = check.states(&self.reached);
            let truths = both(reached, check.states(&self.made_up));
            work.looped(check.turns(), check.counted);
            truths
        }))
    }

    /// How many turns loops would take in the invariants of a model, in all states, as a few of these show.
    fn turns(
        &self,
        (study, model, automaton): (&Study, Arc<Model>, AutomatonId),
        work: &Work,
    ) -> Result<usize, String> {
        let instance = Instance::new(model, self.universe.clone());
        let all = self.reached.len() + self.made_up.len();
        let both = self.reached.iter().chain(self.made_up.iter());
        let few: States = both.step_by(all.div_ceil(PROBED)).collect();
        let form = (&instance, false);
        let check = Check::new((study, automaton), form, (work, few.len()), &|| false)?;
        Ok(check.map_or(0, |mut check| {
            check.states(&few);
            let turns = usize::try_from(check.turns()).unwrap_or(usize::MAX);
            turns.saturating_mul(all / few.len())
        }))
    }

    /// Where invariants are true among some states, which are masks.
    fn some(
        &self,
        (model, automaton): (Arc<Model>, AutomatonId),
        within: &[Option<&Truth>],
        (work, is_stopped): (&Work, &dyn Fn() -> bool),
    ) -> Result<Option<Vec<Truth>>, String> {
        let states = self.reached.len() + self.made_up.len();
        let evaluations = within.iter().map(|w| w.map_or(states, Truth::count)).sum();
        let counted = work.evaluated(within.len(), evaluations, false);
        let instance = Instance::new(model, self.universe.clone());
        let mut executor = Executor::new(&instance, automaton).map_err(words)?;
        let masks = |of: fn(&Truth) -> &[u64]| -> Vec<Option<&[u64]>> {
            within.iter().map(|w| w.map(of)).collect()
        };
        let mut masked =
            |states: &States, of| masked(&mut executor, states, &masks(of), is_stopped);
        let reached = masked(&self.reached, |w| &w.reached);
        let made_up = masked(&self.made_up, |w| &w.made_up);
        work.looped(executor.turns(), counted);
        Ok(both(reached, made_up))
    }

    /// The states as machine code reads them, if they fit in words.
    fn packed(&self, model: &Model, automaton: AutomatonId) -> Option<&Packed> {
        let packed = self.packed.get_or_init(|| {
            let states = (&self.reached, &self.made_up);
            Packed::of((model, automaton), &self.universe, states)
        });
        packed.as_ref()
    }

    /// What the collections of its states hold, looked at once: of those that were reached, and of those that were made up some of the
    /// elements, all where none was reached.
    pub(super) fn held(&self, model: &Model, automaton: AutomatonId) -> &Held {
        self.held.get_or_init(|| {
            let reader = Reader::new(model, automaton, &self.universe);
            let made_up = reader.all(&self.made_up);
            // A block of states that are to be excluded has no others.
            if self.reached.is_empty() {
                return made_up;
            }
            let mut held = reader.all(&self.reached);
            held.add_some(made_up);
            held
        })
    }
}

/// A model that states only the invariants at some positions.
fn with_some(model: &Arc<Model>, positions: &[usize]) -> Arc<Model> {
    if positions.len() == model.invariants.len() {
        return Arc::clone(model);
    }
    let mut some = (**model).clone();
    let stated = positions.iter().map(|at| model.invariants[*at].clone());
    some.invariants = stated.collect();
    Arc::new(some)
}

/// What is said `within` which states the invariants at some positions are asked about.
fn some_of<'t>(within: &[Option<&'t Truth>], positions: &[usize]) -> Vec<Option<&'t Truth>> {
    let some = positions
        .iter()
        .map(|at| within.get(*at).copied().flatten());
    some.collect()
}

/// Says of states which invariants of an instance are true there.
pub(super) struct Check<'i> {
    /// What checks the first formulas, then the next ones, and so on.
    groups: Vec<Steps<'i>>,
    rows: Rows<'i>,
    formulas: usize,
    pub(super) is_native: bool,
    /// How much work the evaluations are counted as.
    counted: u64,
    is_stopped: &'i dyn Fn() -> bool,
}

impl<'i> Check<'i> {
    /// For so many states, by machine code if that is wanted and can be had. What it takes is added to the work. Nothing if it is
    /// stopped.
    pub(super) fn new(
        (study, automaton): (&Study, AutomatonId),
        (instance, wants_native): (&'i Instance, bool),
        (work, states): (&Work, usize),
        is_stopped: &'i dyn Fn() -> bool,
    ) -> Result<Option<Self>, String> {
        let formulas = instance.model().invariants.len();
        let positions: Vec<usize> = (0..formulas).collect();
        let rows = Rows::new(instance, automaton);
        let about = (study, instance);
        let (mut groups, mut is_native) = (Vec::new(), wants_native);
        for own in positions.chunks(COMPILED_TOGETHER) {
            if is_stopped() {
                return Ok(None);
            }
            let made = steps(about, automaton, own, &rows, wants_native);
            let (steps, interpreted) = made.map_err(words)?;
            is_native &= interpreted.is_empty();
            groups.push(steps);
        }
        let counted = work.evaluated(formulas, formulas * states, is_native);
        Ok(Some(Self {
            groups,
            rows,
            formulas,
            is_native,
            counted,
            is_stopped,
        }))
    }

    /// The columns of some states. Nothing if it is stopped.
    pub(super) fn states(&mut self, states: &States) -> Option<Vec<Vec<u64>>> {
        let mut columns = vec![ones(states.len()); self.formulas];
        let mut words = Vec::new();
        for first in (0..states.len()).step_by(self.at_once()) {
            words.clear();
            let end = states.len().min(first + self.at_once());
            (first..end).for_each(|at| self.rows.push(&states.get(at), &mut words));
            self.clear(&words, first, &mut columns)?;
        }
        Some(columns)
    }

    /// The columns of some states that are rows already. Nothing if it is stopped.
    fn rows(&mut self, rows: &[u64]) -> Option<Vec<Vec<u64>>> {
        let (width, at_once) = (self.rows.width(), self.at_once());
        let mut columns = vec![ones(rows.len() / width); self.formulas];
        for (chunk, first) in rows.chunks(at_once * width).zip((0..).step_by(at_once)) {
            self.clear(chunk, first, &mut columns)?;
        }
        Some(columns)
    }

    /// How many turns loops have taken, about.
    pub(super) fn turns(&self) -> u64 {
        self.groups.iter().map(|steps| steps.turns()).sum()
    }

    /// How many states are checked before it looks whether it is stopped.
    fn at_once(&self) -> usize {
        if self.is_native { AT_ONCE } else { FEW_AT_ONCE }
    }

    /// Clears in the columns what is false in some states, of which the first has this position.
    fn clear(&mut self, rows: &[u64], first: usize, columns: &mut [Vec<u64>]) -> Option<()> {
        if (self.is_stopped)() {
            return None;
        }
        let mut broken = Vec::new();
        let positions = (0..).step_by(COMPILED_TOGETHER);
        for (steps, position) in self.groups.iter_mut().zip(positions) {
            steps.check(rows, &mut broken);
            for found in &broken {
                clear(
                    &mut columns[position + found.invariant],
                    first + found.state,
                );
            }
        }
        Some(())
    }
}

/// Where each invariant is true that is asked about some states only, if there is a mask for it; elsewhere it counts as true. Nothing
/// if it is stopped.
fn masked(
    executor: &mut Executor<'_>,
    states: &States,
    masks: &[Option<&[u64]>],
    is_stopped: &dyn Fn() -> bool,
) -> Option<Vec<Vec<u64>>> {
    let mut columns = vec![ones(states.len()); masks.len()];
    for (at, state) in states.iter().enumerate() {
        if at % FEW_AT_ONCE == 0 && is_stopped() {
            return None;
        }
        let is_asked = |mask: &Option<&[u64]>| mask.is_none_or(|words| has(words, at));
        let asked = (0..masks.len()).filter(|formula| is_asked(&masks[*formula]));
        for formula in executor.untrue(&state, asked) {
            clear(&mut columns[formula], at);
        }
    }
    Some(columns)
}

/// Whether a bit is set.
pub(super) fn has(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

fn clear(words: &mut [u64], bit: usize) {
    words[bit / 64] &= !(1 << (bit % 64));
}

fn both(reached: Option<Vec<Vec<u64>>>, made_up: Option<Vec<Vec<u64>>>) -> Option<Vec<Truth>> {
    let both = reached?.into_iter().zip(made_up?);
    let truths = both.map(|(reached, made_up)| Truth { reached, made_up });
    Some(truths.collect())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::{Budget, StatePool};
    use super::*;
    use crate::host::Silent;
    use crate::pipeline::candidates::Thoroughness;
    use crate::setup::Setup;

    /// The letters carry numbers that are too large for a set of them to have a bit for each.
    const POST: &str = "\
type Person
type Letter = tuple of sender: Person, weight: Nat
automaton Post
  signature
    internal write(p: Person)
  states
    written: Array[Person, Nat] := constant(0),
    sent: Set[Letter] := {}
  transitions
    internal write(p)
      eff written[p] := written[p] + 1;
          sent := insert([p, 1000 * written[p]], sent)
invariant Few of Post: \\A p: Person (written[p] <= 2)
invariant Heavy of Post: \\A l: Letter (l \\in sent => l.weight <= 2000)
invariant Alike of Post: \\A p, q: Person (written[p] <= written[q] + 1)
invariant Idle of Post: \\A p: Person (written[p] = 0) => sent = {}
";

    #[test]
    fn formulas_about_variables_that_fit_in_words_are_as_true_as_among_the_states() {
        let study = Study::of_text(POST);
        let setup = Setup {
            sorts: vec![("Person".into(), 2)],
            ..Setup::default()
        };
        let budget = Budget {
            tried: 1,
            ..Thoroughness::QUICK.budget
        };
        let id = AutomatonId::at(0);
        let pool = StatePool::gather((&study, &setup), id, (budget, Rc::default()), &Silent);
        let pool = pool.expect("sizes that fit");
        let model = pool.stating(&study.model.invariants);
        let (work, mut partly, mut falsified) = (Work::default(), 0, [false; 4]);
        for block in &pool.blocks {
            let Some(packed) = block.packed(&model, id) else {
                continue;
            };
            let fits = |at: usize| packed.has_all_of(&model.invariants[at].formula);
            let fitting: Vec<bool> = (0..4).map(fits).collect();
            partly += usize::from(fitting == [true, false, true, false]);
            let asked = || (&study, Arc::clone(&model), id);
            let how = (&work, &(|| false) as &dyn Fn() -> bool);
            let parts = block.truths_of_parts(packed, asked(), &[], how);
            let states = block.truths_of_states(asked(), &[], how, false);
            assert_eq!(parts, states);
            let all = block.reached.len() + block.made_up.len();
            let truths = parts.expect("can be evaluated").expect("is not stopped");
            let are_false = truths.iter().map(|truth| truth.count() < all);
            (falsified.iter_mut().zip(are_false))
                .for_each(|(is_somewhere, is)| *is_somewhere |= is);
        }
        assert!(partly > 0, "all fits in words, or nothing");
        assert_eq!(falsified, [true; 4]);
    }
}
