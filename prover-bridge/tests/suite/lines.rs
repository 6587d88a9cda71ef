//! Lines, by the theory `Successor`: one for each finite size, and what is true of all of them.

use std::collections::BTreeMap;

use crate::common::{model, prove_all, unproved};
use finite::{Interpretation, Universe};
use ioa_lang::core::{Meaning, Model};
use prover_bridge::{Options, interpretations};

const LINE: &str = "type N
assumes Successor(N)
automaton A
  signature internal go
  states n: N := first
  transitions internal go eff n := successor(n)
";

fn universe(model: &Model, size: u64) -> Universe {
    let sizes = BTreeMap::from([("N".to_owned(), size)]);
    let automaton = model.automaton_named("A").expect("it is there");
    Universe::sized(model, model.setting([automaton]), &sizes).expect("it fits")
}

fn found(model: &Model, size: u64) -> Vec<Interpretation> {
    let universe = universe(model, size);
    let found = interpretations(model, &universe, 200, &Options::default()).expect("there is one");
    assert!(found.are_all);
    found.found
}

#[test]
fn a_line_is_known_without_a_search_and_the_solver_agrees() {
    let model = model(&[LINE]);
    for size in 1..=6 {
        let natural = universe(&model, size).of_arrangements_alone(&model);
        assert_eq!(found(&model, size), [natural.expect("a line alone")]);
    }
    let [successor, predecessor, first] = model.arrangements[0].operators();
    let natural = found(&model, 3).remove(0);
    let shown = |operator| {
        let table = natural.tables[&operator].iter();
        table.map(|value| value.display(&model)).collect::<Vec<_>>()
    };
    assert_eq!(shown(successor), ["N#1", "N#2", "N#2"]);
    assert_eq!(shown(predecessor), ["N#0", "N#0", "N#1"]);
    assert_eq!(shown(first), ["N#0"]);
}

#[test]
fn the_axioms_alone_leave_one_line_of_each_size() {
    let mut open = model(&[LINE]);
    for function in &mut open.functions {
        function.meaning = Meaning::Axioms;
    }
    for size in 1..=5 {
        assert_eq!(found(&open, size).len(), 1, "{size}");
    }
}

#[test]
fn what_is_true_of_every_line_is_proved_and_nothing_else() {
    let stated = "
invariant Least of A: \\A a: N (first <= a)
invariant Up of A: \\A a: N (a <= successor(a) /\\ predecessor(a) <= a)
invariant Gap of A: \\A a: N \\A b: N (a < b => successor(a) <= b)
invariant Back of A: \\A a: N (predecessor(successor(a)) = a \\/ successor(a) = a)
invariant Forth of A: \\A a: N (successor(predecessor(a)) = a \\/ a = first)
invariant Last of A: \\A a: N \\A b: N (successor(a) = a => b <= a)
invariant Onto of A: \\A b: N \\E a: N (b ~= first => successor(a) = b /\\ a ~= b)
invariant Apart of A: \\A a: N \\A b: N (successor(a) = successor(b) => a = b \\/ successor(a) = a \\/ successor(b) = b)
invariant Endless of A: \\A a: N (successor(a) ~= a)
invariant Ends of A: \\E a: N (successor(a) = a)
invariant Round of A: \\A a: N \\E b: N (successor(b) = a)
invariant Two of A: \\A a: N (successor(successor(a)) = successor(a))
";
    let model = model(&[&format!("{LINE}{stated}")]);
    let open = unproved(&prove_all(&model));
    let named: Vec<&str> = open
        .lines()
        .filter_map(|line| line.split(" / ").next())
        .collect();
    assert_eq!(named, ["A.Endless", "A.Ends", "A.Round", "A.Two"], "{open}");
}
