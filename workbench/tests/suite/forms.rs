//! Lemmas of forms that need more than a sample of a small instance: numbers that grow for ever, three variables, parameters that
//! are numbers. The models are of no study.

use crate::lemmas::{candidates, misses_nothing, misses_only, told};

/// Readers of numbered versions; what nobody holds is trimmed. All numbers grow for ever.
const VERSIONS: &str = "type Reader

automaton Versions
  signature
    internal write, read(r: Reader), drop(r: Reader), trim
  states
    latest: Nat := 0,
    seen: Array[Reader, Nat] := constant(0),
    holds: Array[Reader, Bool] := constant(false),
    oldest: Nat := 0
  transitions
    internal write
      eff latest := latest + 1
    internal read(r)
      eff seen[r] := latest;
          holds[r] := true
    internal drop(r)
      pre holds[r]
      eff holds[r] := false
    internal trim
      pre oldest < latest /\\ \\A r: Reader (holds[r] => oldest < seen[r])
      eff oldest := oldest + 1
";

const VERSIONS_STATED: &str = "
invariant Past of Versions: \\A r: Reader (seen[r] <= latest)
invariant There of Versions: oldest <= latest
invariant Held of Versions: \\A r: Reader (holds[r] => oldest <= seen[r])
";

/// A partial order that grows link by link.
const ORDER: &str = "type Node

automaton Order
  signature
    internal link(a: Node, b: Node)
  states
    below: Array[Node, Set[Node]] := constant({})
  transitions
    internal link(a, b)
      pre a ~= b /\\ a \\notin below[b] /\\ below[b] \\subseteq below[a]
          /\\ \\A c: Node (a \\in below[c] => b \\in below[c])
      eff below[a] := insert(b, below[a])
";

const ORDER_STATED: &str = "
invariant Acyclic of Order: \\A a, b: Node (~(a \\in below[b] /\\ b \\in below[a]))
invariant Transitive of Order: \\A a, b, c: Node (b \\in below[a] /\\ c \\in below[b] => c \\in below[a])
";

/// Clients wait in line for a limited number of things.
const POOL: &str = "type Client

automaton Pool(limit: Nat) where limit > 0
  signature
    internal ask(c: Client), give, take(c: Client)
  states
    waiting: Seq[Client] := {},
    free: Nat := limit,
    has: Array[Client, Bool] := constant(false)
  transitions
    internal ask(c)
      pre ~has[c] /\\ c \\notin waiting
      eff waiting := waiting |- c
    internal give
      pre waiting ~= {} /\\ free > 0
      eff has[head(waiting)] := true;
          waiting := tail(waiting);
          free := free - 1
    internal take(c)
      pre has[c]
      eff has[c] := false;
          free := free + 1
";

const POOL_STATED: &str = "
invariant Either of Pool: \\A c: Client (has[c] => c \\notin waiting)
invariant Bound of Pool: free <= Pool.limit
invariant Distinct of Pool: \\A j: Nat (j < len(waiting) => \\A i: Nat (i < j => waiting[i] ~= waiting[j]))
";

/// A sender of numbered packets, two of which may be open, and cumulative acknowledgements.
const WINDOW: &str = "type Packet = tuple of number: Nat

automaton Window
  signature
    internal send, arrive, loseData, answer, ack(n: Nat), loseAck, next
  states
    sent: Nat := 0,
    base: Nat := 0,
    expected: Nat := 0,
    data: Set[Nat] := {},
    acks: Set[Nat] := {}
  transitions
    internal next
      pre sent < base + 2
      eff data := insert(sent, data);
          sent := sent + 1
    internal send
      pre base < sent
      eff data := insert(base, data)
    internal arrive
      pre expected \\in data
      eff expected := expected + 1
    internal answer
      eff acks := insert(expected, acks)
    internal ack(n)
      pre n \\in acks /\\ base < n
      eff base := n
    internal loseData
    internal loseAck
";

const WINDOW_STATED: &str = "
invariant Ordered of Window: base <= expected /\\ expected <= sent
invariant InData of Window: \\A n: Nat (n \\in data => n < sent)
invariant InAcks of Window: \\A n: Nat (n \\in acks => n <= expected)
";

/// Copies of a number that one node may write.
const CACHE: &str = "type Node
type Mode = enumeration of none, shared, owned

automaton Cache
  signature
    internal read(n: Node), write(n: Node), evict(n: Node)
  states
    mode: Array[Node, Mode] := constant(none),
    copy: Array[Node, Nat] := constant(0),
    memory: Nat := 0
  transitions
    internal read(n)
      pre mode[n] = none /\\ \\A m: Node (mode[m] ~= owned)
      eff mode[n] := shared;
          copy[n] := memory
    internal write(n)
      pre \\A m: Node (m ~= n => mode[m] = none)
      eff mode[n] := owned;
          copy[n] := memory + 1;
          memory := memory + 1
    internal evict(n)
      pre mode[n] ~= none
      eff mode[n] := none
";

const CACHE_STATED: &str = "
invariant One of Cache: \\A n, m: Node (mode[n] = owned /\\ mode[m] ~= none => n = m)
invariant Coherent of Cache: \\A n: Node (mode[n] ~= none => copy[n] = memory)
";

/// Boxes on a belt. A box is marked as the boxes of its time are; the mark changes when none of before is left, and parts are of
/// one kind between two changes.
const BELT: &str = "type Part
type Box = tuple of part: Part, marked: Bool

automaton Belt(room: Nat) where room > 0
  signature
    internal load(p: Part), unload, turn
  states
    belt: Seq[Box] := {},
    mark: Bool := false,
    part: Null[Part] := nil
  transitions
    internal load(p)
      pre len(belt) < room /\\ (part = nil \\/ part = embed(p))
      eff belt := belt |- [p, mark];
          part := embed(p)
    internal unload
      pre belt ~= {}
      eff belt := tail(belt)
    internal turn
      pre \\A k: Nat (k < len(belt) => belt[k].marked = mark)
      eff mark := ~mark;
          part := nil
";

const BELT_STATED: &str = "
invariant Turned of Belt:
  \\A j: Nat
    (j < len(belt)
     => \\A i: Nat (i < j => belt[i].marked = mark => belt[j].marked = mark))
invariant Now of Belt:
  \\A k: Nat (k < len(belt) /\\ belt[k].marked = mark => part = embed(belt[k].part))
invariant Room of Belt: len(belt) <= Belt.room
";

/// A journal of epochs, which is cut at its beginning, and nodes that follow it.
const JOURNAL: &str = "type Node

automaton Journal
  signature
    internal open, write, cut, follow(n: Node)
  states
    epoch: Nat := 0,
    written: Seq[Nat] := {},
    known: Array[Node, Nat] := constant(0)
  transitions
    internal open
      eff epoch := epoch + 1
    internal write
      eff written := written |- epoch
    internal cut
      pre written ~= {}
      eff written := tail(written)
    internal follow(n)
      pre written ~= {}
      eff known[n] := head(written)
";

const JOURNAL_STATED: &str = "
invariant Past of Journal: \\A k: Nat (k < len(written) => written[k] <= epoch)
invariant Sorted of Journal:
  \\A j: Nat (j < len(written) => \\A i: Nat (i < j => written[i] <= written[j]))
invariant Known of Journal: \\A n: Node (known[n] <= epoch)
invariant Followed of Journal:
  \\A n: Node \\A k: Nat (k < len(written) => known[n] <= written[k])
";

/// Nodes are fenced off from old epochs. An epoch begins when the nodes of a quorum have stored nothing of an older one and are
/// fenced off from it.
const FENCES: &str = "type Node
type Epoch
type Quorum
assumes TotalOrder(Epoch)
assumes Quorums(Quorum, Node)

automaton Fences
  signature
    internal fence(n: Node, e: Epoch), begin(e: Epoch), store(n: Node, e: Epoch)
  states
    fenced: Array[Node, Null[Epoch]] := constant(nil),
    begun: Set[Epoch] := {},
    stored: Array[Node, Set[Epoch]] := constant({})
  transitions
    internal fence(n, e)
      pre fenced[n] = nil \\/ fenced[n].val < e
      eff fenced[n] := embed(e)
    internal begin(e)
      pre \\E q: Quorum \\A n: Node
            (n \\in q
             => fenced[n] ~= nil /\\ e <= fenced[n].val
                /\\ \\A f: Epoch (f < e => f \\notin stored[n]))
      eff begun := insert(e, begun)
    internal store(n, e)
      pre e \\in begun /\\ fenced[n] = embed(e)
      eff stored[n] := insert(e, stored[n])
";

const FENCES_STATED: &str = "
invariant Begun of Fences: \\A n: Node \\A e: Epoch (e \\in stored[n] => e \\in begun)
invariant Fenced of Fences:
  \\A n: Node \\A e: Epoch (e \\in stored[n] => fenced[n] ~= nil /\\ e <= fenced[n].val)
invariant Closed of Fences:
  \\A e: Epoch \\A f: Epoch
    (e \\in begun /\\ f < e
     => \\A q: Quorum \\E n: Node
          (n \\in q /\\ f \\notin stored[n] /\\ fenced[n] ~= nil /\\ f < fenced[n].val))
invariant Reversed of Fences:
  \\A e: Epoch \\A f: Epoch
    (e \\in begun /\\ e < f
     => \\A q: Quorum \\E n: Node
          (n \\in q /\\ f \\notin stored[n] /\\ fenced[n] ~= nil /\\ f < fenced[n].val))
";

#[test]
fn numbers_may_grow_for_ever() {
    misses_nothing(
        VERSIONS,
        VERSIONS_STATED,
        &["--sort", "Reader=2", "--stated"],
    );
    misses_nothing(CACHE, CACHE_STATED, &["--sort", "Node=2", "--stated"]);
    let (found, _) = told(VERSIONS, "", &["--sort", "Reader=2"]);
    assert!(found.contains("with numbers"), "{found}");
}

#[test]
fn what_is_false_where_numbers_grow_is_not_said() {
    // Trimming no longer asks who holds what is trimmed.
    let careless = VERSIONS.replace(" /\\ \\A r: Reader (holds[r] => oldest < seen[r])", "");
    assert_ne!(careless, VERSIONS);
    let flags = ["--sort", "Reader=2", "--stated"];
    let (found, code) = told(&careless, VERSIONS_STATED, &flags);
    assert_eq!(code, Some(0), "{found}");
    assert!(found.contains("Held: missed"), "{found}");
    assert!(found.contains("Past: reported"), "{found}");
    // A number that is larger than any within bounds is reached all the same.
    assert!(!found.contains(": latest <= "), "{found}");
}

#[test]
fn what_collections_of_numbers_hold_is_bounded_too() {
    misses_nothing(WINDOW, WINDOW_STATED, &["--stated"]);
}

#[test]
fn clauses_have_three_variables() {
    let flags = ["--sort", "Node=3", "--stated"];
    misses_nothing(ORDER, ORDER_STATED, &flags);
    let loose = ORDER.replace(" /\\ below[b] \\subseteq below[a]", "");
    assert_ne!(loose, ORDER);
    let (found, _) = told(&loose, ORDER_STATED, &flags);
    assert!(found.contains("Transitive: missed"), "{found}");
}

#[test]
fn parameters_may_be_numbers() {
    misses_nothing(POOL, POOL_STATED, &["--sort", "Client=2", "--stated"]);
    let greedy = POOL.replace(
        "          free := free + 1\n",
        "          free := free + 2\n",
    );
    assert_ne!(greedy, POOL);
    let (found, _) = told(&greedy, POOL_STATED, &["--sort", "Client=2", "--stated"]);
    assert!(found.contains("Bound: missed"), "{found}");
}

/// What somebody chose may be hot, unless it is milk.
const CHOICE: &str = "type Drink = enumeration of tea, soup, milk

automaton Choice
  signature
    internal pick(d: Drink), serve
  states
    choice: Null[Drink] := nil,
    hot: Bool := false
  transitions
    internal pick(d)
      pre choice = nil
      eff choice := embed(d); hot := d ~= milk
    internal serve
      pre choice ~= nil
      eff choice := nil; hot := false
";

#[test]
fn what_something_has_as_its_value_is_said_in_one_equation() {
    let (_, found) = candidates(CHOICE, &[]);
    let has = |text: &str| found.iter().any(|own| own == text);
    assert!(has("hot => choice ~= embed(milk)"), "{found:#?}");
    assert!(
        has("choice ~= nil => hot \\/ choice.val = milk"),
        "{found:#?}"
    );
}

#[test]
fn what_stands_in_a_sequence_is_in_order() {
    let flags = ["--sort", "Part=2", "--stated"];
    misses_nothing(BELT, BELT_STATED, &flags);
    let careless = BELT.replace(
        "\\A k: Nat (k < len(belt) => belt[k].marked = mark)",
        "belt ~= {}",
    );
    assert_ne!(careless, BELT);
    let (found, _) = told(&careless, BELT_STATED, &flags);
    assert!(found.contains("Turned: missed"), "{found}");
    misses_nothing(JOURNAL, JOURNAL_STATED, &["--sort", "Node=2", "--stated"]);
}

#[test]
fn further_quantifiers_stand_below_two_variables() {
    let flags = ["--sort", "Node=3", "--sort", "Epoch=2", "--stated"];
    // It takes long: what must be found and what must not be said are looked for at once.
    misses_only(FENCES, FENCES_STATED, &flags, &["Reversed"]);
}

/// A clerk hands letters from a tray on to a bag, from which they are delivered.
const LETTERS: &str = "type Letter
automaton Post
  signature
    internal drop(l: Letter), hand, deliver
  states
    dropped: Seq[Letter] := {},
    tray: Seq[Letter] := {},
    bag: Seq[Letter] := {},
    delivered: Seq[Letter] := {}
  transitions
    internal drop(l)
      pre len(dropped) < 3
      eff dropped := dropped |- l; tray := tray |- l
    internal hand
      pre tray ~= {} /\\ len(bag) < 2
      eff bag := bag |- head(tray); tray := tail(tray)
    internal deliver
      pre bag ~= {}
      eff delivered := delivered |- head(bag); bag := tail(bag)
";

#[test]
fn that_a_sequence_is_others_one_after_the_other_is_found() {
    let whole = "dropped = delivered || bag || tray";
    let (_, found) = candidates(LETTERS, &["--sort", "Letter=2"]);
    assert!(found.iter().any(|text| text.contains(whole)), "{found:?}");
    // The clerk lays what is last in the bag in front.
    let broken = LETTERS.replace("bag |- head(tray)", "head(tray) -| bag");
    assert_ne!(broken, LETTERS);
    let (_, found) = candidates(&broken, &["--sort", "Letter=2"]);
    assert!(!found.iter().any(|text| text.contains("||")), "{found:?}");
}

/// A map that no Boolean variable stands beside: whether it has an entry is a condition all the same.
const CATALOGUE: &str = "type Key
type Place

automaton Catalogue
  signature
    internal put(k: Key, p: Place), fill(p: Place)
  states
    latest: Map[Key, Place] := empty,
    filled: Set[Place] := {}
  transitions
    internal fill(p)
      eff filled := insert(p, filled)
    internal put(k, p)
      pre p \\in filled
      eff latest := update(latest, k, p)
";

#[test]
fn facts_about_the_entries_of_maps_come_out() {
    let stated = "
invariant Filled of Catalogue: \\A k: Key (defined(latest, k) => latest[k] \\in filled)
";
    misses_nothing(
        CATALOGUE,
        stated,
        &["--sort", "Key=2", "--sort", "Place=2", "--stated"],
    );
}

/// Messages that carry arrays: what each of the others had heard of by then.
const HEARSAY: &str = "type Person
type Letter = tuple of from: Person, heard: Array[Person, Nat]

automaton Hearsay
  signature
    internal speak(p: Person), write(p: Person), read(p: Person, l: Letter)
  states
    heard: Array[Person, Array[Person, Nat]] := constant(constant(0)),
    sent: Set[Letter] := {}
  transitions
    internal speak(p)
      eff heard[p][p] := heard[p][p] + 1
    internal write(p)
      eff sent := insert([p, heard[p]], sent)
    internal read(p, l)
      pre l \\in sent /\\ heard[p][l.from] < l.heard[l.from]
      eff heard[p][l.from] := l.heard[l.from]
";

#[test]
fn facts_about_arrays_in_messages_come_out() {
    let stated = "
invariant Own of Hearsay: \\A p, q: Person (heard[p][q] <= heard[q][q])
invariant Said of Hearsay: \\A q: Person \\A l: Letter (l \\in sent => l.heard[q] <= heard[q][q])
invariant Known of Hearsay: \\A q: Person \\A l: Letter (l \\in sent => l.heard[q] <= heard[l.from][q])
invariant Old of Hearsay: \\A p: Person \\A l: Letter (l \\in sent => l.heard[l.from] <= heard[p][l.from])
";
    // It takes long: what must be found and what must not be said are looked for at once.
    let flags = ["--sort", "Person=2", "--stated"];
    misses_only(HEARSAY, stated, &flags, &["Old"]);
}
