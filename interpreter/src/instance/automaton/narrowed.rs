//! Conditions on start states: what they say of a choice and of earlier ones becomes a condition on that choice. So a value of a type that
//! has too many to try is found by what is asked of it, and choices that lead nowhere are given up early.

use std::collections::BTreeSet;

use finite::{Packing, Universe};
use ioa_lang::Span;
use ioa_lang::core::{
    Expr, ExprKind, LocalId, Model, Program, Quantifier, Start, StateRef, Stmt, StmtKind, Store,
    Substitution, Type, VarId, exprs_of_stmts,
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
    let mut conditions: Vec<_> = conditions(&start.so_that)
        .into_iter()
        .map(|one| (reads(&one, Store::Pre), one))
        .collect();
    let read: Vec<&BTreeSet<VarId>> = conditions.iter().map(|(read, _)| read).collect();
    // What a run draws first must not depend on the ranges of integers.
    let plain = universe.clone().with_ranges(None);
    program.body = in_order((model, &plain), program.body, &read);
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

/// The statements of a start program in the order in which they leave the fewest values to be tried; `read` are the variables that
/// each condition on the start states reads. A statement that reads variables, and those behind it, stay where they are.
fn in_order(
    (model, universe): (&Model, &Universe),
    mut body: Vec<Stmt>,
    read: &[&BTreeSet<VarId>],
) -> Vec<Stmt> {
    let reading = body.iter().position(reads_state);
    let mut behind = body.split_off(reading.unwrap_or(body.len()));
    let is_first =
        |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Assign(_, value) if value.is_total());
    let (mut ordered, mut left): (Vec<Stmt>, Vec<Stmt>) = body.into_iter().partition(is_first);
    let mut set: BTreeSet<VarId> = ordered.iter().filter_map(sets).collect();
    if left.iter().any(|stmt| sets(stmt).is_none()) {
        // No condition is asked behind a loop.
        left.sort_by_key(|stmt| many((model, universe), stmt, &[], &set) == Many::Endless);
        ordered.append(&mut left);
    }
    while !left.is_empty() {
        let many = left
            .iter()
            .map(|stmt| many((model, universe), stmt, read, &set));
        let next = many.enumerate().min_by_key(|(at, many)| (*many, *at));
        let next = left.remove(next.map_or(0, |(at, _)| at));
        set.extend(sets(&next));
        ordered.push(next);
    }
    ordered.append(&mut behind);
    ordered
}

/// Whether a statement reads variables of the state.
fn reads_state(stmt: &Stmt) -> bool {
    let mut found = false;
    exprs_of_stmts(std::slice::from_ref(stmt), &mut |expr| {
        found |= !reads(expr, Store::Pre).is_empty();
    });
    found
}

/// How many values a statement may leave to be tried, roughly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Many {
    /// So few that they come first, since they may determine the others.
    Few,
    /// Those that a condition allows, given the variables that are set.
    Asked,
    /// All of a type.
    All,
    /// Those of a type that has more than are tried.
    Endless,
}

/// A type with no more values has few.
const FEW: u128 = 64;

fn many(
    (model, universe): (&Model, &Universe),
    stmt: &Stmt,
    read: &[&BTreeSet<VarId>],
    set: &BTreeSet<VarId>,
) -> Many {
    let StmtKind::Choose { place, .. } = &stmt.kind else {
        return Many::Few;
    };
    let count = Packing::of(model, universe, &place.ty).map(|packing| packing.count());
    let variable = place.root.var;
    let is_ready = |read: &BTreeSet<VarId>| {
        read.contains(&variable) && read.iter().all(|one| *one == variable || set.contains(one))
    };
    match count {
        Some(count) if count <= FEW => Many::Few,
        _ if read.iter().any(|read| is_ready(read)) => Many::Asked,
        Some(count) if count <= u128::from(MAX_DOMAIN) => Many::All,
        _ => Many::Endless,
    }
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
