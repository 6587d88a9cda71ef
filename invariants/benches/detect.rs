//! How fast samples of Global1 are added, and how long detection takes: `cargo bench -p invariants`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Instant;

use common::global1;
use invariants::{Options, Samples, detect};

fn main() {
    adding(2_000_000);
    adding_distinct(1_000_000);
    for runs in [200, 5_000] {
        detecting(runs);
    }
    for width in [25, 100, 400] {
        numbers(width);
    }
}

/// Many numbers, some equal, some ordered, most unrelated.
fn numbers(width: u64) {
    let variables: Vec<String> = (0..width).map(|n| format!("n{n}")).collect();
    let text = format!("automaton Numbers states {}: Int", variables.join(", "));
    let mut samples = common::samples(&text, &[]);
    for row in 0..10_000_u64 {
        let word = |n: u64| match n % 4 {
            0 => row % 97,
            1 => row % 97 + n,
            _ => {
                (row + 1)
                    .wrapping_mul(n + 1)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    >> 54
            }
        };
        let row: Vec<u64> = (0..width).map(word).collect();
        samples.add_state(&row).expect("a state");
    }
    let start = Instant::now();
    let found = black_box(detect(&samples, &Options::default()));
    report(
        &format!("samples of {width} numbers"),
        10_000,
        start,
        &samples,
    );
    let (kept, left) = (found.relations.len(), found.unjustified);
    println!(
        "  {kept} relations, {left} without evidence; {}",
        found.notes.join("; ")
    );
}

fn adding(count: usize) {
    let rows = global1::rows(count);
    let mut samples = global1::empty();
    let start = Instant::now();
    for row in &rows {
        samples.add_state(row).expect("a state");
    }
    report("states added", count as u64, start, &samples);
}

/// Every row is new: the case that costs most.
fn adding_distinct(count: u64) {
    let mut samples = global1::empty();
    let mut row = vec![0; samples.states().width()];
    let start = Instant::now();
    for n in 0..count {
        (row[7], row[8], row[9]) = (0, n & 0x1ff, n >> 9 & 0x1ff);
        (row[0], row[4]) = (n >> 18 & 7, n >> 21 & 7);
        samples.add_state(&row).expect("a state");
    }
    report("new states added", count, start, &samples);
}

fn detecting(runs: u64) {
    let samples = global1::run(runs, 400, 1);
    let start = Instant::now();
    let found = black_box(detect(&samples, &Options::default()));
    report(
        "samples through detection",
        samples.states().seen(),
        start,
        &samples,
    );
    println!(
        "  {} relations, {} without evidence",
        found.relations.len(),
        found.unjustified
    );
}

fn report(what: &str, count: u64, start: Instant, samples: &Samples) {
    let seconds = start.elapsed().as_secs_f64();
    let distinct = samples.states().rows();
    let rate = count as f64 / seconds;
    println!("{what}: {count} ({distinct} distinct) in {seconds:.3} s, {rate:.0} samples/s");
}
