//! Values of types that have too many to try are found by what is asked of them: as many as are known to exist, none twice, and no other.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use interpreter::{Executor, FaultKind, Interrupt};
use ioa_lang::core::AutomatonId;

use crate::common::{instance, model};

const FIRST: AutomatonId = AutomatonId(0);

/// A model whose start states are those that satisfy a condition.
fn open(variables: &str, condition: &str) -> String {
    format!(
        r"
type Key
type Mark = enumeration of low, high
type Cell = tuple of at: Key, count: Nat, marks: Array[Key, Mark]
automaton Open
  signature internal go
  states {variables}
    so that {condition}
  transitions internal go
"
    )
}

/// How many start states there are; each is recognised, and none is found twice.
fn starts(text: &str, size: u64) -> usize {
    let instance = instance(model(&[text]), &[("Key", size)]);
    let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
    let mut found = BTreeSet::new();
    let mut states = Vec::new();
    let layout = instance.layout(FIRST);
    let _ = executor
        .each_start(&mut |_, state| {
            let values = layout.values(state).map(|(_, value)| value);
            assert!(found.insert(values.collect::<Vec<_>>()), "twice: {text}");
            states.push(state.clone());
            ControlFlow::Continue(())
        })
        .unwrap_or_else(|stop| panic!("{text}: {stop:?}"));
    for state in states.iter().take(50) {
        assert_eq!(executor.is_start(state), Ok(true), "{text}");
    }
    found.len()
}

/// How many start states have the variables that satisfy the condition.
#[track_caller]
fn finds(variables: &str, condition: &str, size: u64, expected: usize) {
    assert_eq!(
        starts(&open(variables, condition), size),
        expected,
        "{condition}"
    );
}

#[test]
fn arrays() {
    let array = "f: Array[Key, Key]";
    // Permutations, those without a fixed point, and those that are their own inverse.
    let injective = r"\A i, j: Key (f[i] = f[j] => i = j)";
    finds(array, injective, 7, 5_040);
    finds(
        array,
        &format!(r"{injective} /\ \A i: Key (f[i] ~= i)"),
        7,
        1_854,
    );
    finds(array, r"\A i: Key (f[f[i]] = i)", 8, 764);
    finds(array, r"\A i: Key (f[f[f[i]]] = f[i] /\ f[i] ~= i)", 5, 140);
    finds(array, r"\E k: Key \A i: Key (f[i] = k)", 12, 12);
    let constant_but_for_one = r"\E i: Key \A j: Key (j ~= i => f[j] = i)";
    finds(array, constant_but_for_one, 12, 12 * 12);
    finds(
        "f: Array[Key, Key], k: Key",
        r"f = assign(constant(k), k, k)",
        12,
        12,
    );
    finds(
        "f, g: Array[Key, Key]",
        r"\A i: Key (f[f[i]] = i /\ g[i] = f[i])",
        7,
        232,
    );
    finds(
        "w: Array[Key, Bool]",
        r"\A i, j: Key (w[i] /\ w[j] => i = j)",
        27,
        28,
    );
    finds(
        "w: Array[Key, Bool]",
        r"\A i, j: Key (w[i] /\ w[j] => i = j)",
        13,
        14,
    );
    finds(
        "w: Array[Key, Bool]",
        r"\E i: Key (w[i]) /\ \A i, j: Key (w[i] <=> w[j])",
        27,
        1,
    );
}

#[test]
fn sets() {
    let set = "s: Set[Key]";
    finds(set, r"size(s) = 2", 30, 435);
    finds(set, r"2 > size(s)", 30, 31);
    finds(set, r"size(s) >= 29", 30, 31);
    finds(set, r"~(29 > size(s))", 30, 31);
    finds(set, r"\A i: Key (i \in s)", 40, 1);
    finds(
        "s, t: Set[Key]",
        r"size(s) <= 1 /\ t \subseteq s",
        25,
        1 + 25 * 2,
    );
    finds(
        "s, t: Set[Key], k: Key",
        r"s = {k} /\ s \subseteq t /\ size(t) = 2",
        24,
        24 * 23,
    );
    finds("f: Array[Key, Set[Key]]", r"\A i: Key (f[i] = {i})", 12, 1);
    finds(
        "f: Array[Key, Set[Key]]",
        r"\A i, j: Key (j \in f[i] => i = j)",
        8,
        256,
    );
    finds(
        "f: Set[Set[Key]]",
        r"\A a: Set[Key] (a \in f <=> size(a) = 1)",
        6,
        1,
    );
}

#[test]
fn tuples() {
    let bounded = r"c.count < 3";
    let same = r"\A k: Key (c.marks[k] = c.marks[c.at])";
    finds("c: Cell", &format!(r"{bounded} /\ {same}"), 14, 14 * 3 * 2);
    finds("c: Cell", r"c = [c.at, 2, constant(low)]", 20, 20);
    finds(
        "c, d: Cell",
        &format!(r"{bounded} /\ {same} /\ d = c"),
        13,
        13 * 3 * 2,
    );
}

#[test]
fn many_variables_with_few_values_each() {
    let equal = r"a = b /\ b = c /\ c = d /\ d = e /\ e = f /\ f = g /\ g = h";
    finds("a, b, c, d, e, f, g, h: Key", equal, 12, 12);
    finds(
        "n, m: Nat",
        r"n < 20000 /\ m < 20000 /\ n = m /\ n > 19990",
        1,
        9,
    );
}

/// That no value satisfies a condition is that there is no start state.
#[test]
fn no_value() {
    for condition in [
        r"\A i: Key (f[i] ~= f[i])",
        r"\A i, j: Key (f[i] = f[j] => i = j) /\ \E i: Key \A j: Key (f[j] ~= i)",
    ] {
        let text = open("f: Array[Key, Key]", condition);
        let instance = instance(model(&[&text]), &[("Key", 6)]);
        let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
        match executor.starts() {
            Err(Interrupt::Fault(fault)) => assert_eq!(fault.kind, FaultKind::NoStart, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// A state that satisfies only a part of the condition is no start state.
#[test]
fn other_states() {
    let all = open("f: Array[Key, Key]", r"\A i: Key (f[f[i]] = f[i])");
    let some = open("f: Array[Key, Key]", r"\A i: Key (f[f[i]] = i)");
    let (all, some) = (model(&[&all]), model(&[&some]));
    let (all, some) = (instance(all, &[("Key", 6)]), instance(some, &[("Key", 6)]));
    let mut judge = Executor::new(&all, FIRST).expect("it can be run");
    let mut other = Executor::new(&some, FIRST).expect("it can be run");
    let states = other.starts().expect("there are some");
    // Only the identity is its own inverse and idempotent.
    let both = states
        .iter()
        .filter(|outcome| judge.is_start(&outcome.state) == Ok(true));
    assert_eq!((states.len(), both.count()), (76, 1));
}
