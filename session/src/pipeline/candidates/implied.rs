//! What candidates imply, as far as the prover shows it.

use invariants::learn::Lemma;
use ioa_lang::core::{AutomatonId, Invariant};

use crate::host::Host;
use crate::study::Study;

/// Work for one question, in the solver's own unit: an implication between candidates that takes longer is none for us.
const WORK: u32 = 100_000;

/// Whether some invariants imply another one, as far as so much work shows it.
#[cfg(feature = "smt")]
pub(super) fn follows(
    study: &Study,
    automaton: AutomatonId,
    facts: &[&Invariant],
    goal: &Invariant,
    work: u32,
) -> bool {
    let options = prover_bridge::Options {
        resource_limit: work,
        timeout: std::time::Duration::from_secs(120),
        ..prover_bridge::Options::default()
    };
    prover_bridge::implied(&study.model, automaton, facts, goal, &options)
}

/// Nothing is known to follow where there is no solver.
#[cfg(not(feature = "smt"))]
pub(super) fn follows(_: &Study, _: AutomatonId, _: &[&Invariant], _: &Invariant, _: u32) -> bool {
    false
}

/// The lemmas without those that the rest implies, the most intricate of which go first; and how many these are.
pub(super) fn independent(
    study: &Study,
    automaton: AutomatonId,
    mut lemmas: Vec<Lemma>,
    host: &dyn Host,
) -> (Vec<Lemma>, usize) {
    let all = lemmas.len();
    for at in (0..all).rev() {
        if host.stopped().is_some() {
            break;
        }
        let others = lemmas.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&Invariant> = others.map(|(_, lemma)| &lemma.invariant).collect();
        if follows(study, automaton, &others, &lemmas[at].invariant, WORK) {
            lemmas.remove(at);
        }
    }
    let implied = all - lemmas.len();
    (lemmas, implied)
}
