//! The Paxos case study: proved as it stands for every size, refused wherever it is weakened.

use std::collections::BTreeMap;

use crate::common::{
    CONS, GLOBAL1, REFINEMENT, counterexample, model, paxos_with, prove_all, unproved,
};
use finite::Universe;
use prover_bridge::finite::TransitionQuery;
use prover_bridge::{Options, Target, Verdict, prove};

const NOT_ABSTAINED: &str = " /\\ b \\notin abstained[i]";
const NO_CONFLICT: &str =
    "          /\\ \\A c: Ballot (c < b => c \\in dead \\/ val[c] = embed(v))\n";
const INV5: &str = "invariant Inv5 of Global1: \\A i: Node (voted[i] \\I abstained[i] = {})";
const CHOOSES_ON_DECIDE: &str = "if Cons.chosen = {} /\\ Global1.val[b] ~= nil then";
const CHOOSES_ON_ASSIGN: &str = "if b \\in Global1.succeeded /\\ Cons.chosen = {} then";

#[test]
fn paxos_is_proved_for_every_size() {
    let report = prove_all(&model(&[CONS, GLOBAL1, REFINEMENT]));
    assert_eq!(unproved(&report), "");
    assert_eq!(report.outcomes.len(), 66);
    assert!(report.is_proved() && report.established.iter().all(|established| *established));
}

#[test]
fn a_dropped_conjunct_is_refuted_by_the_smallest_instance() {
    let model = paxos_with(NOT_ABSTAINED, "");
    let report = prove_all(&model);
    assert_eq!(
        unproved(&report),
        "Global1.Inv5 / vote: refuted\n\
         Global1 to Cons / assignVal: proved, if Inv5 is\n\
         Global1 to Cons / internalDecide: proved, if Inv5 is\n"
    );
    assert_eq!(
        counterexample(&report, &model, "Global1.Inv5 / vote"),
        "     sizes  Ballot = 1, Node = 1, Quorum = 1, Value = 1
    quorum  Quorum#0 = {Node#0}
    before  Global1.initiated = {Node#0}
    before  Global1.decided = {}
    before  Global1.failed = {}
    before  Global1.proposed = {}
    before  Global1.ballots = {Ballot#0}
    before  Global1.succeeded = {}
    before  Global1.dead = {}
    before  Global1.val = [Ballot#0 -> nil]
    before  Global1.voted = [Node#0 -> {}]
    before  Global1.abstained = [Node#0 -> {Ballot#0}]
    action  internal Global1.vote(Node#0, Ballot#0)
     after  Global1.voted = [Node#0 -> {Ballot#0}]
     fails  Invariant i = Node#0
"
    );
}

#[test]
fn a_counterexample_is_a_step_of_the_model() {
    let model = paxos_with(NO_CONFLICT, "");
    let report = prove_all(&model);
    let outcome = report
        .outcomes
        .iter()
        .find(|o| o.obligation.name == "Global1.Inv3 / assignVal");
    let Verdict::Refuted(found) = &outcome.expect("the obligation").verdict else {
        panic!("assignVal must break Inv3:\n{}", unproved(&report));
    };
    let given = found.sizes.iter().filter(|(sort, _)| *sort != "Quorum");
    let sizes: BTreeMap<String, u64> = given.map(|(sort, n)| (sort.clone(), *n)).collect();
    let universe = Universe::new(&model, model.every_setting(), &sizes).expect("sizes");
    let (before, after) = (
        found.before.as_ref().unwrap(),
        found.after.as_ref().unwrap(),
    );
    let action = found.action.as_ref().expect("a step");
    let query = TransitionQuery::new(&model, &universe, before.automaton);
    let answer = query
        .step(&before.state, action.transition, &action.params, &[])
        .expect("an answer");
    assert!(answer.enabled && answer.undefined.is_empty());
    assert_eq!(answer.after, after.state);
}

#[test]
fn the_simulation_needs_its_lemmas() {
    let report = prove_all(&paxos_with(INV5, ""));
    assert_eq!(
        unproved(&report),
        "Global1 to Cons / assignVal: refuted\nGlobal1 to Cons / internalDecide: refuted\n"
    );
}

#[test]
fn needed_invariants_are_named() {
    let model = model(&[CONS, GLOBAL1, REFINEMENT]);
    let options = Options {
        needed_invariants: true,
        ..Options::default()
    };
    let report = prove(&Target::everything(&model), &options, &|| {
        std::time::Duration::ZERO
    });
    let needed = |name: &str| {
        let outcome = report.outcomes.iter().find(|o| o.obligation.name == name);
        let needed = outcome.and_then(|o| o.needed.as_ref()).expect("a core");
        needed
            .iter()
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(needed("Global1.Inv1 / start"), "");
    assert_eq!(needed("Global1.Inv5 / vote"), "Inv5");
    assert_eq!(
        needed("Global1 to Cons / internalDecide"),
        "Inv1 Inv2 Inv3 Inv4 Inv5"
    );
}

#[test]
fn the_naive_proof_block_is_refused_in_both_ways() {
    let eager = paxos_with(CHOOSES_ON_DECIDE, "if Global1.val[b] ~= nil then");
    let report = prove_all(&eager);
    assert_eq!(
        unproved(&report),
        "Global1 to Cons / internalDecide: refuted\n"
    );
    let shown = counterexample(&report, &eager, "Global1 to Cons / internalDecide");
    assert!(
        shown.ends_with("fires  internal Cons.chooseVal(Value#0)\n     fails  HighPrecondition\n"),
        "{shown}"
    );

    let idle = paxos_with(CHOOSES_ON_ASSIGN, "if false then");
    let report = prove_all(&idle);
    assert_eq!(unproved(&report), "Global1 to Cons / assignVal: refuted\n");
    let shown = counterexample(&report, &idle, "Global1 to Cons / assignVal");
    assert!(shown.contains("fails  Relation v = Value#0"), "{shown}");
}

#[test]
fn an_unguarded_partial_operator_is_found() {
    let model = paxos_with(CHOOSES_ON_DECIDE, "if Cons.chosen = {} then");
    let report = prove_all(&model);
    let name = "Global1 to Cons / entry for internalDecide is defined";
    let shown = counterexample(&report, &model, name);
    assert!(shown.contains("Undefined(\"`.val` of nil\")"), "{shown}");
}

#[test]
fn harmless_conjuncts_are_not_needed() {
    for (from, to) in [
        ("      pre b \\notin ballots\n", ""),
        (
            "pre i \\in initiated /\\ i \\notin failed /\\ b \\in ballots /\\ b",
            "pre b",
        ),
        ("pre i \\in initiated /\\ i \\notin failed /\\ B", "pre B"),
        ("      pre b \\in ballots /\\ \\E q", "      pre \\E q"),
    ] {
        assert_eq!(
            unproved(&prove_all(&paxos_with(from, to))),
            "",
            "without {from}"
        );
    }
}

#[test]
fn the_outcome_does_not_depend_on_the_threads() {
    let model = paxos_with(NO_CONFLICT, "");
    let report = |threads| {
        let options = Options {
            threads,
            ..Options::default()
        };
        let report = prove(&Target::everything(&model), &options, &|| {
            std::time::Duration::ZERO
        });
        report
            .outcomes
            .into_iter()
            .map(|o| (o.obligation.name, o.verdict))
            .collect::<Vec<_>>()
    };
    assert_eq!(report(1), report(3));
}
