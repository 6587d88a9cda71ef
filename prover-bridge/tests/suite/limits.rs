//! Limits are verdicts of their own, and a run that is told to stop does.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::common::{CONS, GLOBAL1, REFINEMENT, model, word};
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

/// What is said about the cubes with three tenths of a second for each obligation, and how often the solver was asked.
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
    // Once at every size beside others, once alone, and once for a counterexample.
    assert!(asked <= 3 && asked < patient, "{asked} of {patient}");
}

#[test]
fn a_run_that_is_told_to_stop_proves_nothing() {
    let options = Options {
        stop: Some(&|| true),
        ..Options::default()
    };
    assert_eq!(words(&options), ["unknown: stopped before it was answered"]);
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

/// An automaton whose one clause has this effect.
fn shape([declared, parameter, states, effect, stated]: [&str; 5]) -> String {
    format!(
        "{declared}
automaton A
  signature
    internal go(c: {parameter})
  states
    {states}
  transitions
    internal go(c)
      eff {effect}
invariant I of A: {stated}
"
    )
}

/// Texts of a few lines that were too much for a limit: to take apart what is assumed, to write down what is asked, or
/// to answer it.
fn shapes() -> Vec<(&'static str, String)> {
    let nested = collections_of_collections();
    nested.into_iter().chain(long()).collect()
}

fn collections_of_collections() -> Vec<(&'static str, String)> {
    let colors = "type Color = enumeration of red, green, blue";
    vec![
        (
            "an empty sequence told by cases",
            shape([
                colors,
                "Color",
                "v: Seq[Color] := {}",
                "v := c -| {}",
                "(if v ~= {} then tail(v) else v) = {}",
            ]),
        ),
        (
            "a sequence of sequences of sequences",
            shape([
                "",
                "Nat",
                "v: Seq[Seq[Seq[Nat]]] := {}",
                "v := tail(v) |- head(v)",
                "\\A s: Seq[Seq[Nat]] (s \\in v => \\A t: Seq[Nat] (t \\in s => len(t) > 3))",
            ]),
        ),
        (
            "sets of sets of sets",
            shape([
                "type P",
                "Set[Set[P]]",
                "v: Set[Set[Set[P]]] := {}",
                "v := insert(c, v \\U {c})",
                "\\A s: Set[Set[P]] \\A t: Set[Set[P]] (s \\in v /\\ t \\in v => s \\I t = {} \\/ s = t)",
            ]),
        ),
        (
            "quantifiers that alternate",
            shape([
                "type P",
                "P",
                "v: Array[P, Set[P]] := constant({})",
                "v[c] := insert(c, v[c])",
                "\\A x: P \\E y: P \\A z: P \\E w: P \\A u: P \\E r: P \
                 ((x \\in v[y] => z \\in v[w]) /\\ (u \\in v[r] \\/ r \\notin v[u]))",
            ]),
        ),
    ]
}

/// What is repeated many times.
fn long() -> Vec<(&'static str, String)> {
    let doubled = ["x := x || y; y := y || x"; 12].join("; ");
    let branches: Vec<String> = (0..14)
        .map(|i| {
            format!(
                "if {i} \\in s then s := delete({i}, s) \\U {{n}}; n := n + size(s)
                 else s := insert({i}, s); n := n + 1 fi"
            )
        })
        .collect();
    let bounds: Vec<String> = (0..60)
        .map(|k| format!("(\\A i: Nat \\A j: Nat (i * j = n + {k} => i < n + 9 \\/ j = {k}))"))
        .collect();
    vec![
        (
            "sequences that double",
            shape([
                "",
                "Nat",
                "x: Seq[Nat] := {}, y: Seq[Nat] := {}",
                &doubled,
                "len(x) <= len(y) /\\ (x = y \\/ len(y) > 5)",
            ]),
        ),
        (
            "branches after branches",
            shape([
                "",
                "Nat",
                "n: Nat := 1, s: Set[Nat] := {}",
                &branches.join("; "),
                "n >= size(s) /\\ (n > 30 => 3 \\in s)",
            ]),
        ),
        (
            "many quantifiers",
            shape([
                "",
                "Nat",
                "n: Nat := 0",
                "n := n + 1",
                &bounds.join(" /\\ "),
            ]),
        ),
    ]
}

/// What a question may take beyond its limit, on a machine with other things to do.
const MARGIN: Duration = Duration::from_secs(60);

#[test]
fn every_question_ends_within_its_limits() {
    let limit = Duration::from_millis(300);
    for (what, text) in shapes() {
        let (told, ended) = std::sync::mpsc::channel();
        // What never ends is not waited for.
        std::thread::spawn(move || {
            let model = model(&[&text]);
            let options = Options {
                timeout: limit,
                ..Options::default()
            };
            let begun = std::time::Instant::now();
            let report = prove(&Target::everything(&model), &options, &|| begun.elapsed());
            let times = report.outcomes.iter().map(|outcome| outcome.time);
            let _ = told.send(times.max().unwrap_or_default());
        });
        let longest = ended.recv_timeout(2 * MARGIN);
        let longest = longest.unwrap_or_else(|_| panic!("no end is in sight of {what}"));
        assert!(longest < 2 * limit + MARGIN, "{what}: {longest:?}");
    }
}

#[test]
fn a_counterexample_in_hand_is_kept_when_the_search_ends() {
    let text = "type P
      automaton A
        signature internal go(p: P)
        states v: Set[P] := {}, w: Set[P] := {}
        transitions internal go(p) eff v := insert(p, v)
      invariant Same of A: v = w";
    let model = model(&[text]);
    let step = |allowed: u64| {
        let asked = AtomicU64::new(0);
        let options = Options {
            threads: 1,
            stop: Some(&|| asked.fetch_add(1, Relaxed) >= allowed),
            ..Options::default()
        };
        let mut report = prove(&Target::everything(&model), &options, &|| Duration::ZERO);
        report.outcomes.remove(1)
    };
    let whole = step(u64::MAX);
    assert_eq!(word(&whole), "refuted");
    let mut stopped = (1..1_000).map(step);
    let first = stopped.find(|outcome| word(outcome) == "refuted");
    let first = first.expect("so many questions are enough");
    assert!(first.queries < whole.queries, "{}", whole.queries);
}

#[test]
fn what_the_time_went_to_adds_up() {
    let text = "automaton A
      signature internal up, down, jump
      states n: Int := 0, m: Int := 0
      transitions
        internal up eff n := n + 1
        internal down pre n > 3 eff m := m - 1
        internal jump pre m < 0 eff n := 100
    invariant Low of A: n < 3
    invariant Zero of A: m = 0";
    let model = model(&[text]);
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    // Each look at the clock takes a millisecond, and nothing else does.
    let ticks = AtomicU64::new(0);
    let clock = || Duration::from_millis(ticks.fetch_add(1, Relaxed));
    let report = prove(&Target::everything(&model), &options, &clock);
    let last = Duration::from_millis(ticks.load(Relaxed) - 1);
    assert_eq!(report.spent.total(), last);
    let rows: Duration = report.outcomes.iter().map(|o| o.time).sum();
    let asked = report.spent.proofs + report.spent.counterexamples;
    assert!(2 * rows > asked, "{rows:?} of {asked:?}");
}
