//! Visits to the first states of a model, with general values and with packed ones, interpreted and native: all of them
//! have to find the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use finite::{Range, Ranges, Universe};
use interpreter::{Batch, Executor, Instance, Interpreted, RangeOverflows, Rows, Successors};
use ioa_lang::core::{AutomatonId, Model};
use ioa_lang::{Severity, Sources, Value};
use native::Native;

/// What a visit to the first states of an automaton finds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Visit {
    /// The states of each depth, as values.
    pub(crate) levels: Vec<BTreeSet<Vec<Value>>>,
    /// By clause, the steps that were taken.
    pub(crate) fired: Vec<u64>,
    /// The states in which an invariant does not hold.
    pub(crate) broken: BTreeSet<(Vec<Value>, usize)>,
    /// The states from which a step has no result.
    pub(crate) stuck: BTreeSet<Vec<Value>>,
    /// The states in which no action of the automaton's own is enabled.
    pub(crate) quiet: BTreeSet<Vec<Value>>,
}

impl Visit {
    /// The invariants that do not hold in some state.
    pub(crate) fn broken_invariants(&self) -> BTreeSet<usize> {
        self.broken.iter().map(|(_, which)| *which).collect()
    }
}

/// How the integers of an instance came to be packed.
pub(crate) struct Packed {
    pub(crate) instance: Instance,
    /// How often a range was too narrow.
    pub(crate) outgrown: usize,
}

pub(crate) fn model(text: &str) -> Arc<Model> {
    let mut sources = Sources::new();
    sources.add("ranges.ioa", text);
    let loaded = ioa_lang::load(&sources);
    let mut errors = loaded.diagnostics.iter();
    if let Some(error) = errors.find(|d| d.severity == Severity::Error) {
        panic!("{}: {}", sources.location(error.span), error.message);
    }
    Arc::new(loaded.model)
}

pub(crate) fn universe(model: &Model) -> Universe {
    let sizes = [("Node", 3), ("Ballot", 2)];
    let known = sizes
        .iter()
        .filter(|(name, _)| model.sorts.iter().any(|s| &*s.name == *name));
    let sizes = known
        .map(|(name, size)| ((*name).to_owned(), *size))
        .collect();
    Universe::new(model, model.every_setting(), &sizes).expect("sizes that fit")
}

pub(crate) const FIRST: AutomatonId = AutomatonId(0);

pub(crate) fn invariants(model: &Model) -> Vec<usize> {
    (0..model.invariants.len()).collect()
}

/// Visits the first states by steps of some kind, level by level.
pub(crate) fn visit<'i, S: Successors>(
    instance: &'i Instance,
    rows: &Rows<'i>,
    steps: &mut S,
    states: usize,
) -> Visit {
    let layout = instance.layout(FIRST);
    let decoded = |row: &[u64]| -> Vec<Value> {
        let state = rows.state(row);
        layout.values(&state).map(|(_, value)| value).collect()
    };
    let mut level = BTreeSet::new();
    let mut executor = Executor::new(instance, FIRST).expect("it can be run");
    for outcome in executor.starts().into_iter().flatten() {
        let mut row = Vec::new();
        rows.push(&outcome.state, &mut row);
        level.insert(row);
    }
    let (mut seen, mut visit) = (level.clone(), Visit::default());
    let (mut batch, mut broken) = (Batch::default(), Vec::new());
    while !level.is_empty() {
        let values: BTreeSet<Vec<Value>> = level.iter().map(|row| decoded(row)).collect();
        assert_eq!(values.len(), level.len(), "one state has two rows");
        visit.levels.push(values);
        let rows_of_level: Vec<u64> = level.iter().flatten().copied().collect();
        steps.check(&rows_of_level, &mut broken);
        assert!(broken.is_sorted_by_key(|b| (b.state, b.invariant)));
        let said = broken.iter().map(|b| {
            let row = &rows_of_level[b.state * rows.width()..][..rows.width()];
            (decoded(row), b.invariant)
        });
        visit.broken.extend(said);
        let mut next = BTreeSet::new();
        for row in &level {
            let mut expanded = steps.expand(row, &mut batch);
            while steps.misfits().is_some_and(RangeOverflows::number_met) {
                expanded = steps.expand(row, &mut batch);
            }
            if expanded.is_err() {
                visit.stuck.insert(decoded(row));
                continue;
            }
            if !batch.active[0] {
                visit.quiet.insert(decoded(row));
            }
            visit.fired.resize(batch.fired.len(), 0);
            visit
                .fired
                .iter_mut()
                .zip(&batch.fired)
                .for_each(|(sum, n)| *sum += n);
            let fresh = batch.words.chunks_exact(rows.width());
            next.extend(
                fresh
                    .filter(|row| seen.insert(row.to_vec()))
                    .map(<[u64]>::to_vec),
            );
        }
        if seen.len() > states {
            break;
        }
        level = next;
    }
    visit
}

pub(crate) fn interpreted(instance: &Instance, states: usize) -> Visit {
    let (rows, asked) = (Rows::new(instance, FIRST), invariants(instance.model()));
    let steps = Interpreted::new(instance, FIRST, &asked, rows.clone());
    visit(instance, &rows, &mut steps.expect("it can be run"), states)
}

/// The visit by native code, and how many clauses are interpreted all the same, at least in part.
pub(crate) fn native(instance: &Instance, states: usize) -> (Visit, usize) {
    let (rows, asked) = (Rows::new(instance, FIRST), invariants(instance.model()));
    let mut steps = Native::new(instance, FIRST, &asked, rows.clone()).expect("it can be run");
    let found = visit(instance, &rows, &mut steps, states);
    assert_eq!(steps.report().unsupported, None);
    let report = steps.report();
    let interpreted = report.clauses.len() + report.clauses_in_part.len();
    (found, interpreted)
}

/// An instance with ranges from a guess on, wide enough for a visit.
pub(crate) fn packed(model: &Arc<Model>, guess: Range, states: usize) -> Packed {
    let ranges = Ranges::of(model, FIRST, |_| Some(guess));
    in_ranges(model, ranges, states)
}

/// The same, with dictionaries for the elements of all sets and multisets.
pub(crate) fn numbered(model: &Arc<Model>, guess: Range, states: usize) -> Packed {
    let ranges = Ranges::of(model, FIRST, |_| Some(guess));
    let collections = finite::collections(model, FIRST);
    let ranges = ranges.map(|ranges| ranges.with_dictionaries(collections));
    in_ranges(model, ranges, states)
}

fn in_ranges(model: &Arc<Model>, mut ranges: Option<Ranges>, states: usize) -> Packed {
    let mut outgrown = 0;
    loop {
        let universe = universe(model).with_ranges(ranges.clone());
        let instance = Instance::new(Arc::clone(model), universe);
        interpreted(&instance, states);
        if instance.range_overflows().is_empty() {
            return Packed { instance, outgrown };
        }
        outgrown += 1;
        assert!(outgrown < 200, "ranges grow without end");
        ranges = ranges.and_then(|ranges| instance.range_overflows().widen(&ranges));
    }
}

/// Holds packed integers to general values, and gives what was found with how often the guess was too narrow.
pub(crate) fn compare(text: &str, guess: Range, states: usize) -> (Visit, Packed, usize) {
    let model = model(text);
    let general = Instance::new(Arc::clone(&model), universe(&model));
    let expected = interpreted(&general, states);
    let packed = packed(&model, guess, states);
    let left = hold(&packed, states, &expected, &format!("{guess:?} {text}"));
    let numbered = numbered(&model, guess, states);
    hold(
        &numbered,
        states,
        &expected,
        &format!("numbered {guess:?} {text}"),
    );
    (expected, packed, left)
}

/// Holds a packed instance to what was expected, interpreted and native, and gives how many clauses are interpreted all the same.
pub(crate) fn hold(packed: &Packed, states: usize, expected: &Visit, context: &str) -> usize {
    let slow = interpreted(&packed.instance, states);
    assert_eq!(slow, *expected, "{context}");
    let (fast, left) = native(&packed.instance, states);
    assert_eq!(fast, *expected, "{context}");
    assert!(packed.instance.range_overflows().is_empty());
    left
}

/// Some first guesses: none of them may make a difference.
pub(crate) const GUESSES: [Range; 4] = [
    finite::GUESS,
    Range { low: 0, high: 0 },
    Range { low: 0, high: 63 },
    Range { low: -2, high: 1 },
];
