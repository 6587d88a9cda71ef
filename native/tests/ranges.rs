//! Integers that are packed give the answers that general values give: the same states at each depth, the same steps, the
//! same violations and the same faults, whether steps are interpreted or native, and however narrow the first guess is.

mod cases;
mod visits;

use std::collections::BTreeSet;
use std::sync::Arc;

use finite::{Place, Range, Ranges};
use interpreter::{Executor, Instance};
use test_support::generate;
use visits::{FIRST, GUESSES, compare, interpreted, model, native, universe};

/// No more levels are visited once there are this many states.
const STATES: usize = 1_500;

/// Random automata of the campaign.
const CASES: u64 = 60;

/// The same for a random automaton, of which there are many.
const FEW: usize = 60;

const COUNTER: &str = r"
automaton Counter
  signature internal tick
  states n: Nat := 0
  transitions
    internal tick
      pre n < 1000
      eff n := n + 1
invariant Small of Counter: n <= 700
";

#[test]
fn a_counter_that_outgrows_its_bits_is_counted_to_the_end() {
    for guess in GUESSES {
        let (found, packed, left) = compare(COUNTER, guess, STATES);
        assert_eq!(
            (found.levels.len(), found.broken.len(), left),
            (1001, 300, 0)
        );
        assert_eq!((found.fired, found.quiet.len()), (vec![1000], 1));
        assert!(packed.outgrown > 0);
        assert_eq!(packed.instance.layout(FIRST).cells(), 0);
    }
}

#[test]
fn an_attempt_with_too_few_bits_says_so_and_gives_no_wrong_state() {
    let model = model(COUNTER);
    let ranges = Ranges::of(&model, FIRST, |_| Some(finite::GUESS));
    let narrow = universe(&model).with_ranges(ranges);
    for is_native in [false, true] {
        let instance = Instance::new(Arc::clone(&model), narrow.clone());
        let found = match is_native {
            true => native(&instance, STATES).0,
            false => interpreted(&instance, STATES),
        };
        assert!(!instance.range_overflows().is_empty());
        assert_eq!((found.levels.len(), found.stuck.len()), (16, 1));
    }
}

const SIGNED: &str = r"
automaton Signed
  signature internal down, up, jump, flip(by: Int)
  states n: Int := 5, m: Int := 0
  transitions
    internal down
      pre n > -40
      eff n := n - 3; m := max(m, -n)
    internal up
      pre n < 0 /\ mod(n, 2) = 0
      eff n := abs(n) + div(n, 7)
    internal jump
      pre n = 2
      eff n := min(n, m) * -2
    internal flip(by)
      pre -2 <= by /\ by < 2 /\ n = 1
      eff m := by; n := n - 3
invariant Low of Signed: -30 < n /\ m + n >= 0
";

#[test]
fn integers_go_below_zero() {
    for guess in GUESSES {
        let (found, packed, _) = compare(SIGNED, guess, STATES);
        assert!(found.levels.len() > 10 && !found.broken.is_empty());
        assert!(packed.outgrown > 0 || guess.high > 15);
    }
}

const UNDER: &str = r"
automaton Under
  signature internal take, give, half
  states n: Nat := 2, d: Nat := 3
  transitions
    internal take
      eff n := n - 1
    internal give
      pre n < 4
      eff n := n + 2; d := d - 1
    internal half
      pre div(n, d) < 9
      eff n := div(n, 2)
invariant Divisible of Under: mod(6, d) < 3
";

#[test]
fn what_is_undefined_stays_undefined() {
    for guess in GUESSES {
        let (found, _, left) = compare(UNDER, guess, STATES);
        assert!(!found.stuck.is_empty() && !found.broken.is_empty());
        // What may be below zero is not divided by native code.
        assert!(left <= usize::from(guess.low < 0), "{left}");
    }
}

/// Integers in parts of every kind.
const PARTS: &str = r"
type Node
type Vote = tuple of by: Node, ballot: Nat
type Item = union of plain: Int, vote: Vote
automaton Parts
  signature internal cast(i: Node, k: Nat), learn(v: Vote), mark(k: Nat), forget(k: Nat), pick, stamp(i: Node)
  states
    clock: Array[Node, Nat] := constant(0),
    votes: Set[Vote] := {},
    last: Null[Nat] := nil,
    item: Item := plain(-1),
    seen: Set[Nat] := {},
    by: Map[Nat, Node] := empty,
    pair: Null[Vote] := nil,
    owner: Node
  transitions
    internal cast(i, k)
      pre k <= 1 /\ clock[i] + k < 3 /\ size(votes) < 2
      eff clock[i] := clock[i] + k; votes := insert([i, k], votes)
    internal learn(v)
      pre v \in votes
      eff last := embed(v.ballot + 1); item := vote(v); votes := delete(v, votes); pair := embed(set_ballot(v, v.ballot + 2))
    internal mark(k)
      pre k < 3 /\ 70 \notin seen
      eff seen := insert(k, delete(99, seen)); by := update(by, k, owner)
    internal forget(k)
      pre defined(by, k) /\ last ~= nil
      eff by := remove(by, k); seen := {j: Nat where j < 3 /\ j \in seen /\ j ~= k}
    internal pick
      choose j: Nat where j \in seen
      pre seen ~= {}
      eff item := plain(j - last.val)
    internal stamp(i)
      pre \A j: Node (clock[j] <= clock[i]) /\ (\E j: Nat (j < 4 /\ clock[i] = j + 1))
      eff owner := i
invariant Known of Parts: \A k: Nat (k \in seen => defined(by, k))
invariant Young of Parts: \A v: Vote (v \in votes => v.ballot < 1)
invariant Plain of Parts: tag(item) = plain => item.plain > -3
";

#[test]
fn integers_are_packed_in_parts_of_every_kind() {
    let text = PARTS;
    let (found, packed, left) = compare(text, Range { low: 0, high: 1 }, 400);
    let counted = (found.levels.len(), found.broken.len(), found.stuck.len());
    assert!(
        counted.0 > 2 && counted.1 > 10 && counted.2 > 10,
        "{counted:?}"
    );
    assert!(packed.outgrown > 0 && left < 6, "{left}");
    compare(text, finite::GUESS, 400);
}

/// A number beyond those that a set can hold, and what lies beside the set: a part of the same word, an element of the same
/// array.
const OUTSIDE: &str = r"
type Node
automaton Outside
  signature internal find, miss, put(k: Nat), drop, turn(k: Nat), cut(i: Node), see(i: Node)
  states
    s: Set[Nat] := {},
    n: Nat := 3,
    beside: Array[Node, Bool] := constant(false),
    sets: Array[Node, Set[Nat]] := constant({}),
    i0: Node
  transitions
    internal find
      pre n = 3 /\ n \in s
      eff beside := constant(true)
    internal miss
      pre n > 2 /\ n \notin s /\ \E i: Node (~beside[i])
      eff s := delete(n, s); beside := assign(beside, i0, true)
    internal put(k)
      pre k < 3 /\ n < 70
      eff s := insert(k, s); sets[i0] := insert(k, delete(n + k, sets[i0]))
    internal drop
      pre beside[i0]
      eff s := delete(n, s)
    internal turn(k)
      pre k < 71 /\ (k = 3 \/ k > 62) /\ k \notin s
      eff n := k
    internal cut(i)
      pre n \notin sets[i] /\ n \notin s
      eff sets[i] := delete(n, sets[i]); i0 := i
    internal see(i)
      pre \E k: Nat (k < 68 /\ k > 2 /\ (k \in sets[i] \/ k \in s))
      eff n := 0
invariant Beside of Outside: n \notin s /\ \A i: Node (n \notin sets[i] /\ (n = 3 => n \notin sets[i0]))
invariant Within of Outside: \A k: Nat (k < 70 /\ k \in s => k < 3 /\ \E j: Nat (j < 66 /\ j + 0 = k /\ j \in s))
";

#[test]
fn an_integer_that_a_set_has_no_bit_for_is_not_in_it() {
    let model = model(OUTSIDE);
    let general = Instance::new(Arc::clone(&model), universe(&model));
    let expected = interpreted(&general, 3_000);
    let ranges = Ranges::of(&model, FIRST, |place| {
        let is_variable = matches!(place, Place::Variable(..));
        let high = if is_variable { 70 } else { 2 };
        Some(Range { low: 0, high })
    });
    let universe = universe(&model).with_ranges(ranges);
    let packed = Instance::new(model, universe);
    let (fast, left) = native(&packed, 3_000);
    assert_eq!(interpreted(&packed, 3_000), expected);
    assert_eq!((fast, left), (expected, 0));
    assert!(packed.range_overflows().is_empty());
}

const EVERY: &str = r"
automaton Every
  signature internal put, note
  states s: Set[Nat] := {}, open: Bool := true, n: Nat := 0
  transitions
    internal put
      pre \A k: Nat (k \in s => open) /\ n < 3
      eff s := insert(n, s); n := n + 1; open := n < 3
    internal note
      pre \A k: Nat (k \in s => ~open)
      eff s := {}
invariant Open of Every: \A k: Nat (k \in s => open)
";

#[test]
fn what_is_said_of_all_elements_need_not_speak_of_them() {
    let (found, packed, _) = compare(EVERY, finite::GUESS, STATES);
    assert_eq!(found.fired, [3, 3]);
    assert_eq!(packed.instance.layout(FIRST).cells(), 0);
}

const BEYOND: &str = r"
automaton Beyond
  signature internal square, back
  states n: Int := 3, k: Nat := 0
  transitions
    internal square
      pre k < 8
      eff n := n * n; k := k + 1
    internal back
      pre n > 1000000000000000000000
      eff n := mod(n, 1000)
invariant Huge of Beyond: n < 100000000000000000000000000
";

#[test]
fn integers_of_more_than_64_bits_are_general_values() {
    let (found, packed, _) = compare(BEYOND, finite::GUESS, STATES);
    assert!(found.levels.len() > 8 && !found.broken.is_empty());
    assert!(packed.outgrown > 0);
    assert_eq!(packed.instance.universe().ranges(), None);
}

const OPEN: &str = r"
automaton Open
  signature internal move, close
  states n: Int := 0, s: Seq[Int] := {}, k: Nat := 0
  transitions
    internal move
      eff s := s |- n
      ensuring n' = n + 1 /\ n' < 5 /\ k' = k
    internal close
      pre len(s) > 2
      eff k := len(s); s := tail(s)
";

#[test]
fn what_is_left_open_and_what_has_no_bound_stay_general_values() {
    let (found, packed, _) = compare(OPEN, finite::GUESS, 200);
    assert!(found.levels.len() > 4);
    assert!(packed.instance.layout(FIRST).cells() > 0);
}

#[test]
fn random_automata_of_all_types_have_the_same_states_however_integers_are_packed() {
    let (mut outgrown, mut ranged, mut stuck, mut states) = (0, 0, 0, 0);
    for seed in 0..cases::cases(CASES) {
        let text = generate::automaton(seed, false);
        let loaded = model(&text);
        let general = Instance::new(Arc::clone(&loaded), universe(&loaded));
        let runs = Executor::new(&general, FIRST).is_ok_and(|e| e.check_enumerable().is_ok());
        if !runs {
            continue;
        }
        let guess = GUESSES[seed as usize % GUESSES.len()];
        let (found, packed, _) = compare(&text, guess, FEW);
        outgrown += packed.outgrown;
        ranged += usize::from(packed.instance.universe().ranges().is_some());
        stuck += found.stuck.len();
        states += found.levels.iter().map(BTreeSet::len).sum::<usize>();
    }
    println!(
        "{states} states, {stuck} stuck; {outgrown} ranges outgrown, {ranged} instances packed"
    );
    if cases::cases(CASES) < CASES {
        return;
    }
    assert!(states > 500 && ranged > 5 && outgrown > 0 && stuck > 0);
}

/// Integers in terms alone: no variable, and no part of one, has a range.
const COMPUTED: &str = r"
type Node
automaton Computed
  signature internal join(i: Node), leave(i: Node), swap(i: Node, j: Node), wrap
  states s: Set[Node] := {}, t: Set[Node] := {}
  transitions
    internal join(i)
      pre abs(-size(t) + size(s)) < 2 /\ i \notin s
      eff s := insert(i, s)
    internal leave(i)
      pre i \in s /\ mod(-size(s) + size(t), 3) ~= 1
      eff s := delete(i, s); t := insert(i, t)
    internal swap(i, j)
      pre i \in s /\ j \in t /\ size(s) + 2 * size(t) \in {3, 4, 7}
      eff s := insert(j, delete(i, s))
    internal wrap
      pre \E k: Nat (k \in {1, 2} /\ div(-3 + size(t), 2) + k = 0)
      eff t := {}
invariant Power of Computed: 2 ** (size(s) + size(t)) < 20
invariant Signed of Computed: (-2 + size(s)) ** 3 * (-size(t) + 1) > -2
invariant Listed of Computed: -size(t) + size(s) \notin {-2, 5, -size(t) + 3}
";

#[test]
fn terms_are_native_where_no_variable_is_an_integer() {
    let (found, packed, left) = compare(COMPUTED, finite::GUESS, STATES);
    assert_eq!((packed.outgrown, left), (0, 0));
    let broken = found.broken_invariants();
    assert_eq!(broken, BTreeSet::from([0, 1, 2]));
    assert!(found.fired.iter().all(|n| *n > 0), "{:?}", found.fired);
}
