//! Statements and comprehensions that run through values whose codes take more than one word give the answers that
//! interpretation gives.

mod visits;

use std::collections::BTreeSet;

use visits::{FIRST, GUESSES, Visit, compare};

/// The result of a visit in which no value is general, and the given number of clauses is interpreted.
fn found(text: &str, states: usize, interpreted: usize) -> Visit {
    let (found, packed, left) = compare(text, GUESSES[0], states);
    assert_eq!(packed.instance.layout(FIRST).cells(), 0);
    assert_eq!((left, packed.outgrown), (interpreted, 0));
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    found
}

/// Loops over a set, over a set that they change, over a part of a type, and inside each other.
const LOOPS: &str = r"
type Node
type Item = tuple of x: Node, y: Node, z: Node, w: Node
automaton Loops
  signature internal put(i: Node, j: Node), clean(i: Node), turn, fill(i: Node), count, pairs, drain
  states s: Set[Item] := {}, t: Set[Item] := {}, on: Bool := false
  transitions
    internal put(i, j)
      pre size(s) < 2
      eff s := insert([i, j, i, i], s)
    internal clean(i)
      pre s ~= {} /\ t ~= {}
      eff for m: Item in s do if m.y = i then s := delete(m, s) fi od
    internal turn
      pre s ~= {} /\ size(t) < 3
      eff for m: Item in s do t := insert([m.w, m.z, m.y, m.x], t); s := delete(m, s) od
    internal fill(i)
      pre t = {} /\ s ~= {}
      eff for m: Item where m.x = i /\ ((m.y = m.z /\ m.z = m.w) \/ m \in s) do t := insert(m, t) od
    internal count
      pre size(t) > 2
      eff t := {}; on := \E m: Item (m \in s /\ m.x ~= m.y)
    internal pairs
      pre size(s) = 2
      eff for a: Item in s do
            for b: Item where b \in s /\ b ~= a do t := insert([a.x, b.y, a.z, b.w], t) od
          od
    internal drain
      pre size(t) > 1
      eff for m: Item where ~(m \notin t) do s := delete(m, s) od; t := {}
invariant Few of Loops: size(t) < 4
invariant Ends of Loops: \A m: Item (m \in t => m.x = m.w)
invariant Off of Loops: ~on
";

#[test]
fn loops_over_codes_of_several_words_are_native() {
    let found = found(LOOPS, 2_500, 0);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
}

/// Choices from a set, from what a condition leaves of one, and from a type; one of them may be left nothing.
const CHOICES: &str = r"
type Node = enumeration of n, m, o
type Item = tuple of x: Node, y: Node, z: Node, w: Node
automaton Choices
  signature internal put(i: Node, j: Node), pick, other, any(i: Node), twice, none(i: Node)
  states s: Set[Item] := {}, a: Item := [n, n, n, n], b: Item := [o, o, o, o], on: Bool := false
  transitions
    internal put(i, j)
      pre size(s) < 3 /\ i ~= j
      eff s := insert([i, j, j, i], s)
    internal pick
      pre s ~= {} /\ ~on
      eff a := choose k where k \in s; on := true
    internal other
      pre size(s) > 1 /\ on
      eff b := choose k where k \in s /\ k ~= a; on := false; s := delete(b, s)
    internal any(i)
      pre s = {} /\ ~on
      eff a := choose k where k.x = i /\ k.y ~= k.z /\ (k.w = i \/ k.w = k.z); on := true
    internal twice
      pre size(s) = 2 /\ on
      eff a := choose k where k \in s; b := choose k where k \in s /\ k.y = a.y; on := a.x = b.y
    internal none(i)
      pre on /\ a.x = i /\ size(s) = 3
      eff b := choose k where k \in s /\ k.x = i /\ k ~= b; s := {}
invariant Same of Choices: a.x = a.w
invariant Inside of Choices: b \notin s \/ a ~= b
";

#[test]
fn choices_from_codes_of_several_words_are_native() {
    let found = found(CHOICES, 3_000, 0);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1]));
    assert!(
        !found.stuck.is_empty(),
        "no choice was left without a value"
    );
}

/// Five letters take ten bits: a set of such words has 16 limbs.
const LETTERS: &str = r"
type Letter = enumeration of a, b, c, d
type Word = tuple of p: Letter, q: Letter, r: Letter, s: Letter, t: Letter
automaton Letters
  signature internal any, some
  states w: Word := [a, a, a, a, a], seen: Set[Word] := {}, step: Nat := 0
  transitions
    internal any
      pre step = 0
      eff w := choose x where x.p = x.t /\ x.q = x.r /\ (x.r = x.s \/ x.p = d); step := 1
    internal some
      pre step = 1
      eff for x: Word where x.p = x.q /\ x.r = x.s /\ x.t = w.p do seen := insert(x, seen) od; step := 2
invariant Ends of Letters: w.p = w.t
invariant All of Letters: step < 2 \/ size(seen) = 16
invariant Last of Letters: step < 2 \/ [d, d, d, d, w.p] \in seen
invariant Wrong of Letters: step < 2 \/ [a, b, a, a, w.p] \in seen
";

#[test]
fn all_values_are_run_through_and_no_others() {
    let found = found(LETTERS, 3_000, 0);
    // With another first letter than d, the second one determines the rest; with d, the fourth is free.
    let counts: Vec<usize> = found.levels.iter().map(BTreeSet::len).collect();
    assert_eq!(counts, [1, 3 * 4 + 4 * 4, 3 * 4 + 4 * 4]);
    assert_eq!(found.broken_invariants(), BTreeSet::from([3]));
}

/// Comprehensions over a set, a type and one value, and inside other terms. The last can fault, and stays general.
const COLLECTED: &str = r"
type Node
type Item = tuple of x: Node, y: Node, z: Node, w: Node
automaton Collected
  signature internal put(i: Node, j: Node), keep(i: Node), all(i: Node), one(a: Item), many, none, fault
  states s: Set[Item] := {}, t: Set[Item] := {}, last: Null[Item] := nil
  transitions
    internal put(i, j)
      pre size(s) < 3
      eff s := insert([i, j, i, j], s)
    internal keep(i)
      pre size(s) > 1
      eff s := {m: Item where m \in s /\ m.x ~= i /\ (m.y = i \/ m \notin t)}
    internal all(i)
      pre t = {} /\ s ~= {}
      eff t := {m: Item where m.x = i /\ m.y = m.z /\ (m.z = m.w \/ m \in s)} \U s
    internal one(a)
      pre a \in s /\ a.x = a.y
      eff t := {m: Item where m = a /\ m.z ~= m.x}; last := embed(a)
    internal many
      pre size({m: Item where m \in s /\ m.x = m.y}) > 1
      eff s := s - {m: Item where \E n: Node ([n, m.y, m.z, m.w] \in s /\ n ~= m.x)}
    internal none
      pre size({m: Item where m \in t /\ m \in s}) < size(t)
      eff t := {}
    internal fault
      pre size(s) = 1 /\ t ~= {}
      eff t := {m: Item where m \in s /\ last.val.x = m.x}
invariant Few of Collected: size(t) < 4
invariant Same of Collected: {m: Item where m \in t /\ m.z = m.w} \subseteq s
";

#[test]
fn comprehensions_of_several_words_are_native_unless_they_can_fault() {
    let found = found(COLLECTED, 2_500, 1);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1]));
    assert!(!found.stuck.is_empty(), "nothing has faulted");
}
