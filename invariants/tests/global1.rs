//! The Paxos case study: what random runs of Global1 show.

mod common;

use common::global1;
use invariants::{Options, Report, Samples, detect};

const INV1: &str = "\\A b: Ballot (val[b] ~= nil => val[b].val \\in proposed)";
const INV5: &str = "\\A n: Node (voted[n] \\I abstained[n] = {})";

fn report() -> Report {
    detect(&global1::run(300, 400, 1), &Options::default())
}

fn formulas(report: &Report) -> Vec<&str> {
    report.relations.iter().map(|r| &*r.formula).collect()
}

/// What no state refutes, however little evidence there is.
fn holding(samples: &Samples) -> Report {
    detect(samples, &Options { confidence: 0.0 })
}

#[test]
fn what_every_run_shows_is_proposed_whatever_the_seed() {
    for seed in 1..6 {
        let report = detect(&global1::run(200, 400, seed), &Options::default());
        let formulas = formulas(&report);
        for expected in [INV1, INV5, "decided \\subseteq initiated"] {
            assert!(formulas.contains(&expected), "{seed}: {formulas:#?}");
        }
    }
}

/// Everything the detector can say is legal, not only what there is evidence for.
#[test]
fn every_formula_that_holds_is_legal_text() {
    let mut sources = global1::sources();
    let holding = holding(&global1::run(20, 100, 3));
    assert!(holding.relations.len() > 20, "{}", holding.relations.len());
    let items = formulas(&holding).into_iter().enumerate();
    let text: Vec<String> = items
        .map(|(at, formula)| format!("invariant F{at} of Global1: {formula}"))
        .collect();
    sources.add("holding.ioa", text.join("\n"));
    let loaded = ioa_lang::load(&sources);
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
}

#[test]
fn one_state_that_breaks_a_relation_is_enough() {
    let mut samples = global1::run(100, 400, 1);
    assert!(formulas(&holding(&samples)).contains(&INV5));
    // Node 0 has voted for ballot 0 and given it up.
    let mut row = vec![0; samples.states().width()];
    (row[8], row[9]) = (1, 1);
    samples.add_state(&row).expect("a state by its types");
    assert!(!formulas(&holding(&samples)).contains(&INV5));
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
    assert_eq!(report(), report());
}

#[test]
fn the_steps_of_an_action_are_described() {
    let report = report();
    let of = |name: &str| {
        let found = report.effects.iter().find(|e| e.heading.starts_with(name));
        let mut lines = found.expect("every action occurs").lines();
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
            "  effect: voted' = assign(voted, i, voted'[i])",
            "  effect: voted'[i] = insert(b, voted[i])",
            "  unchanged: initiated, decided, failed, proposed, ballots, succeeded, dead, val, abstained",
        ]
    );
    assert!(of("abstain").contains(&"  effect: dead \\subseteq dead'".to_owned()));
    assert!(of("assignVal").contains(&"  effect: val'[b] = embed(v)".to_owned()));
}
