//! Warnings about own variables of schedules and proof blocks that nothing reads.

use std::collections::BTreeSet;

use super::report::Report;
use super::world::Variables;
use crate::core::{Expr, Program, Store, exprs_of_stmts, reads_of_expr};
use crate::diagnostic::Diagnostic;

pub(super) fn warn<'a>(
    own: &Variables,
    programs: impl IntoIterator<Item = &'a Program>,
    formulas: impl IntoIterator<Item = &'a Expr>,
    report: &mut Report,
) {
    let mut read = BTreeSet::new();
    let mut visit = |expr: &Expr| {
        reads_of_expr(expr, &mut |state, _| {
            if state.store == Store::Block {
                read.insert(state.var);
            }
        });
    };
    for program in programs {
        exprs_of_stmts(&program.body, &mut visit);
    }
    for formula in formulas {
        visit(formula);
    }
    for variable in &own.list {
        let id = own.find(&variable.name.name);
        if id.is_some_and(|id| !read.contains(&id)) {
            let name = &variable.name.name;
            let message = format!("the variable `{name}` is never read");
            report.add_absence(name, Diagnostic::warning(variable.name.span, message));
        }
    }
}
