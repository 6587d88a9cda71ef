//! The Paxos case study: what random runs of Global1 show.

mod common;

use common::{global1, texts};
use invariants::{Options, Report, Samples, detect};

const INV1: &str = "\\A b: Ballot (val[b] ~= nil => val[b].val \\in proposed)";
const INV5: &str = "\\A n: Node (voted[n] \\I abstained[n] = {})";

fn report() -> (Samples, Report) {
    let samples = global1::run(300, 400, 1);
    let report = detect(&samples, &Options::default());
    (samples, report)
}

/// What no state refutes, however little evidence there is.
fn holding(samples: &Samples) -> Report {
    detect(samples, &Options { confidence: 0.0 })
}

#[test]
fn what_every_run_shows_is_proposed_whatever_the_seed() {
    for seed in 1..6 {
        let samples = global1::run(200, 400, seed);
        let formulas = texts(&samples, &detect(&samples, &Options::default()));
        for expected in [INV1, INV5, "decided \\subseteq initiated"] {
            let is_said = formulas.iter().any(|formula| formula == expected);
            assert!(is_said, "{seed}: {formulas:#?}");
        }
    }
}

#[test]
fn one_state_that_breaks_a_relation_is_enough() {
    let mut samples = global1::run(100, 400, 1);
    let says = |samples: &Samples| {
        let said = texts(samples, &holding(samples));
        said.iter().any(|formula| formula == INV5)
    };
    assert!(says(&samples));
    // Node 0 has voted for ballot 0 and given it up.
    let mut row = vec![0; samples.states().width()];
    (row[8], row[9]) = (1, 1);
    samples.add_state(&row).expect("a state by its types");
    assert!(!says(&samples));
}

#[test]
fn a_few_samples_justify_nothing() {
    let report = detect(&global1::run(1, 4, 1), &Options::default());
    assert!(report.relations.is_empty(), "{:#?}", report.relations);
    assert!(report.unjustified > 10, "{}", report.unjustified);
}

#[test]
fn no_samples_give_an_empty_report() {
    let report = detect(&global1::empty(), &Options::default());
    assert!(report.relations.is_empty() && report.effects.is_empty());
    assert_eq!((report.samples, report.rows, report.unjustified), (0, 0, 0));
}

#[test]
fn same_samples_same_report() {
    assert_eq!(report().1, report().1);
}

#[test]
fn the_steps_of_an_action_are_described() {
    let (samples, report) = report();
    let schema = samples.schema();
    let of = |name: &str| {
        let found = report.effects.iter().find(|e| e.heading.starts_with(name));
        let found = found.expect("every action occurs");
        let mut lines = found.lines(schema.model(), schema.automaton());
        lines.remove(0);
        lines
    };
    assert_eq!(
        of("vote"),
        [
            "  before: i \\in initiated",
            "  before: b \\in ballots",
            "  before: i \\notin failed",
            "  before: b \\notin abstained[i]",
            "  effect: voted' = assign(voted, i, insert(b, voted[i]))",
            "  unchanged: initiated, decided, failed, proposed, ballots, succeeded, dead, val, abstained",
        ]
    );
    assert!(of("abstain").contains(&"  effect: dead \\subseteq dead'".to_owned()));
    assert!(of("assignVal").contains(&"  effect: val' = assign(val, b, embed(v))".to_owned()));
}
