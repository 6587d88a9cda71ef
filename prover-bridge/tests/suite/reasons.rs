//! Counterexamples for several reasons.

use std::time::Duration;

use ioa_lang::core::Model;
use prover_bridge::{Counterexample, Options, Target, Verdict, prove};

use crate::common::model;

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
