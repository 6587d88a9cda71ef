//! Other small systems: nothing in the detector is made for one of them.

mod common;

use common::{counters, lock, texts};
use invariants::{Effect, Limits, Misfit, Options, Samples, detect};
use ioa_lang::core::AutomatonId;
use ioa_lang::value::Value;
use num_bigint::BigInt;

fn proposed(samples: &Samples) -> Vec<String> {
    texts(samples, &detect(samples, &Options::default()))
}

#[test]
fn counters_obey_linear_laws() {
    assert_eq!(
        proposed(&counters::run(50, 60, 1)),
        [
            "made \\notin queue",
            "stock <= 3",
            "len(queue) <= 3",
            "cost = 2 * made + 5",
            "debt + made = 0",
            "len(queue) = stock",
            "cost + 2 * debt = 5",
            "taken <= made",
            "stock <= made",
            "taken <= made + stock",
            "made = taken + stock",
        ]
    );
}

#[test]
fn a_step_of_a_counter_is_an_increment() {
    let samples = counters::run(50, 60, 1);
    let report = detect(&samples, &Options::default());
    let take = report.effects.iter().find(|e| e.action == counters::TAKE);
    let lines = |take: &Effect| take.lines(samples.schema().model(), AutomatonId(0));
    let said = take.map(lines).expect("take occurs");
    for expected in [
        "  before: n \\in queue",
        "  effect: taken' = taken + 1",
        "  effect: stock' + 1 = stock",
        "  unchanged: made, cost, debt",
    ] {
        assert!(said.iter().any(|line| line == expected), "{said:#?}");
    }
}

#[test]
fn nothing_is_said_of_a_number_beyond_64_bits() {
    let mut samples = common::samples("automaton Big states n, m: Int", &[]);
    for n in 0..50 {
        let row = [Value::int(n), Value::int(2 * n)];
        let row = samples.encode_state(&row).expect("numbers");
        samples.add_state(&row).expect("a state");
    }
    assert_eq!(proposed(&samples), ["m = 2 * n"]);
    let huge = Value::Int(BigInt::from(1) << 80);
    let row = samples
        .encode_state(&[huge, Value::int(0)])
        .expect("numbers");
    samples.add_state(&row).expect("a state");
    let report = detect(&samples, &Options::default());
    let said = texts(&samples, &report);
    assert!(
        said.iter().all(|formula| !formula.contains('n')),
        "{said:#?}"
    );
    assert_eq!(
        report.notes,
        ["n held a number beyond 64 bits: nothing is proposed about it"]
    );
}

#[test]
fn a_row_that_does_not_fit_its_types_is_refused() {
    let mut samples = lock::run(1, 10, 1, false);
    let rows = samples.states().rows();
    let found = samples.add_state(&[0, 0]);
    assert_eq!(
        found,
        Err(Misfit::Width {
            expected: 3,
            found: 2
        })
    );
    // There is no client 7.
    let found = samples.add_state(&[0, 8, 0]).expect_err("no such owner");
    assert_eq!(
        found.to_string(),
        "owner is given what is not a Null[Client]"
    );
    let found = samples.encode_state(&[Value::Bool(true), Value::Null(None), Value::Bool(true)]);
    assert!(found.is_err());
    assert_eq!(samples.states().rows(), rows);
}

#[test]
fn a_full_store_says_what_it_did_not_look_at() {
    let full = lock::run(50, 100, 1, false);
    let limits = Limits {
        rows: 10,
        ..Limits::default()
    };
    let mut small = Samples::new(full.schema().clone(), limits);
    for at in 0..full.states().rows() {
        let row: Vec<u64> = (0..3).map(|c| full.states().column(c)[at]).collect();
        small.add_state(&row).expect("a state");
    }
    let notes = detect(&small, &Options::default()).notes;
    assert_eq!(
        notes,
        ["10 states beyond the limit of 10 distinct ones were not looked at"]
    );
}

#[test]
fn a_quantified_variable_never_has_the_name_of_a_state_variable() {
    let text = "type Node automaton Names states n: Set[Node], p: Array[Node, Set[Node]]";
    let mut samples = common::samples(text, &[("Node", 3)]);
    for word in 0..8 {
        samples
            .add_state(&[word, word | word << 3 | word << 6])
            .expect("a state");
    }
    let report = detect(&samples, &Options { confidence: 0.0 });
    let said = texts(&samples, &report);
    let expected = "\\A q: Node (n = p[q])";
    assert!(said.iter().any(|formula| formula == expected), "{said:#?}");
}
