//! What candidates imply, as far as the prover shows it.

use invariants::learn::{Learnt, Lemma};
use ioa_lang::core::{AutomatonId, Invariant};

use crate::host::{Host, Stopwatch};
use crate::study::Study;

/// Work for one question, in the solver's own unit: an implication between candidates that takes longer is none for us.
const WORK: u32 = 100_000;

/// This part of the time is always left to find out what follows: nobody wants to read what says the same.
const ALWAYS_LEFT: f64 = 0.1;

/// What is said where there was no time to find out.
const UNKNOWN: &str = "there was no time to find out which candidates follow from the others";

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

/// Leaves out the lemmas that the rest implies: first those that were spared, then the others, each time the most intricate one
/// first. Ends after so many seconds of all, of which so many are left, and notes if it has not come to its end by then. What was
/// spared is left out as well if there was no time to find out whether it follows.
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
    let is_implied = |lemmas: &[Lemma], at: usize| {
        let others = lemmas.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&Invariant> = others.map(|(_, lemma)| &lemma.invariant).collect();
        follows(study, automaton, &others, &lemmas[at].invariant, limits)
    };
    let before = lemmas.len();
    for is_spared in [true, false] {
        for at in (0..lemmas.len()).rev() {
            if lemmas[at].is_spared != is_spared {
                continue;
            }
            let is_left_out = match is_over() {
                true => is_spared,
                false => is_implied(lemmas, at),
            };
            if is_left_out {
                lemmas.remove(at);
            }
        }
    }
    learnt.implied += before - lemmas.len();
    if is_over() {
        learnt.partial.push(UNKNOWN.to_owned());
    }
}

#[cfg(all(test, feature = "smt"))]
mod tests {

    use super::*;
    use crate::host::Silent;

    const TEXT: &str = "\
automaton A
  signature internal a
  states n: Nat := 0, m: Nat := 0
  transitions internal a pre n < 2 eff n := n + 1; m := m + 1
invariant Bound of A: n <= 2
invariant Same of A: m = n
invariant Follows of A: m <= 2
invariant Wider of A: n <= 3 \\/ m <= 2
";

    /// Which of the stated invariants are left, of which some were spared, after so many seconds at most.
    fn left(spared: &[&str], seconds: f64) -> (Vec<String>, Learnt) {
        let study = Study::of_text(TEXT);
        let lemmas = study.model.invariants.iter().map(|invariant| Lemma {
            invariant: invariant.clone(),
            excludes: 1,
            is_spared: spared.contains(&&*invariant.name),
        });
        let mut learnt = Learnt {
            lemmas: lemmas.collect(),
            ..Learnt::default()
        };
        let about = (&study, study.model.invariants[0].automaton);
        leave_out_implied(about, &mut learnt, (seconds, seconds), &Silent);
        let names = learnt.lemmas.iter();
        let names = names.map(|lemma| lemma.invariant.name.to_string());
        (names.collect(), learnt)
    }

    #[test]
    fn what_was_spared_goes_first() {
        assert_eq!(left(&[], 60.0).0, ["Bound", "Same"]);
        assert_eq!(left(&["Bound"], 60.0).0, ["Same", "Follows"]);
        let (names, learnt) = left(&["Bound", "Same", "Wider"], 60.0);
        assert_eq!((names.len(), learnt.implied), (2, 2));
        assert!(names.contains(&"Same".to_owned()), "nothing implies it");
    }

    #[test]
    fn without_time_nothing_spared_is_left() {
        let (names, learnt) = left(&["Follows", "Wider"], -1.0);
        assert_eq!(names, ["Bound", "Same"]);
        assert_eq!(learnt.partial, [UNKNOWN]);
    }
}
