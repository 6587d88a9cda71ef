//! Models of axioms at finite sizes: there are as many as there should be, they satisfy what they should, and that there
//! is none is said.

mod common;

use std::collections::BTreeMap;

use common::model;
use ioa_lang::Value;
use ioa_lang::core::{
    Axiom, Expr, ExprKind, Function, FunctionId, Local, LocalId, Meaning, Model, Op, Quantifier,
    SortId, Type,
};
use ioa_lang::finite::{Interpretation, Universe};
use prover_bridge::{NoModel, Options, Reason, interpretations};

/// A model with the axioms of a total order on `Node`, which alone say what `<` is.
fn ordered() -> Model {
    let mut model = model(&["type Node assumes TotalOrder(Node)"]);
    model.functions[0].meaning = Meaning::Axioms;
    model
}

fn find(model: &Model, size: u64, count: usize) -> Result<Vec<Interpretation>, NoModel> {
    let sizes = BTreeMap::from([("Node".to_owned(), size)]);
    let universe = Universe::sized(model, &sizes).expect("sizes");
    let found = interpretations(model, &universe, count, &Options::default())?;
    for interpretation in &found {
        let universe = universe.clone();
        universe
            .interpreted(model, interpretation.clone())
            .expect("tables that fit");
    }
    Ok(found)
}

fn local(index: u32, ty: Type, model: &Model) -> Expr {
    expr(ExprKind::Local(LocalId(index)), ty, model)
}

fn expr(kind: ExprKind, ty: Type, model: &Model) -> Expr {
    let span = model.sorts[0].span;
    Expr { kind, ty, span }
}

/// Adds an axiom over `x, y: Node`, both universally quantified.
fn add_axiom(model: &mut Model, name: &str, formula: impl Fn(&Model, Expr, Expr) -> Expr) {
    let node = Type::Sort(SortId(0));
    let [x, y] = [0, 1].map(|i| local(i, node.clone(), model));
    let body = formula(model, x, y);
    let binders = vec![LocalId(0), LocalId(1)];
    let kind = ExprKind::Quantified(Quantifier::ForAll, binders, Box::new(body));
    let declared = |name: &str| Local {
        name: name.into(),
        ty: node.clone(),
        span: model.sorts[0].span,
    };
    let axiom = Axiom {
        name: name.into(),
        locals: vec![declared("x"), declared("y")],
        formula: expr(kind, Type::Bool, model),
        span: model.sorts[0].span,
    };
    model.axioms.push(axiom);
}

fn call(model: &Model, function: u32, args: Vec<Expr>) -> Expr {
    let result = model.functions[function as usize].result.clone();
    expr(ExprKind::Theory(FunctionId(function), args), result, model)
}

fn apply(model: &Model, op: Op, args: Vec<Expr>) -> Expr {
    expr(ExprKind::Apply(op, args), Type::Bool, model)
}

fn declare(model: &mut Model, name: &str, params: Vec<Type>, result: Type) -> u32 {
    let span = model.sorts[0].span;
    model.functions.push(Function {
        name: name.into(),
        params,
        result,
        meaning: Meaning::Axioms,
        span,
    });
    model.functions.len() as u32 - 1
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
    let mut model = model(&["type Node"]);
    let node = Type::Sort(SortId(0));
    let next = declare(&mut model, "next", vec![node.clone()], node);
    add_axiom(&mut model, "injective", |model, x, y| {
        let images = [&x, &y]
            .map(|e| call(model, next, vec![e.clone()]))
            .to_vec();
        let premise = apply(model, Op::Eq, images);
        let same = apply(model, Op::Eq, vec![x, y]);
        apply(model, Op::Implies, vec![premise, same])
    });
    // Permutations of 3 elements up to renaming: by their cycles, 1 + 1 + 1, 1 + 2 and 3.
    let found = find(&model, 3, 10).expect("permutations");
    assert_eq!(found.len(), 3);
    assert_eq!(find(&model, 3, 2).expect("permutations"), found[..2]);
    let fixed = |i: &Interpretation| {
        let table = &i.tables[&FunctionId(next)];
        let image = |k: u32| table[k as usize] == Value::Element(SortId(0), k);
        (0..3).filter(|k| image(*k)).count()
    };
    let mut shapes: Vec<usize> = found.iter().map(fixed).collect();
    shapes.sort_unstable();
    assert_eq!(shapes, [0, 1, 3]);
}

#[test]
fn that_there_is_none_is_said_with_the_axioms_to_blame() {
    let mut model = ordered();
    add_axiom(&mut model, "flat", |model, x, y| {
        let less = call(model, 0, vec![x, y]);
        apply(model, Op::Not, vec![less])
    });
    assert_eq!(find(&model, 1, 1).expect("a single point").len(), 1);
    let NoModel::Contradiction(axioms) = find(&model, 2, 1).unwrap_err() else {
        panic!("a contradiction");
    };
    assert_eq!(axioms.len(), 2, "{axioms:?}");
    assert!(axioms.iter().any(|name| &**name == "flat"), "{axioms:?}");
}

#[test]
fn results_may_be_of_infinite_types() {
    let mut model = model(&["type Node"]);
    let node = Type::Sort(SortId(0));
    let weight = declare(&mut model, "weight", vec![node], Type::Real);
    let bound = declare(&mut model, "bound", vec![], Type::Nat);
    let label = declare(&mut model, "label", vec![], Type::String);
    let pairs = declare(&mut model, "flags", vec![], Type::seq(Type::Char));
    add_axiom(&mut model, "positive", |model, x, _| {
        let zero = expr(ExprKind::Real(0.into_ratio()), Type::Real, model);
        let weight = call(model, weight, vec![x]);
        apply(model, Op::Lt, vec![zero, weight])
    });
    add_axiom(&mut model, "large", |model, _, _| {
        let ten = expr(ExprKind::Int(10.into()), Type::Nat, model);
        let bound = call(model, bound, vec![]);
        let least = apply(model, Op::Lt, vec![ten, bound]);
        let text = expr(ExprKind::Text("m".into()), Type::String, model);
        let label = call(model, label, vec![]);
        apply(
            model,
            Op::And,
            vec![least, apply(model, Op::Lt, vec![text, label])],
        )
    });
    add_axiom(&mut model, "some", |model, _, _| {
        let none = expr(ExprKind::Int(0.into()), Type::Nat, model);
        let flags = call(model, pairs, vec![]);
        let len = expr(ExprKind::Apply(Op::Len, vec![flags]), Type::Nat, model);
        apply(model, Op::Lt, vec![none, len])
    });
    let found = find(&model, 2, 1).expect("an interpretation");
    let result = |function: u32| found[0].tables[&FunctionId(function)].as_slice();
    let positive = |v: &Value| matches!(v, Value::Real(n) if *n > 0.into_ratio());
    assert!(result(weight).len() == 2 && result(weight).iter().all(positive));
    assert!(matches!(&result(bound)[0], Value::Int(n) if *n > 10.into()));
    assert!(matches!(&result(label)[0], Value::Text(text) if &**text > "m"));
    assert!(matches!(&result(pairs)[0], Value::Seq(s) if matches!(s[0], Value::Char(_))));
}

#[test]
fn a_limit_is_no_answer() {
    let model = ordered();
    let sizes = BTreeMap::from([("Node".to_owned(), 6)]);
    let universe = Universe::sized(&model, &sizes).expect("sizes");
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
