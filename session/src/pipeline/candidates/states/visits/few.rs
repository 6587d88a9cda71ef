//! A few numbers for parameters that may be any number, so that the steps by these can be listed and learnt from.

use ioa_lang::Span;
use ioa_lang::core::{
    AutomatonId, Constraint, Expr, ExprKind, LocalId, Model, Op, Transition, Type,
};

/// The numbers that are tried, and their opposites where there are any.
const LARGEST: i64 = 3;

/// Has the clauses of an automaton take few numbers for those of their parameters that nothing bounds; says whether there are any.
pub(in crate::pipeline::candidates::states) fn take_few_numbers(
    model: &mut Model,
    automaton: AutomatonId,
) -> bool {
    let mut is_any = false;
    for clause in &mut model.automata[automaton.index()].transitions {
        let parameters = clause.params.iter().chain(&clause.hidden);
        let open: Vec<LocalId> = parameters
            .copied()
            .filter(|local| is_unbounded(clause, *local))
            .collect();
        is_any |= !open.is_empty();
        for local in open {
            let conditions = [vec![clause.applies.clone()], few(clause, local)].concat();
            clause.applies = Expr::conjunction(conditions, clause.applies.span);
        }
    }
    is_any
}

/// Whether a parameter is a number that no condition bounds by itself.
fn is_unbounded(clause: &Transition, local: LocalId) -> bool {
    let conditions = [&clause.applies, &clause.pre];
    let mut conditions = conditions.iter().flat_map(|all| all.conjuncts());
    clause.locals[local.index()].ty.is_integer()
        && !conditions.any(|condition| {
            matches!(
                condition.constraint(local),
                Some(Constraint::Equal(_) | Constraint::Element(_) | Constraint::Below(_))
            )
        })
}

/// That a parameter is one of few numbers.
fn few(clause: &Transition, local: LocalId) -> Vec<Expr> {
    let ty = clause.locals[local.index()].ty.clone();
    let number = |n: i64| Expr::new(ExprKind::Int(n.into()), Type::Int, Span::default());
    let own = || Expr::new(ExprKind::Local(local), ty.clone(), Span::default());
    let at_most = |a: Expr, b: Expr| Expr::apply(Op::Le, vec![a, b], Type::Bool, Span::default());
    match ty {
        Type::Nat => vec![at_most(own(), number(LARGEST))],
        _ => vec![
            at_most(number(-LARGEST), own()),
            at_most(own(), number(LARGEST)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use ioa_lang::Sources;

    use super::*;

    #[test]
    fn only_numbers_that_nothing_bounds_become_few() {
        let mut sources = Sources::new();
        sources.add(
            "a.ioa",
            "automaton A
  signature
    input put(n: Nat, b: Bool)
    internal take(k: Nat), shift(by: Int)
  states held: Nat := 0
  transitions
    input put(n, b)
      eff if b then held := n fi
    internal take(k)
      pre k <= held
      eff held := held - k
    internal shift(by)
      pre by > 1
      eff held := held + 1
",
        );
        let mut model = ioa_lang::load(&sources).model;
        let before = model.clone();
        let automaton = AutomatonId::at(0);
        assert!(take_few_numbers(&mut model, automaton));
        let clauses = |model: &Model| model.automata[0].transitions.clone();
        let pairs = clauses(&before).into_iter().zip(clauses(&model));
        let restricted: Vec<bool> = pairs.map(|(a, b)| a.applies != b.applies).collect();
        assert_eq!(restricted, [true, false, true]);
        assert!(
            !take_few_numbers(&mut model, automaton),
            "all are bounded now"
        );
    }
}
