//! Values that conditions give indirectly, as parts of other values: machine code finds those that interpretation finds, in the same order.

mod visits;

use finite::{Range, Ranges};
use interpreter::{Instance, Rows};
use native::Native;
use visits::{FIRST, GUESSES, compare, hold, interpreted, model, numbered, universe, visit};

/// All numbers that occur.
const NUMBERS: Range = Range { low: 0, high: 3 };

/// Votes and notes in a set of messages; the condition is about a vote `w`, a number `n` and a node `i`.
fn votes(condition: &str) -> String {
    format!(
        r"
type Node = enumeration of p, q, r
type Vote = tuple of ballot: Nat, by: Node
type Note = tuple of to: Node, vote: Vote, last: Null[Vote]
type Message = union of note: Note, call: Vote, number: Nat
automaton Votes
  signature internal call(i: Node, n: Nat), note(v: Vote, i: Node), count(n: Nat), take(w: Vote, n: Nat, i: Node), all
  states
    sent: Set[Message] := {{}},
    kept: Map[Node, Vote] := empty,
    taken: Set[Vote] := {{}},
    turns: Nat := 0
  transitions
    internal call(i, n)
      pre n < 2 /\ turns < 3 /\ call([n, i]) \notin sent
      eff sent := insert(call([n, i]), sent); turns := turns + 1
    internal note(v, i)
      pre call(v) \in sent /\ i ~= v.by /\ turns < 3
      eff
        sent := insert(note([i, v, if defined(kept, i) then embed(kept[i]) else nil]), sent);
        kept := update(kept, i, v);
        turns := turns + 1
    internal count(n)
      pre n = size(sent) /\ n > 1 /\ n < 4 /\ number(n) \notin sent
      eff sent := insert(number(n), sent)
    internal take(w, n, i)
      pre {condition}
      eff taken := insert(w, taken); sent := {{m: Message where m \in sent /\ m ~= call(w) /\ m ~= number(n)}}
    internal all
      pre size(taken) > 1
      eff for w: Vote where \E i: Node (note([i, w, nil]) \in sent) do taken := delete(w, taken) od
invariant None of Votes: taken = {{}}
"
    )
}

/// Where `w` and `n` are found: in payloads, within several fields, in an array's elements, and in either of two sets.
const CONDITIONS: [&str; 6] = [
    r"(\E k: Node (note([k, w, nil]) \in sent)) /\ n = w.ballot /\ i = w.by",
    r"(\E k: Node (note([k, [n, w.by], embed(w)]) \in sent)) /\ n < 3 /\ i = w.by",
    r"n < 3 /\ (\E k: Node (note([k, w, embed([n, i])]) \in sent))",
    r"(\E k: Node (defined(kept, k) /\ kept[k] = w)) /\ number(n) \in sent /\ i = p",
    r"(call(w) \in sent \/ (\E k: Node (note([k, w, nil]) \in sent))) /\ n = 0 /\ i ~= w.by",
    r"n < 3 /\ (\E k: Node (note([k, [n, i], embed(w)]) \in sent /\ k ~= w.by)) /\ w \notin taken",
];

#[test]
fn values_found_as_parts_of_others_are_those_that_interpretation_finds() {
    for condition in CONDITIONS {
        let text = votes(condition);
        let (expected, packed, left) = compare(&text, NUMBERS, 3_000);
        assert!(packed.instance.layout(FIRST).is_packed());
        assert_eq!((left, packed.outgrown), (0, 0), "{condition}");
        assert!(expected.fired[3] > 20, "{condition}: {:?}", expected.fired);
        assert_eq!(expected.broken_invariants().len(), 1, "{condition}");
        // With the usual guess, messages have too many codes: the set is a general value.
        let (_, packed, left) = compare(&text, GUESSES[0], 1_000);
        assert!(!packed.instance.layout(FIRST).is_packed() && left > 0);
    }
}

/// Values with many codes are found in a list, in their order, each once; where that has no room for all, the state is interpreted.
#[test]
fn values_with_many_codes_are_found_in_their_order() {
    let text = r"
type Node = enumeration of p, q, r
type Log = tuple of head: Nat, all: Seq[Nat]
type Copy = tuple of to: Node, log: Log
automaton Logs
  signature internal start(n: Nat), send(i: Node, l: Log, n: Nat), agree(l: Log), flood
  states sent: Set[Copy] := {}, kept: Set[Log] := {}, turns: Nat := 0
  transitions
    internal start(n)
      pre turns = 0 /\ n \in {2, 5, 11}
      eff sent := insert([p, [11 - n, {} |- n]], sent); turns := 1
    internal send(i, l, n)
      pre (\E k: Node ([k, l] \in sent /\ k ~= i)) /\ n < 3 /\ turns < 3
      eff sent := insert([i, [mod(l.head + 5 * n, 12), l.all |- n]], sent); turns := turns + 1
    internal agree(l)
      pre (\E k: Node ([k, l] \in sent)) /\ l \notin kept
      eff kept := insert(l, kept)
    internal flood
      pre turns = 3 /\ size(sent) < 5
      eff for n: Nat where n < 12 do
            for m: Nat where m < 12 do
              for i: Nat where i < 3 do sent := insert([q, [n, {} |- m |- i]], sent) od
            od
          od
invariant Short of Logs: \A l: Log (l \in kept => len(l.all) < 3)
";
    let model = model(text);
    let expected = interpreted(&Instance::new(model.clone(), universe(&model)), 4_000);
    let packed = numbered(&model, NUMBERS, 4_000);
    assert_eq!(hold(&packed, 4_000, &expected, "logs"), 0);
    let rows = Rows::new(&packed.instance, FIRST);
    let steps = Native::new(&packed.instance, FIRST, &[0], rows.clone());
    let mut steps = steps.expect("it can be run");
    visit(&packed.instance, &rows, &mut steps, 4_000);
    let report = steps.report();
    assert!(
        report.native > 500 && report.interpreted > 100,
        "{report:?}"
    );
    assert!(
        expected.fired.iter().all(|n| *n > 0),
        "{:?}",
        expected.fired
    );
    assert_eq!(expected.broken_invariants().len(), 1);
}

/// The elements of the set have numbers in a dictionary, in another order than their codes.
#[test]
fn values_found_as_parts_of_numbered_elements_are_those_that_interpretation_finds() {
    for condition in CONDITIONS {
        let text = votes(condition);
        let model = model(&text);
        let expected = interpreted(&Instance::new(model.clone(), universe(&model)), 3_000);
        let packed = numbered(&model, NUMBERS, 3_000);
        let ranges = packed.instance.universe().ranges();
        let known = ranges.into_iter().flat_map(Ranges::dictionaries);
        assert!(known.map(|(_, own)| own.len()).sum::<usize>() > 10);
        assert_eq!(hold(&packed, 3_000, &expected, condition), 0);
    }
}
