//! Warnings about what can never happen, as far as it shows without a proof.

use std::collections::BTreeMap;

use crate::check::report::Report;
use crate::core::{ExprKind, Fingerprint, Transition, fingerprint};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast;

/// Clauses whose condition is `false` or has it as a conjunct, and clauses that say the same as an earlier one.
pub(in crate::check) fn clauses(clauses: &[Transition], report: &mut Report) {
    let mut seen: BTreeMap<Fingerprint, Span> = BTreeMap::new();
    for clause in clauses {
        let conditions = [&clause.applies, &clause.pre];
        let mut conjuncts = conditions.into_iter().flat_map(|c| c.conjuncts());
        if let Some(never) = conjuncts.find(|c| matches!(c.kind, ExprKind::Bool(false))) {
            let warning =
                Diagnostic::warning(Code::NeverHappens, clause.span, "this clause never happens");
            report.add(warning.related(never.span, "its condition is `false`"));
        }
        if let Some(first) = seen.get(&fingerprint(clause)) {
            let warning =
                Diagnostic::warning(Code::AddsNothing, clause.span, "this clause adds nothing");
            report.add(warning.related(*first, "it says the same as this one"));
        } else {
            seen.insert(fingerprint(clause), clause.span);
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
