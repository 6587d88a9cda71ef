//! Comparisons with what the text computes by adding a constant: what is renewed by `end := now + 2` may never be more than `now + 2`.

use std::collections::BTreeSet;

use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Model, Op, StateRef, Store, VarId, exprs_of_clause,
};
use num_bigint::BigInt;

use super::super::frame::Frame;
use super::super::term::{Term, joined};
use super::chance::is_of_chance;
use crate::build::{apply, formula, number};

/// No more variables are taken with what is added to them, those of the smallest numbers.
const MAX_ADDED: usize = 4;

/// A variable, and a positive number that some step adds to it or to a part of it.
type Added = (BigInt, VarId);

/// Adds comparisons of the integers among some terms with what the text computes of them.
pub(super) fn compared(
    (model, automaton): (&Model, AutomatonId),
    (frame, terms): (&Frame, &[&Term]),
    made: &mut Vec<Term>,
) {
    if frame.is_lean || frame.is_ranged() {
        return;
    }
    let numbers: Vec<&Term> = terms
        .iter()
        .copied()
        .filter(|term| term.ty().is_integer() && !term.is_variable())
        .filter(|term| !matches!(term.expr.kind, ExprKind::Int(_)))
        .collect();
    for (added, variable) in added(model, automaton) {
        for base in numbers.iter().filter(|t| read(&t.expr) == Some(variable)) {
            let sum = Term {
                expr: apply(
                    Op::Add,
                    vec![base.expr.clone(), number(added.clone(), base.ty())],
                    base.ty(),
                ),
                cost: base.cost + 1,
                ..(*base).clone()
            };
            let others = numbers.iter().filter(|t| t.expr != base.expr);
            for other in others.filter(|other| !is_of_chance(frame, other, base)) {
                let sides = vec![other.expr.clone(), sum.expr.clone()];
                let bound = formula(ExprKind::Apply(Op::Le, sides));
                made.push(joined(&[other, &sum], bound));
            }
        }
    }
}

/// What steps add to variables, or take from them.
fn added(model: &Model, automaton: AutomatonId) -> Vec<Added> {
    let mut found: BTreeSet<Added> = BTreeSet::new();
    for clause in &model.automaton(automaton).transitions {
        exprs_of_clause(clause, &mut |expr| {
            expr.walk(&mut |part| found.extend(addition(part)));
        });
    }
    found.into_iter().take(MAX_ADDED).collect()
}

/// What a term adds to a variable, or takes from it.
fn addition(term: &Expr) -> Option<Added> {
    let ExprKind::Apply(Op::Add | Op::Sub, sides) = &term.kind else {
        return None;
    };
    let (one, other) = (sides.first()?, sides.get(1)?);
    let (constant, term) = match (&one.kind, &other.kind) {
        (ExprKind::Int(constant), _) => (constant, other),
        (_, ExprKind::Int(constant)) => (constant, one),
        _ => return None,
    };
    let variable = read(term)?;
    (*constant > BigInt::ZERO).then(|| (constant.clone(), variable))
}

/// The variable that a term is, or a part of it.
fn read(term: &Expr) -> Option<VarId> {
    match &term.kind {
        ExprKind::State(StateRef {
            store: Store::Pre,
            var,
        }) => Some(*var),
        ExprKind::Apply(Op::Select | Op::Lookup | Op::Nth | Op::Field(_) | Op::Val, parts) => {
            read(parts.first()?)
        }
        _ => None,
    }
}
