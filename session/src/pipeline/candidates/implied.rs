//! What candidates imply, as far as the prover shows it.

use invariants::learn::Learnt;
use ioa_lang::core::{AutomatonId, Invariant};

use crate::host::{Host, Stopwatch};
use crate::study::Study;

/// Work for one question, in the solver's own unit: an implication between candidates that takes longer is none for us.
const WORK: u32 = 100_000;

/// This part of the time is always left to find out what follows: nobody wants to read what says the same.
const ALWAYS_LEFT: f64 = 0.1;

/// What is said where the time was up before that was known.
const UNKNOWN: &str = "the time was up: some candidates may follow from the others";

/// How far the solver may go.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "smt"),
    expect(dead_code, reason = "where there is no solver nothing is limited")
)]
pub(super) struct Limits<'l> {
    /// Work for one question, in its own unit.
    pub(super) work: u32,
    /// Asked again and again, also while it works: whether it is to stop.
    pub(super) is_over: &'l (dyn Fn() -> bool + Sync),
}

/// Whether some invariants imply another one, as far as that is shown within limits.
#[cfg(feature = "smt")]
pub(super) fn follows(
    study: &Study,
    automaton: AutomatonId,
    facts: &[&Invariant],
    goal: &Invariant,
    limits: Limits<'_>,
) -> bool {
    let options = prover_bridge::Options {
        resource_limit: limits.work,
        timeout: std::time::Duration::from_secs(120),
        stop: Some(limits.is_over),
        ..prover_bridge::Options::default()
    };
    prover_bridge::implied(&study.model, automaton, facts, goal, &options)
}

/// Nothing is known to follow where there is no solver.
#[cfg(not(feature = "smt"))]
pub(super) fn follows(
    _: &Study,
    _: AutomatonId,
    _: &[&Invariant],
    _: &Invariant,
    _: Limits<'_>,
) -> bool {
    false
}

/// Leaves out the lemmas that the rest implies, the most intricate of which go first; ends after so many seconds of all, of which so
/// many are left, and notes if it has not come to its end by then.
pub(super) fn leave_out_implied(
    (study, automaton): (&Study, AutomatonId),
    learnt: &mut Learnt,
    (left, all): (f64, f64),
    host: &dyn Host,
) {
    let started = Stopwatch::start(host);
    let seconds = left.max(all * ALWAYS_LEFT);
    let is_over = || host.stopped().is_some() || started.seconds() > seconds;
    let limits = Limits {
        work: WORK,
        is_over: &is_over,
    };
    let lemmas = &mut learnt.lemmas;
    for at in (0..lemmas.len()).rev() {
        if is_over() {
            learnt.partial.push(UNKNOWN.to_owned());
            return;
        }
        let others = lemmas.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&Invariant> = others.map(|(_, lemma)| &lemma.invariant).collect();
        if follows(study, automaton, &others, &lemmas[at].invariant, limits) {
            lemmas.remove(at);
            learnt.implied += 1;
        }
    }
}
