//! What is true and hardly meant: clauses that never happen, and invariants that say nothing.

mod common;

use common::{CONS, GLOBAL1, REFINEMENT, model, prove_all, unproved};
use prover_bridge::About;

/// The warnings about a light that only ever goes on, with further clauses and invariants; all of it must be proved.
fn warnings(clauses: &str, stated: &str) -> Vec<String> {
    let text = format!(
        "type Node\nautomaton Light\n signature\n  internal on(n: Node), off\n states\n  lit: Set[Node] := {{}},\n  \
         broken: Bool := false\n transitions\n  internal on(n)\n   eff lit := lit \\U {{n}}\n{clauses}\n{stated}\n"
    );
    let report = prove_all(&model(&[&text]));
    assert_eq!(unproved(&report), "");
    report.warnings.into_iter().map(|w| w.text).collect()
}

const HAPPENS: &str = "  internal off\n   pre lit ~= {}\n   eff lit := {}";
const NONE: [&str; 0] = [];

#[test]
fn what_is_meant_is_not_warned_about() {
    assert_eq!(warnings(HAPPENS, "invariant Whole of Light: ~broken"), NONE);
    let met = "invariant Whole of Light: ~broken\n\
               invariant Each of Light: \\A n: Node (n \\in lit => ~broken)";
    assert_eq!(warnings(HAPPENS, met), NONE);
    // What an invariant says itself does not count against its premise.
    let own = "invariant Whole of Light: broken => lit ~= lit";
    assert_eq!(warnings(HAPPENS, own), NONE);
}

#[test]
fn a_precondition_that_no_state_satisfies() {
    assert_eq!(
        warnings(
            "  internal off\n   pre lit ~= {} /\\ lit = {}\n   eff lit := {}",
            ""
        ),
        ["Light.off never happens: no state satisfies its precondition"]
    );
}

#[test]
fn a_precondition_that_invariants_exclude() {
    let stated = "invariant Other of Light: lit = lit \\U {}\ninvariant Whole of Light: ~broken";
    let said = warnings("  internal off\n   pre broken\n   eff lit := {}", stated);
    assert_eq!(
        said[0],
        "Light.off never happens: its precondition contradicts Whole"
    );
}

#[test]
fn a_false_invariant_excludes_nothing() {
    let text = "automaton Light\n signature\n  internal on, off\n states\n  lit: Bool := false\n transitions\n  \
                internal on\n   eff lit := true\n  internal off\n   pre lit\n   eff lit := false\n\
                invariant Unlit of Light: ~lit\n";
    let report = prove_all(&model(&[text]));
    assert_eq!(unproved(&report), "Light.Unlit / on: refuted\n");
    assert_eq!(report.warnings, []);
}

#[test]
fn a_premise_that_is_never_met() {
    let stated = "invariant Whole of Light: ~broken\n\
                  invariant Dark of Light: \\A n: Node (broken /\\ n \\in lit => \\A m: Node (m \\notin lit))";
    assert_eq!(
        warnings(HAPPENS, stated),
        ["Dark holds vacuously: its premise is false in every state that Whole allows"]
    );
    let own = "invariant Never of Light: \\A n: Node (n \\in lit /\\ n \\notin lit => broken)";
    assert_eq!(
        warnings(HAPPENS, own),
        ["Never holds vacuously: its premise is false in every state"]
    );
}

#[test]
fn an_invariant_of_all_states_says_nothing() {
    assert_eq!(
        warnings(
            HAPPENS,
            "invariant Any of Light: \\A n: Node (n \\in lit \\/ n \\notin lit)"
        ),
        ["Any holds vacuously: it follows from the types and axioms alone, whatever the state"]
    );
}

#[test]
fn a_warning_names_its_place_and_its_subject() {
    let text = "automaton A\n signature\n  internal a\n states\n  n: Nat := 0\n transitions\n  internal a\n   \
                pre n < 0\n   eff n := n + 1\ninvariant I of A: n >= 0\n";
    let report = prove_all(&model(&[text]));
    let subjects: Vec<About> = report.warnings.iter().map(|w| w.about).collect();
    assert!(
        matches!(subjects[..], [About::Clause(..), About::Invariant(0)]),
        "{:?}",
        report.warnings
    );
    let at = |i: usize| {
        let span = report.warnings[i].span;
        &text[span.start as usize..span.end as usize]
    };
    assert_eq!((at(0), at(1)), ("n < 0", "n >= 0"));
}

#[test]
fn paxos_means_what_it_says() {
    let report = prove_all(&model(&[CONS, GLOBAL1, REFINEMENT]));
    assert_eq!(report.warnings, []);
}

#[test]
fn what_is_lost_with_a_false_invariant_shows_a_counterexample() {
    let text = "automaton Light\n signature\n  internal on, off\n states\n  lit: Bool := false,\n  seen: Bool := false\n \
                transitions\n  internal on\n   eff lit := true\n  internal off\n   pre lit\n   eff seen := true\n\
                invariant Unlit of Light: ~lit\ninvariant Unseen of Light: ~seen\n";
    let report = prove_all(&model(&[text]));
    assert_eq!(
        unproved(&report),
        "Light.Unlit / on: refuted\n\
         Light.Unseen / off: unknown: its proof needs Unlit, not established itself\n"
    );
    for outcome in &report.outcomes {
        let lost = outcome.obligation.name == "Light.Unseen / off";
        let shown = outcome.without_unproved.as_ref();
        assert_eq!(shown.is_some(), lost, "{}", outcome.obligation.name);
        if let Some(shown) = shown {
            let model = model(&[text]);
            assert!(
                shown.display(&model).contains("off"),
                "{}",
                shown.display(&model)
            );
        }
    }
}
