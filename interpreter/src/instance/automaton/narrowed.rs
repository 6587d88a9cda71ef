//! Conditions on start states: what they say of a choice and of earlier ones becomes a condition on that choice. So a value of a type that
//! has too many to try is found by what is asked of it, and choices that lead nowhere are given up early.

use std::collections::BTreeSet;

use finite::{Packing, Universe};
use ioa_lang::Span;
use ioa_lang::core::{
    Expr, ExprKind, LocalId, Model, Program, Quantifier, Start, StateRef, Stmt, StmtKind, Store,
    Substitution, Type, VarId,
};

use crate::compile::reads;
use crate::interrupt::limits::MAX_DOMAIN;

/// A program for start states whose choices have conditions.
pub(super) struct Narrowed {
    pub(super) program: Program,
    /// The choices that got conditions: where one of them has no value, there is no start state.
    pub(super) choices: Vec<Span>,
}

/// The program with the condition on start states as conditions on its choices. At the end that condition still has to be checked.
pub(super) fn narrowed(model: &Model, universe: &Universe, start: &Start) -> Narrowed {
    let mut program = start.program.clone();
    let mut choices = Vec::new();
    // Variables with few values come first, since they may determine the others.
    program.body.sort_by_key(|stmt| match &stmt.kind {
        StmtKind::Assign(_, value) => (!value.is_total(), false),
        StmtKind::Choose { place, .. } => (true, is_large(model, universe, &place.ty)),
        _ => (true, false),
    });
    let mut conditions: Vec<_> = conditions(&start.so_that)
        .into_iter()
        .map(|one| (reads(&one, Store::Pre), one))
        .collect();
    let mut unset: Vec<VarId> = program.body.iter().filter_map(sets).collect();
    for stmt in &mut program.body {
        let Some(variable) = sets(stmt) else {
            break;
        };
        unset.remove(0);
        let is_ready = |(read, _): &mut (BTreeSet<VarId>, Expr)| {
            read.contains(&variable) && read.iter().all(|one| !unset.contains(one))
        };
        let StmtKind::Choose {
            place,
            binder,
            predicate,
            det,
        } = &mut stmt.kind
        else {
            continue;
        };
        if !place.path.is_empty() || !predicate.is_true() || !det.is_empty() {
            continue;
        }
        let ready = conditions.extract_if(.., is_ready);
        let said = ready.map(|(_, one)| {
            let copy = Substitution::new(&start.locals, &mut program.locals, []).copy(&one);
            said_of(&copy, variable, *binder)
        });
        let said = Expr::conjunction(said.collect::<Vec<_>>(), start.so_that.span);
        if !said.is_true() {
            *predicate = said;
            choices.push(stmt.span);
        }
    }
    Narrowed { program, choices }
}

/// The conjuncts of a condition, also those under universal quantifiers, up to the first that may have no value: it guards those after it.
fn conditions(so_that: &Expr) -> Vec<Expr> {
    let total = so_that.conjuncts().into_iter();
    let total = total.take_while(|one| one.is_total() && !one.is_true());
    let scoped = total.flat_map(Expr::scoped_conjuncts);
    let whole = scoped.map(|(binders, one)| match binders.is_empty() {
        true => one.clone(),
        false => {
            let kind = ExprKind::Quantified(Quantifier::ForAll, binders, Box::new(one.clone()));
            Expr::new(kind, Type::Bool, one.span)
        }
    });
    whole.collect()
}

/// The variable that a statement sets, if it sets one.
fn sets(stmt: &Stmt) -> Option<VarId> {
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Choose { place, .. } => Some(place.root.var),
        _ => None,
    }
}

/// Whether a type has more values than are tried.
fn is_large(model: &Model, universe: &Universe, ty: &Type) -> bool {
    let packing = Packing::of(model, universe, ty);
    packing.is_none_or(|packing| packing.count() > u128::from(MAX_DOMAIN))
}

/// A condition on a variable of the state as one on a choice.
fn said_of(condition: &Expr, variable: VarId, choice: LocalId) -> Expr {
    match condition.kind {
        ExprKind::State(StateRef {
            store: Store::Pre,
            var,
        }) if var == variable => Expr::new(
            ExprKind::Local(choice),
            condition.ty.clone(),
            condition.span,
        ),
        _ => condition.with_parts(&mut |part| said_of(part, variable, choice)),
    }
}
