//! Lemmas that say what there must be: a message on the way, a tuple that is put together, as much as all elements of a sort had. The
//! models are of no study.

use crate::lemmas::misses_only;

/// Desks that work on orders, with a slip for each copy that is made.
const SHOP: &str = "type Order
type Desk = enumeration of front, back
type Slip = tuple of order: Order, desk: Desk, copy: Nat

automaton Shop
  signature
    internal take(d: Desk, k: Order), finish(d: Desk)
  states
    busy: Array[Desk, Null[Order]] := constant(nil),
    copies: Array[Order, Nat] := constant(0),
    slips: Set[Slip] := {}
  transitions
    internal take(d, k)
      pre busy[d] = nil /\\ copies[k] < 2
      eff busy[d] := embed(k);
          copies[k] := copies[k] + 1;
          slips := insert([k, d, copies[k]], slips)
    internal finish(d)
      eff busy[d] := nil
";

const SHOP_STATED: &str = "
invariant HasSlip of Shop:
  \\A d: Desk \\A k: Order (busy[d] = embed(k) => \\E s: Slip (s \\in slips /\\ s.desk = d /\\ s.order = k))
invariant LastCopy of Shop:
  \\A k: Order (0 < copies[k] => \\E s: Slip (s \\in slips /\\ s.order = k /\\ s.copy = copies[k]))
invariant HasLast of Shop:
  \\A d: Desk \\A k: Order
    (busy[d] = embed(k) => \\E s: Slip (s \\in slips /\\ s.desk = d /\\ s.copy = copies[k]))
";

/// Guests who enter with a permit, and leave a receipt.
const PERMITS: &str = "type Guest
type Kind = enumeration of permit, receipt
type Paper = tuple of kind: Kind, who: Guest, number: Nat

automaton Permits
  signature
    internal permits(g: Guest), enters(p: Paper)
  states
    next: Nat := 1,
    last: Array[Guest, Nat] := constant(0),
    box: Set[Paper] := {}
  transitions
    internal permits(g)
      pre next < 4
      eff box := insert([permit, g, next], box);
          last[g] := next;
          next := next + 1
    internal enters(p)
      pre p \\in box /\\ p.kind = permit
      eff box := insert([receipt, p.who, p.number], box)
";

const PERMITS_STATED: &str = "
invariant Permitted of Permits: \\A p: Paper (p \\in box => [permit, p.who, p.number] \\in box)
invariant Last of Permits: \\A g: Guest (0 < last[g] => [permit, g, last[g]] \\in box)
invariant Numbered of Permits: \\A p: Paper (p \\in box => 0 < p.number)
invariant Received of Permits: \\A g: Guest (0 < last[g] => [receipt, g, last[g]] \\in box)
";

/// A game in which each player begins with three coins, and each stake has a chip of its own.
const GAME: &str = "type Player
type Chip
type Stake = tuple of chip: Chip, by: Player

automaton Game
  signature
    internal bet(p: Player, c: Chip), win(s: Stake)
  states
    purse: Array[Player, Nat] := constant(3),
    pot: Nat := 0,
    used: Set[Chip] := {},
    table: Set[Stake] := {},
    won: Set[Chip] := {}
  transitions
    internal bet(p, c)
      pre 0 < purse[p] /\\ c \\notin used
      eff purse[p] := purse[p] - 1;
          pot := pot + 1;
          used := insert(c, used);
          table := insert([c, p], table)
    internal win(s)
      pre s \\in table
      eff table := delete(s, table);
          won := insert(s.chip, won);
          purse[s.by] := purse[s.by] + 1;
          pot := pot - 1
";

const GAME_STATED: &str = "
invariant Conserved of Game: sum(purse) + pot = 3 * size({p: Player where true})
invariant OnTable of Game: size(used) = size(table) + size(won)
invariant AllOnTable of Game: size(used) = size(table)
invariant Doubled of Game: sum(purse) + pot = 2 * size({p: Player where true})
";

/// A motion that is passed once more than half of the voters are for it.
const BALLOT: &str = "type Voter

automaton Ballot
  signature
    input vote(v: Voter), recall(v: Voter)
    internal close
  states
    yes: Set[Voter] := {},
    passed: Bool := false
  transitions
    input vote(v)
      eff yes := insert(v, yes)
    input recall(v)
      eff if ~passed then yes := delete(v, yes) fi
    internal close
      pre 2 * size(yes) > size({v: Voter where true})
      eff passed := true
";

const BALLOT_STATED: &str = "
invariant Majority of Ballot: passed => size({v: Voter where true}) < 2 * size(yes)
invariant Everybody of Ballot: passed => size({v: Voter where true}) = size(yes)
";

#[test]
fn there_is_a_message_with_what_others_say() {
    let flags = ["--sort", "Order=2", "--stated"];
    misses_only(SHOP, SHOP_STATED, &flags, &["HasLast"]);
}

#[test]
fn a_tuple_that_is_put_together_is_among_the_messages() {
    let flags = ["--sort", "Guest=3", "--stated"];
    misses_only(PERMITS, PERMITS_STATED, &flags, &["Received"]);
}

#[test]
fn what_all_had_is_conserved_and_sizes_of_different_sets_add_up() {
    let flags = ["--sort", "Player=2", "--sort", "Chip=3", "--stated"];
    misses_only(GAME, GAME_STATED, &flags, &["AllOnTable", "Doubled"]);
}

#[test]
fn more_than_half_are_compared_with_all() {
    let flags = ["--sort", "Voter=3", "--stated"];
    misses_only(BALLOT, BALLOT_STATED, &flags, &["Everybody"]);
}
