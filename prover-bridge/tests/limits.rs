//! Limits are verdicts of their own, and a run that is told to stop does.

mod common;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use common::{CONS, GLOBAL1, REFINEMENT, model, word};
use prover_bridge::{Options, Target, prove};

fn words(options: &Options<'_>) -> Vec<String> {
    let model = model(&[CONS, GLOBAL1, REFINEMENT]);
    let report = prove(&Target::everything(&model), options, &|| Duration::ZERO);
    let mut words: Vec<String> = report.outcomes.iter().map(word).collect();
    words.sort();
    words.dedup();
    words
}

#[test]
fn a_resource_limit_is_not_a_proof() {
    let options = Options {
        resource_limit: 100,
        ..Options::default()
    };
    let words = words(&options);
    assert!(
        words.contains(&"unknown: resource limit".to_owned()),
        "{words:?}"
    );
}

/// Three cubes that sum to 42: it took the world until 2019.
const CUBES: &str = "automaton A
  signature internal go(x: Int, y: Int, z: Int)
  states hit: Bool := false
  transitions internal go(x, y, z)
    pre x * x * x + y * y * y + z * z * z = 42 eff hit := true
invariant Never of A: ~hit";

/// What is said of the cubes with three tenths of a second for each obligation, and how often the solver was asked.
fn cubes(clock: &(dyn Fn() -> Duration + Sync)) -> (Vec<String>, u32) {
    let model = model(&[CUBES]);
    let options = Options {
        timeout: Duration::from_millis(300),
        ..Options::default()
    };
    let report = prove(&Target::everything(&model), &options, clock);
    let unproved = report.outcomes.iter().filter(|o| word(o) != "proved");
    let queries = unproved.map(|o| o.queries).sum();
    (report.outcomes.iter().map(word).collect(), queries)
}

#[test]
fn a_timeout_is_not_a_proof() {
    let (words, _) = cubes(&|| Duration::ZERO);
    assert_eq!(words, ["proved", "unknown: timeout"]);
}

#[test]
fn the_time_is_for_all_that_is_asked_of_an_obligation() {
    let (_, patient) = cubes(&|| Duration::ZERO);
    let ticks = AtomicU64::new(0);
    let (words, asked) = cubes(&|| Duration::from_millis(200 * ticks.fetch_add(1, Relaxed)));
    assert!(words.contains(&"unknown: timeout".to_owned()), "{words:?}");
    // Once at every size, and once for a counterexample.
    assert!(asked <= 2 && asked < patient, "{asked} of {patient}");
}

#[test]
fn a_run_that_is_told_to_stop_proves_nothing() {
    let options = Options {
        stop: Some(&|| true),
        ..Options::default()
    };
    assert_eq!(words(&options), ["unknown: stopped"]);
}

#[test]
fn thousands_of_conjuncts_are_proved() {
    let bounds: Vec<String> = (0..5_000).map(|k| format!("n < {}", k + 4)).collect();
    let bounds = bounds.join(" /\\ ");
    let text = |last: &str| {
        format!(
            "automaton A
               signature internal go
               states n: Int := 0
               transitions internal go pre n < 3 /\\ {bounds} eff n := n + 1
             invariant Bounded of A: {bounds} /\\ {last}"
        )
    };
    let words = |last: &str| -> Vec<String> {
        let model = model(&[&text(last)]);
        let options = Options::default();
        let report = prove(&Target::everything(&model), &options, &|| Duration::ZERO);
        report.outcomes.iter().map(word).collect()
    };
    assert_eq!(words("n < 4"), ["proved", "proved"]);
    assert_eq!(words("n < 3"), ["proved", "refuted"]);
    // That it is defined rests on all the conjuncts before it.
    assert_eq!(words("div(6, n - 4) <= 0"), ["proved"; 3]);
}
