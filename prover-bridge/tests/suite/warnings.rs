//! What is true and hardly meant: clauses that never happen, and invariants that say nothing.

use std::collections::BTreeMap;

use crate::common::{CONS, GLOBAL1, REFINEMENT, model, prove_all, unproved};
use finite::Universe;
use ioa_lang::core::AutomatonId;
use prover_bridge::{About, Options, Verdict, interpretations, warnings_at};

/// The warnings about a light that only ever goes on, with further clauses and invariants; all of it must be proved.
fn warnings(clauses: &str, stated: &str) -> Vec<String> {
    let text = format!(
        "type Node\nautomaton Light\n signature\n  internal on(n: Node), off\n states\n  lit: Set[Node] := {{}},\n  \
         broken: Bool := false\n transitions\n  internal on(n)\n   eff lit := lit \\U {{n}}\n{clauses}\n{stated}\n"
    );
    let report = prove_all(&model(&[&text]));
    assert_eq!(unproved(&report), "");
    report.warnings.iter().map(ToString::to_string).collect()
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
fn a_precondition_that_contradicts_itself_needs_no_invariant_for_that() {
    let text = "automaton A\n signature\n  internal a\n states\n  n: Nat := 0\n transitions\n  internal a\n   \
                pre n > 3 /\\ n < 2\n   eff n := n + 1\ninvariant Low of A: n < 4\n";
    let report = prove_all(&model(&[text]));
    let first = &report.warnings[0];
    assert_eq!(
        first.to_string(),
        "A.a never happens: no state satisfies its precondition"
    );
    assert_eq!(first.with.len(), 1, "{first:?}");
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
         Light.Unseen / off: proved, if Unlit is\n"
    );
    for outcome in &report.outcomes {
        let lost = outcome.obligation.name == "Light.Unseen / off";
        let shown = match &outcome.verdict {
            Verdict::ProvedIf(condition) => condition.without.as_ref(),
            _ => None,
        };
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

/// The warnings about an instance of a model, each with the texts of the parts that it points at.
fn at(text: &str, sizes: &[(&str, u64)]) -> Vec<String> {
    let model = model(&[text]);
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).into(), *n)).collect();
    let universe = Universe::sized(&model, model.every_setting(), &sizes).expect("sizes that fit");
    let meanings = interpretations(&model, &universe, 1, &Options::default());
    let meaning = meanings.expect("an interpretation").found.remove(0);
    let universe = universe.interpreted(&model, meaning).expect("it fits");
    let shown = "these sizes";
    let automata: Vec<AutomatonId> = (0..model.automata.len()).map(AutomatonId::at).collect();
    let found = warnings_at(&model, &universe, &automata, shown, &Options::default());
    let found = found.expect("small sizes");
    let of_text = |span: ioa_lang::Span| &text[span.start as usize..span.end as usize];
    let told = found.iter().map(|warning| {
        let parts = std::iter::once(&warning.span).chain(&warning.with);
        let parts: Vec<&str> = parts.map(|span| of_text(*span)).collect();
        format!("{warning} [{}]", parts.join(" | "))
    });
    told.collect()
}

/// People who meet, with further clauses and invariants.
fn people(clauses: &str, stated: &str) -> String {
    format!(
        "type Node\nautomaton People\n signature\n  internal meet(m, n: Node), part(n: Node)\n states\n  \
         met: Set[Node] := {{}},\n  host: Null[Node] := nil\n transitions\n  internal meet(m, n)\n   \
         pre host = nil /\\ m ~= n\n   eff host := embed(m); met := insert(n, met)\n{clauses}\n{stated}\n"
    )
}

const PART: &str = "  internal part(n)\n   pre host = embed(n)\n   eff host := nil";

#[test]
fn a_clause_that_wants_more_elements_than_there_are() {
    let text = people(PART, "");
    assert_eq!(
        at(&text, &[("Node", 1)]),
        ["People.meet never happens at these sizes: no state satisfies its precondition [m ~= n]"]
    );
    assert_eq!(at(&text, &[("Node", 2)]), NONE);
}

#[test]
fn two_conditions_that_contradict_each_other_are_named() {
    let text = people(
        "  internal part(n) where n = n\n   pre n \\in met /\\ host = embed(n) /\\ n \\notin met\n   eff host := nil",
        "",
    );
    assert_eq!(
        at(&text, &[("Node", 2)]),
        [
            "People.part never happens at these sizes: no state satisfies its precondition [n \\in met | n \\notin met]"
        ]
    );
}

#[test]
fn invariants_that_say_nothing_at_some_sizes() {
    let premise =
        "invariant Together of People: \\A m, n: Node (m ~= n /\\ m \\in met => n \\in met)";
    let text = people(PART, premise);
    assert_eq!(
        at(&text, &[("Node", 1)])[1..],
        ["Together holds vacuously at these sizes: its premise is false in every state [m ~= n]"]
    );
    assert_eq!(at(&text, &[("Node", 2)]), NONE);
    let stated = "invariant All of People: \\A m, n: Node (~(m \\in met /\\ n \\notin met))";
    let text = people(PART, stated);
    let said = at(&text, &[("Node", 1)]);
    assert!(
        said[1].starts_with("All holds vacuously at these sizes: it follows from the types"),
        "{said:?}"
    );
    assert_eq!(at(&text, &[("Node", 2)]), NONE);
}

#[test]
fn what_is_ruled_out_if_an_invariant_holds_is_said_with_its_name() {
    // Whether a state that breaks it is reached is not asked here.
    let stated = "invariant Nobody of People: host = nil\n\
                  invariant Host of People: host ~= nil => host.val \\in met";
    assert_eq!(
        at(&people(PART, stated), &[("Node", 2)]),
        [
            "People.part never happens at these sizes if Nobody holds: its precondition contradicts Nobody \
             [host = embed(n)]",
            "Host holds vacuously at these sizes if Nobody holds: its premise is false in every state that Nobody \
             allows [host ~= nil]",
        ]
    );
    let either = "invariant Nobody of People: met = {} => host = nil\n\
                  invariant Empty of People: met = {}\n\
                  invariant Other of People: host = nil \\/ met ~= {}";
    let said = at(&people(PART, either), &[("Node", 2)]);
    let says = "People.part never happens at these sizes if Empty, Other hold: its precondition contradicts Empty, Other";
    let also = says.replace("Empty, Other", "Nobody, Empty");
    assert!(
        said[0].starts_with(says) || said[0].starts_with(&also),
        "{said:?}"
    );
    let harmless = "invariant Host of People: host ~= nil => host.val \\in met";
    assert_eq!(at(&people(PART, harmless), &[("Node", 2)]), NONE);
}

#[test]
fn from_invariants_that_exclude_each_other_nothing_follows() {
    let stated =
        "invariant Nobody of People: host = nil\ninvariant Somebody of People: host ~= nil";
    assert_eq!(at(&people(PART, stated), &[("Node", 2)]), NONE);
    let said = at(&people(PART, stated), &[("Node", 1)]);
    assert_eq!(
        said,
        ["People.meet never happens at these sizes: no state satisfies its precondition [m ~= n]"]
    );
}

#[test]
fn a_parameter_may_have_any_value() {
    let text = "type Node\nautomaton One(i: Node)\n signature\n  internal a(n: Node)\n states\n  x: Node\n transitions\n  \
                internal a(n)\n   pre n ~= i /\\ x = n\n   eff x := i\n";
    assert_eq!(at(text, &[("Node", 2)]), NONE);
    assert_eq!(at(text, &[("Node", 1)]).len(), 1);
}

#[test]
fn an_action_of_a_composition_never_happens_if_none_of_its_cases_does() {
    let text = "automaton Talk\n signature\n  output say(n: Nat)\n states\n  said: Nat := 0\n transitions\n  \
                output say(n)\n   pre n > said\n   eff said := n\n  output say(n)\n   pre n < 0\n\
                automaton Both\n components\n  Talk\n";
    let said = at(text, &[]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("Talk.say never happens"), "{said:?}");
    let never = text.replace("n > said", "n > said /\\ n < said");
    let said = at(&never, &[]);
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[2].starts_with("Both.say never happens"), "{said:?}");
}

#[test]
fn what_has_too_many_instances_is_not_written_out() {
    // A million parts are compared: were they written out, this would not come to an end.
    let text = "type Node\nautomaton A\n signature\n  internal a(n: Node)\n states\n  \
                x: Array[Node, Array[Node, Set[Node]]] := constant(constant({})),\n  \
                y: Array[Node, Array[Node, Set[Node]]] := constant(constant({}))\n transitions\n  internal a(n)\n   \
                pre x = y /\\ x[n] ~= y[n]\n   eff x[n] := y[n]\n";
    for size in [3, 100] {
        assert_eq!(
            at(text, &[("Node", size)]),
            [
                "A.a never happens at these sizes: no state satisfies its precondition [x = y | x[n] ~= y[n]]"
            ]
        );
    }
}

#[test]
fn sizes_beyond_measure_are_not_inspected() {
    let model = model(&[&people(PART, "")]);
    let sizes = BTreeMap::from([("Node".to_owned(), 4_000)]);
    let universe = Universe::new(&model, model.every_setting(), &sizes).expect("sizes that fit");
    let refused = warnings_at(
        &model,
        &universe,
        &[AutomatonId(0)],
        "",
        &Options::default(),
    );
    assert!(refused.is_err_and(|why| why.to_string().contains("Node")));
}

/// What is warned of a light whose theories have these operators and axioms.
fn warned_of_theories(operators: &str, axioms: &str) -> Vec<String> {
    let text = format!(
        "type P
vocabulary V
  operators
    {operators}
  axioms
    {axioms}
end
imports V
automaton Light
  signature
    internal on
  states
    lit: Bool := false
  transitions
    internal on
      eff lit := true
invariant Lit of Light: lit \\/ ~lit
"
    );
    let report = prove_all(&model(&[&text]));
    assert!(report.is_proved(), "{}", unproved(&report));
    let warnings = report.warnings.iter();
    let warnings = warnings.filter(|w| matches!(w.about, About::Theories(_)));
    warnings.map(ToString::to_string).collect()
}

#[test]
fn theories_with_infinite_models_only_are_told_of() {
    let injection = "with x: P, y: P\n    next(x) ~= first;\n    next(x) = next(y) => x = y;";
    assert_eq!(
        warned_of_theories("next: P -> P,\n    first: -> P", injection),
        [
            "no finite instance of Light was found: V.1, V.2 cannot hold with up to 3 elements of each sort, so nothing \
             can be run"
        ]
    );
}

#[test]
fn theories_that_need_several_elements_are_not() {
    let three = "with x: P\n    next(x) ~= x;\n    next(next(x)) ~= x;";
    assert_eq!(
        warned_of_theories("next: P -> P,\n    first: -> P", three),
        [""; 0]
    );
}
