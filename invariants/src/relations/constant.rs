//! The numbers in relations that were found in one instance: which of them are constants of theories, and which bound something.

use std::cell::Cell;

use ioa_lang::core::{Expr, ExprKind, FunctionId, Invariant, Local, LocalId, Model, Op, Type};
use num_bigint::BigInt;

use crate::build::{self, apply, formula, rebuilt};
use crate::names::{fresh, visible};

/// A relation with a constant of a theory wherever it has a number, which that constant is in the instance where the relation was
/// found; nothing if the number does not occur. Whether it holds in other instances is to be seen.
#[must_use]
pub fn with_constant(
    relation: &Invariant,
    number: &BigInt,
    constant: FunctionId,
) -> Option<Invariant> {
    with_term(relation, number, &ExprKind::Theory(constant, Vec::new()))
}

/// An equation with so many times the number of all elements of a sort wherever it has a number, as what was given to each of them is
/// conserved; nothing if this is no equation, or the number does not occur. Whether it holds in other instances is to be seen.
#[must_use]
pub fn with_count(
    model: &Model,
    relation: &Invariant,
    number: &BigInt,
    (sort, times): (&Type, u32),
) -> Option<Invariant> {
    if !is_equation(&relation.formula) {
        return None;
    }
    let mut taken = visible(model, relation.automaton);
    taken.extend(relation.locals.iter().map(|local| local.name.to_string()));
    let binder = Local {
        name: fresh(model.initial(sort), &taken).into(),
        ty: sort.clone(),
        span: relation.span,
    };
    let everybody = Box::new(formula(ExprKind::Bool(true)));
    let everybody = ExprKind::Comprehension(LocalId::at(relation.locals.len()), everybody);
    let everybody = Expr::new(everybody, Type::set(sort.clone()), relation.span);
    let count = apply(Op::Size, vec![everybody], &Type::Nat);
    let count = match times {
        1 => count,
        _ => apply(
            Op::Mul,
            vec![build::number(times, &Type::Nat), count],
            &Type::Nat,
        ),
    };
    let mut changed = with_term(relation, number, &count.kind)?;
    changed.locals.push(binder);
    Some(changed)
}

/// A relation with a term wherever it has a number, if it has it somewhere.
fn with_term(relation: &Invariant, number: &BigInt, term: &ExprKind) -> Option<Invariant> {
    let occurs = Cell::new(false);
    let leaf = |kind: &ExprKind| match kind {
        ExprKind::Int(own) if own == number => {
            occurs.set(true);
            Some(term.clone())
        }
        _ => None,
    };
    let formula = rebuilt(&relation.formula, &leaf, &|bound| bound);
    occurs.get().then(|| Invariant {
        formula,
        ..relation.clone()
    })
}

/// Whether a formula says that numbers are equal, of all values of some variables.
fn is_equation(formula: &Expr) -> bool {
    match &formula.kind {
        ExprKind::Quantified(_, _, body) => is_equation(body),
        ExprKind::Apply(Op::Eq, sides) => sides[0].ty.is_integer(),
        _ => false,
    }
}

/// The formulas that are a little stronger than a relation: in each one of its bounds excludes one more number, or one of its equations
/// is another one. Where such a formula is false, the bound is attained, or the equation is needed. Numbers that are `known` are left
/// as they are.
#[must_use]
pub fn tightened(relation: &Expr, known: &dyn Fn(&BigInt) -> bool) -> Vec<Expr> {
    let with = |kind| Expr::new(kind, relation.ty.clone(), relation.span);
    match &relation.kind {
        ExprKind::Quantified(quantifier, binders, body) => {
            let each = tightened(body, known).into_iter().map(Box::new);
            each.map(|body| with(ExprKind::Quantified(*quantifier, binders.clone(), body)))
                .collect()
        }
        ExprKind::Apply(op, args) => {
            let tighter = |at: usize| match (op, at) {
                (Op::Implies, 1) | (Op::And | Op::Or, _) => tightened(&args[at], known),
                (Op::Le | Op::Lt, 0) | (Op::Eq, _) => moved(&args[at], 1, known),
                (Op::Le | Op::Lt, _) => moved(&args[at], -1, known),
                _ => Vec::new(),
            };
            let changed = with_one_changed(args, tighter).into_iter();
            changed
                .map(|args| with(ExprKind::Apply(*op, args)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A side of a comparison with another number in place of one that is added there, or that is all of it.
fn moved(side: &Expr, by: i32, known: &dyn Fn(&BigInt) -> bool) -> Vec<Expr> {
    let with = |kind| Expr::new(kind, side.ty.clone(), side.span);
    match &side.kind {
        ExprKind::Int(number) if !known(number) => vec![with(ExprKind::Int(number + by))],
        ExprKind::Apply(Op::Add, parts) => {
            let changed = with_one_changed(parts, |at| moved(&parts[at], by, known)).into_iter();
            changed
                .map(|parts| with(ExprKind::Apply(Op::Add, parts)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The terms with one of them replaced, by each of what may stand in its place.
fn with_one_changed(terms: &[Expr], others: impl Fn(usize) -> Vec<Expr>) -> Vec<Vec<Expr>> {
    let changed = (0..terms.len()).flat_map(|at| {
        let each = others(at).into_iter();
        each.map(move |other| {
            let mut terms = terms.to_vec();
            terms[at] = other;
            terms
        })
    });
    changed.collect()
}
