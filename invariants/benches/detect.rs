//! How fast samples of Global1 are added, and how long detection takes: `cargo bench -p invariants`. Words after `--` choose parts:
//! `adding`, `detecting`, `unrelated`, `related`, `planted`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Instant;

use common::global1;
use invariants::{Options, Report, Samples, detect};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&String> = words
        .iter()
        .filter(|word| !word.starts_with("--"))
        .collect();
    let wants = |part: &str| words.is_empty() || words.iter().any(|word| **word == part);
    if wants("adding") {
        adding(2_000_000);
        adding_distinct(1_000_000);
    }
    if wants("detecting") {
        detecting(200);
        detecting(5_000);
    }
    if wants("unrelated") {
        [25, 100, 400].into_iter().for_each(unrelated);
    }
    if wants("related") {
        related(20, 51);
    }
    if wants("planted") {
        planted(20_000);
    }
    if let Some(kilobytes) = peak() {
        println!("{:.0} MiB resident at most", kilobytes / 1024.0);
    }
}

/// The most memory that this process had, as Linux counts it.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Samples of so many numbers; `row` makes one.
fn numbers(width: u64, rows: u64, mut row: impl FnMut(u64) -> Vec<i64>) -> Samples {
    let variables: Vec<String> = (0..width).map(|n| format!("n{n}")).collect();
    let text = format!("automaton Numbers states {}: Int", variables.join(", "));
    let mut samples = common::samples(&text, &[]);
    for at in 0..rows {
        let words: Vec<u64> = row(at).into_iter().map(|n| n as u64).collect();
        samples.add_state(&words).expect("a state");
    }
    samples
}

/// Detects, and says how long that took.
fn timed(what: &str, samples: &Samples, options: Options) -> Report {
    let start = Instant::now();
    let found = black_box(detect(samples, &options));
    report(what, samples.states().seen(), start, samples);
    let (kept, left) = (found.relations.len(), found.unjustified);
    println!(
        "  {kept} relations, {left} without evidence; {}",
        found.notes.join("; ")
    );
    found
}

/// Many numbers, some equal, some ordered, most unrelated.
fn unrelated(width: u64) {
    let samples = numbers(width, 10_000, |row| {
        let word = |n: u64| match n % 4 {
            0 => row % 97,
            1 => row % 97 + n,
            _ => mixed(row, n) >> 54,
        };
        (0..width).map(|n| word(n) as i64).collect()
    });
    timed(
        &format!("samples of {width} numbers"),
        &samples,
        Options::default(),
    );
}

/// Few samples of numbers that are all multiples of one, or larger than those before.
fn related(width: u64, rows: u64) {
    let samples = numbers(width, rows, |row| {
        let word = |n: u64| match n % 2 {
            0 => row * (n + 1),
            _ => row * row + row * n,
        };
        (0..width).map(|n| word(n) as i64).collect()
    });
    timed(
        &format!("samples of {width} related numbers"),
        &samples,
        Options::default(),
    );
}

/// Numbers that look as if drawn at random.
fn mixed(row: u64, n: u64) -> u64 {
    let mut word =
        (row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (n + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
    word = (word ^ word >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word ^ word >> 29
}

/// 60 numbers with relations that are known to be there, and how many of these are found: as where all states of an instance were
/// visited, whatever holds is proposed.
fn planted(rows: u64) {
    let (mut expected, mut next) = (Vec::new(), 0);
    let mut group = |size: u64, relation: &dyn Fn(u64) -> String| {
        expected.push(relation(next));
        next += size;
    };
    for n in 0..5 {
        group(1, &|a| format!("n{a} = {}", 100 + n));
        group(2, &|a| format!("n{} = n{a}", a + 1));
        group(2, &|a| format!("n{} = 3 * n{a} + 7", a + 1));
        group(3, &|a| format!("n{} = n{a} + n{}", a + 2, a + 1));
    }
    for _ in 0..4 {
        group(3, &|a| {
            format!("2 * n{a} + 5 = 3 * n{} + n{}", a + 1, a + 2)
        });
        group(1, &|a| format!("n{a} = 1 \\/ n{a} = 5 \\/ n{a} = 9"));
    }
    group(1, &|a| format!("mod(n{a}, 6) = 1"));
    group(1, &|a| format!("mod(n{a}, 10) = 3"));
    group(1, &|a| format!("n{a} <= 4711"));
    group(1, &|a| format!("17 <= n{a}"));
    let width = next;
    let samples = numbers(width, rows, planted_row);
    let found = timed(
        &format!("samples of {width} numbers with planted relations"),
        &samples,
        Options { confidence: 0.0 },
    );
    let texts = common::texts(&samples, &found);
    let missed: Vec<&String> = expected
        .iter()
        .filter(|text| !texts.contains(text))
        .collect();
    let hits = expected.len() - missed.len();
    println!(
        "  {hits} of {} planted relations found; missed: {missed:?}",
        expected.len()
    );
}

/// A sample with these relations.
fn planted_row(row: u64) -> Vec<i64> {
    let mut numbers: Vec<i64> = Vec::new();
    let drawn = |at: usize, bits: u32| (mixed(row, at as u64) >> (64 - bits)) as i64;
    for n in 0..5 {
        numbers.push(100 + n);
        let at = numbers.len();
        let [a, b, c, d] = [0, 1, 2, 3].map(|more| drawn(at + more, 16));
        numbers.extend([a, a, b, 3 * b + 7, c, d, c + d]);
    }
    for _ in 0..4 {
        let at = numbers.len();
        let (a, b) = (drawn(at, 14), drawn(at + 1, 14));
        numbers.extend([a, b, 2 * a - 3 * b + 5, 1 + 4 * (drawn(at + 2, 16) % 3)]);
    }
    let at = numbers.len();
    let [a, b, c, d] = [0, 1, 2, 3].map(|more| drawn(at + more, 16));
    numbers.extend([6 * a + 1, 10 * b + 3, c % 4712, 17 + d % 1000]);
    numbers
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
    timed("samples through detection", &samples, Options::default());
}

fn report(what: &str, count: u64, start: Instant, samples: &Samples) {
    let seconds = start.elapsed().as_secs_f64();
    let distinct = samples.states().rows();
    let rate = count as f64 / seconds;
    println!("{what}: {count} ({distinct} distinct) in {seconds:.3} s, {rate:.0} samples/s");
}
