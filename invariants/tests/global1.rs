//! The Paxos case study: what random runs of Global1 suggest.

mod common;

use std::collections::BTreeSet;

use common::global1;
use invariants::{Options, Reason, Report, detect, holding};

const INV1: &str = "\\A b: Ballot (val[b] ~= nil => val[b].val \\in proposed)";
const INV5: &str = "\\A n: Node (voted[n] \\I abstained[n] = {})";

fn report() -> Report {
    detect(&global1::run(300, 400, 1), &Options::default())
}

fn formulas(report: &Report) -> Vec<&str> {
    report.candidates.iter().map(|c| &*c.formula).collect()
}

#[test]
fn the_first_and_fifth_invariants_are_proposed_among_at_most_sixty() {
    let report = report();
    let formulas = formulas(&report);
    assert!(formulas.contains(&INV1), "{formulas:#?}");
    assert!(formulas.contains(&INV5), "{formulas:#?}");
    assert!(formulas.len() <= 60, "{} candidates", formulas.len());
    assert_eq!(report.count(|r| *r == Reason::BeyondLimit), 0);
}

#[test]
fn what_every_run_shows_is_proposed_whatever_the_seed() {
    for seed in 2..6 {
        let report = detect(&global1::run(200, 400, seed), &Options::default());
        let formulas = formulas(&report);
        for expected in [INV1, INV5, "decided \\subseteq initiated"] {
            assert!(formulas.contains(&expected), "{seed}: {formulas:#?}");
        }
        assert!(formulas.len() <= 60, "{seed}: {}", formulas.len());
    }
}

#[test]
fn the_report_is_text_that_the_front_end_accepts() {
    let report = report();
    let mut sources = global1::sources();
    sources.add("candidates.ioa", report.to_ioa());
    let loaded = ioa_lang::load(&sources);
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    let names: Vec<&str> = loaded.model.invariants.iter().map(|i| &*i.name).collect();
    for candidate in &report.candidates {
        assert!(names.contains(&&*candidate.name));
    }
}

/// Everything the detector can say is legal, not only what it shows in the end.
#[test]
fn every_formula_that_holds_is_legal_text() {
    let mut sources = global1::sources();
    let holding = holding(&global1::run(20, 100, 3));
    assert!(holding.len() > 200);
    let items = holding.iter().enumerate();
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
    assert!(holding(&samples).contains(INV5));
    // Node 0 has voted for ballot 0 and given it up.
    let mut row = vec![0; samples.states().width()];
    (row[8], row[9]) = (1, 1);
    samples.add_state(&row).expect("a state by its types");
    assert!(!holding(&samples).contains(INV5));
    assert!(!formulas(&detect(&samples, &Options::default())).contains(&INV5));
}

#[test]
fn a_few_samples_justify_nothing() {
    let report = detect(&global1::run(1, 4, 1), &Options::default());
    assert!(report.candidates.is_empty(), "{:#?}", report.candidates);
    assert!(report.count(|r| *r == Reason::Unjustified) > 10);
}

#[test]
fn no_samples_give_an_empty_report() {
    let report = detect(&global1::empty(), &Options::default());
    assert!(report.candidates.is_empty() && report.left.is_empty() && report.effects.is_empty());
    assert_eq!((report.samples, report.rows), (0, 0));
}

#[test]
fn more_samples_only_remove_formulas() {
    // Numbers are fitted to samples: a bound may grow.
    let without_sizes = |formula: &String| !formula.contains("size(");
    let of = |runs| -> BTreeSet<String> {
        let all = holding(&global1::run(runs, 200, 9));
        all.into_iter().filter(without_sizes).collect()
    };
    let (none, few, more, most) = (of(0), of(3), of(10), of(40));
    assert!(few.is_subset(&none) && more.is_subset(&few) && most.is_subset(&more));
    assert!(few.len() < none.len() && more.len() < few.len() && most.len() < more.len());
}

#[test]
fn same_samples_same_bytes() {
    assert_eq!(report().to_ioa(), report().to_ioa());
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
