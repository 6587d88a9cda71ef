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
        "  {} candidates, {} left out",
        found.candidates.len(),
        found.left.len()
    );
}

fn report(what: &str, count: u64, start: Instant, samples: &Samples) {
    let seconds = start.elapsed().as_secs_f64();
    let distinct = samples.states().rows();
    let rate = count as f64 / seconds;
    println!("{what}: {count} ({distinct} distinct) in {seconds:.3} s, {rate:.0} samples/s");
}
