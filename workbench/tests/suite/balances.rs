//! Sums that stay the same, of numbers and of what a state says of where something is: what must be found, and what must not be
//! said.

use crate::lemmas::candidates;
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
