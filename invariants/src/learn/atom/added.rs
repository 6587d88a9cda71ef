//! Comparisons with what the text computes by adding a constant: what is renewed by `end := now + 2` may never be more than `now + 2`,
//! and a clock that ticks as long as `now < clock + drift` may never be more than `drift` behind.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, FunctionId, Model, Op, StateRef, Store, Type, VarId,
    exprs_of_clause,
};
use num_bigint::BigInt;

use super::super::frame::Frame;
use super::super::term::{Term, joined};
use super::chance::is_of_chance;
use crate::build::{apply, formula, number};

/// At most so many pairs of a variable and a number that is added to it are looked at, those of the smallest numbers.
const MAX_NUMBERS: usize = 4;
/// At most so many pairs of a variable and a multiple of a constant that is added to it are looked at.
const MAX_CONSTANTS: usize = 6;

/// What some step adds to a variable, or to a part of it, and the variable: a positive multiple of a constant of a theory or, where there
/// is no constant, a positive number.
type Added = (Option<FunctionId>, BigInt, VarId);

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
    for (constant, times, variable) in added(model, automaton) {
        for base in numbers.iter().filter(|t| read(&t.expr) == Some(variable)) {
            let sum = Term {
                expr: apply(
                    Op::Add,
                    vec![
                        base.expr.clone(),
                        addend(model, constant, &times, base.ty()),
                    ],
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
    let (numbers, constants): (Vec<Added>, Vec<Added>) = found
        .into_iter()
        .partition(|(constant, ..)| constant.is_none());
    let numbers = numbers.into_iter().take(MAX_NUMBERS);
    numbers
        .chain(constants.into_iter().take(MAX_CONSTANTS))
        .collect()
}

/// The multiple of a constant, or the number alone where there is no constant, as a summand of a term of some type.
fn addend(model: &Model, constant: Option<FunctionId>, times: &BigInt, ty: &Type) -> Expr {
    let factor = number(times.clone(), ty);
    let Some(constant) = constant else {
        return factor;
    };
    let own = model.functions[constant.index()].result.clone();
    let constant = Expr::new(ExprKind::Theory(constant, Vec::new()), own, Span::default());
    match *times == BigInt::from(1) {
        true => constant,
        false => apply(Op::Mul, vec![factor, constant], ty),
    }
}

/// What a term adds to a variable, or takes from it.
fn addition(term: &Expr) -> Option<Added> {
    let ExprKind::Apply(Op::Add | Op::Sub, sides) = &term.kind else {
        return None;
    };
    let (one, other) = (sides.first()?, sides.get(1)?);
    let ((constant, times), term) = match (multiple(one), multiple(other)) {
        (Some(added), _) => (added, other),
        (_, Some(added)) => (added, one),
        _ => return None,
    };
    let variable = read(term)?;
    (times > BigInt::ZERO).then_some((constant, times, variable))
}

/// A number, a constant of a theory, or a multiple of one.
fn multiple(term: &Expr) -> Option<(Option<FunctionId>, BigInt)> {
    match &term.kind {
        ExprKind::Int(number) => Some((None, number.clone())),
        ExprKind::Theory(constant, args) if args.is_empty() => {
            Some((Some(*constant), BigInt::from(1)))
        }
        ExprKind::Apply(Op::Mul, sides) => {
            match (multiple(sides.first()?)?, multiple(sides.get(1)?)?) {
                ((None, times), (constant, of)) | ((constant, of), (None, times)) => {
                    Some((constant, times * of))
                }
                _ => None,
            }
        }
        _ => None,
    }
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
