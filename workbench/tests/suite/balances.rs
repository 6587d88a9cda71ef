//! Sums that stay the same, of numbers and of what a state says of where something is: what must be found, and what must not be
//! said.

use crate::lemmas::{candidates, misses_nothing, misses_only};
use crate::sandbox::Sandbox;

/// Cars are ferried from one bank to the other, one at a time; how many there are is nobody's business.
const FERRY: &str = "type Deck = enumeration of empty, loaded, landed

vocabulary Fleet
  operators cars: -> Nat
end
imports Fleet

automaton Ferry
  signature
    internal board, cross, leave
  states
    here: Nat := cars,
    there: Nat := 0,
    deck: Deck := empty
  transitions
    internal board
      pre deck = empty /\\ here > 0
      eff here := here - 1;
          deck := loaded
    internal cross
      pre deck = loaded
      eff deck := landed
    internal leave
      pre deck = landed
      eff there := there + 1;
          deck := empty
";

const FERRIED: &str = "
invariant Enough of Ferry: there <= cars /\\ (deck = landed => there < cars)
";

/// The candidates that are sums with a case in them.
fn balances(model: &str) -> Vec<String> {
    let (_, found) = candidates(model, &[]);
    let is_balance = |candidate: &String| candidate.contains("then 1 else 0");
    found.into_iter().filter(is_balance).collect()
}

#[test]
fn what_is_on_the_way_is_counted_with_what_lies_still() {
    let found = balances(FERRY);
    assert_eq!(found.len(), 1, "{found:?}");
    for part in ["here", "there", "(if deck = ", "cars"] {
        assert!(found[0].contains(part), "{part}: {found:?}");
    }
}

#[test]
fn where_something_is_lost_no_sum_is_found() {
    let leaky = FERRY.replace("eff there := there + 1;\n          deck", "eff deck");
    assert_ne!(leaky, FERRY);
    assert!(balances(&leaky).is_empty());
}

#[test]
fn a_sum_is_the_lemma_that_a_proof_needs() {
    let s = Sandbox::new();
    s.write("ferry.ioa", [FERRY, FERRIED].concat());
    let answer = s.ioa(&["prove", "ferry.ioa", "--auto"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains("then 1 else 0"), "{answer:?}");
    // If what has left stays on the deck, more cars arrive than there are, and nothing is proved.
    let broken = FERRY.replace("pre deck = landed\n", "pre deck ~= empty\n");
    let broken = broken.replace("deck := empty\n", "deck := landed\n");
    assert_ne!(broken, FERRY);
    s.write("broken.ioa", [&broken, FERRIED].concat());
    assert_eq!(s.ioa(&["prove", "broken.ioa", "--auto"]).code, Some(1));
}

/// Coins that are dealt out, bet, and taken from the bets into a pot: some are in one array, some in another, and some in neither.
const GAME: &str = "type Player

automaton Game
  signature
    internal deal(p: Player), bet(p: Player), fold(p: Player), win(p: Player)
  states
    purse: Array[Player, Nat] := constant(0),
    stake: Array[Player, Nat] := constant(0),
    pot, dealt: Nat := 0
  transitions
    internal deal(p)
      pre dealt < 3
      eff purse[p] := purse[p] + 1;
          dealt := dealt + 1
    internal bet(p)
      pre purse[p] > 0
      eff purse[p] := purse[p] - 1;
          stake[p] := stake[p] + 1
    internal fold(p)
      eff pot := pot + stake[p];
          stake[p] := 0
    internal win(p)
      eff purse[p] := purse[p] + pot;
          pot := 0
";

#[test]
fn what_is_in_arrays_is_added_up_with_what_is_not() {
    let (_, found) = candidates(GAME, &["--sort", "Player=3"]);
    let says = |parts: &[&str]| {
        let mut all = found.iter();
        all.any(|one| parts.iter().all(|part| one.contains(part)))
    };
    assert!(
        says(&["sum(purse)", "sum(stake)", "pot", "dealt"]),
        "{found:?}"
    );
    let leaky = GAME.replace("eff pot := pot + stake[p];\n          stake", "eff stake");
    assert_ne!(leaky, GAME);
    let (_, found) = candidates(&leaky, &["--sort", "Player=3"]);
    let is_kept = |one: &String| one.contains("sum(purse)") && one.contains(" = ");
    assert!(!found.iter().any(is_kept), "{found:?}");
}

#[test]
fn what_some_owe_is_what_others_are_owed() {
    let loans = "type Player
automaton Loans
  signature internal lend(p, q: Player)
  states owed: Array[Player, Int] := constant(0)
  transitions internal lend(p, q)
    pre p ~= q /\\ owed[p] < 2 /\\ owed[q] > -2
    eff owed[p] := owed[p] + 1;
        owed[q] := owed[q] - 1
";
    let sums = |model: &str| {
        let (_, found) = candidates(model, &["--sort", "Player=3"]);
        let is_sum = |candidate: &String| candidate.contains("sum(owed) = 0");
        found.into_iter().filter(is_sum).count()
    };
    assert_eq!(sums(loans), 1);
    let wrong = loans.replace("owed[q] - 1", "owed[q] - 2");
    assert_ne!(wrong, loans);
    assert_eq!(sums(&wrong), 0);
}

/// Jobs wait in line, are under way on a network that may reorder them, or are taken by workers; there are four places.
const SHOP: &str = "type Job
type Worker
type Phase = enumeration of idle, busy, done

automaton Shop
  signature
    internal order(j: Job), send, take(w: Worker, j: Job), finish(w: Worker), clear(w: Worker)
  states
    line: Seq[Job] := {},
    wire: Mset[Job] := {},
    phase: Array[Worker, Phase] := constant(idle),
    free: Nat := 4,
    open: Nat := 0
  transitions
    internal order(j)
      pre free > 0
      eff free := free - 1;
          line := line |- j
    internal send
      pre line ~= {}
      eff wire := insert(head(line), wire);
          line := tail(line)
    internal take(w, j)
      pre phase[w] = idle /\\ j \\in wire
      eff wire := delete(j, wire);
          phase[w] := busy;
          open := open + 1
    internal finish(w)
      pre phase[w] = busy
      eff phase[w] := done
    internal clear(w)
      pre phase[w] = done
      eff phase[w] := idle;
          free := free + 1;
          open := open - 1
";

#[test]
fn what_is_counted_in_arrays_and_multisets_is_added_up_with_what_stands_in_line() {
    let sizes = ["--sort", "Job=2,Worker=2"];
    let says = |found: &[String], parts: &[&str]| {
        let is_sum = |one: &&String| one.contains(" = ") && !one.contains("=>");
        let mut all = found.iter().filter(is_sum);
        all.any(|one| parts.iter().all(|part| one.contains(part)))
    };
    let places = ["free", "size(wire)", "len(line)"];
    let (s, found) = candidates(SHOP, &sizes);
    assert!(says(&found, &places), "{found:#?}");
    // What is open is what is busy and what is done, at every size.
    let workers = ["phase[w] = busy", "phase[w] = done"];
    assert!(says(&found, &workers), "{found:#?}");
    let larger = ["explore", "model.ioa", "found.ioa", "--allow-deadlock"];
    let answer = s.ioa(&[&larger[..], &["--sort", "Job=2,Worker=3"]].concat());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    // A job that is lost on the way is in no place.
    let leaky = SHOP.replace(
        "eff wire := insert(head(line), wire);\n          line",
        "eff line",
    );
    assert_ne!(leaky, SHOP);
    let (_, found) = candidates(&leaky, &sizes);
    assert!(!says(&found, &places), "{found:#?}");
}

/// Sacks lie in barns, and are sold at three crowns each.
const BARNS: &str = "type Barn
type Sack
type Stage = enumeration of growing, stored, sold

automaton Farm
  signature
    internal harvest(s: Sack, b: Barn), sell(s: Sack, b: Barn)
  states
    stage: Array[Sack, Stage] := constant(growing),
    stock: Array[Barn, Nat] := constant(0),
    reaped: Set[Sack] := {},
    gone: Set[Sack] := {},
    till: Nat := 0
  transitions
    internal harvest(s, b)
      pre stage[s] = growing
      eff stage[s] := stored;
          reaped := insert(s, reaped);
          stock[b] := stock[b] + 1
    internal sell(s, b)
      pre stage[s] = stored /\\ 0 < stock[b]
      eff stage[s] := sold;
          gone := insert(s, gone);
          stock[b] := stock[b] - 1;
          till := till + 3
";

const FARMED: &str = "
invariant Stored of Farm: sum(stock) = size({s: Sack where stage[s] = stored})
invariant Paid of Farm: till = 3 * size({s: Sack where stage[s] = sold})
";

#[test]
fn what_lies_in_arrays_is_what_sets_and_stages_say() {
    let flags = ["--sort", "Barn=2", "--sort", "Sack=3", "--stated"];
    misses_nothing(BARNS, FARMED, &flags);
    let kept = "\ninvariant Kept of Farm: sum(stock) + size(gone) = size(reaped)\n";
    let without_stages = [&flags[..], &["--leave-out", "stage"]].concat();
    misses_nothing(BARNS, kept, &without_stages);
    // Mice eat the rest.
    let lost = BARNS.replace(
        "stock[b] := stock[b] - 1;\n          till := till + 3",
        "stock[b] := 0;\n          till := till + 3",
    );
    assert_ne!(lost, BARNS);
    misses_only(&lost, FARMED, &flags, &["Stored"]);
}
