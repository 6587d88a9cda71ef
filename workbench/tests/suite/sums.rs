//! The numbers in arrays are added up in all states, however the arrays are stored: in one word, in several, or in none, where all
//! numbers are always the same.

use crate::sandbox::Sandbox;

const COINS: &str = "type Player

automaton Coins
  signature
    internal deal(p: Player), spend(p: Player), pass(p, q: Player)
  states
    purse: Array[Player, Nat] := constant(0),
    owed: Array[Player, Int] := constant(-1),
    seat: Array[Player, Nat] := constant(7),
    dealt: Nat := 0,
    spent: Int := 0
  transitions
    internal deal(p)
      pre dealt < 2
      eff purse[p] := purse[p] + 1;
          dealt := dealt + 1
    internal spend(p)
      pre purse[p] > 0
      eff purse[p] := purse[p] - 1;
          owed[p] := owed[p] - 1;
          spent := spent + 1
    internal pass(p, q)
      pre purse[p] > 0
      eff purse[p] := purse[p] - 1;
          purse[q] := purse[q] + 1
";

/// What is said of an invariant of all states with so many players.
fn verdict(players: u64, invariant: &str) -> String {
    let s = Sandbox::new();
    let stated = format!("\ninvariant Said of Coins: {invariant}\n");
    s.write("coins.ioa", [COINS, &stated].concat());
    let size = format!("Player={players}");
    let answer = s.ioa(&[
        "explore",
        "coins.ioa",
        "--sort",
        &size,
        "--allow-deadlock",
        "--json",
    ]);
    let document = answer.json();
    let results = document["results"].as_array().expect("results").iter();
    let said = results.filter(|result| result["name"] == "Said");
    let verdicts: Vec<&str> = said.filter_map(|one| one["verdict"].as_str()).collect();
    verdicts.concat()
}

#[test]
fn sums_are_the_same_however_arrays_are_stored() {
    for players in [1, 3, 40] {
        let right = [
            "sum(purse) + spent = dealt".to_owned(),
            format!("sum(owed) + spent = -{players}"),
            format!("sum(seat) = {}", 7 * players),
        ];
        let wrong = [
            "sum(purse) + spent <= 1".to_owned(),
            format!("sum(owed) + spent < -{players}"),
            format!("sum(seat) < {}", 7 * players),
        ];
        for (invariants, expected) in [(right, "explored"), (wrong, "violated")] {
            for invariant in &invariants {
                assert_eq!(verdict(players, invariant), expected, "{invariant}");
            }
        }
    }
}
