//! The theory of rings: a sort whose elements lie in one circle.

use super::axioms::{Asked, Axioms, by_axioms, no_sorts, sorts, state};
use crate::check::instance::Denotation;
use crate::check::report::Report;
use crate::check::world::World;
use crate::core::{Arrangement, Expr, FunctionId, Op, Shape, SortId, Type};

/// `Ring(T)`: the elements of a sort lie in one circle. `next(a)` and `previous(a)` are the neighbours of `a`, and
/// `between(a, b, c)` says that going on from `a` one comes past `b` before one comes to `c`.
///
/// It is not enough that `next` is a bijection, for two separate cycles satisfy that as well, and no formula about `next`
/// alone excludes them at every size. `between` is a cyclic order (Novák, Cyclically ordered sets, 1982) in which `next`
/// gives the immediate neighbour: at each finite size there is exactly one such ring, up to the names of its elements.
pub(super) fn ring(
    asked: &Asked,
    world: &mut World,
    report: &mut Report,
) -> Option<Vec<Denotation>> {
    let Some([sort]) = sorts(asked) else {
        report.add(no_sorts(asked, world));
        return None;
    };
    let ty = Type::Sort(sort);
    let mut operator =
        |name, arity, result| by_axioms((asked, &mut *world), name, (arity, &ty), result);
    let operators = [
        operator("next", 1, &ty),
        operator("previous", 1, &ty),
        operator("between", 3, &Type::Bool),
    ];
    state_axioms(asked, sort, operators, world);
    let [next, previous, between] = operators;
    world.model.arrangements.push(Arrangement {
        sort,
        shape: Shape::Ring {
            next,
            previous,
            between,
        },
    });
    Some(operators.map(Denotation::Function).into())
}

fn state_axioms(
    asked: &Asked,
    sort: SortId,
    [next, previous, between]: [FunctionId; 3],
    world: &mut World,
) {
    let ty = Type::Sort(sort);
    let mut axioms = Axioms::new(asked, world).describing(next);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| axioms.local(name, &ty));
    let next = |x: &Expr| axioms.call(next, &[x], &ty);
    let previous = |x: &Expr| axioms.call(previous, &[x], &ty);
    let between = |x: &Expr, y: &Expr, z: &Expr| axioms.relate(between, &[x, y, z]);
    let same = |x: &Expr, y: &Expr| axioms.apply(Op::Eq, vec![x.clone(), y.clone()]);
    let not = |x: Expr| axioms.apply(Op::Not, vec![x]);
    let all = |parts: Vec<Expr>| axioms.apply(Op::And, parts);
    let implies = |x: Expr, y: Expr| axioms.apply(Op::Implies, vec![x, y]);
    let apart = || {
        all(vec![
            not(same(&a, &b)),
            not(same(&b, &c)),
            not(same(&a, &c)),
        ])
    };
    let facts = [
        ("injective", 1, same(&previous(&next(&a)), &a)),
        ("onto", 1, same(&next(&previous(&a)), &a)),
        ("alone", 2, implies(same(&next(&a), &a), same(&a, &b))),
        ("immediate", 2, not(between(&a, &b, &next(&a)))),
        ("distinct", 3, implies(between(&a, &b, &c), apart())),
        (
            "cyclic",
            3,
            implies(between(&a, &b, &c), between(&b, &c, &a)),
        ),
        (
            "asymmetric",
            3,
            implies(between(&a, &b, &c), not(between(&a, &c, &b))),
        ),
        (
            "total",
            3,
            implies(
                apart(),
                axioms.apply(Op::Or, vec![between(&a, &b, &c), between(&a, &c, &b)]),
            ),
        ),
        (
            "transitive",
            4,
            implies(
                all(vec![between(&a, &b, &c), between(&a, &c, &d)]),
                between(&a, &b, &d),
            ),
        ),
    ];
    for (name, binders, fact) in facts {
        state(world, asked.origin(), axioms.state(name, binders, fact));
    }
}
