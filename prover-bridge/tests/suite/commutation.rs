//! Which steps commute in every state, and which leave others enabled.

use crate::common::model;
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Model, SortId, TransitionId};
use prover_bridge::{Commutation, Firing, Options};

/// Steps that touch the same variables, each in a way of its own. The numbers of the clauses are their positions.
const STEPS: &str = "
type M
automaton A
  signature internal send(m: M), receive(m: M), lose, up(k: Int), down, limit(k: Int), clear, open, shut, pass,
    put(m: M), drop(m: M), mark(m: M), wipe, first(m: M), pick, half
  states queue: Seq[M] := {}, n: Int := 0, on: Bool := false, seen: Set[M] := {}, last: Null[M] := nil, done: Bool := false
  transitions
    internal send(m) eff queue := queue |- m
    internal receive(m) pre queue ~= {} /\\ m = head(queue) eff queue := tail(queue)
    internal lose pre queue ~= {} eff queue := tail(queue)
    internal up(k) eff n := n + k
    internal down pre n > 0 eff n := n - 1
    internal limit(k) eff if n > k then n := k fi
    internal clear eff n := 0; queue := {}
    internal open pre ~on eff on := true
    internal shut pre on eff on := false
    internal pass pre on eff done := true
    internal put(m) eff seen := insert(m, seen)
    internal drop(m) eff seen := delete(m, seen)
    internal mark(m) eff if last = nil then last := embed(m) fi
    internal wipe eff last := nil
    internal first(m) pre last.val = m eff done := true
    internal pick eff n := choose k where 0 <= k /\\ k < 3
    internal half eff n := div(n, n)
invariant Few of A: \\A m: M (m \\in seen => on)
invariant Last of A: done /\\ \\A m: M (last = embed(m) => m \\in seen)
";

fn step(model: &Model, name: &str, params: &[Value]) -> Firing {
    let automaton = &model.automata[0];
    let clauses = automaton.transitions.iter();
    let mut named = clauses.enumerate().filter(|(_, clause)| {
        let action = &automaton.actions[clause.action.index()];
        &*action.name == name
    });
    let (at, _) = named.next().expect("a clause of this name");
    Firing {
        transition: TransitionId::at(at),
        params: params.to_vec(),
    }
}

fn m(index: u32) -> Value {
    Value::Element(SortId(0), index)
}

fn commutation(model: &Model, resource_limit: u32) -> Commutation<'_, 'static> {
    let options = Options {
        resource_limit,
        ..Options::default()
    };
    let invariants = model.invariants.iter().collect();
    Commutation::new(model, AutomatonId(0), invariants, options)
}

const WORK: u32 = 200_000;

#[test]
fn steps_that_touch_the_same_may_commute_in_every_state() {
    let model = model(&[STEPS]);
    let mut commutation = commutation(&model, WORK);
    let at = |name: &str, params: &[Value]| step(&model, name, params);
    let pairs = [
        (at("send", &[m(4)]), at("receive", &[m(2)])),
        (at("send", &[m(1)]), at("send", &[m(1)])),
        (at("up", &[Value::int(1)]), at("up", &[Value::int(-2)])),
        (at("limit", &[Value::int(1)]), at("limit", &[Value::int(2)])),
        (at("put", &[m(0)]), at("put", &[m(0)])),
        (at("put", &[m(0)]), at("drop", &[m(1)])),
        (at("mark", &[m(3)]), at("mark", &[m(3)])),
    ];
    for (one, other) in &pairs {
        assert!(commutation.commute(one, other), "{one:?} {other:?}");
        assert!(commutation.commute(other, one), "{other:?} {one:?}");
    }
}

#[test]
fn steps_of_which_the_order_matters_do_not_commute() {
    let model = model(&[STEPS]);
    let mut commutation = commutation(&model, WORK);
    let at = |name: &str, params: &[Value]| step(&model, name, params);
    let pairs = [
        // Another state.
        (at("send", &[m(0)]), at("send", &[m(1)])),
        (at("up", &[Value::int(1)]), at("limit", &[Value::int(2)])),
        (at("mark", &[m(0)]), at("mark", &[m(1)])),
        (at("put", &[m(0)]), at("drop", &[m(0)])),
        // The same message: the one that is sent may be the one that is received.
        (at("send", &[m(0)]), at("receive", &[m(0)])),
        // One enables the other.
        (at("send", &[m(0)]), at("lose", &[])),
        (at("up", &[Value::int(1)]), at("down", &[])),
        (at("open", &[]), at("pass", &[])),
        (at("open", &[]), at("shut", &[])),
        (at("receive", &[m(0)]), at("receive", &[m(1)])),
        // One disables the other.
        (at("receive", &[m(0)]), at("lose", &[])),
        (at("shut", &[]), at("pass", &[])),
        (at("clear", &[]), at("receive", &[m(0)])),
        (at("down", &[]), at("down", &[])),
        (at("receive", &[m(0)]), at("receive", &[m(0)])),
        // After one of them, the other one has no result, or it has one only then.
        (at("wipe", &[]), at("first", &[m(0)])),
        (at("mark", &[m(0)]), at("first", &[m(0)])),
        (at("up", &[Value::int(1)]), at("half", &[])),
        // Of choices nothing is said.
        (at("pick", &[]), at("up", &[Value::int(0)])),
    ];
    for (one, other) in &pairs {
        assert!(!commutation.commute(one, other), "{one:?} {other:?}");
        assert!(!commutation.commute(other, one), "{other:?} {one:?}");
    }
}

#[test]
fn steps_may_disable_others_or_none() {
    let model = model(&[STEPS]);
    let mut commutation = commutation(&model, WORK);
    let at = |name: &str, params: &[Value]| step(&model, name, params);
    let clause = |name: &str| at(name, &[]).transition;
    for (one, other) in [
        (at("send", &[m(0)]), "receive"),
        // It can only disable itself.
        (at("receive", &[m(0)]), "receive"),
        (at("open", &[]), "pass"),
        (at("up", &[Value::int(1)]), "down"),
        // Where the conditions have no value, the clause is not disabled.
        (at("wipe", &[]), "first"),
        (at("first", &[m(0)]), "first"),
    ] {
        assert!(
            commutation.disables_nothing(&one, clause(other)),
            "{one:?} {other}"
        );
    }
    for (one, other) in [
        (at("lose", &[]), "receive"),
        (at("clear", &[]), "receive"),
        (at("shut", &[]), "pass"),
        (at("up", &[Value::int(-1)]), "down"),
        (at("mark", &[m(0)]), "first"),
        (at("pick", &[]), "down"),
    ] {
        assert!(
            !commutation.disables_nothing(&one, clause(other)),
            "{one:?} {other}"
        );
    }
}

#[test]
fn steps_may_restore_a_conjunct_for_some_values_or_for_none() {
    let model = model(&[STEPS]);
    let mut commutation = commutation(&model, WORK);
    let at = |name: &str, params: &[Value]| step(&model, name, params);
    let few = (0, 0);
    let [done, last] = [(1, 0), (1, 1)];
    for (one, (invariant, conjunct)) in [
        (at("put", &[m(0)]), few),
        (at("shut", &[]), few),
        (at("drop", &[m(0)]), last),
        (at("wipe", &[]), done),
    ] {
        assert!(
            commutation.restores_nothing(&one, invariant, conjunct),
            "{one:?}"
        );
    }
    for (one, (invariant, conjunct)) in [
        (at("drop", &[m(0)]), few),
        (at("open", &[]), few),
        (at("put", &[m(0)]), last),
        (at("wipe", &[]), last),
        (at("pass", &[]), done),
    ] {
        assert!(
            !commutation.restores_nothing(&one, invariant, conjunct),
            "{one:?}"
        );
    }
}

#[test]
fn what_takes_too_much_work_or_is_not_wanted_any_more_is_not_shown() {
    let model = model(&[STEPS]);
    let at = |name: &str, params: &[Value]| step(&model, name, params);
    let (one, other) = (at("send", &[m(4)]), at("receive", &[m(2)]));
    assert!(!commutation(&model, 1).commute(&one, &other));
    let options = Options {
        stop: Some(&|| true),
        ..Options::default()
    };
    let mut stopped = Commutation::new(&model, AutomatonId(0), Vec::new(), options);
    assert!(!stopped.commute(&one, &other));
}
