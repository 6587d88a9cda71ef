//! Elements of sets and multisets that have numbers in a dictionary: steps and invariants are those of general values.

mod visits;

use std::collections::BTreeSet;

use visits::{FIRST, GUESSES, compare, hold, interpreted, model, numbered, universe};

use finite::{Range, Ranges};
use interpreter::Instance;

/// A model of messages in a set, in multisets by their receivers and in a field of a tuple; the condition is about a message `m` in the
/// set, two nodes `i` and `k` and a number `n`.
fn mail(condition: &str) -> String {
    format!(
        r"
type Who = enumeration of p, q, r
type Letter = tuple of from: Who, to: Who, stamp: Nat, path: Seq[Who]
type Bill = tuple of owed: Nat, by: Who
type Message = union of letter: Letter, bill: Bill, call: Who
type Desk = tuple of seen: Set[Message], open: Bool
let first(s: Seq[Who], x: Who) = s ~= {{}} /\ head(s) = x
automaton Mail
  signature
    internal write(i: Who, k: Who), charge(i: Who, n: Nat), ring(i: Who), read(m: Message, i: Who, k: Who, n: Nat),
             answer(l: Letter, i: Who), both(x: Message, y: Message), drop(m: Message, i: Who), settle(b: Bill), pick, tidy
  states
    sent: Set[Message] := {{}},
    boxes: Array[Who, Mset[Message]] := constant({{}}),
    desk: Desk := [{{}}, true],
    last: Null[Message] := nil,
    picked: Message := call(p),
    turns: Nat := 0
  transitions
    internal write(i, k)
      pre i ~= k /\ turns < 4
      eff
        sent := insert(letter([i, k, turns, {{}} |- i |- k]), sent);
        boxes[k] := insert(letter([i, k, turns, {{}} |- i]), boxes[k]);
        turns := turns + 1
    internal charge(i, n)
      pre n = turns + 1 /\ turns < 4 /\ bill([n, i]) \notin sent
      eff sent := insert(bill([n, i]), sent); desk.open := false; turns := turns + 1
    internal ring(i)
      pre call(i) \notin sent /\ \A m: Message (m \in sent => tag(m) ~= bill)
      eff sent := insert(call(i), sent); desk.seen := desk.seen \U {{call(i)}}
    internal read(m, i, k, n)
      pre m \in sent /\ n < 4 /\ ({condition})
      eff desk.seen := insert(m, desk.seen); last := embed(m); sent := delete(m, sent)
    internal answer(l, i)
      pre letter(l) \in sent /\ l.to = i /\ len(l.path) < 3
      eff sent := insert(letter([i, l.from, l.stamp, l.path |- i]), delete(letter(l), sent))
    internal both(x, y)
      pre x \in sent /\ y \in desk.seen /\ x ~= y /\ tag(x) = tag(y)
      eff sent := (sent - {{x}}) \U desk.seen; desk.seen := {{}}
    internal drop(m, i)
      pre m \in boxes[i] /\ count(m, boxes[i]) < 3
      eff boxes[i] := delete(m, boxes[i]); boxes[p] := boxes[p] \U boxes[i]
    internal settle(b)
      pre bill(b) \in sent /\ \E x: Message (x \in sent /\ (tag(x) = letter => x.letter.from = b.by))
      eff for m: Message where m \in sent /\ tag(m) = call do desk.seen := insert(m, desk.seen) od; sent := delete(bill(b), sent)
    internal pick
      pre size(sent) > 1
      eff picked := choose m where m \in sent /\ tag(m) ~= call
    internal tidy
      pre size(desk.seen) > 1 /\ desk.seen \subseteq sent
      eff sent := {{m: Message where m \in sent /\ m \notin desk.seen}}
invariant Few of Mail: size(sent) < 3
invariant Own of Mail: \A m: Message (m \in sent => tag(m) = letter => m.letter.from ~= m.letter.to)
invariant Paths of Mail: \A l: Letter \A i: Who (letter(l) \in sent /\ first(l.path, i) => l.from = i \/ l.to = i)
invariant Seen of Mail: last ~= nil => last.val \notin sent
invariant Two of Mail: \A x: Message \A y: Message (x \in sent /\ y \in sent /\ tag(x) = bill /\ tag(y) = bill => x.bill.by = y.bill.by)
invariant Boxed of Mail: \A i: Who (size(boxes[i]) < 2 \/ boxes[i] ~= boxes[p])
"
    )
}

const CONDITIONS: [&str; 6] = [
    "tag(m) = letter /\\ m.letter.to = i /\\ k = i /\\ n = m.letter.stamp",
    "tag(m) = bill /\\ m.bill.by = i /\\ (m.bill.owed > n => k = i)",
    "i = k /\\ n = 1 /\\ m.call = i",
    "n = 0 /\\ k = i /\\ (tag(m) = letter => last(m.letter.path) = i)",
    "k = p /\\ i = q /\\ \\E x: Message (x \\in sent /\\ x ~= m /\\ tag(x) = tag(m)) /\\ n = 2",
    "k = i /\\ embed(m) ~= last /\\ m \\notin boxes[i] /\\ n = size(sent)",
];

#[test]
fn steps_from_states_with_numbered_elements_are_those_from_general_values() {
    let mut fired: Vec<u64> = Vec::new();
    let (mut broken, mut stuck) = (BTreeSet::new(), 0);
    // A message with a path of up to 63 nodes does not fit a word.
    let guesses = GUESSES.iter().filter(|guess| guess.high < 63);
    for (condition, guess) in CONDITIONS.iter().zip(guesses.cycle()) {
        let text = mail(condition);
        let model = model(&text);
        let expected = interpreted(&Instance::new(model.clone(), universe(&model)), 2_500);
        let packed = numbered(&model, *guess, 2_500);
        let ranges = packed
            .instance
            .universe()
            .ranges()
            .expect("integers are words");
        let known: Vec<usize> = ranges.dictionaries().map(|(_, own)| own.len()).collect();
        assert!(known.iter().sum::<usize>() > 10, "{known:?}");
        hold(&packed, 2_500, &expected, condition);
        broken.extend(expected.broken_invariants());
        stuck += expected.stuck.len();
        fired.resize(expected.fired.len(), 0);
        let sums = fired.iter_mut().zip(&expected.fired);
        sums.for_each(|(sum, n)| *sum += n);
    }
    assert!(fired.iter().all(|fired| *fired > 20), "{fired:?}");
    assert!(broken.len() > 3 && stuck > 100, "{broken:?} {stuck}");
}

/// More elements are met than have room at first.
#[test]
fn a_dictionary_that_is_full_is_widened() {
    let text = r"
type Pair = tuple of x: Nat, y: Nat
automaton Many
  signature internal put(x: Nat, y: Nat), take(p: Pair)
  states all: Set[Pair] := {[7, 7]}, most: Nat := 20
  transitions
    internal put(x, y)
      pre x < most /\ y < 10 /\ size(all) < 2
      eff all := insert([x, y], all)
    internal take(p)
      pre p \in all /\ p.x > p.y
      eff all := delete(p, all)
invariant Unequal of Many: \A p: Pair (p \in all => p.x ~= p.y + 3)
";
    let model = model(text);
    let guess = Range { low: 0, high: 63 };
    // A set of pairs of numbers below 64 takes more words than one may have.
    let (expected, plain, _) = compare(text, guess, 4_000);
    assert!(!plain.instance.layout(FIRST).is_packed());
    let packed = numbered(&model, guess, 4_000);
    assert!(packed.instance.layout(FIRST).is_packed());
    let known = |ranges: Option<&Ranges>| {
        let mut all = ranges.into_iter().flat_map(Ranges::dictionaries);
        all.next().map(|(_, own)| (own.len(), own.room()))
    };
    let (met, room) = known(packed.instance.universe().ranges()).expect("a dictionary");
    assert!(met == 200 && room > 200, "{met} of {room}");
    assert!(packed.outgrown >= 2);
    assert_eq!(hold(&packed, 4_000, &expected, "many"), 0);
    assert_eq!(expected.broken_invariants().len(), 1);
}

/// Numbers that are far apart are elements like others; what is taken out of a set keeps its number.
#[test]
fn numbers_far_apart_have_numbers_themselves() {
    let text = r"
automaton Desk
  signature internal put(n: Nat), take(n: Nat), sell(n: Nat), clear(n: Nat), move
  states stored: Set[Nat] := {9}, sold: Mset[Nat] := {700}, kept: Array[Bool, Set[Nat]] := constant({}), place: Nat := 0
  transitions
    internal put(n)
      pre n = place * 90 /\ n \notin stored
      eff stored := insert(n, stored); place := mod(place + 1, 12)
    internal take(n)
      pre n \in stored /\ n + 90 \in stored
      eff stored := delete(n, stored); sold := insert(n + 7, sold)
    internal sell(n)
      pre n \in sold /\ count(n, sold) < 3 /\ size(sold) < 3
      eff sold := if n > 800 then delete(n, sold) else insert(n, sold)
    internal clear(n)
      pre n < 3 /\ size(stored) > n
      eff stored := {m: Nat where m \in stored /\ mod(m, 4) ~= n /\ m ~= 90 * n}; kept[n = 1] := stored \U kept[false]
    internal move
      pre ~(stored \subseteq kept[true]) /\ 100000 \notin stored
      eff kept[true] := kept[true] \U {m: Nat where m \in stored /\ m \notin kept[true]}
invariant Few of Desk: size(stored) < 4
invariant Low of Desk: \A n: Nat (n \in sold => n < 300 \/ n = 700)
";
    let model = model(text);
    let expected = interpreted(&Instance::new(model.clone(), universe(&model)), 6_000);
    for guess in [GUESSES[0], GUESSES[3]] {
        let packed = numbered(&model, guess, 6_000);
        assert!(packed.instance.layout(FIRST).is_packed());
        assert_eq!(hold(&packed, 6_000, &expected, "desk"), 0);
    }
    assert!(
        expected.fired.iter().all(|n| *n > 100),
        "{:?}",
        expected.fired
    );
    assert_eq!(expected.broken_invariants().len(), 2);
}
