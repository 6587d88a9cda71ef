//! Forward simulations beyond Paxos: block variables, `using`, several clauses, start states.

use crate::common::{model, prove_all, unproved};

fn check(text: &str) -> String {
    unproved(&prove_all(&model(&[text])))
}

/// A clock that ticks by any amount, seen as one that counts the largest tick.
const TICKS: &str = "
automaton Low
  signature internal step(k: Int)  output show(n: Int)
  states sum: Int := 0
  transitions
    internal step(k) pre k > 0 eff sum := sum + k
    output show(n) pre n = sum
automaton High
  signature internal grow  output show(n: Int)
  states total: Int := 0
  transitions
    internal grow eff total := choose t where t > total
    output show(n) where n >= 0 pre n = total
    output show(n) where n < 0 pre false
invariant Natural of Low: sum >= 0
forward simulation from Low to High: High.total = Low.sum /\\ last <= Low.sum
  proof
    states last: Int := 0
    initially High.total := 0
    for internal step(k: Int) do
      if k > last then fire internal grow using Low.sum + k for t; last := k
      else fire internal grow using Low.sum + k for t fi
    od
    for output show(n: Int) do fire output show(n) od
";

#[test]
fn using_names_what_is_chosen() {
    assert_eq!(check(TICKS), "");
    let wrong = TICKS.replace("using Low.sum + k for t; last", "using Low.sum for t; last");
    assert_eq!(check(&wrong), "Low to High / step: refuted\n");
}

#[test]
fn some_clause_must_be_enabled() {
    let strict = TICKS.replace("where n >= 0 pre", "where n > 0 pre");
    assert_eq!(check(&strict), "Low to High / show: refuted\n");
}

#[test]
fn the_start_must_be_a_start_and_related() {
    let not_a_start = TICKS.replace("initially High.total := 0", "initially High.total := 1");
    assert_eq!(check(&not_a_start), "Low to High / start: refuted\n");
    let not_related = TICKS.replace("states sum: Int := 0", "states sum: Int := 7");
    assert_eq!(check(&not_related), "Low to High / start: refuted\n");
    let chosen = TICKS.replace(
        "states total: Int := 0",
        "states total: Int := choose t where t >= 0",
    );
    assert_eq!(check(&chosen), "");
}

#[test]
fn the_trace_must_agree() {
    let silent = TICKS.replace("do fire output show(n) od", "ignore");
    assert_eq!(check(&silent), "Low to High / show: refuted\n");
    let other = TICKS.replace(
        "do fire output show(n) od",
        "do fire output show(Low.sum - n) od",
    );
    assert_eq!(check(&other), "Low to High / show: refuted\n");
}

#[test]
fn block_variables_are_part_of_the_relation() {
    let forgetful = TICKS.replace("last := k\n", "last := k + k\n");
    assert_eq!(check(&forgetful), "Low to High / step: refuted\n");
}

#[test]
fn a_choice_without_a_witness_is_not_guessed() {
    let text = TICKS.replace(" using Low.sum + k for t fi", " fi");
    let said = check(&text);
    assert!(
        said.starts_with("Low to High / step: unknown: outside the encoding: a `choose` for which"),
        "{said}"
    );
}

#[test]
fn automata_without_invariants_must_be_defined_too() {
    let text = "
automaton High
  signature output out
  states x: Int := choose k where k = 1 /\\ k = 2, c: Null[Int] := nil
  transitions output out pre c.val = c.val
automaton Low
  signature output out
  states y: Int := 0
  transitions output out
forward simulation from Low to High: true
  proof
    initially High.c := nil; High.x := 0
    for output out do fire output out od
";
    let open = check(text);
    assert!(open.contains("High / start is defined: refuted"), "{open}");
    assert!(open.contains("High.out is defined: refuted"), "{open}");
    let mended = text
        .replace("k = 1 /\\ k = 2", "k = 1 \\/ k = 2")
        .replace("c.val = c.val", "c = nil");
    let mended = mended.replace("High: true", "High: High.c = nil");
    assert_eq!(check(&mended.replace("High.x := 0", "High.x := 1")), "");
}

/// Counters by themselves and together: their start program goes through the components.
const PARTS: &str = "type Node
    automaton Cell(me: Node)
      signature internal step(const me)
      states mine: Node := me, count: Int := choose c where c > 0 /\\ c < 9
      transitions internal step(me) eff count := count + 1
    automaton Low
      signature internal step(n: Node)
      states counts: Array[Node, Int] := constant(1)
      transitions internal step(n) eff counts[n] := counts[n] + 1
    automaton High
      components P[n: Node]: Cell(n)
    forward simulation from Low to High:
      \\A n: Node (High.P[n].count = Low.counts[n] /\\ High.P[n].mine = n)
      proof
        initially High.P.count := Low.counts
        for internal step(n: Node) do fire internal P[n].step(n) od
";

#[test]
fn a_composition_starts_as_each_of_its_components_may() {
    assert_eq!(check(PARTS), "");
    let chosen = PARTS.replace("c > 0", "c > 1");
    assert_eq!(check(&chosen), "Low to High / start: refuted\n");
    let other = PARTS.replace(
        "states counts: Array[Node, Int] := constant(1)",
        "states counts: Array[Node, Int] := constant(9)",
    );
    assert_eq!(check(&other), "Low to High / start: refuted\n");
    let given = PARTS.replace(
        "count: Int := choose c where c > 0 /\\ c < 9",
        "count: Int := 2",
    );
    assert_eq!(check(&given), "Low to High / start: refuted\n");
}
