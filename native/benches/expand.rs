//! Nanoseconds for each successor, interpreted and native: `cargo bench -p native --bench expand`.
//!
//! The states are those of a breadth-first search, up to a bound; each of them is expanded, in batches, and checked.

mod models;

use std::collections::BTreeSet;
use std::time::Instant;

use interpreter::{Batch, Draws, Executor, Interpreted, Rows, Stream, Successors};
use models::MODELS;
use native::Native;

/// States that are expanded.
const STATES: usize = 100_000;

/// States in a batch.
const BATCH: usize = 1_000;

fn main() {
    let listing = std::env::args().any(|arg| arg == "--listing");
    for model in &MODELS {
        let (instance, automaton) = model.instance();
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
