//! What may be said about a study in a sentence.

use std::collections::BTreeSet;

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

/// The proofs of the invariants of an automaton, without those of lemmas that a search found.
fn proofs_of<'f>(automaton: &str, findings: &'f [Finding]) -> impl Iterator<Item = &'f Finding> {
    let searches = findings.iter().filter(|f| f.kind == Kind::Lemmas);
    let found: BTreeSet<&str> = searches
        .flat_map(|search| &search.items)
        .map(|lemma| lemma.name.as_str())
        .collect();
    let automaton = automaton.to_owned();
    let proofs = findings.iter().filter(|f| is_proof_of_invariant(f));
    proofs.filter(move |f| f.automaton == automaton && !found.contains(f.name.as_str()))
}

/// How many invariants of an automaton were proved, and how many were to be.
fn proofs(automaton: &str, findings: &[Finding]) -> (usize, usize) {
    let asked: Vec<&Finding> = proofs_of(automaton, findings).collect();
    let is_proved = |f: &&&Finding| f.verdict == Verdict::Proved;
    (asked.iter().filter(is_proved).count(), asked.len())
}

/// How many invariants the proofs of some claims need beside these claims, directly or for each other; nothing, where that was not
/// found out of one of the claims.
fn needed(claims: &[&Finding], findings: &[Finding]) -> Option<usize> {
    let mut open = Vec::new();
    for claim in claims {
        open.extend(claim.needs.as_ref()?);
    }
    let mut needed = BTreeSet::new();
    while let Some(name) = open.pop() {
        if claims.iter().all(|claim| claim.name != *name) && needed.insert(name) {
            let proofs = findings.iter().filter(|f| is_proof_of_invariant(f));
            let own = proofs.filter(|f| f.name == *name);
            open.extend(own.flat_map(|f| &f.needs).flatten());
        }
    }
    Some(needed.len())
}

/// By how many lemmas something is proved, as the end of a sentence.
fn by(lemmas: usize) -> String {
    match lemmas {
        0 => String::new(),
        n => format!(", by {}", counted(n as u64, "lemma")),
    }
}

pub(super) fn implements(simulation: &Finding, findings: &[Finding]) -> String {
    let (low, high) = simulation
        .name
        .split_once(" to ")
        .unwrap_or((&simulation.name, ""));
    // Its proof may use all invariants of the low automaton, where nobody has found out which of them it needs.
    let lemmas = needed(&[simulation], findings)
        .unwrap_or_else(|| proofs(&simulation.automaton, findings).0);
    format!("{low} implements {high} for every size{}.", by(lemmas))
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
    let claims: Vec<&Finding> = proofs_of(automaton, findings).collect();
    let by = by(needed(&claims, findings).unwrap_or(0));
    match proofs(automaton, findings) {
        (0, _) => None,
        (1, 1) => Some(format!(
            "The invariant of {automaton} holds for every size{by}."
        )),
        (2, 2) => Some(format!(
            "Both invariants of {automaton} hold for every size{by}."
        )),
        (proved, all) if proved == all => Some(format!(
            "All {} invariants of {automaton} hold for every size{by}.",
            count(all as u64)
        )),
        (proved, all) => Some(format!(
            "{} of the {} invariants of {automaton} are proved for every size.",
            count(proved as u64),
            count(all as u64)
        )),
    }
}
