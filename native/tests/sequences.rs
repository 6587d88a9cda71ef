//! Sequences, and values of more than one word, give the answers that general values give.

mod visits;

use std::collections::BTreeSet;

use finite::Range;
use interpreter::Rows;
use native::Native;
use visits::{FIRST, GUESSES, Visit, compare, visit};

/// No more levels are visited once there are this many states.
const STATES: usize = 1_500;

/// What is found with some guesses, nothing being interpreted and no value general.
fn native(text: &str, states: usize, guesses: &[Range]) -> Visit {
    let mut last = None;
    for guess in guesses {
        let (found, packed, left) = compare(text, *guess, states);
        assert_eq!(packed.instance.layout(FIRST).cells(), 0, "{guess:?}");
        assert_eq!(left, 0, "{guess:?}");
        assert!(!found.fired.is_empty(), "{guess:?}");
        last = Some(found);
    }
    last.expect("there are guesses")
}

const QUEUE: &str = r"
type Node
type Kind = enumeration of ask, answer, stop
type Message = tuple of kind: Kind, from: Node, stamp: Nat
automaton Queue
  signature internal put(i: Node), back(i: Node), take(m: Message), drop, turn, join, double
  states
    s: Seq[Message] := {},
    t: Seq[Kind] := {},
    last: Null[Message] := nil
  transitions
    internal put(i)
      pre len(s) < 3
      eff s := s |- [ask, i, len(s)]
    internal back(i)
      pre len(s) < 3 /\ len(s) > 0 /\ i ~= last(s).from
      eff s := [answer, i, 4 - len(s)] -| s
    internal take(m)
      pre s ~= {} /\ m = head(s)
      eff s := tail(s); t := t |- m.kind; last := embed(m)
    internal drop
      pre len(s) > 1 /\ s[1].kind = answer
      eff s := init(s)
    internal turn
      pre len(t) > 1 /\ answer \in t
      eff t := tail(t) |- head(t)
    internal join
      pre len(t) = 2
      eff t := (stop -| tail(tail(t))) || {}
    internal double
      pre len(t) = 1 /\ len(s) = 2
      eff t := t || t
invariant Few of Queue: len(s) + len(t) < 4
invariant Stop of Queue: stop \notin t
invariant Same of Queue: len(s) > 1 => head(s) ~= last(s)
";

#[test]
fn sequences_in_a_word_are_native() {
    let found = native(QUEUE, 9_000, &GUESSES);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
}

const CHANNELS: &str = r"
type Node
type Kind = enumeration of ask, answer, stop
type Message = tuple of kind: Kind, stamp: Nat
automaton Channels
  signature internal send(i: Node, j: Node), forward(i: Node, j: Node, k: Node), take(i: Node, j: Node), merge(i: Node, j: Node)
  states
    c: Array[Node, Array[Node, Seq[Message]]] := constant(constant({})),
    clock: Array[Node, Nat] := constant(0)
  transitions
    internal send(i, j)
      pre i ~= j /\ len(c[i][j]) < 6 /\ clock[i] < 9
      eff clock[i] := clock[i] + 1; c[i][j] := c[i][j] |- [ask, clock[i]]
    internal forward(i, j, k)
      pre len(c[i][j]) > 1 /\ k ~= i /\ len(c[k][k]) < 5
      eff c[k][k] := [answer, 40] -| c[k][k] |- head(c[i][j]); c[i][j] := tail(c[i][j])
    internal take(i, j)
      pre c[i][j] ~= {}
      eff clock[j] := max(clock[j], last(c[i][j]).stamp); c[i][j] := init(c[i][j])
    internal merge(i, j)
      pre i ~= j /\ len(c[i][i]) + len(c[j][j]) < 7 /\ len(c[j][j]) > 2
      eff c[i][i] := c[i][i] || c[j][j]; c[j][j] := {}
invariant Short of Channels: \A i: Node (\A j: Node (len(c[i][j]) < 4))
invariant None of Channels: \A i: Node ([answer, 40] \notin c[i][i])
invariant Different of Channels: \A i: Node (\A j: Node (i = j \/ c[i][j] = {} \/ c[i][j] ~= c[j][i]))
";

#[test]
fn sequences_in_arrays_of_several_words_are_native() {
    // Nine sequences of 63 messages each would have too many words.
    let found = native(CHANNELS, 4_000, &[GUESSES[0], GUESSES[1], GUESSES[3]]);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
    let narrow = Range { low: 0, high: 1 };
    let (deep, packed, left) = compare(CHANNELS, narrow, 9_000);
    assert!(packed.outgrown > 2 && left == 0, "{}", packed.outgrown);
    assert!(deep.levels.len() >= found.levels.len());
}

const LONG: &str = r"
type Node
type Field = tuple of x: Node, y: Node, z: Node, w: Node
type Name = enumeration of a, b, c
type Place = tuple of on: Set[Field], at: Null[Field], seen: Map[Field, Node]
automaton Long
  signature internal put(i: Node, j: Node), clear(f: Field), cut(i: Node), move(i: Node), wipe
  states
    on: Set[Field] := {},
    place: Place := [{}, nil, empty],
    names: Array[Field, Name] := constant(a)
  transitions
    internal put(i, j)
      pre [i, j, j, i] \notin on
      eff on := insert([i, j, j, i], on); place.on := on; place.seen := update(place.seen, [i, i, j, j], j)
    internal clear(f)
      pre f \in on /\ names[f] ~= c
      eff on := delete(f, on); names[f] := if names[f] = a then b else c; place.at := embed(f)
    internal cut(i)
      pre defined(place.seen, [i, i, i, i]) /\ place.seen[[i, i, i, i]] = i
      eff place.seen := remove(place.seen, [i, i, i, i]); on := on - place.on
    internal move(i)
      pre size(on) > 1 /\ on \subseteq place.on
      eff names := constant(b); names[[i, i, i, i]] := a; on := (on \I place.on) \U {[i, i, i, i]}
    internal wipe
      pre size(place.on) = 3
      eff on := {}
invariant Small of Long: size(on) < 3
invariant Equal of Long: on = place.on
invariant Seen of Long: \A f: Field (defined(place.seen, f) => names[f] = a \/ f \in on)
";

#[test]
fn sets_maps_arrays_and_tuples_of_several_words_are_native() {
    let found = native(LONG, 2_500, &GUESSES[..2]);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
}

/// Eleven elements of eight bits, in two words.
const LINE: &str = r"
type Node
type Item = tuple of x: Node, y: Node, z: Node, w: Node
automaton Line
  signature internal push(i: Node, j: Node), pull, turn, swap, split, blank, fall
  states s: Seq[Item] := {}, t: Seq[Item] := {}, k: Nat := 0
  transitions
    internal push(i, j)
      pre len(s) < 8 /\ (s = {} \/ head(s).x = i)
      eff s := if i = j then [i, j, i, i] -| s |- [j, j, j, i] else [j, i, i, j] -| [i, i, j, i] -| (s |- [i, i, i, i])
    internal pull
      pre len(s) > 7
      eff t := tail(s); s := init(init(s))
    internal turn
      pre len(s) > 8 /\ s[8] ~= s[0] /\ k < 4
      eff s := s[8] -| init(s); k := k + 1
    internal swap
      pre len(t) > 6 /\ last(t) \in s
      eff s := t; t := if k < 2 then tail(tail(s)) else s |- head(s)
    internal split
      pre len(t) > 6 /\ len(s) < 9
      eff s := s || t; t := {} || {}
    internal blank
      pre len(s) > 9 /\ s[9] = s[2]
      eff s := {}; k := 0
    internal fall
      pre k = 1
      eff t := tail(init(t)); s := {}
invariant Ends of Line: len(s) < 3 \/ head(s) ~= last(s)
invariant Tenth of Line: len(s) < 10 \/ s[9].w ~= s[9].x
invariant Other of Line: len(t) < 8
";

#[test]
fn sequences_of_several_words_are_native() {
    let found = native(LINE, 4_000, &GUESSES[..2]);
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
    assert!(!found.stuck.is_empty());
}

const WRONG: &str = r"
type Node
automaton Wrong
  signature internal put(n: Nat), take, look(n: Nat), cut, both
  states s: Seq[Nat] := {}, t: Array[Node, Seq[Nat]] := constant({}), k: Nat := 0
  transitions
    internal put(n)
      pre n < 3 /\ len(s) < 4
      eff s := s |- n * 9; k := k + n
    internal take
      pre k > 2
      eff k := head(s); s := tail(s)
    internal look(n)
      pre n < len(s) /\ len(s) > 1 /\ s[n] = 9
      eff s := init(tail(s))
    internal cut
      pre \E n: Nat (n \in s /\ n > 10)
      eff k := last(s); s := init(s)
    internal both
      choose i: Node where t[i] = {}
      pre len(s) = 2
      eff t[i] := s || t[i]
invariant Low of Wrong: last(s) < 10
invariant Never of Wrong: \A i: Node (18 \notin t[i])
invariant Second of Wrong: k > 30 \/ s[1] ~= 9
";

#[test]
fn what_a_sequence_does_not_have_stays_undefined() {
    for guess in GUESSES {
        let (found, _, left) = compare(WRONG, guess, STATES);
        assert!(!found.stuck.is_empty());
        assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1, 2]));
        // Sequences of 63 elements are joined by interpretation.
        assert_eq!(left, usize::from(guess.high == 63));
    }
}

/// The members of a set of several words: as parameters, in quantifiers, to choose from, and with faults after them.
const MEMBERS: &str = r"
type Node
type Item = tuple of x: Node, y: Node, z: Node, w: Node
automaton Members
  signature internal grow(i: Node, j: Node), shrink(a: Item), pair(a: Item, b: Item), mark, wrong(a: Item)
  states s: Set[Item] := {}, t: Set[Item] := {}, last: Null[Item] := nil
  transitions
    internal grow(i, j)
      pre size(s) < 3
      eff s := insert([i, j, i, j], insert([j, j, i, i], s))
    internal shrink(a)
      pre a \in s - t /\ a.x ~= a.y
      eff s := delete(a, s); t := insert(a, t)
    internal pair(a, b)
      pre a \in s /\ b \in t /\ a.x = b.y /\ last = nil
      eff last := embed(b)
    internal mark
      pre \E a: Item (a \in s /\ a \in t /\ a.z = a.x)
      eff t := {}; last := nil
    internal wrong(a)
      pre a \in t /\ size(t) > 1 /\ last.val = a
      eff t := delete(a, t)
invariant All of Members: \A a: Item (a \in s => a.x = a.z)
invariant Some of Members: t = {} \/ \E a: Item (a \in t /\ a.x = a.w)
";

#[test]
fn the_members_of_sets_of_several_words_are_run_through() {
    let (found, packed, left) = compare(MEMBERS, GUESSES[0], 3_000);
    assert_eq!((packed.instance.layout(FIRST).cells(), left), (0, 0));
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1]));
    assert!(!found.stuck.is_empty());
}

/// A set of a union's values, of which one variant lies in a part of a word and another one in several words: the payloads in
/// quantifiers, as parameters, in descriptions of sets, and behind other conditions.
const PAYLOADS: &str = r"
type Node
type Ask = tuple of from: Node, to: Node
type Reply = tuple of from: Node, to: Node, about: Node, good: Bool
type Message = union of done: Node, ask: Ask, reply: Reply, none: Bool
type Mark = union of at: Node, all: Bool
automaton Payloads
  signature internal ask(i: Node, j: Node), answer(a: Ask, k: Node), drop(r: Reply), finish(i: Node), again
  states sent: Set[Message] := {}, marks: Set[Mark] := {}, got: Set[Node] := {}
  transitions
    internal ask(i, j)
      pre i ~= j /\ (\A a: Ask (ask(a) \in sent => a.from ~= i \/ a.to = j))
      eff sent := insert(ask([i, j]), insert(done(i), sent))
    internal answer(a, k)
      pre ask(a) \in sent /\ k ~= a.from
          /\ size({n: Node where \E r: Reply (reply(r) \in sent /\ r.to = n /\ r.about = k)}) < 2
      eff sent := insert(reply([a.to, a.from, k, k = a.to]), sent)
    internal drop(r)
      pre r.good /\ reply(r) \in sent /\ size({a: Ask where ask(a) \in sent /\ a.from = r.to}) = 1
      eff sent := delete(reply(r), sent); got := insert(r.about, got);
          marks := insert(all(r.about = r.from), insert(at(r.about), marks))
    internal finish(i)
      pre (\E r: Reply (reply(r) \in sent /\ r.to = i)) /\ done(i) \in sent
          /\ (\A n: Node (at(n) \in marks => n ~= i)) /\ ~(\E b: Bool (all(b) \in marks /\ b))
      eff sent := insert(none(true), delete(done(i), sent))
    internal again
      pre (\E b: Bool (none(b) \in sent /\ b)) /\ (\A n: Node (done(n) \in sent => n \in got))
      eff sent := {}
invariant Answered of Payloads: \A r: Reply (reply(r) \in sent => ask([r.to, r.from]) \in sent)
invariant Quiet of Payloads: \A n: Node (done(n) \in sent => n \notin got)
";

/// A clause with three members of a set as parameters, where the set has room for hundreds, and those that satisfy a condition
/// `at_first`.
fn chains(at_first: &str) -> String {
    format!(
        r"
type Line = enumeration of a, b, c, d, e, f, g, h, i, j, k, l, m, n
type Pair = tuple of from: Line, to: Line
type Chain = tuple of first, second, third, fourth: Line
type Item = union of start: Line, pair: Pair
automaton Chains
  signature internal join(x: Item, y: Item, z: Item), drop(x: Item)
  states items: Set[Item] := {{x: Item where {at_first}}}, last: Line := a
  transitions
    internal join(x, y, z)
      pre x \in items /\ y \in items /\ z \in items /\ tag(x) = pair /\ tag(y) = pair /\ tag(z) = pair
          /\ [x.pair.to, y.pair.to, z.pair.to, x.pair.from]:Chain = [y.pair.from, z.pair.from, last, last]:Chain
      eff items := delete(x, items);
          items := insert(start(y.pair.from), items);
          last := z.pair.from
    internal drop(x)
      pre x \in items /\ tag(x) = start
      eff items := delete(x, items)
invariant Here of Chains: \A x: Line (start(x) \in items => x = c)
"
    )
}

#[test]
fn members_are_run_through_as_long_as_they_are_few() {
    let few = r"tag(x) = pair /\ (x.pair.from = a \/ x.pair.to = a)";
    for (at_first, states, are_few) in [(few, 40, true), ("tag(x) = pair", 1, false)] {
        let (found, packed, left) = compare(&chains(at_first), GUESSES[0], states);
        assert_eq!((packed.instance.layout(FIRST).cells(), left), (0, 0));
        assert!(found.fired[0] > 0, "{:?}", found.fired);
        let rows = Rows::new(&packed.instance, FIRST);
        let steps = Native::new(&packed.instance, FIRST, &[0], rows.clone());
        let mut steps = steps.expect("it can be run");
        visit(&packed.instance, &rows, &mut steps, states);
        let interpreted = steps.report().interpreted;
        assert_eq!(interpreted == 0, are_few, "{interpreted} states");
    }
}

/// Payloads that are numbers, of which the least is 5.
const NUMBERS: &str = r"
type Item = union of number: Nat, none: Bool
automaton Numbers
  signature internal add(n: Nat), take(n: Nat), mark
  states items: Set[Item] := {}, taken: Set[Nat] := {}
  transitions
    internal add(n)
      pre n \in {5, 7}
      eff items := insert(number(n), items)
    internal take(n)
      pre number(n) \in items
      eff items := delete(number(n), items); taken := insert(n, taken)
    internal mark
      pre (\E n: Nat (number(n) \in items /\ n > 6)) /\ (\A n: Nat (number(n) \in items => n >= 5))
      eff items := insert(none(true), items)
invariant Large of Numbers: \A n: Nat (n \in taken => n > 5)
";

#[test]
fn payloads_that_are_numbers_are_not_their_codes() {
    for guess in [Range { low: 5, high: 7 }, GUESSES[0]] {
        let (found, _, left) = compare(NUMBERS, guess, 500);
        assert_eq!(left, 0);
        assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
        assert_eq!(found.broken_invariants(), BTreeSet::from([0]));
    }
}

#[test]
fn the_payloads_of_one_variant_in_a_set_are_run_through() {
    let (found, packed, left) = compare(PAYLOADS, GUESSES[0], 3_000);
    assert_eq!((packed.instance.layout(FIRST).cells(), left), (0, 0));
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    assert_eq!(found.broken_invariants(), BTreeSet::from([1]));
}

/// What is in a `Null`, in a variant, in a tuple, or one of two terms that may be the same; the elements of a sequence, of which
/// some are the same, in one word and in several.
const GIVEN: &str = r"
type Node
type Ask = tuple of number: Nat, by: Node
type Mail = union of ask: Ask, number: Nat, done: Node
automaton Given
  signature
    internal wish(i: Node), send(q: Ask), open(q: Ask), count(n: Nat), either(q: Ask), again(q: Ask), old(m: Mail), rest
  states
    next: Nat := 1,
    wish: Null[Ask] := nil,
    mail: Null[Mail] := nil,
    pair: Ask := choose p where p.number = 1,
    seen: Seq[Ask] := {},
    all: Seq[Mail] := {},
    taken: Set[Nat] := {}
  transitions
    internal wish(i)
      pre wish = nil /\ next < 3
      eff wish := embed([next, i]); next := next + 1
    internal send(q)
      pre wish = embed(q) /\ mail = nil
      eff mail := if q.number = 1 then embed(number(7 - q.number)) else embed(ask(q)); wish := nil
    internal open(q)
      pre mail = embed(ask(q)) /\ len(seen) < 3
      eff seen := seen |- q; all := all |- ask(q); mail := nil
    internal count(n)
      pre mail = embed(number(n)) /\ n > 0
      eff taken := insert(n, taken); mail := nil; all := all |- number(n)
    internal either(q)
      pre seen ~= {} /\ (q = head(seen) \/ q = last(seen) \/ q = pair) /\ len(seen) < 3
      eff pair := q; seen := seen |- q
    internal again(q)
      pre q \in seen /\ q ~= pair
      eff pair := q
    internal old(m)
      pre m \in all /\ tag(m) = ask /\ len(all) < 4
      eff all := all |- done(m.ask.by)
    internal rest
      pre len(seen) = 3
      eff seen := tail(seen)
invariant First of Given: pair.number = 1
invariant Few of Given: \A m: Mail (m \in all => tag(m) ~= number)
";

#[test]
fn each_value_that_terms_give_is_tried_once() {
    let guesses = [0, 3, 15].map(|high| Range { low: 0, high });
    let found = native(GIVEN, 1_500, &guesses);
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0, 1]));
}

/// A parameter of which a field is open is found field by field. What the effect computes on the way is no field of it.
#[test]
fn fields_of_a_parameter_stay_what_they_are_while_steps_are_taken() {
    let text = r"
type Node
type Kind = enumeration of raw, fine, waste
type Item = tuple of serial: Nat, kind: Kind, hops: Nat
automaton Line
  signature internal feed(i: Item), turn(i: Item), drop(n: Node)
  states
    sent: Nat := 0,
    inbox: Array[Node, Seq[Item]] := constant({}),
    belt: Seq[Item] := {}
  transitions
    internal feed(i)
      pre sent < 4 /\ i.serial = sent /\ i.hops = 0
      eff
        for n: Node where len(inbox[n]) < 2 do inbox[n] := inbox[n] |- i od;
        sent := sent + 1
    internal turn(i)
      pre i.serial = sent /\ i.hops = len(belt) /\ len(belt) < 3
      eff belt := (if belt = {} then {} else tail(belt)) |- [3, fine, sent] |- i
    internal drop(n)
      pre inbox[n] ~= {}
      eff inbox[n] := tail(inbox[n])
invariant Short of Line: len(belt) < 3
";
    let (found, packed, left) = compare(text, GUESSES[0], 4_000);
    assert_eq!((packed.instance.layout(FIRST).cells(), left), (0, 0));
    assert!(found.fired.iter().all(|n| *n > 100), "{:?}", found.fired);
    assert_eq!(found.broken_invariants(), BTreeSet::from([0]));
}
