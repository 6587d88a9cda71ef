//! Rings: one for each size, and the same whether the theory of the language or its axioms say what it is.

use std::collections::BTreeMap;

use crate::common::{counterexample, model, prove_all, unproved};
use finite::{Interpretation, Universe};
use ioa_lang::Value;
use ioa_lang::core::Model;
use prover_bridge::{Options, interpretations};

/// The axioms of the theory, as a person would write them.
const BY_HAND: &str = "vocabulary Circle
  operators
    next, previous: N -> N, between: N, N, N -> Bool
  axioms
    with a, b, c, d: N
    previous(next(a)) = a;
    next(previous(a)) = a;
    next(a) = a => a = b;
    ~between(a, b, next(a));
    between(a, b, c) => a ~= b /\\ b ~= c /\\ a ~= c;
    between(a, b, c) => between(b, c, a);
    between(a, b, c) => ~between(a, c, b);
    a ~= b /\\ b ~= c /\\ a ~= c => between(a, b, c) \\/ between(a, c, b);
    between(a, b, c) /\\ between(a, c, d) => between(a, b, d)
end
imports Circle
";

const EMPTY: &str =
    "automaton A signature internal go states n: N transitions internal go eff n := next(n)\n";

fn found(model: &Model, size: u64) -> (Vec<Interpretation>, bool) {
    let sizes = BTreeMap::from([("N".to_owned(), size)]);
    let automaton = model.automaton_named("A").expect("it is there");
    let universe = Universe::sized(model, model.setting([automaton]), &sizes).expect("it fits");
    let found = interpretations(model, &universe, 200, &Options::default()).expect("there is one");
    (found.found, found.are_all)
}

/// The tables of an interpretation, in the order in which their operators are declared.
fn tables(interpretation: &Interpretation) -> Vec<&Vec<Value>> {
    interpretation.tables.values().collect()
}

#[test]
fn there_is_one_ring_of_each_size_and_the_axioms_say_which() {
    let built_in = model(&[&format!("type N\nassumes Ring(N)\n{EMPTY}")]);
    let by_hand = model(&[&format!("type N\n{BY_HAND}{EMPTY}")]);
    for size in 1..=5 {
        let (one, other) = (found(&built_in, size), found(&by_hand, size));
        assert_eq!((one.0.len(), one.1), (1, true), "{size}");
        assert_eq!((other.0.len(), other.1), (1, true), "{size}");
        assert_eq!(tables(&one.0[0]), tables(&other.0[0]), "{size}");
    }
}

#[test]
fn the_elements_of_a_ring_are_numbered_as_they_come() {
    let model = model(&[&format!("type N\nassumes Ring(N)\n{EMPTY}")]);
    let (found, _) = found(&model, 4);
    let next = tables(&found[0])[0];
    let places: Vec<String> = next.iter().map(|value| value.display(&model)).collect();
    assert_eq!(places, ["N#1", "N#2", "N#3", "N#0"]);
}

#[test]
fn an_order_of_a_ring_may_be_any_order() {
    let ordered = model(&[&format!("type N\nassumes Ring(N), TotalOrder(N)\n{EMPTY}")]);
    // Rings in which the order goes round in another way: (n - 1)! of them.
    for (size, rings) in [(1, 1), (2, 1), (3, 2), (4, 6), (5, 24)] {
        let (found, are_all) = found(&ordered, size);
        assert_eq!((found.len(), are_all), (rings, true), "{size}");
    }
}

#[test]
fn names_of_a_ring_differ_by_more_than_a_rotation() {
    let text = format!(
        "type N\ntype J\nassumes Ring(N), TotalOrder(J)\nvocabulary Names\n operators name: N -> J\n axioms with a, b: N \
         name(a) = name(b) => a = b\nend\nimports Names\n{EMPTY}"
    );
    let model = model(&[&text]);
    for (size, names) in [(2_u64, 1), (3, 2), (4, 6)] {
        let sizes = BTreeMap::from([("N".to_owned(), size), ("J".to_owned(), size)]);
        let automaton = model.automaton_named("A").expect("it is there");
        let universe =
            Universe::sized(&model, model.setting([automaton]), &sizes).expect("it fits");
        let found = interpretations(&model, &universe, 200, &Options::default()).expect("some");
        assert_eq!((found.found.len(), found.are_all), (names, true), "{size}");
    }
}

#[test]
fn what_is_true_of_every_ring_is_proved_and_nothing_else() {
    let stated = "
invariant Onto of A: \\A a: N \\E b: N (next(b) = a)
invariant Alone of A: \\A a: N \\A b: N (next(a) = a => next(b) = a)
invariant Past of A: \\A a: N \\A b: N (b ~= a /\\ b ~= next(a) => between(a, next(a), b))
invariant Three of A: \\A a: N (next(next(next(a))) = a)
invariant Never of A: \\A a: N (next(a) ~= a)
";
    let model = model(&[&format!("type N\nassumes Ring(N)\n{EMPTY}{stated}")]);
    let open = unproved(&prove_all(&model));
    assert_eq!(open, "A.Three / start: refuted\nA.Never / start: refuted\n");
}

/// A ring with two elements that are told apart, and what is known about them.
fn with_two(condition: &str) -> Model {
    let text = format!(
        "type N\nassumes Ring(N)\nautomaton A(a: N, b: N) where {condition}\n signature internal go\n \
         states n: N := a\n transitions internal go eff n := b\n"
    );
    model(&[&text])
}

#[test]
fn a_ring_of_many_elements_is_found_beside_other_operators() {
    let model = with_two("b = next(next(a))");
    // A rotation leads from each choice of the one to any other.
    let (found, are_all) = found(&model, 20);
    assert_eq!((found.len(), are_all), (1, true));
    let places: Vec<String> = tables(&found[0])
        .iter()
        .filter(|table| table.len() == 1)
        .map(|table| table[0].display(&model))
        .collect();
    assert_eq!(places, ["N#0", "N#2"]);
}

#[test]
fn what_no_ring_satisfies_has_no_interpretation() {
    let model = with_two("next(a) = a /\\ a ~= b");
    let sizes = BTreeMap::from([("N".to_owned(), 3)]);
    let automaton = model.automaton_named("A").expect("it is there");
    let universe = Universe::sized(&model, model.setting([automaton]), &sizes).expect("it fits");
    let none = interpretations(&model, &universe, 1, &Options::default());
    let why = none.expect_err("nobody is next to itself").to_string();
    assert_eq!(why, "no interpretation satisfies A.where");
}

#[test]
fn rings_alone_need_no_search() {
    let model = model(&[&format!("type N\nassumes Ring(N)\n{EMPTY}")]);
    for size in 1..=6 {
        let sizes = BTreeMap::from([("N".to_owned(), size)]);
        let automaton = model.automaton_named("A").expect("it is there");
        let setting = model.setting([automaton]);
        let universe = Universe::sized(&model, setting, &sizes).expect("it fits");
        let natural = universe.of_arrangements_alone(&model).expect("rings alone");
        assert_eq!(found(&model, size).0, [natural]);
    }
}

/// An election in which nodes pass the largest number on, with lemmas two of which are not inductive.
const ELECTION: &str = "type Node
type Id
assumes Ring(Node), TotalOrder(Id)
vocabulary Names
  operators
    id: Node -> Id
  axioms
    with m, n: Node
    id(m) = id(n) => m = n
end
imports Names
automaton Election
  signature
    internal start(n: Node), relay(n: Node, i: Id), win(n: Node)
  states
    pending: Array[Node, Set[Id]] := constant({}),
    leaders: Set[Node] := {}
  transitions
    internal start(n)
      eff pending[next(n)] := insert(id(n), pending[next(n)])
    internal relay(n, i)
      pre i \\in pending[n] /\\ id(n) < i
      eff pending[n] := delete(i, pending[n]);
          pending[next(n)] := insert(i, pending[next(n)])
    internal win(n)
      pre id(n) \\in pending[n]
      eff leaders := insert(n, leaders)
invariant Silent of Election: \\A n, p: Node (n ~= p /\\ n \\in leaders => id(p) \\notin pending[p])
invariant Near of Election: \\A n: Node \\A i: Id (i < id(n) => i \\notin pending[next(n)])
invariant Largest of Election: \\A n, p: Node (n ~= p /\\ n \\in leaders => id(p) < id(n))
";

#[test]
fn what_only_a_ring_of_four_shows_is_refuted() {
    let model = model(&[ELECTION]);
    let report = prove_all(&model);
    let relay = counterexample(&report, &model, "Election.Silent / relay");
    assert!(relay.contains("Node#3"), "{relay}");
    let win = counterexample(&report, &model, "Election.Silent / win");
    assert!(!win.contains("Node#3"), "{win}");
}
