//! Which state variables expressions read and statements write.

use crate::core::automaton::Transition;
use crate::core::expr::{Expr, ExprKind, StateRef};
use crate::core::stmt::{Place, Projection, Range, Stmt, StmtKind, visit_stmts};

/// Calls `visit` on every reading of a state variable in `expr`.
pub fn reads_of_expr<'a>(expr: &'a Expr, visit: &mut impl FnMut(StateRef, &'a Expr)) {
    expr.walk(&mut |e| {
        if let ExprKind::State(state) = e.kind {
            visit(state, e);
        }
    });
}

/// Calls `visit` on every expression that stands directly in a statement of `body` or in one inside it: conditions,
/// ranges, values, predicates, yielded terms, arguments, and the indices of places.
pub fn exprs_of_stmts<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a Expr)) {
    for stmt in body {
        exprs_of_stmt(stmt, visit);
    }
}

/// Calls `visit` on every expression on which the steps of a clause depend. (The rows of its determinator are not among
/// them: only runs use these.)
pub fn exprs_of_clause<'a>(clause: &'a Transition, visit: &mut impl FnMut(&'a Expr)) {
    visit(&clause.applies);
    visit(&clause.pre);
    exprs_of_stmts(&clause.effect, visit);
    visit(&clause.ensuring);
}

fn exprs_of_stmt<'a>(stmt: &'a Stmt, visit: &mut impl FnMut(&'a Expr)) {
    match &stmt.kind {
        StmtKind::Assign(place, value) => {
            indices_of(place).for_each(&mut *visit);
            visit(value);
        }
        StmtKind::Choose {
            place,
            predicate,
            det,
            ..
        } => {
            indices_of(place).for_each(&mut *visit);
            visit(predicate);
            det.iter().for_each(visit);
        }
        StmtKind::If {
            branches,
            otherwise,
        } => {
            for (condition, body) in branches {
                visit(condition);
                exprs_of_stmts(body, visit);
            }
            exprs_of_stmts(otherwise, visit);
        }
        StmtKind::For { range, body, .. } => {
            let (Range::In(expr) | Range::Where(expr)) = range;
            visit(expr);
            exprs_of_stmts(body, visit);
        }
        StmtKind::While(condition, body) => {
            visit(condition);
            exprs_of_stmts(body, visit);
        }
        StmtKind::Fire(fire) => fire.args.iter().chain(&fire.using).for_each(visit),
        StmtKind::FireAny(_) => {}
    }
}

/// The index terms of a place, outermost first.
pub fn indices_of(place: &Place) -> impl Iterator<Item = &Expr> {
    place.path.iter().filter_map(|step| match step {
        Projection::Index(index) | Projection::Entry(index) => Some(index),
        Projection::Field(_) => None,
    })
}

/// Calls `visit` on every place that a statement of `body`, or one inside it, writes.
pub fn places_of_stmts<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a Place)) {
    visit_stmts(body, |stmt| {
        if let StmtKind::Assign(place, _) | StmtKind::Choose { place, .. } = &stmt.kind {
            visit(place);
        }
    });
}
