//! How fast large files are read and checked: `cargo bench -p ioa-lang --bench check`.
//!
//! Files of 5,000, 10,000 and 100,000 lines of automata, invariants, simulations and schedules, once without a mistake
//! and once with one in about every fifty lines. Of each the median of five: lines a second through parser and checker,
//! and the time until the diagnostics stand on the screen.

mod generate;

use std::time::{Duration, Instant};

use ioa_lang::diagnostic::render;
use ioa_lang::{Sources, load, syntax};

const REPETITIONS: usize = 5;

fn main() {
    println!(
        "{:>8} {:>8} {:>10} {:>10} {:>10} {:>12}",
        "lines", "mistakes", "parse", "all", "render", "lines/s"
    );
    for wanted in [5_000, 10_000, 100_000] {
        for with_mistakes in [false, true] {
            measure(&generate::text(wanted, with_mistakes), with_mistakes);
        }
    }
}

fn measure(text: &str, with_mistakes: bool) {
    let lines = text.lines().count();
    let mut sources = Sources::new();
    let file = sources.add("large.ioa", text);
    let parse = median(|| drop(syntax::parse(file, text)));
    let check = median(|| drop(load(&sources)));
    let diagnostics = load(&sources).diagnostics;
    assert_eq!(
        diagnostics.is_empty(),
        !with_mistakes,
        "{:?}",
        diagnostics.first()
    );
    let shown = median(|| drop(render(&diagnostics, &sources, false)));
    let rate = lines as f64 / check.as_secs_f64();
    println!(
        "{lines:>8} {:>8} {:>10.1?} {:>10.1?} {:>10.1?} {rate:>12.0}",
        diagnostics.len(),
        parse,
        check,
        shown,
    );
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..REPETITIONS)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed()
        })
        .collect();
    times.sort();
    times[REPETITIONS / 2]
}
