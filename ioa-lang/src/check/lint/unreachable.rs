//! Warnings about what can never happen, as far as it shows without a proof.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::check::report::Report;
use crate::core::{ExprKind, Stmt, StmtKind, Transition};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast;

/// Clauses whose condition is `false` or has it as a conjunct, and clauses that say the same as an earlier one.
pub(in crate::check) fn clauses(clauses: &[Transition], report: &mut Report) {
    let mut seen: FxHashMap<Transition, Span> = FxHashMap::default();
    for clause in clauses {
        let conditions = [&clause.applies, &clause.pre];
        let mut conjuncts = conditions.into_iter().flat_map(|c| c.conjuncts());
        if let Some(never) = conjuncts.find(|c| matches!(c.kind, ExprKind::Bool(false))) {
            let warning =
                Diagnostic::warning(Code::NeverHappens, clause.span, "this clause never happens");
            report.add(warning.related(never.span, "its condition is `false`"));
        }
        match seen.entry(without_spans(clause)) {
            Entry::Occupied(first) => {
                let warning =
                    Diagnostic::warning(Code::AddsNothing, clause.span, "this clause adds nothing");
                report.add(warning.related(*first.get(), "it says the same as this one"));
            }
            Entry::Vacant(new) => drop(new.insert(clause.span)),
        }
    }
}

/// A clause of which only its meaning is left to compare. (Terms that differ only in their places are equal.)
fn without_spans(clause: &Transition) -> Transition {
    let mut clause = clause.clone();
    clause.span = Span::default();
    for local in &mut clause.locals {
        local.span = Span::default();
    }
    forget_spans(&mut clause.effect);
    clause
}

fn forget_spans(body: &mut [Stmt]) {
    for stmt in body {
        stmt.span = Span::default();
        match &mut stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Choose { place, .. } => {
                place.span = Span::default();
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                branches.iter_mut().for_each(|(_, body)| forget_spans(body));
                forget_spans(otherwise);
            }
            StmtKind::For { body, .. } | StmtKind::While(_, body) => forget_spans(body),
            // An effect fires nothing.
            StmtKind::Fire(_) | StmtKind::FireAny(_) => {}
        }
    }
}

/// Branches after `if true`, and those after `if false`.
pub(in crate::check) fn branches(
    branches: &[(ast::Expr, Vec<ast::Stmt>)],
    otherwise: &[ast::Stmt],
    report: &mut Report,
) {
    let warning = |span| Diagnostic::warning(Code::NeverTaken, span, "this branch is never taken");
    for (position, (condition, _)) in branches.iter().enumerate() {
        match condition.kind {
            ast::ExprKind::Bool(false) => {
                report.add(warning(condition.span).label("the condition is `false`"));
            }
            ast::ExprKind::Bool(true) => {
                let next = branches.get(position + 1).map(|(next, _)| next.span);
                let next = next.or(otherwise.first().map(|stmt| stmt.span));
                if let Some(next) = next {
                    report.add(warning(next).related(condition.span, "this is always true"));
                }
                return;
            }
            _ => {}
        }
    }
}
