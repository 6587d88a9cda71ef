//! What an automaton has to allow: inputs always, an outcome of each enabled step, a value for each choice; and sets
//! that are finite.

use crate::common::{counterexample, model, prove_all, unproved};

/// What is not proved, but for proofs that are vacuous because of it.
fn check(text: &str) -> String {
    let open = unproved(&prove_all(&model(&[text])));
    let lines = open.lines().filter(|line| !line.contains(": vacuous:"));
    lines.map(|line| format!("{line}\n")).collect()
}

fn inputs(signature: &str, clauses: &str) -> String {
    format!(
        "automaton A
           signature input inc(n: Int) {signature}
           states x: Int := 0
           transitions {clauses}
         invariant I of A: true"
    )
}

#[test]
fn an_input_has_a_clause_for_all_its_parameters() {
    let gap = "input inc(n) where n > 5 eff x := n input inc(n) where n < 5 eff x := 0 - n";
    assert_eq!(
        check(&inputs("", gap)),
        "A.inc is always enabled: refuted\n"
    );
    let whole = "input inc(n) where n > 5 eff x := n input inc(n) where n <= 5";
    assert_eq!(check(&inputs("", whole)), "");
    assert_eq!(
        check(&inputs("", "input inc(n) where false")),
        "A.inc is always enabled: refuted\n"
    );
    let term = "input inc(3) eff x := 3";
    assert_eq!(
        check(&inputs("", term)),
        "A.inc is always enabled: refuted\n"
    );
    assert_eq!(check(&inputs("where n = 3", term)), "");
}

#[test]
fn an_input_owes_nothing_outside_its_signature() {
    let above = "input inc(n) where n > 5 eff x := n";
    assert_eq!(check(&inputs("where n > 5", above)), "");
    assert_eq!(
        check(&inputs("where n > 4", above)),
        "A.inc is always enabled: refuted\n"
    );
}

#[test]
fn the_counterexample_shows_the_parameters_of_the_input() {
    let text = inputs("where n > 4", "input inc(n) where n > 5 eff x := n");
    let model = model(&[&text]);
    let shown = counterexample(&prove_all(&model), &model, "A.inc is always enabled");
    assert!(shown.contains("inc(5)"), "{shown}");
    assert!(
        shown.contains("no clause is for these parameters"),
        "{shown}"
    );
}

fn effect(effect: &str) -> String {
    format!(
        "automaton V
           signature internal t
           states x: Int := 0, y: Int := 0
           transitions internal t eff {effect}
         invariant I of V: true"
    )
}

#[test]
fn an_enabled_step_has_an_outcome() {
    let no = "V.t is defined: refuted\n";
    assert_eq!(check(&effect("x := 7 ensuring x' = x + 1")), no);
    assert_eq!(check(&effect("x := x + 1 ensuring x' = x + 1")), "");
    assert_eq!(check(&effect("x := 7 ensuring y' > x'")), "");
    assert_eq!(check(&effect("x := 7 ensuring y' > x' /\\ y' < 8")), no);
}

#[test]
fn choices_are_made_to_meet_ensuring() {
    let no = "V.t is defined: refuted\n";
    let choose = |bound: &str, ensuring: &str| {
        check(&effect(&format!(
            "x := choose z where {bound} ensuring {ensuring}"
        )))
    };
    assert_eq!(choose("z > 3", "x' < 5"), "");
    assert_eq!(choose("z > 3", "x' < 4"), no);
    let branches = |value: &str| {
        check(&effect(&format!(
            "if x > 0 then x := choose z where z > 3 else x := choose z where z < {value} fi
             ensuring x' > 2"
        )))
    };
    assert_eq!(branches("4"), "");
    assert_eq!(branches("3"), no);
}

#[test]
fn each_choice_has_a_value() {
    let no = "V.t is defined: refuted\n";
    assert_eq!(check(&effect("x := choose z where z > 3 /\\ z < 5")), "");
    assert_eq!(check(&effect("x := choose z where z > 3 /\\ z < 4")), no);
    let start = |below: &str| {
        check(&format!(
            "automaton V
               signature internal t
               states x: Int := choose z where z > 3 /\\ z < {below}
               transitions internal t
             invariant I of V: x > 3"
        ))
    };
    assert_eq!(start("5"), "");
    assert_eq!(start("4"), "V / start is defined: refuted\n");
}

#[test]
fn both_sides_of_a_simulation_have_start_states() {
    let text = |low: &str, high: &str| {
        format!(
            "automaton L
               signature internal t
               states x: Int := choose z where z > 3 /\\ z < {low}
               transitions internal t
             automaton H
               signature internal t
               states y: Int := choose z where z > 3 /\\ z < {high}
               transitions internal t
             invariant OfL of L: x > 3
             invariant OfH of H: y > 3
             forward simulation from L to H:
               H.y > 3
               proof
                 initially H.y := 4
                 for internal t ignore"
        )
    };
    assert_eq!(check(&text("5", "5")), "");
    assert_eq!(check(&text("4", "5")), "L / start is defined: refuted\n");
    let high = check(&text("5", "4"));
    assert!(high.contains("H / start is defined: refuted"), "{high}");
}

#[test]
fn a_set_is_finite() {
    let text = |predicate: &str| {
        format!(
            "automaton A
               signature internal o
               states s: Set[Int] := {{}}, x: Int := 0
               transitions internal o eff s := {{z: Int where {predicate}}}; x := 1
             invariant I of A: x >= 0"
        )
    };
    let unbounded = check(&text("z > 0"));
    assert!(
        unbounded.contains("not bounded on both sides"),
        "{unbounded}"
    );
    assert!(check(&text("z > 0 /\\ z < z + 4")).contains("unknown"));
    for bounded in ["z > 0 /\\ z < x", "z = 3 \\/ z \\in s"] {
        assert_eq!(check(&text(bounded)), "");
    }
}
