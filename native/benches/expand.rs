//! Nanoseconds for each successor, interpreted and native: `cargo bench -p native --bench expand`.
//!
//! The states are those of a breadth-first search, up to a bound; each of them is expanded, in batches, and checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use interpreter::{Batch, Draws, Executor, Instance, Interpreted, Rows, Stream, Successors};
use ioa_lang::finite::Universe;
use ioa_lang::{Sources, load};
use native::Native;

/// States that are expanded.
const STATES: usize = 100_000;

/// States in a batch.
const BATCH: usize = 1_000;

struct Model {
    name: &'static str,
    files: &'static [&'static str],
    automaton: &'static str,
    sizes: &'static [(&'static str, u64)],
}

const MODELS: [Model; 3] = [
    Model {
        name: "two-phase commit, 7 RMs",
        files: &["native/benches/two_phase.ioa"],
        automaton: "TwoPhase",
        sizes: &[("RM", 7)],
    },
    Model {
        name: "two-phase commit, 9 RMs",
        files: &["native/benches/two_phase.ioa"],
        automaton: "TwoPhase",
        sizes: &[("RM", 9)],
    },
    Model {
        name: "Global1, 3 nodes, 2 values, 3 ballots",
        files: &[
            "case-studies/paxos/cons.ioa",
            "case-studies/paxos/global1.ioa",
        ],
        automaton: "Global1",
        sizes: &[("Node", 3), ("Value", 2), ("Ballot", 3)],
    },
];

fn main() {
    let listing = std::env::args().any(|arg| arg == "--listing");
    for model in &MODELS {
        let instance = instance(model);
        let automaton = instance.model().automaton_named(model.automaton);
        let automaton = automaton.expect("it is declared");
        let invariants = 0..instance.model().invariants.len();
        let invariants = invariants.filter(|i| instance.invariant(automaton, *i).is_some());
        let invariants: Vec<usize> = invariants.collect();
        let rows = || Rows::new(&instance, automaton);
        let begin = Instant::now();
        let mut native =
            Native::listed(&instance, automaton, &invariants, rows()).expect("it can be run");
        let compiled = begin.elapsed().as_secs_f64() * 1e3;
        if listing {
            println!("{}", native.listing().unwrap_or_default());
        }
        let mut interpreted =
            Interpreted::new(&instance, automaton, &invariants, rows()).expect("it can be run");
        let mut executor = Executor::new(&instance, automaton).expect("it can be run");
        let start = executor.start(&mut Draws::new(1, Stream::Choices));
        let states = reachable(&mut native, start.expect("it has a start state").words());
        println!(
            "{}: {} states, compiled in {compiled:.1} ms",
            model.name,
            states.len() / native.words()
        );
        measure("native", &mut native, &states, 10);
        measure("interpreted", &mut interpreted, &states, 1);
        assert_eq!(native.report().interpreted, 0, "all of it is native");
    }
}

fn instance(model: &Model) -> Instance {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = Sources::new();
    for file in model.files {
        let text = fs::read_to_string(root.join(file)).expect("the model is there");
        sources.add(*file, text);
    }
    let loaded = load(&sources);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let sizes: BTreeMap<String, u64> = (model.sizes.iter())
        .map(|(sort, size)| ((*sort).to_owned(), *size))
        .collect();
    let universe = Universe::new(&loaded.model, &sizes).expect("the sizes fit the model");
    Instance::new(Arc::new(loaded.model), universe)
}

/// The first states of a breadth-first search.
fn reachable(native: &mut Native<'_>, start: &[u64]) -> Vec<u64> {
    let words = native.words();
    let mut seen = BTreeSet::from([start.to_vec()]);
    let (mut states, mut from, mut batch) = (start.to_vec(), 0, Batch::default());
    while from < states.len() && states.len() < STATES * words {
        let to = states.len().min(from + BATCH * words);
        native
            .expand(&states[from..to], &mut batch)
            .expect("no step faults");
        from = to;
        for next in batch.words.chunks_exact(words) {
            if seen.insert(next.to_vec()) {
                states.extend(next);
            }
        }
    }
    states
}

/// Expands and checks all states, several times.
fn measure(name: &str, successors: &mut dyn Successors, states: &[u64], rounds: u32) {
    let words = successors.words();
    let (mut batch, mut broken, mut generated) = (Batch::default(), Vec::new(), 0);
    let begin = Instant::now();
    for _ in 0..rounds {
        for part in states.chunks(BATCH * words) {
            let expanded = successors.expand(part, &mut batch);
            expanded.expect("no step faults");
            generated += batch.words.len() / words;
        }
    }
    let expanding = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    for _ in 0..rounds {
        for part in states.chunks(BATCH * words) {
            successors.check(part, &mut broken);
            assert!(broken.is_empty(), "the invariants hold");
        }
    }
    let checking = begin.elapsed().as_secs_f64();
    let checked = (states.len() / words) as f64 * f64::from(rounds);
    let generated = generated as f64;
    println!(
        "  {name:<12}{:>9.2} ns a successor{:>14.0} successors/s{:>9.2} ns a state to check",
        expanding * 1e9 / generated,
        generated / expanding,
        checking * 1e9 / checked
    );
}
