//! Multisets that lie in words give the answers that general values give.

mod visits;

use std::collections::BTreeSet;

use finite::Range;
use visits::{FIRST, GUESSES, Visit, compare};

/// What is found with some guesses, nothing being interpreted and no value general.
fn native(text: &str, states: usize, guesses: &[Range]) -> Visit {
    let mut last = None;
    for guess in guesses {
        let (found, packed, left) = compare(text, *guess, states);
        assert_eq!(packed.instance.layout(FIRST).cells(), 0, "{guess:?}");
        assert_eq!(left, 0, "{guess:?}");
        last = Some(found);
    }
    let found = last.expect("there are guesses");
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    found
}

/// Every operator, on multisets of three elements.
const BAGS: &str = r"
type Node
automaton Bags
  signature internal put(i: Node), both, common, rest, out(i: Node), all, sized
  states
    a: Mset[Node] := {},
    b: Mset[Node] := {},
    last: Null[Node] := nil,
    some: Node
  transitions
    internal put(i)
      pre size(a) < 5 /\ count(i, a) < 4
      eff a := insert(i, a)
    internal both
      pre size(a) + size(b) < 9 /\ a ~= b
      eff b := b \U a
    internal common
      pre ~(a \subseteq b)
      eff b := a \I b
    internal rest
      pre b \subseteq a /\ b ~= {}
      eff a := a - b
    internal out(i)
      pre i \in b /\ i \notin a
      eff b := delete(i, delete(i, b)); last := embed(i)
    internal all
      pre \A i: Node (i \in a => count(i, b) < count(i, a))
      eff for i: Node where i \in a do b := insert(i, b) od
    internal sized
      pre \E i: Node (i \in a /\ i \in b /\ count(i, a) = 2)
      eff some := choose x where x \in a;
          a := delete(some, a)
invariant Few of Bags: size(b) < 5
invariant Within of Bags: a \subseteq b \/ b \subseteq a
invariant Thrice of Bags: \A i: Node (count(i, b) < 3)
";

#[test]
fn multisets_in_a_word_are_native() {
    let found = native(BAGS, 3_000, &GUESSES);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
}

/// Multisets of 81 tuples, and several multisets in an array.
const NETWORKS: &str = r"
type Node
type Message = tuple of from: Node, to: Node, re: Node, via: Node
type Word = tuple of to: Node, kind: Bool
automaton Networks
  signature internal send(i: Node, j: Node), twice(m: Message), move(i: Node, j: Node), drop(m: Message), sweep(i: Node),
    join, meet
  states
    net: Mset[Message] := {},
    old: Mset[Message] := {},
    box: Array[Node, Mset[Word]] := constant({}),
    got: Null[Message] := nil
  transitions
    internal send(i, j)
      pre size(net) < 3
      eff net := insert([i, j, j, i], net)
    internal twice(m)
      pre m \in net /\ count(m, net) < 2
      eff net := insert(m, net); box[m.to] := insert([m.from, m.to = m.via], box[m.to])
    internal move(i, j)
      pre [i, true] \in box[j] /\ size(box[i]) < 3
      eff box[i] := box[i] \U box[j]; box[j] := {}
    internal drop(m)
      pre m \in net /\ m.from ~= m.to
      eff net := delete(m, net); got := embed(m)
    internal sweep(i)
      pre box[i] ~= {}
      eff for w: Word where w \in box[i] do old := insert([i, w.to, i, i], old) od;
          box[i] := box[i] - {[i, false]}
    internal join
      pre size(old) < 4 /\ ~(net \subseteq old)
      eff old := old \U net; got := nil
    internal meet
      pre \E m: Message (m \in old /\ m \in net /\ count(m, old) >= count(m, net))
      eff old := old \I net; net := net - old
invariant Short of Networks: size(net) + size(old) < 4
invariant Once of Networks: \A m: Message (m \in old => count(m, old) < 2)
invariant Boxes of Networks: \A i: Node ([i, true] \notin box[i])
";

#[test]
fn multisets_of_several_words_are_native() {
    let found = native(NETWORKS, 2_500, &GUESSES[..2]);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
}

/// Multisets of numbers, some of which no multiset holds.
const NUMBERS: &str = r"
automaton Numbers
  signature internal add(n: Nat), take, gone(n: Nat), big, less(n: Nat)
  states m: Mset[Nat] := {}, k: Nat := 0, seen: Nat := 0
  transitions
    internal add(n)
      pre n < 4 /\ size(m) < 4
      eff m := insert(n * 7, m); k := k + n
    internal take
      pre k > 2
      eff m := delete(k * 50, delete(k - 3, m)); k := k - 3
    internal gone(n)
      pre n \in m /\ count(n, m) > 1
      eff m := delete(n, m); seen := n
    internal big
      pre count(k * 1000, m) = 0 /\ k + 90 \notin m /\ 21 \in m
      eff seen := count(21, m); m := m - {21, 7}
    internal less(n)
      pre n < 9 /\ n \in {0, 7} \U m /\ n ~= seen
      eff seen := n
invariant Low of Numbers: \A n: Nat (n \in m => n < 21)
invariant Two of Numbers: count(7, m) < 2
invariant Seen of Numbers: seen < 8 \/ k < 3
";

#[test]
fn multisets_of_numbers_do_not_hold_what_has_no_code() {
    for guess in GUESSES {
        let (found, _, _) = compare(NUMBERS, guess, 1_500);
        assert_eq!(
            found.broken_invariants(),
            BTreeSet::from([0, 1, 2]),
            "{guess:?}"
        );
        assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    }
}

/// A multiset that grows without end, and one of elements that are never packed.
const BEYOND: &str = r#"
type Node
automaton Beyond
  signature internal double, add(i: Node), rename
  states m: Mset[Node] := {}, t: Mset[String] := {}
  transitions
    internal add(i)
      pre size(m) < 2
      eff m := insert(i, m)
    internal double
      pre m ~= {}
      eff m := m \U m
    internal rename
      pre size(t) < 2
      eff t := insert("x", t)
invariant Little of Beyond: size(m) < 40 \/ size(t) < 1
"#;

#[test]
fn what_has_no_bound_stays_general() {
    let (found, packed, left) = compare(BEYOND, GUESSES[0], 300);
    assert!(packed.outgrown > 0 && left > 0);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0]));
    assert!(packed.instance.layout(FIRST).cells() > 0);
}
