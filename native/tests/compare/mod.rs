//! Native code beside interpretation: steps and verdicts from the same states, which have to be the same. For the
//! agreement tests, and for the fuzzer.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::{Form, Packing, Place, Range, Ranges, Universe};
use interpreter::{Batch, Instance, Interpreted, Rows, Shape, State, Successors};
use ioa_lang::core::{AutomatonId, Model, Type};
use ioa_lang::{Severity, Sources, Value};
use native::Native;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use test_support::values;

/// States from which a random automaton is expanded.
const STATES: usize = 24;

/// No more states after one are compared as values.
const SUCCESSORS: usize = 500;

/// The automaton of a random model.
pub(crate) const FIRST: AutomatonId = AutomatonId(0);

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Automata that cannot be run, either way.
    pub(crate) refused: u64,
    pub(crate) automata: u64,
    /// Automata all of whose clauses are native.
    pub(crate) native: u64,
    /// Automata for whose clauses the interpreter is asked for some terms.
    pub(crate) in_part: u64,
    /// States whose steps native code computed, and those that it left to interpretation.
    pub(crate) states: u64,
    pub(crate) left: u64,
    /// States from which a step faults.
    pub(crate) faults: u64,
    pub(crate) successors: u64,
    pub(crate) broken: u64,
    pub(crate) invariants: u64,
    pub(crate) native_invariants: u64,
    /// Terms that are looked up.
    pub(crate) tables: u64,
    /// States from which there are as many steps as was assumed.
    pub(crate) reached: u64,
    /// States from which packed integers were held to general values.
    pub(crate) general: u64,
    pub(crate) obstacles: BTreeMap<String, u64>,
}

impl Compared {
    /// Compares the steps from some states of an automaton, and its invariants in them.
    pub(crate) fn compare(
        &mut self,
        instance: &Instance,
        automaton: AutomatonId,
        states: &[State],
        context: &str,
    ) {
        let invariants = invariants(instance, automaton);
        let rows = Rows::new(instance, automaton);
        let made = (
            Interpreted::new(instance, automaton, &invariants, rows.clone()),
            Native::new(instance, automaton, &invariants, rows.clone()),
        );
        let (mut slow, mut fast) = match made {
            (Ok(slow), Ok(fast)) => (slow, fast),
            (slow, fast) => {
                assert!(slow.is_err() && fast.is_err(), "{context}");
                self.refused += 1;
                return;
            }
        };
        let words = slow.words();
        assert_eq!(words, fast.words());
        let mut packed = Vec::new();
        states.iter().for_each(|s| rows.push(s, &mut packed));
        let states = &packed[..];
        // All at once, as far as that goes, and then one by one.
        self.expand(&mut slow, &mut fast, states, context);
        for state in states.chunks_exact(words) {
            self.expand(&mut slow, &mut fast, state, context);
        }
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        slow.check(states, &mut expected);
        fast.check(states, &mut found);
        assert_eq!(expected, found, "{context}");
        self.broken += found.len() as u64;
        let report = fast.report();
        assert_eq!(report.unsupported, None);
        self.automata += 1;
        self.native += u64::from(report.clauses.is_empty());
        self.in_part += u64::from(!report.clauses_in_part.is_empty());
        self.tables += report.tables as u64;
        self.states += report.native;
        self.left += report.interpreted;
        self.invariants += invariants.len() as u64;
        self.native_invariants += (invariants.len() - report.invariants.len()) as u64;
        let obstacles = report.clauses.iter().map(|(_, o)| o.to_string());
        let others = report.invariants.iter().map(|(_, o)| o.to_string());
        for obstacle in obstacles.chain(others) {
            *self.obstacles.entry(obstacle).or_default() += 1;
        }
    }

    fn expand(
        &mut self,
        slow: &mut Interpreted<'_>,
        fast: &mut Native<'_>,
        states: &[u64],
        context: &str,
    ) {
        let (mut expected, mut found) = (Batch::default(), Batch::default());
        let outcomes = (
            slow.expand(states, &mut expected),
            fast.expand(states, &mut found),
        );
        assert_eq!(outcomes.0, outcomes.1, "{states:x?} {context}");
        assert_eq!(expected, found, "{states:x?} {context}");
        self.faults += u64::from(outcomes.0.is_err());
        self.successors += found.words.len() as u64 / slow.words() as u64;
    }
}

impl Compared {
    /// Compares packed integers with general values, as far as all integers fit.
    pub(crate) fn compare_with_general(&mut self, packed: &Instance, seed: u64, context: &str) {
        let model = packed.model();
        let universe = packed.universe().clone().with_ranges(None);
        let general = Instance::new(Arc::clone(model), universe);
        let made = (Steps::new(packed), Steps::new(&general));
        let (Some(mut narrow), Some(mut wide)) = made else {
            return;
        };
        for state in random_states(packed, seed) {
            let values = narrow.values(&state);
            let same = general.layout(FIRST).state(&values);
            let (found, expected) = (narrow.look(&state), wide.look(&same.expect("values")));
            if !packed.range_overflows().is_empty() {
                return;
            }
            assert_eq!(found, expected, "{values:?} {context}");
            self.general += 1;
        }
    }
}

impl Compared {
    /// Holds what native code assumes of the first automaton to what occurs from some states: how large values are, and
    /// how many steps there are. Nothing else is compared.
    pub(crate) fn bounds(&mut self, instance: &Instance, states: &[State], context: &str) {
        let (rows, asked) = (Rows::new(instance, FIRST), invariants(instance, FIRST));
        let Ok(mut steps) = Native::audited(instance, FIRST, &asked, rows.clone()) else {
            self.refused += 1;
            return;
        };
        let assumed = steps.report();
        assert_eq!(assumed.unsupported, None);
        let is_native = |at: &usize| assumed.clauses.iter().all(|(id, _)| id.index() != *at);
        for state in states {
            let (mut row, mut batch) = (Vec::new(), Batch::default());
            rows.push(state, &mut row);
            if steps.expand(&row, &mut batch).is_ok() {
                let native = (0..batch.fired.len()).filter(is_native);
                let count: u64 = native.map(|at| batch.fired[at]).sum();
                let least = assumed.steps.min(assumed.room);
                assert!(count <= least, "{count} steps of {least} {context}");
                self.reached += u64::from(count > 0 && count == least);
                self.successors += count;
            }
            steps.check(&row, &mut Vec::new());
        }
        let found = steps.report();
        assert_eq!(found.beyond, 0, "{context}");
        self.automata += 1;
        self.states += found.native;
    }
}

/// The steps of an instance, by interpretation.
struct Steps<'i> {
    instance: &'i Instance,
    rows: Rows<'i>,
    steps: Interpreted<'i>,
}

/// What there is to be seen of a state: the states after it, the steps of each clause, whether it is active, and which
/// invariants do not hold. If a step faults, nothing is said about steps.
#[derive(Debug, PartialEq, Eq)]
struct Look {
    after: Option<Vec<Vec<Value>>>,
    fired: Vec<u64>,
    active: Vec<bool>,
    broken: Vec<usize>,
}

impl<'i> Steps<'i> {
    /// None if the automaton cannot be run.
    fn new(instance: &'i Instance) -> Option<Self> {
        let (rows, asked) = (Rows::new(instance, FIRST), invariants(instance, FIRST));
        let steps = Interpreted::new(instance, FIRST, &asked, rows.clone()).ok()?;
        Some(Self {
            instance,
            rows,
            steps,
        })
    }

    fn values(&self, state: &State) -> Vec<Value> {
        let values = self.instance.layout(FIRST).values(state);
        values.map(|(_, value)| value).collect()
    }

    fn look(&mut self, state: &State) -> Look {
        let (mut row, mut batch, mut broken) = (Vec::new(), Batch::default(), Vec::new());
        self.rows.push(state, &mut row);
        let expanded = self.steps.expand(&row, &mut batch);
        self.steps.check(&row, &mut broken);
        let mut look = Look {
            after: None,
            fired: Vec::new(),
            active: Vec::new(),
            broken: broken.iter().map(|b| b.invariant).collect(),
        };
        if expanded.is_ok() {
            let after = batch.words.chunks_exact(self.rows.width());
            let few = after.len() <= SUCCESSORS;
            let after = after
                .take(if few { SUCCESSORS } else { 0 })
                .map(|row| self.values(&self.rows.state(row)));
            let mut after: Vec<_> = after.collect();
            after.sort();
            (look.after, look.fired, look.active) = (Some(after), batch.fired, batch.active);
        }
        look
    }
}

/// A model that has no errors.
pub(crate) fn model(sources: &Sources) -> Arc<Model> {
    let loaded = ioa_lang::load(sources);
    let mut errors = loaded.diagnostics.iter();
    if let Some(error) = errors.find(|d| d.severity == Severity::Error) {
        panic!("{}: {}", sources.location(error.span), error.message);
    }
    Arc::new(loaded.model)
}

/// The instance of a model at some sizes.
pub(crate) fn instance(sources: &Sources, sizes: &[(&str, u64)]) -> Instance {
    let model = model(sources);
    let universe = universe(&model, sizes);
    Instance::new(model, universe)
}

fn universe(model: &Model, sizes: &[(&str, u64)]) -> Universe {
    let sizes = sizes.iter().map(|(name, size)| ((*name).to_owned(), *size));
    Universe::new(model, model.every_setting(), &sizes.collect()).expect("sizes that fit")
}

/// The invariants that can be checked.
fn invariants(instance: &Instance, automaton: AutomatonId) -> Vec<usize> {
    let all = 0..instance.model().invariants.len();
    let usable = all.filter(|i| instance.invariant(automaton, *i).is_some());
    usable.collect()
}

/// The sizes of the sorts of random automata.
const SIZES: [(&str, u64); 2] = [("Node", 3), ("Ballot", 2)];

/// The instance of a random automaton.
pub(crate) fn random_instance(text: &str) -> Instance {
    let mut sources = Sources::new();
    sources.add("random.ioa", text);
    instance(&sources, &SIZES)
}

/// The same with integers packed, those of each place in a random range of its own.
pub(crate) fn ranged_instance(text: &str, seed: u64) -> Instance {
    let mut sources = Sources::new();
    sources.add("random.ioa", text);
    let (model, mut rng) = (model(&sources), ChaCha8Rng::seed_from_u64(seed));
    let ranges = Ranges::of(&model, FIRST, |place| {
        Some(random_range(&model, place, &mut rng))
    });
    let universe = universe(&model, &SIZES).with_ranges(ranges);
    Instance::new(model, universe)
}

fn random_range(model: &Model, place: &Place, rng: &mut ChaCha8Rng) -> Range {
    let ty = match place {
        Place::Variable(automaton, v) => Some(&model.automaton(*automaton).variables[v.index()].ty),
        Place::Part(ty, position) => model.parts_of(ty).into_iter().nth(*position as usize),
    };
    let low = match ty {
        Some(Type::Int) => -3,
        _ => 0,
    };
    let mut pick = |choices: &[i64]| *choices.choose(rng).expect("some choice");
    let is_key = matches!(
        place,
        Place::Part(Type::Set(_) | Type::Mset(_) | Type::Map(..), 0)
    ) || place.is_amount();
    let (low, high) = match is_key {
        true => (0, pick(&[0, 1, 2, 3, 4, 6])),
        false => (pick(&[0, low]), pick(&[1, 3, 5, 7, 15, 70, 500])),
    };
    Range { low, high }
}

/// States of the first automaton, each variable being drawn by itself: of a small number of values where it is not packed,
/// else of all that have a code.
pub(crate) fn random_states(instance: &Instance, seed: u64) -> Vec<State> {
    let layout = instance.layout(FIRST);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (model, universe) = (instance.model(), instance.universe());
    let mut draw = |v| match &**layout.shape(v) {
        Shape::Packed(packing) if !packing.is_complete() => {
            packing.decode(random_code(packing, &mut rng))
        }
        shape => loop {
            // Parts of it may have ranges.
            let value = values::draw(model, universe, layout.ty(v), &mut rng);
            if shape.encode(&value).is_some() {
                break value;
            }
        },
    };
    (0..STATES)
        .map(|_| {
            let values: Vec<_> = layout.ids().map(&mut draw).collect();
            layout.state(&values).expect("values that fit")
        })
        .collect()
}

/// A code of a packing.
fn random_code(packing: &Packing, rng: &mut ChaCha8Rng) -> u64 {
    match &packing.form {
        Form::Bool | Form::Sort(_) | Form::Enum(_) | Form::Int(..) | Form::Numbered(..) => {
            rng.random_range(0..=packing.max)
        }
        Form::Null(inner) => match rng.random_bool(0.3) {
            true => 0,
            false => random_code(inner, rng) + 1,
        },
        Form::Set(_) => rng.random::<u64>() & packing.max,
        Form::Tuple(_, fields) => fields.iter().fold(0, |code, (at, field)| {
            code | random_code(field, rng).checked_shl(*at).unwrap_or(0)
        }),
        Form::Array(index, element) | Form::Map(index, element) | Form::Mset(index, element) => {
            index.values().fold(0, |code, i| {
                let at = element.bits * i as u32;
                code | random_code(element, rng).checked_shl(at).unwrap_or(0)
            })
        }
        Form::Union(_, variants) => {
            let (begin, payload) = &variants[rng.random_range(0..variants.len())];
            begin + random_code(payload, rng)
        }
        Form::Seq(length, element) => {
            let count = rng.random_range(0..=length.max);
            (0..count).fold(count, |code, at| {
                let at = length.bits + element.slot_bits() * at as u32;
                code | random_code(element, rng) << at
            })
        }
        Form::Char => u64::from(b'a') + rng.random_range(0..3),
    }
}
