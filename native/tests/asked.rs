//! Machine code that asks the interpreter for single terms has the same steps as the interpreter alone.

mod visits;

use std::collections::BTreeSet;
use std::sync::Arc;

use interpreter::{Batch, Executor, Instance, Rows, Successors, Why};
use native::{Coverage, Native};
use visits::{FIRST, GUESSES, Visit, compare, interpreted, invariants, model, universe, visit};

/// What code finds that may remember so many bytes of answers.
fn native(instance: &Instance, states: usize, bytes: u64) -> (Visit, Coverage) {
    let (rows, asked) = (Rows::new(instance, FIRST), invariants(instance.model()));
    let mut steps = Native::new(instance, FIRST, &asked, rows.clone()).expect("it can be run");
    steps.may_remember(bytes);
    let found = visit(instance, &rows, &mut steps, states);
    (found, steps.report())
}

/// Numbers, fractions, and collections of them, whose values all have names.
const MAIL: &str = r#"
type Node
type Message = tuple of kind: Nat, body: Seq[Nat]
automaton Mail
  signature
    internal send(p: Node, k: Nat), take(m: Message, p: Node), grow(p: Node), mix, pick, both(m: Message, n: Message),
      jump(k: Nat), reset, name(p: Node), undefined
  states
    net: Set[Message] := {},
    log: Seq[Nat] := {},
    best: Map[Nat, Node] := empty,
    turn: Node,
    acc: Real := 0.0,
    copy: Real := 0.0,
    seen: Array[Node, Nat] := constant(0),
    names: Map[Node, String] := empty
  transitions
    internal send(p, k)
      pre p = turn /\ k < 3 /\ size(net) < 3
      eff net := insert([k * 1000, log |- 7], net);
          turn := choose q where q ~= p
    internal take(m, p)
      pre m \in net /\ m.kind > seen[p]
      eff net := delete(m, net);
          seen[p] := m.kind;
          acc := copy
    internal grow(p)
      pre len(log) < 2 /\ \A q: Node (seen[q] <= 2000)
      eff log := log |- seen[p];
          if seen[p] > 1000 then best[seen[p]] := p fi
    internal mix
      pre \E m: Message (m \in net /\ len(m.body) = 2) /\ acc = copy
      eff copy := if acc < 1.0 then acc + 0.5 else acc
    internal pick
      pre size(net) = 2
      eff for m: Message in net do
            if m.kind = 0 then net := delete(m, net) fi
          od
    internal both(m, n)
      pre m \in net /\ n \in net /\ m.kind < n.kind /\ len(m.body) > 1
      eff net := {n};
          log := choose s where s = m.body \/ s = n.body
    internal jump(k)
      pre k \in log /\ defined(best, k)
      eff turn := best[k]
    internal reset
      pre ~(net = {}) /\ len(log) = 2
      eff log := {}
    internal name(p)
      pre ~defined(names, p)
      eff names[p] := if p = turn then "first" else "other"
    internal undefined
      pre copy > 0.0 /\ len(log) ~= 1
      eff log := tail(log)
invariant Small of Mail: size(net) < 3 /\ (\A m: Message (m \in net => m.kind <= 2000))
invariant Low of Mail: copy <= 0.0
invariant Head of Mail: net ~= {} => head(log) < 2000
"#;

#[test]
fn terms_with_general_values_alone_are_interpreted() {
    let model = model(MAIL);
    let instance = Instance::new(Arc::clone(&model), universe(&model));
    let expected = interpreted(&instance, 12_000);
    assert!(
        expected.fired.iter().all(|fired| *fired > 0),
        "{:?}",
        expected.fired
    );
    assert_eq!(expected.broken_invariants(), BTreeSet::from([0, 1, 2]));
    assert!(!expected.stuck.is_empty());
    // Whether answers are remembered makes no difference.
    for bytes in [0, 1 << 14, u64::MAX] {
        let (found, report) = native(&instance, 12_000, bytes);
        assert!(found == expected, "with {bytes} bytes");
        assert_eq!((report.clauses, report.invariants), (vec![], vec![]));
        assert!(report.clauses_in_part.len() > 8 && report.invariants_in_part.len() == 3);
        assert!(
            report.native > 4 * report.interpreted,
            "{}",
            report.interpreted
        );
    }
}

#[test]
fn numbers_may_be_packed_where_other_values_are_not() {
    for guess in GUESSES {
        let (_, packed, in_part) = compare(MAIL, guess, 800);
        assert!(packed.instance.layout(FIRST).cells() > 0 && packed.outgrown > 0);
        assert!(in_part > 0);
    }
}

/// Lists of many values: code goes through some, and leaves others to the interpreter.
const CROWD: &str = r"
automaton Crowd
  signature internal grow, take(n: Int), pairs(m: Int, n: Int)
  states s: Set[Int] := {}, count: Int := 0, last: Int := 0
  transitions
    internal grow
      pre count < 1500
      eff count := count + 500;
          s := {n: Int where 0 <= n /\ n < count}
    internal take(n)
      pre n \in s /\ mod(n, 400) = 3
      eff last := n
    internal pairs(m, n)
      pre m \in s /\ n \in s /\ m < 2 /\ n < 2
      eff last := m + n
";

#[test]
fn long_lists_are_left_to_the_interpreter() {
    let model = model(CROWD);
    let instance = Instance::new(Arc::clone(&model), universe(&model));
    let expected = interpreted(&instance, 1_500);
    let (found, report) = native(&instance, 1_500, u64::MAX);
    assert!(found == expected);
    assert_eq!(report.clauses, []);
    assert!(report.native > 0 && report.interpreted > 0);
}

/// Each of these pairs is a step, or two.
const PAIRS: &str = r"
automaton Pairs
  signature internal pair(m: Int, n: Int)
  states s: Set[Int] := {n: Int where 0 <= n /\ n < 1020}, last: Int := 0
  transitions
    internal pair(m, n)
      pre m \in s /\ n \in s
      eff last := m
";

/// The interpreter, which lists no more steps than there is room for, is asked where code has found more than it ever lists.
#[test]
fn more_steps_than_the_interpreter_lists_are_left_to_it() {
    let two_each = PAIRS.replace(
        "last := m",
        "last := choose k where k = m \\/ k = m + n + 1",
    );
    for (text, is_left) in [(PAIRS, false), (&two_each, true)] {
        let model = model(text);
        let instance = Instance::new(Arc::clone(&model), universe(&model));
        let rows = Rows::new(&instance, FIRST);
        let mut executor = Executor::new(&instance, FIRST).expect("it can be run");
        let mut row = Vec::new();
        for outcome in executor.starts().into_iter().flatten() {
            rows.push(&outcome.state, &mut row);
        }
        let mut steps = Native::new(&instance, FIRST, &[], rows).expect("it can be run");
        let mut batch = Batch {
            room: Some(1_000),
            ..Batch::default()
        };
        let found = steps.expand(&row, &mut batch).map_err(|left| left.why);
        let expected = if is_left { Err(Why::Memory) } else { Ok(()) };
        assert_eq!(found, expected);
        assert_eq!(steps.report().interpreted, u64::from(is_left));
        assert!(is_left || batch.fired[0] == 1020 * 1020);
    }
}
