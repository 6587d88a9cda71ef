//! Steps and invariants without a value: what else is true or false is found nevertheless, by every command.

use std::fs;

use super::{Answer, Sandbox};

/// `go` has no result in any state; `up` violates `Low` in the first step.
const STEPS: &str = "\
automaton S
  signature
    internal up, go
  states
    q: Seq[Nat] := {},
    n: Nat := 0
  transitions
    internal up
      pre n < 3
      eff n := n + 1
    internal go
      eff n := head(q)
invariant Low of S: n = 0
";

/// The first item has no value once the sequence is empty.
const ITEMS: &str = "\
automaton S
  signature
    internal up, down
  states
    q: Seq[Nat] := {} |- 1
  transitions
    internal up
      pre len(q) < 2
      eff q := q |- 1
    internal down
      pre q ~= {}
      eff q := tail(q)
invariant First of S: head(q) = 1
invariant Short of S: len(q) < 3
";

/// Loses the first or the last item of a sequence that is not empty.
const LOSS: &str = "\
automaton S
  signature
    internal lose, add(k: Nat) where k < 2
  states
    q: Seq[Nat] := {}
  transitions
    internal add(k)
      eff q := q |- k
    internal lose
      pre q ~= {}
      eff q := choose r where r = tail(q) \\/ r = init(q)
";

/// Each clause is undefined for one parameter or one choice, and fine for others; but `never` is not enabled for any.
const PARTIAL: &str = "\
automaton Partial
  signature
    internal divide(n: Nat), pick, never(n: Nat)
  states
    x: Int := 0,
    k: Int := 0
  transitions
    internal divide(n)
      pre n < 3 /\\ div(10, n) > 3 /\\ x = 0
      eff x := n
    internal pick
      pre x < 1
      eff k := choose i where 0 <= i /\\ i <= 2; x := div(10, k)
    internal never(n)
      pre n < 3 /\\ div(10, n) > 3 /\\ x = 77
invariant Five of Partial: x ~= 5
";

fn asked(s: &Sandbox, args: &str) -> Answer {
    Answer::of(&s.ioa(args).output().expect("ioa runs"))
}

fn put(s: &Sandbox, name: &str, text: &str) {
    fs::write(s.path(name), text).expect("a written file");
}

#[test]
fn a_step_without_a_result_hides_no_violation() {
    let s = Sandbox::with("steps.ioa", STEPS);
    for flags in [
        "--keep-going --allow-deadlock",
        "--only Low",
        "--only Low --no-native",
    ] {
        let answer = s.explore(&format!("steps.ioa {flags}"));
        answer.says(1, "invariant Low of S is violated");
        answer.says(1, "1 step from a start state; none is shorter");
        answer.says(1, "run-time error of the model: the sequence is empty");
        assert!(!answer.out.contains("explored"), "{answer:?}");
    }
    let all = s.explore("steps.ioa --keep-going --allow-deadlock");
    all.says(1, "4 states, 4 generated");
}

#[test]
fn no_step_without_a_result_is_shown_against_an_invariant() {
    let s = Sandbox::with("steps.ioa", STEPS);
    let answer = asked(&s, "prove steps.ioa");
    answer.says(1, "invariant Low of S is violated");
    answer.says(1, "run-time error of the model: the sequence is empty");
    // Without the step that violates it, the other one is no step, as the sequence stays empty.
    let kept = STEPS.replace("pre n < 3", "pre n > 0");
    let both = format!("{kept}invariant Empty of S: q = {{}}\n");
    put(&s, "steps.ioa", &both);
    let answer = asked(&s, "prove steps.ioa");
    assert!(answer.out.contains("Low   ┆ proved"), "{answer:?}");
    answer.says(1, "run-time error of the model: the sequence is empty");
    // Where the sequence may have items, it is one.
    put(&s, "steps.ioa", &kept);
    let answer = asked(&s, "prove steps.ioa --only Low");
    let (_, shown) = answer
        .out
        .split_once("S.Low / go is not established")
        .expect("a step");
    let shown = shown
        .lines()
        .find(|line| line.contains("q = <<"))
        .expect("a state");
    assert!(!shown.contains("<<>>"), "{answer:?}");
}

#[test]
fn an_invariant_without_a_value_is_not_called_tested() {
    let s = Sandbox::with("items.ioa", ITEMS);
    let answer = asked(&s, "run items.ioa --runs 20");
    answer.says(1, "undefined in the last state of a run");
    answer.says(1, "run-time error of the model: the sequence is empty");
    let tested = answer.out.lines().filter(|line| line.contains("tested"));
    let tested: Vec<&str> = tested.collect();
    assert!(
        matches!(tested[..], [one] if one.contains("Short")),
        "{answer:?}"
    );
    s.explore("items.ioa --only First")
        .says(1, "run-time error of the model");
}

#[test]
fn what_a_predicate_names_can_be_chosen() {
    let s = Sandbox::with("loss.ioa", LOSS);
    asked(&s, "prove loss.ioa").says(0, "proved");
    let text = LOSS.replace("pre q ~= {}", "pre true");
    put(&s, "loss.ioa", &text);
    let answer = asked(&s, "prove loss.ioa");
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let text = LOSS.replace(
        "r = tail(q) \\/ r = init(q)",
        "r \\in {init(q)} /\\ len(r) > 3",
    );
    put(&s, "loss.ioa", &text);
    let answer = asked(&s, "prove loss.ioa");
    assert!(!answer.out.contains("┆ proved"), "{answer:?}");
}

#[test]
fn steps_of_a_clause_are_taken_beside_one_that_is_undefined() {
    let s = Sandbox::with("partial.ioa", PARTIAL);
    for engine in ["", "--no-native"] {
        let flags = format!("--keep-going --allow-deadlock {engine}");
        let answer = s.explore(&format!("partial.ioa {flags}"));
        // The start state, two values of `n`, and two choices of `k`.
        answer.says(1, "5 states, 5 generated");
        answer.says(1, "invariant Five of Partial is violated");
        answer.says(1, "run-time error of the model: division by zero");
        answer.says(1, "never fired: x = 77 (partial.ioa:15:38) was never true");
        assert!(!answer.out.contains("div(10, n) > 3 ("), "{answer:?}");
    }
}

#[test]
fn the_debugger_offers_the_steps_beside_one_that_is_undefined() {
    let s = Sandbox::with("partial.ioa", PARTIAL);
    put(&s, "asked.txt", "enabled\n");
    let answer = asked(&s, "debug partial.ioa --script asked.txt");
    for step in ["divide(1)", "divide(2)", "pick"] {
        assert!(answer.out.contains(step), "{answer:?}");
    }
    answer.says(0, "division by zero");
}
