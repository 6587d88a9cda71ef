//! Proofs of nothing: what follows from a contradiction is not called proved.

mod common;

use common::{model, paxos_with, prove_all, unproved};

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
         Light.Off / on: unknown: its proof needs Bad, not established itself\n"
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
