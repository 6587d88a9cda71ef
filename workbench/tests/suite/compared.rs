//! Lemmas in the words of the text: what it compares with a number that it computes, how many things have the same place, and what any
//! two of many messages have in common. The models are of no study.

use crate::lemmas::misses_only;

/// Papers that are accepted after enough reviews, and published once somebody has time.
const REVIEWS: &str = "type Paper
type Reviewer

automaton Reviews
  signature
    input review(p: Paper, r: Reviewer)
    output accept(p: Paper), publish(p: Paper)
  states
    reviews: Array[Paper, Set[Reviewer]] := constant({}),
    accepted: Set[Paper] := {},
    published: Set[Paper] := {}
  transitions
    input review(p, r)
      eff reviews[p] := insert(r, reviews[p])
    output accept(p)
      eff if 2 <= size(reviews[p]) then accepted := insert(p, accepted) fi
    output publish(p)
      pre p \\in accepted
      eff published := insert(p, published)
";

const REVIEWS_STATED: &str = "
invariant Enough of Reviews: \\A p: Paper (p \\in accepted => 2 <= size(reviews[p]))
invariant Published of Reviews: \\A p: Paper (p \\in published => p \\in accepted)
invariant TooMany of Reviews: \\A p: Paper (p \\in accepted => 3 <= size(reviews[p]))
";

/// Guests who have rooms, and how many each room has.
const ROOMS: &str = "type Guest
type Room

automaton Rooms
  signature
    input arrive(g: Guest, r: Room), move(g: Guest, r: Room, s: Room), leave(g: Guest, r: Room)
  states
    has: Array[Guest, Null[Room]] := constant(nil),
    taken: Array[Room, Nat] := constant(0)
  transitions
    input arrive(g, r)
      eff if has[g] = nil then
            has[g] := embed(r);
            taken[r] := taken[r] + 1
          fi
    input move(g, r, s)
      eff if has[g] = embed(r) /\\ r ~= s then
            has[g] := embed(s);
            taken[r] := taken[r] - 1;
            taken[s] := taken[s] + 1
          fi
    input leave(g, r)
      eff if has[g] = embed(r) then
            has[g] := nil;
            taken[r] := taken[r] - 1
          fi
";

const ROOMS_STATED: &str = "
invariant Counted of Rooms: \\A r: Room (taken[r] = size({g: Guest where has[g] = embed(r)}))
invariant Elsewhere of Rooms: \\A r: Room (taken[r] = size({g: Guest where has[g] ~= embed(r)}))
";

/// Cars that have paid for some time from now on; nothing in the text compares this time with the clock.
const METERS: &str = "type Car

automaton Meters
  signature
    internal tick, pay(c: Car), check(c: Car)
  states
    clock: Nat := 0,
    paid: Array[Car, Nat] := constant(0),
    fined: Set[Car] := {}
  transitions
    internal tick
      eff clock := clock + 1
    internal pay(c)
      eff paid[c] := clock + 3
    internal check(c)
      pre paid[c] < clock
      eff fined := insert(c, fined)
";

const METERS_STATED: &str = "
invariant NotLong of Meters: \\A c: Car (paid[c] <= clock + 3)
invariant NeverLate of Meters: \\A c: Car (paid[c] <= clock + 2)
";

/// Letters that nobody takes away: there are soon more pairs of them than anybody looks at.
const LETTERS: &str = "type Sender = enumeration of left, right
type Letter = tuple of number: Nat, from: Sender, urgent: Bool

automaton Letters
  signature
    internal send(u: Bool), turnRound
  states
    next: Nat := 0,
    turn: Sender := left,
    urgent: Bool := false,
    sent: Set[Letter] := {}
  transitions
    internal send(u)
      pre next < 50 /\\ u = urgent
      eff sent := insert([next, turn, u], sent);
          next := next + 1
    internal turnRound
      pre mod(next, 7) = 5
      eff turn := right;
          urgent := true
";

const LETTERS_STATED: &str = "
invariant Numbered of Letters: \\A m: Letter (m \\in sent => m.number < next)
invariant OneEach of Letters:
  \\A m: Letter \\A k: Letter (m \\in sent /\\ k \\in sent /\\ m.number = k.number => m.from = k.from)
invariant Together of Letters: \\A m: Letter (m \\in sent => (m.urgent <=> m.from = right))
invariant AllFromOne of Letters:
  \\A m: Letter \\A k: Letter (m \\in sent /\\ k \\in sent /\\ m.number < k.number => m.from = k.from)
";

#[test]
fn what_the_text_compares_is_part_of_clauses() {
    let flags = ["--sort", "Paper=2", "--sort", "Reviewer=3", "--stated"];
    misses_only(REVIEWS, REVIEWS_STATED, &flags, &["TooMany"]);
}

#[test]
fn how_many_have_the_same_place_is_counted() {
    let flags = ["--sort", "Guest=3", "--sort", "Room=2", "--stated"];
    misses_only(ROOMS, ROOMS_STATED, &flags, &["Elsewhere"]);
}

#[test]
fn any_two_of_many_messages_are_compared() {
    misses_only(LETTERS, LETTERS_STATED, &["--stated"], &["AllFromOne"]);
}

#[test]
fn numbers_are_compared_with_what_a_step_computes_by_adding_a_constant() {
    let flags = ["--sort", "Car=2", "--stated"];
    misses_only(METERS, METERS_STATED, &flags, &["NeverLate"]);
}
