//! Bounded checks and k-induction: executions of any size, and what they must not be taken for.

use std::time::Duration;

use crate::common::model;
use ioa_lang::core::Model;
use prover_bridge::{
    BoundedOutcome, BoundedVerdict, KInductionVerdict, Options, Reason, Target, bounded,
    k_induction, proved_if,
};

/// A token goes round: `far` is false after three moves, whatever the number of processes.
const TOKEN: &str = "type P
  automaton Token
    signature internal move(p: P)
    states n: Int := 0, seen: Set[P] := {}
    transitions internal move(p)
      pre p \\notin seen
      eff n := n + 1; seen := insert(p, seen)
  invariant Far of Token: n < 3
  invariant Counted of Token: n = 0 => seen = {}";

/// Two variables that follow each other: `x` stays small, which one step alone does not show.
const SWAP: &str = "automaton Swap
  signature internal go
  states x: Int := 0, y: Int := 1, z: Int := 2
  transitions internal go eff x := y; y := z; z := 2
invariant Small of Swap: x <= 2";

fn check(model: &Model, steps: u32) -> Vec<BoundedOutcome> {
    let target = Target::everything(model);
    bounded(&target, steps, &|_| true, &Options::default(), &|| {
        Duration::ZERO
    })
}

fn word(verdict: &BoundedVerdict) -> String {
    match verdict {
        BoundedVerdict::Holds(_) => "holds".into(),
        BoundedVerdict::Violated(execution) => format!("violated after {}", execution.steps.len()),
        BoundedVerdict::Vacuous(why) => format!("vacuous: {why}"),
        BoundedVerdict::Unknown(at, reason) => format!("unknown at {at}: {reason}"),
    }
}

fn words(model: &Model, steps: u32) -> Vec<String> {
    let outcomes = check(model, steps);
    outcomes.iter().map(|o| word(&o.verdict)).collect()
}

fn induction(model: &Model, k: u32) -> Vec<String> {
    let target = Target::everything(model);
    let outcomes = k_induction(&target, k, &Options::default(), &|| Duration::ZERO);
    let word = |verdict: &KInductionVerdict| match verdict {
        KInductionVerdict::Proved(_) => "proved".into(),
        KInductionVerdict::Violated(execution) => {
            format!("violated after {}", execution.steps.len())
        }
        KInductionVerdict::Refuted(path) => format!("refuted by {} steps", path.steps.len()),
        KInductionVerdict::Vacuous(why) => format!("vacuous: {why}"),
        KInductionVerdict::ProvedIf(invariants) => proved_if(invariants),
        KInductionVerdict::Unknown(reason) => format!("unknown: {reason}"),
    };
    outcomes.iter().map(|o| word(&o.verdict)).collect()
}

#[test]
fn a_violation_is_found_at_its_depth_and_not_before() {
    let model = model(&[TOKEN]);
    assert_eq!(words(&model, 0), ["holds", "holds"]);
    assert_eq!(words(&model, 2), ["holds", "holds"]);
    assert_eq!(words(&model, 3), ["violated after 3", "holds"]);
    assert_eq!(words(&model, 5), ["violated after 3", "holds"]);
}

#[test]
fn a_violation_is_an_execution_of_the_sizes_that_it_needs() {
    let model = model(&[TOKEN]);
    let mut outcomes = check(&model, 4);
    let BoundedVerdict::Violated(execution) = outcomes.remove(0).verdict else {
        panic!("Far is violated");
    };
    // Each move needs a process of its own.
    assert_eq!(execution.sizes["P"], 3);
    let show = |values: &[ioa_lang::Value]| -> Vec<String> {
        values.iter().map(|value| value.display(&model)).collect()
    };
    assert_eq!(show(&execution.first), ["0", "{}"]);
    let counts: Vec<String> = (execution.steps.iter())
        .map(|(_, after)| show(after).swap_remove(0))
        .collect();
    assert_eq!(counts, ["1", "2", "3"]);
    assert_eq!(execution.failures.len(), 1);
}

#[test]
fn a_start_state_may_violate() {
    let text = TOKEN.replace("n < 3", "n < 0");
    assert_eq!(words(&model(&[&text]), 0), ["violated after 0", "holds"]);
}

#[test]
fn nothing_holds_of_no_execution() {
    let text = "automaton A
      signature internal go
      states n: Int := 0 so that n > 3
      transitions internal go eff n := n + 1
    invariant Any of A: n = 7";
    let model = model(&[text]);
    assert_eq!(words(&model, 2), ["vacuous: A has no start state"]);
    assert_eq!(induction(&model, 1), ["vacuous: A has no start state"]);
}

#[test]
fn what_no_clause_leads_to_is_not_reached() {
    // After the one step nothing is enabled: longer executions do not exist, and violate nothing.
    let text = "automaton A
      signature internal go
      states n: Int := 0
      transitions internal go pre n = 0 eff n := n + 1
    invariant Low of A: n < 2";
    assert_eq!(words(&model(&[text]), 4), ["holds"]);
    let text = text.replace("n < 2", "n < 1");
    assert_eq!(words(&model(&[&text]), 4), ["violated after 1"]);
}

#[test]
fn choices_differ_from_moment_to_moment() {
    let text = "automaton A
      signature internal go
      states n: Int := 0, sum: Int := 0
      transitions internal go
        eff n := choose m where m > sum /\\ m <= sum + 2; sum := sum + n
    invariant Low of A: sum < 6";
    let model = model(&[text]);
    // The sum is 2 at most after one step, 6 after another that adds 4; the same choice twice would not do.
    assert_eq!(words(&model, 1), ["holds"]);
    assert_eq!(words(&model, 2), ["violated after 2"]);
}

#[test]
fn a_limit_is_no_answer() {
    let text = "automaton A
      signature internal go(x: Int, y: Int, z: Int)
      states hit: Bool := false
      transitions internal go(x, y, z)
        pre x * x * x + y * y * y + z * z * z = 42 eff hit := true
    invariant Never of A: ~hit";
    let model = model(&[text]);
    let target = Target::everything(&model);
    let options = Options {
        timeout: Duration::from_millis(300),
        ..Options::default()
    };
    let outcomes = bounded(&target, 2, &|_| true, &options, &|| Duration::ZERO);
    let [outcome] = outcomes.as_slice() else {
        panic!("one invariant")
    };
    let BoundedVerdict::Unknown(1, Reason::Timeout) = outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    let outcomes = k_induction(&target, 1, &options, &|| Duration::ZERO);
    assert!(matches!(
        outcomes[0].verdict,
        KInductionVerdict::Unknown(Reason::Timeout)
    ));
}

#[test]
fn k_induction_needs_steps_enough_and_says_so() {
    let model = model(&[SWAP]);
    assert_eq!(induction(&model, 0), ["refuted by 1 steps"]);
    assert_eq!(induction(&model, 1), ["refuted by 2 steps"]);
    assert_eq!(induction(&model, 2), ["proved"]);
    assert_eq!(induction(&model, 3), ["proved"]);
}

#[test]
fn k_induction_is_no_proof_of_what_a_longer_execution_violates() {
    let model = model(&[TOKEN]);
    // Three moves are needed, and the induction step over fewer fails.
    assert_eq!(induction(&model, 1)[0], "refuted by 2 steps");
    assert_eq!(induction(&model, 3)[0], "violated after 3");
}

#[test]
fn what_rests_on_a_withdrawn_invariant_is_not_proved() {
    let text = "automaton A
      signature internal up, jump
      states n: Int := 0, m: Int := 0
      transitions
        internal up eff n := n + 1
        internal jump pre n > 100 eff m := 1
    invariant Low of A: n < 50
    invariant Zero of A: m = 0";
    let words = induction(&model(&[text]), 1);
    assert_eq!(words[0], "refuted by 2 steps");
    assert_eq!(words[1], "proved, if Low is");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let model = model(&[TOKEN, SWAP]);
    let target = Target::everything(&model);
    let all = |threads| {
        let options = Options {
            threads,
            ..Options::default()
        };
        let clock = || Duration::ZERO;
        (
            bounded(&target, 4, &|_| true, &options, &clock),
            k_induction(&target, 2, &options, &clock),
        )
    };
    assert_eq!(all(1), all(3));
}

#[test]
fn a_chain_of_withdrawn_invariants_names_what_fails_by_itself() {
    let text = "automaton A
      signature internal up, jump
      states n: Int := 0, m: Int := 0, l: Int := 0
      transitions
        internal up eff n := n + 1
        internal jump pre n > 100 eff l := m; m := 1
    invariant Low of A: n < 50
    invariant Zero of A: m = 0
    invariant Last of A: l = 0";
    let words = induction(&model(&[text]), 0);
    assert_eq!(
        words,
        [
            "refuted by 1 steps",
            "proved, if Low is",
            "proved, if Low is"
        ]
    );
}
