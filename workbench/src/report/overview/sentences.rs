//! What may be said about a study in a sentence.

use session::finding::{Finding, Kind, Stage, Status, Verdict};
use session::numbers::{count, counted};

/// What was established of simulations and, of automata that no simulation is from, of invariants.
pub(super) fn sentences(findings: &[Finding]) -> Vec<String> {
    let simulations = findings.iter().filter(|f| f.kind == Kind::Simulation);
    let implemented: Vec<&Finding> = simulations
        .filter(|f| f.verdict == Verdict::Proved && is_sound(&f.automaton, findings))
        .collect();
    let mut sentences: Vec<String> = implemented
        .iter()
        .map(|simulation| implements(simulation, findings))
        .collect();
    let mut told: Vec<&str> = implemented.iter().map(|f| f.automaton.as_str()).collect();
    for finding in findings.iter().filter(|f| is_proof_of_invariant(f)) {
        let automaton = finding.automaton.as_str();
        let is_high = |f: &&Finding| f.name.ends_with(&format!(" to {automaton}"));
        if told.contains(&automaton) || implemented.iter().any(is_high) {
            continue;
        }
        told.push(automaton);
        sentences.extend(invariants_hold(automaton, findings));
    }
    sentences
}

fn is_proof_of_invariant(finding: &Finding) -> bool {
    finding.kind == Kind::Invariant && finding.stage == Some(Stage::Proved)
}

/// The invariants of an automaton that were to be proved, and how many were.
fn proofs(automaton: &str, findings: &[Finding]) -> (usize, usize) {
    let of_it = |f: &&Finding| is_proof_of_invariant(f) && f.automaton == automaton;
    let asked = findings.iter().filter(of_it);
    let (all, proved) = (
        asked.clone(),
        asked.filter(|f| f.verdict == Verdict::Proved),
    );
    (proved.count(), all.count())
}

pub(super) fn implements(simulation: &Finding, findings: &[Finding]) -> String {
    let (low, high) = simulation
        .name
        .split_once(" to ")
        .unwrap_or((&simulation.name, ""));
    let (lemmas, _) = proofs(&simulation.automaton, findings);
    let by = match lemmas {
        0 => String::new(),
        n => format!(", by {}", counted(n as u64, "lemma")),
    };
    format!("{low} implements {high} for every size{by}.")
}

/// Whether all that an automaton does is defined, as far as that was asked: otherwise it is not said that its invariants hold,
/// for they are only proved of what is defined.
fn is_sound(automaton: &str, findings: &[Finding]) -> bool {
    let presumed = |f: &&Finding| matches!(f.kind, Kind::Definedness | Kind::Requirement);
    let mut presumed = findings.iter().filter(presumed);
    presumed.all(|f| f.automaton != automaton || f.status() == Status::Holds)
}

fn invariants_hold(automaton: &str, findings: &[Finding]) -> Option<String> {
    if !is_sound(automaton, findings) {
        return None;
    }
    match proofs(automaton, findings) {
        (0, _) => None,
        (1, 1) => Some(format!(
            "The invariant of {automaton} holds for every size."
        )),
        (2, 2) => Some(format!(
            "Both invariants of {automaton} hold for every size."
        )),
        (proved, all) if proved == all => Some(format!(
            "All {} invariants of {automaton} hold for every size.",
            count(all as u64)
        )),
        (proved, all) => Some(format!(
            "{} of the {} invariants of {automaton} are proved for every size.",
            count(proved as u64),
            count(all as u64)
        )),
    }
}
