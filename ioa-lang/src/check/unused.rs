//! Warnings about what is declared and never used.

use std::collections::BTreeSet;

use super::report::Report;
use super::world::{Variables, World};
use crate::core::{Expr, Program, Store, exprs_of_stmts, reads_of_expr};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Binder, Ident, Item, LetItem};

/// Bound variables that nothing reads.
pub(super) fn binders<'a>(
    what: &str,
    binders: impl IntoIterator<Item = &'a Binder>,
    report: &mut Report,
) {
    for Binder { name, .. } in binders {
        if !report.is_used(name.span) {
            let message = format!("{what} `{}` is never used", name.name);
            report.add_absence(&name.name, Diagnostic::warning(name.span, message));
        }
    }
}

/// Types, named expressions and state variables that nothing uses. Nothing is said of a model with mistakes: what was not
/// understood may use them.
pub(super) fn declarations(items: &[Item], world: &World, report: &mut Report) {
    if report.errors() > 0 {
        return;
    }
    for item in items {
        match item {
            Item::Type(item) if !report.is_type_used(&item.name.name) => {
                warn_of("the type", &item.name, "is never used", report);
            }
            Item::Let(item) => named(item, report),
            Item::Automaton(item) => item.lets.iter().for_each(|item| named(item, report)),
            _ => {}
        }
    }
    let headers = world.headers.iter();
    for variable in headers.flat_map(|header| &header.variables.list) {
        // A variable of a composition is the one of its component.
        if !report.is_used(variable.name.span) {
            report.mark_used(variable.name.span);
            warn_of(
                "the state variable",
                &variable.name,
                "is never read",
                report,
            );
        }
    }
}

fn named(item: &LetItem, report: &mut Report) {
    if !report.is_used(item.name.span) {
        warn_of("the expression", &item.name, "is never used", report);
    }
}

fn warn_of(what: &str, name: &Ident, fault: &str, report: &mut Report) {
    let message = format!("{what} `{}` {fault}", name.name);
    report.add_absence(&name.name, Diagnostic::warning(name.span, message));
}

/// Own variables of a schedule or a proof block that nothing reads.
pub(super) fn variables<'a>(
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
            warn_of("the variable", &variable.name, "is never read", report);
        }
    }
}
