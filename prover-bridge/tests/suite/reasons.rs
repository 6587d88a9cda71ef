//! Counterexamples for several reasons.

use std::time::Duration;

use ioa_lang::core::Model;
use prover_bridge::{Counterexample, Options, Target, Verdict, prove};

use crate::common::{model, prove_all, unproved};

/// The first counterexample to an obligation, and the others.
fn counterexamples(model: &Model, obligation: &str, most: usize) -> Vec<Counterexample> {
    let options = Options {
        counterexamples: most,
        ..Options::default()
    };
    let report = prove(&Target::everything(model), &options, &|| Duration::ZERO);
    let mut outcomes = report.outcomes.iter();
    let outcome = outcomes
        .find(|o| o.obligation.name == obligation)
        .expect("it is listed");
    let Verdict::Refuted(first) = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    let first = (**first).clone();
    std::iter::once(first)
        .chain(outcome.others.clone())
        .collect()
}

/// The values of the variables before the step, as text.
fn before(model: &Model, found: &Counterexample) -> Vec<String> {
    let before = found.before.as_ref().expect("there is a step");
    before.state.iter().map(|v| v.display(model)).collect()
}

/// `go` breaks the invariant where something is in `a`, where something is in `b`, and where there are two things in `c`; `d` does not
/// matter.
const THREE: &str = r"
type Node
automaton Three
  signature
    internal go
  states
    a: Set[Node] := {},
    b: Array[Node, Bool] := constant(false),
    c: Set[Node] := {},
    d: Array[Node, Node, Bool] := constant(constant(false)),
    on: Bool := false
  transitions
    internal go
      pre ~on
      eff on := true
invariant Off of Three:
  on => a = {} /\ (\A n: Node (~b[n])) /\ \A m, n: Node (m \in c /\ n \in c => m = n)
invariant Two of Three: \E m, n: Node (m ~= n)
";

#[test]
fn each_counterexample_has_a_reason_of_its_own() {
    let model = model(&[THREE]);
    let found = counterexamples(&model, "Three.Off / go", 5);
    let states: Vec<Vec<String>> = found.iter().map(|f| before(&model, f)).collect();
    assert_eq!(states.len(), 3, "{states:?}");
    // Which of the elements are in it is no reason, and what does not matter is as simple as can be.
    let sizes = |at: usize| {
        let sizes = states.iter().map(|state| state[at].matches('#').count());
        let mut sizes: Vec<usize> = sizes.collect();
        sizes.sort_unstable();
        sizes
    };
    assert_eq!(sizes(0), [0, 0, 1]);
    assert_eq!(sizes(1), [0, 0, 1]);
    assert_eq!(sizes(2), [0, 0, 2]);
    assert_eq!(sizes(3), [0, 0, 0]);
}

#[test]
fn no_more_are_looked_for_than_are_asked_for() {
    let model = model(&[THREE]);
    let one = counterexamples(&model, "Three.Off / go", 1);
    let two = counterexamples(&model, "Three.Off / go", 2);
    assert_eq!((one.len(), two.len()), (1, 2));
    assert_eq!(one[0], two[0]);
}

/// Which of the votes is missing depends on the order of the ballots, of which the reason must say as much as matters.
const ORDERED: &str = r"
type Ballot
assumes TotalOrder(Ballot)
automaton Rising
  signature
    internal vote(b: Ballot)
  states
    votes: Set[Ballot] := {}
  transitions
    internal vote(b)
      eff votes := insert(b, votes)
invariant Alone of Rising: \A b, c: Ballot (b \in votes /\ c \in votes => b = c)
";

#[test]
fn a_smaller_and_a_greater_ballot_are_no_two_reasons() {
    let model = model(&[ORDERED]);
    let found = counterexamples(&model, "Rising.Alone / vote", 5);
    assert_eq!(found.len(), 1, "{found:?}");
}

/// Why a step can be taken is a part of the reason; by how much a bound is missed is none.
const ALTERNATIVES: &str = r"
type Node
automaton Several
  signature
    internal go(n: Node), add(k: Nat)
  states
    a: Set[Node] := {},
    b: Array[Node, Bool] := constant(false),
    c: Null[Node] := nil,
    bad: Bool := false,
    total: Nat := 0,
    p: Bool := false,
    q: Bool := false
  transitions
    internal go(n)
      pre n \in a \/ b[n] \/ c = embed(n)
      eff bad := true
    internal add(k)
      pre (p /\ k > 3) \/ (q /\ k > 4)
      eff total := total + k
invariant Good of Several: ~bad
invariant Few of Several: total < 10
";

#[test]
fn each_alternative_of_a_precondition_is_a_reason() {
    let model = model(&[ALTERNATIVES]);
    let found = counterexamples(&model, "Several.Good / go", 5);
    let states: Vec<Vec<String>> = found.iter().map(|f| before(&model, f)).collect();
    assert_eq!(states.len(), 3, "{states:?}");
    let true_in = |state: &Vec<String>| {
        let alternatives = [state[0] != "{}", state[1] != "{}", state[2] != "nil"];
        alternatives.iter().filter(|holds| **holds).count()
    };
    assert!(states.iter().all(|state| true_in(state) == 1), "{states:?}");
}

#[test]
fn other_numbers_are_no_other_reason() {
    let model = model(&[ALTERNATIVES]);
    let found = counterexamples(&model, "Several.Few / add", 5);
    let states: Vec<Vec<String>> = found.iter().map(|f| before(&model, f)).collect();
    let mut flags: Vec<[&str; 2]> = states.iter().map(|s| [&*s[5], &*s[6]]).collect();
    flags.sort_unstable();
    assert_eq!(flags, [["false", "true"], ["true", "false"]], "{states:?}");
}

#[test]
fn what_fails_behind_many_cases_that_hold_is_found() {
    let quotients = (0..8).map(|k| format!("a := div(6, a + {});", k + 1));
    let quotients: String = quotients.collect();
    let text = format!(
        "automaton Many
           signature internal go
           states a: Nat := 1, b: Nat := 0
           transitions
             internal go eff {quotients} a := div(6, b); b := a"
    );
    let report = prove_all(&model(&[&text]));
    assert!(
        unproved(&report).contains("refuted"),
        "{}",
        unproved(&report)
    );
}
