//! Models from text, and verdicts as text.

use std::time::Duration;

use ioa_lang::core::Model;
use ioa_lang::{Sources, load};
use prover_bridge::{Options, Outcome, Report, Target, Verdict, prove};

/// The model that files make; they must be free of errors.
pub(crate) fn model(files: &[&str]) -> Model {
    let mut sources = Sources::new();
    for (i, text) in files.iter().enumerate() {
        sources.add(format!("file{i}.ioa"), *text);
    }
    let loaded = load(&sources);
    let errors: Vec<String> = loaded
        .diagnostics
        .iter()
        .filter(|d| d.severity == ioa_lang::Severity::Error)
        .map(|d| format!("{}: {}", sources.location(d.span), d.message))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    loaded.model
}

/// Everything that the model states, proved without a clock.
pub(crate) fn prove_all(model: &Model) -> Report {
    prove(&Target::everything(model), &Options::default(), &|| {
        Duration::ZERO
    })
}

/// The word for a verdict, with the reason where it is unknown.
pub(crate) fn word(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Proved(_) => "proved".into(),
        Verdict::Vacuous(why) => format!("vacuous: {why}"),
        Verdict::Refuted(_) => "refuted".into(),
        Verdict::ProvedIf(condition) => condition.to_string(),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// What is not proved: `name: verdict`, a line each.
pub(crate) fn unproved(report: &Report) -> String {
    let lines = report.outcomes.iter().filter(|o| !o.is_proved());
    lines
        .map(|o| format!("{}: {}\n", o.obligation.name, word(o)))
        .collect()
}

/// The counterexample to the obligation of this name, as text.
pub(crate) fn counterexample(report: &Report, model: &Model, name: &str) -> String {
    let outcome = report.outcomes.iter().find(|o| o.obligation.name == name);
    let outcome = outcome.unwrap_or_else(|| panic!("no obligation {name}"));
    match &outcome.verdict {
        Verdict::Refuted(counterexample) => counterexample.display(model),
        other => panic!("{name} is not refuted: {other:?}"),
    }
}

pub(crate) const CONS: &str = include_str!("../../../../case-studies/paxos/cons.ioa");
pub(crate) const GLOBAL1: &str = include_str!("../../../../case-studies/paxos/global1.ioa");
pub(crate) const REFINEMENT: &str = include_str!("../../../../case-studies/paxos/refinement.ioa");

/// The Paxos case study with one passage replaced, which must occur exactly once.
pub(crate) fn paxos_with(from: &str, to: &str) -> Model {
    let files = [CONS, GLOBAL1, REFINEMENT];
    let occurrences: usize = files.iter().map(|file| file.matches(from).count()).sum();
    assert_eq!(occurrences, 1, "{from:?} occurs {occurrences} times");
    let changed = files.map(|file| file.replace(from, to));
    model(&[&changed[0], &changed[1], &changed[2]])
}
