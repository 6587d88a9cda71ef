//! The theories of orders: a sort whose elements are totally ordered, and one in which each of them has its neighbours.

use super::axioms::{Asked, Axioms, by_axioms, declare, no_sorts, sorts, state};
use crate::check::instance::Denotation;
use crate::check::report::Report;
use crate::check::world::{TheoryKey, World};
use crate::core::{
    Arrangement, Assumed, Expr, Function, FunctionId, Meaning, Op, Shape, SortId, Type,
};

/// The operators of a theory that needs no assumption: some types of the language have an order of their own.
pub(in crate::check) fn by_itself((name, types): &TheoryKey) -> Option<Vec<Denotation>> {
    let ordered = matches!(
        types.first()?,
        Type::Nat | Type::Int | Type::Real | Type::Char | Type::String
    );
    (&**name == "TotalOrder" && ordered).then(|| vec![Denotation::Op(Op::Lt)])
}

/// `TotalOrder(T)`: the elements of a sort are ordered by `<`.
pub(super) fn total_order(
    asked: &Asked,
    world: &mut World,
    report: &mut Report,
) -> Option<Vec<Denotation>> {
    if let Some(meant) = by_itself(&asked.key) {
        return Some(meant);
    }
    let Some([sort]) = sorts(asked) else {
        report.add(no_sorts(asked, world));
        return None;
    };
    let ty = Type::Sort(sort);
    let less = declare(
        world,
        asked.origin(),
        Function {
            name: "<".into(),
            params: vec![ty.clone(), ty.clone()],
            result: Type::Bool,
            meaning: Meaning::Less(sort),
            assumed: Assumed::default(),
            span: asked.span,
        },
    );
    let mut axioms = Axioms::new(asked, world).describing(less);
    let [x, y, z] = ["x", "y", "z"].map(|name| axioms.local(name, &ty));
    let lt = |a: &Expr, b: &Expr| axioms.relate(less, &[a, b]);
    let irreflexive = axioms.apply(Op::Not, vec![lt(&x, &x)]);
    let transitive = axioms.apply(
        Op::Implies,
        vec![
            axioms.apply(Op::And, vec![lt(&x, &y), lt(&y, &z)]),
            lt(&x, &z),
        ],
    );
    let equal = axioms.apply(Op::Eq, vec![x.clone(), y.clone()]);
    let total = axioms.apply(Op::Or, vec![lt(&x, &y), equal, lt(&y, &x)]);
    for axiom in [
        axioms.state("irreflexive", 1, irreflexive),
        axioms.state("transitive", 3, transitive),
        axioms.state("total", 2, total),
    ] {
        state(world, asked.origin(), axiom);
    }
    Some(vec![Denotation::Function(less)])
}

/// `Successor(T)`: the elements of an ordered sort lie in one line. It has a least element `first`, `successor(a)` is the next
/// greater element, and `predecessor(a)` is the next smaller one. Both are total: the last element, if there is one, is its own
/// successor, and the first element is its own predecessor.
///
/// There is one such line of each finite size. The natural numbers are one without a last element.
pub(super) fn successor(
    asked: &Asked,
    world: &mut World,
    report: &mut Report,
) -> Option<Vec<Denotation>> {
    let order = ("TotalOrder".into(), asked.key.1.clone());
    let (Some([sort]), Some([Denotation::Function(less)])) =
        (sorts(asked), world.theories.get(&order).map(Vec::as_slice))
    else {
        report.add(no_sorts(asked, world));
        return None;
    };
    let (ty, less) = (Type::Sort(sort), *less);
    let mut operator = |name, arity| by_axioms((asked, &mut *world), name, (arity, &ty), &ty);
    let operators = [
        operator("successor", 1),
        operator("predecessor", 1),
        operator("first", 0),
    ];
    state_axioms(asked, (sort, less), operators, world);
    let [successor, predecessor, first] = operators;
    world.model.arrangements.push(Arrangement {
        sort,
        shape: Shape::Line {
            successor,
            predecessor,
            first,
        },
    });
    Some(operators.map(Denotation::Function).into())
}

fn state_axioms(
    asked: &Asked,
    (sort, less): (SortId, FunctionId),
    [successor, predecessor, first]: [FunctionId; 3],
    world: &mut World,
) {
    let ty = Type::Sort(sort);
    let mut axioms = Axioms::new(asked, world).describing(successor);
    let [a, b] = ["a", "b"].map(|name| axioms.local(name, &ty));
    let successor = |x: &Expr| axioms.call(successor, &[x], &ty);
    let predecessor = |x: &Expr| axioms.call(predecessor, &[x], &ty);
    let first = axioms.call(first, &[], &ty);
    let less = |x: &Expr, y: &Expr| axioms.relate(less, &[x, y]);
    let same = |x: &Expr, y: &Expr| axioms.apply(Op::Eq, vec![x.clone(), y.clone()]);
    let not = |x: Expr| axioms.apply(Op::Not, vec![x]);
    let both = |x: Expr, y: Expr| axioms.apply(Op::And, vec![x, y]);
    let implies = |x: Expr, y: Expr| axioms.apply(Op::Implies, vec![x, y]);
    let facts = [
        ("least", 1, not(less(&a, &first))),
        (
            "greater",
            2,
            implies(less(&a, &b), less(&a, &successor(&a))),
        ),
        ("notLess", 1, not(less(&successor(&a), &a))),
        (
            "immediate",
            2,
            not(both(less(&a, &b), less(&b, &successor(&a)))),
        ),
        (
            "undone",
            1,
            implies(
                less(&a, &successor(&a)),
                same(&predecessor(&successor(&a)), &a),
            ),
        ),
        (
            "reached",
            1,
            implies(
                less(&first, &a),
                both(
                    less(&predecessor(&a), &a),
                    same(&successor(&predecessor(&a)), &a),
                ),
            ),
        ),
        (
            "alone",
            1,
            implies(same(&a, &first), same(&predecessor(&a), &a)),
        ),
    ];
    for (name, binders, fact) in facts {
        state(world, asked.origin(), axioms.state(name, binders, fact));
    }
}
