//! Proofs of nothing: what follows from a contradiction is not called proved.

use crate::common::{model, paxos_with, prove_all, unproved};

/// The verdicts that are not plain proofs, for a light that only ever goes from off to on.
fn verdicts(start: &str, pre: &str, stated: &str) -> String {
    let text = format!(
        "automaton Light\n signature\n  internal on, off\n states\n  lit: Bool := false{start}\n transitions\n  \
         internal on\n   eff lit := true\n  internal off\n   pre {pre}\n   eff lit := false\n{stated}\n"
    );
    unproved(&prove_all(&model(&[&text])))
}

const HONEST: &str = "invariant Any of Light: lit \\/ ~lit";

#[test]
fn what_can_happen_is_proved() {
    assert_eq!(verdicts("", "lit", HONEST), "");
}

#[test]
fn without_start_states_every_invariant_holds_at_the_start() {
    assert_eq!(
        verdicts("\n  so that lit", "lit", "invariant Lit of Light: lit"),
        "Light.Lit / start: vacuous: Light has no start state\n\
         Light.Lit / off: refuted\n"
    );
}

#[test]
fn a_clause_that_no_state_enables_preserves_anything() {
    assert_eq!(
        verdicts("", "lit /\\ ~lit", HONEST),
        "Light.Any / off: vacuous: Light.off has no step\n"
    );
}

#[test]
fn a_clause_may_be_excluded_by_the_invariants() {
    let text = "automaton Light\n signature\n  internal off, fail\n states\n  lit: Bool := false\n transitions\n  \
                internal off\n   eff lit := false\n  internal fail\n   pre lit\n   eff lit := true\n\
                invariant Unlit of Light: ~lit\n";
    assert_eq!(unproved(&prove_all(&model(&[text]))), "");
}

#[test]
fn contradictory_invariants_help_nothing() {
    let stated = "invariant Bad of Light: false\ninvariant Off of Light: ~lit";
    assert_eq!(
        verdicts("", "lit", stated),
        "Light.Bad / start: refuted\n\
         Light.Off / on: proved, if Bad is\n"
    );
}

#[test]
fn an_empty_relation_is_preserved_by_nothing() {
    let nowhere = paxos_with("Cons.failed = Global1.failed", "false");
    let said = unproved(&prove_all(&nowhere));
    let none = "the relation and the invariants hold in no states";
    assert!(
        said.contains("Global1 to Cons / start: refuted\n"),
        "{said}"
    );
    assert!(
        said.contains(&format!("Global1 to Cons / vote: vacuous: {none}\n")),
        "{said}"
    );
}

/// A clause that divides by zero and takes the head of an empty sequence, beside theories and invariants.
fn careless(theories: &str, start: &str, stated: &str) -> String {
    let text = format!(
        "{theories}
automaton A
  signature
    internal a
  states
    q: Seq[Nat] := {{}},
    n: Nat := 0{start}
  transitions
    internal a
      eff n := head(q); n := div(1, 0)
{stated}"
    );
    unproved(&prove_all(&model(&[&text])))
}

/// Theories over a sort, with these axioms.
fn vocabulary(operators: &str, axioms: &str) -> String {
    format!(
        "type P\nvocabulary V\n  operators\n    {operators}\n  axioms\n    {axioms}\nend\nimports V"
    )
}

const DESCENT: (&str, &str) = ("f: P -> Nat,\n    z: -> P", "with x: P\n    f(x) < f(z);");

#[test]
fn nothing_is_defined_for_the_sake_of_contradictory_axioms() {
    assert_eq!(
        careless(&vocabulary(DESCENT.0, DESCENT.1), "", ""),
        "A.a is defined: vacuous: no interpretation satisfies the axiom V.1\n"
    );
}

#[test]
fn no_kind_of_proof_rests_on_contradictory_axioms() {
    let theories = vocabulary(
        "f: P -> Nat,\n    z: -> P",
        "with x: P\n    f(x) < f(z) /\\ div(1, f(x)) >= 0;",
    );
    let text = format!(
        "{theories}
automaton Low
  signature
    input put(n: Nat)
    internal a
  states n: Nat := div(4, 2)
    so that div(6, 3) = 2
  transitions
    input put(m) where m > 0
      eff n := m
    input put(m) where m <= 0
      eff n := pred(n)
    internal a
      eff n := div(1, 0)
automaton High
  signature
    input put(n: Nat)
  states n: Nat := 0
  transitions
    input put(m)
      eff n := m
invariant Small of Low: div(6, n) < 7
invariant Smaller of Low: div(6, n - n) < 7
forward simulation from Low to High:
  div(Low.n, 0) = High.n
  proof
    initially High.n := div(1, 0)
    for input put(m: Nat) do fire input put(div(m, 0)) od
    for internal a ignore
"
    );
    let report = prove_all(&model(&[&text]));
    let proved: Vec<&str> = report
        .outcomes
        .iter()
        .filter(|outcome| outcome.is_proved())
        .map(|outcome| outcome.obligation.name.as_str())
        .collect();
    assert_eq!(proved, [""; 0]);
    assert!(report.outcomes.len() >= 18, "{}", report.outcomes.len());
}

#[test]
fn nothing_is_defined_for_the_sake_of_an_invariant_without_a_start() {
    assert_eq!(
        careless("", "\n    so that n > 0", "invariant Bad of A: false"),
        "A.Bad / start: vacuous: A has no start state\n\
         A.a is defined: proved, if Bad is\n"
    );
}

/// Two gates that a message passes one after the other, each of which has two clauses for it.
const GATES: &str = "automaton Gate(limit: Int)
  signature
    input ask(n: Int)
  states
    held: Int := 0
  transitions
    input ask(n) where n < limit
      eff held := 1
    input ask(n) where n >= limit
      eff held := 2
automaton Asker
  signature
    output ask(n: Int)
  states
    asked: Bool := false
  transitions
    output ask(n)
      eff asked := true
";

#[test]
fn a_composition_and_its_flattened_form_are_judged_alike() {
    let composed = |low: u32, high: u32| {
        let text = format!(
            "{GATES}
automaton Both
  components
    U: Asker;
    L: Gate({low});
    H: Gate({high})
invariant Held of Both: L.held <= 2 /\\ H.held <= 2
"
        );
        let composed = model(&[&text]);
        let mut flat = composed.clone();
        let both = flat.automata.len() - 1;
        assert!(!flat.automata[both].components.is_empty());
        flat.automata[both].components.clear();
        let verdicts = unproved(&prove_all(&composed));
        assert_eq!(verdicts, unproved(&prove_all(&flat)), "{low} and {high}");
        verdicts
    };
    // No number is below the one limit and not below the other: one of four cases is none.
    assert_eq!(composed(3, 7), "");
    assert_eq!(composed(3, 3), "");
}
