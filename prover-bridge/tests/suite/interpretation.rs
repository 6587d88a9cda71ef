//! Models of axioms at finite sizes: there are as many as there should be, they satisfy what they should, and that there
//! is none is said.

use std::collections::BTreeMap;

use crate::common::model;
use finite::{Interpretation, Universe};
use ioa_lang::Value;
use ioa_lang::core::{FunctionId, Meaning, Model, SortId};
use prover_bridge::{NoModel, Options, Reason, interpretations, least_degenerate_first};

/// A model with the axioms of a total order on `Node`, which alone say what `<` is.
fn ordered() -> Model {
    let mut model = model(&["type Node assumes TotalOrder(Node)"]);
    model.functions[0].meaning = Meaning::Axioms;
    model
}

fn universe(model: &Model, size: u64) -> Universe {
    let sizes = BTreeMap::from([("Node".to_owned(), size)]);
    Universe::sized(model, model.every_setting(), &sizes).expect("sizes")
}

fn find(model: &Model, size: u64, count: usize) -> Result<Vec<Interpretation>, NoModel> {
    let universe = universe(model, size);
    let found = interpretations(model, &universe, count, &Options::default())?.found;
    for interpretation in &found {
        let universe = universe.clone();
        universe
            .interpreted(model, interpretation.clone())
            .expect("tables that fit");
    }
    Ok(found)
}

/// A model with a theory about `Node`.
fn theory(body: &str) -> Model {
    model(&[&format!("type Node vocabulary V {body} end imports V")])
}

#[test]
fn all_finite_total_orders_of_a_size_are_alike() {
    let model = ordered();
    for size in 1..=4 {
        let found = find(&model, size, 10).expect("an order");
        assert_eq!(found.len(), 1, "of size {size}");
        let table = &found[0].tables[&FunctionId(0)];
        let less = |i: u64, j: u64| table[(i * size + j) as usize] == Value::Bool(true);
        for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
            assert_eq!(less(i, j), i != j && !less(j, i));
        }
    }
}

#[test]
fn several_interpretations_differ_and_come_in_the_same_order_again() {
    let model =
        theory("operators next: Node -> Node axioms with x, y: Node next(x) = next(y) => x = y;");
    let next = 0;
    // Permutations of 3 elements up to renaming: by their cycles, 1 + 1 + 1, 1 + 2 and 3.
    let mut found = find(&model, 3, 10).expect("permutations");
    assert_eq!(found.len(), 3);
    assert_eq!(find(&model, 3, 10).expect("permutations"), found);
    assert_eq!(find(&model, 3, 1).expect("permutations"), found[..1]);
    let fixed = |i: &Interpretation| {
        let table = &i.tables[&FunctionId(next)];
        let image = |k: u32| table[k as usize] == Value::Element(SortId(0), k);
        (0..3).filter(|k| image(*k)).count()
    };
    // The ring comes first, the identity last.
    let universe = universe(&model, 3);
    least_degenerate_first(&model, &universe, &mut found);
    let shapes: Vec<usize> = found.iter().map(fixed).collect();
    assert_eq!(shapes, [0, 1, 3]);
}

#[test]
fn that_there_is_none_is_said_with_the_axioms_to_blame() {
    let mut model = model(&["type Node assumes TotalOrder(Node)
        vocabulary Flat includes TotalOrder(Node) axioms with x, y: Node ~(x < y); end imports Flat"]);
    model.functions[0].meaning = Meaning::Axioms;
    assert_eq!(find(&model, 1, 1).expect("a single point").len(), 1);
    let NoModel::Contradiction(axioms) = find(&model, 2, 1).unwrap_err() else {
        panic!("a contradiction");
    };
    assert_eq!(axioms.len(), 2, "{axioms:?}");
    assert!(
        axioms.iter().any(|name| name.starts_with("Flat")),
        "{axioms:?}"
    );
}

#[test]
fn results_may_be_of_infinite_types() {
    let model = theory(
        "operators weight: Node -> Real, bound: -> Nat, label: -> String, flags: -> Seq[Char]
        axioms with x: Node 0.0 < weight(x); 10 < bound; \"m\" < label; 0 < len(flags);",
    );
    let [weight, bound, label, pairs] = [0, 1, 2, 3];
    let found = find(&model, 2, 1).expect("an interpretation");
    let result = |function: u32| found[0].tables[&FunctionId(function)].as_slice();
    let positive = |v: &Value| matches!(v, Value::Real(n) if *n > 0.into_ratio());
    assert!(result(weight).len() == 2 && result(weight).iter().all(positive));
    assert!(matches!(&result(bound)[0], Value::Int(n) if *n > 10.into()));
    assert!(matches!(&result(label)[0], Value::Text(text) if &**text > "m"));
    assert!(matches!(&result(pairs)[0], Value::Seq(s) if matches!(s[0], Value::Char(_))));
}

/// In lexicographic order the first number would be 1 in all of them.
#[test]
fn none_of_several_numbers_stays_at_its_least() {
    let model = theory("operators drift, term: -> Nat axioms 0 < drift; 2 * drift < term;");
    let found = find(&model, 2, 6).expect("interpretations");
    let number = |one: &Interpretation, function: u32| match &one.tables[&FunctionId(function)][..]
    {
        [Value::Int(number)] => number.to_string(),
        other => panic!("{other:?} is no number"),
    };
    let pairs = found.iter().map(|one| (number(one, 0), number(one, 1)));
    let pairs: Vec<String> = pairs.map(|(a, b)| format!("{a} {b}")).collect();
    assert_eq!(pairs, ["1 3", "1 4", "1 5", "2 5", "1 6", "2 6"]);
}

#[test]
fn a_limit_is_no_answer() {
    let model = ordered();
    let sizes = BTreeMap::from([("Node".to_owned(), 6)]);
    let universe = Universe::sized(&model, model.every_setting(), &sizes).expect("sizes");
    let options = Options {
        resource_limit: 1,
        ..Options::default()
    };
    let none = interpretations(&model, &universe, 1, &options).unwrap_err();
    assert_eq!(none, NoModel::Unknown(Reason::ResourceLimit));
}

trait IntoRatio {
    fn into_ratio(self) -> ioa_lang::core::Rational;
}

impl IntoRatio for i64 {
    fn into_ratio(self) -> ioa_lang::core::Rational {
        ioa_lang::core::Rational::from_integer(self.into())
    }
}
