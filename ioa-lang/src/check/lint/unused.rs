//! Warnings about what is declared and never used.
//!
//! There is no warning about a name that begins with `_`, nor about names whose number is fixed elsewhere: the parameters of
//! an input, of an entry of a proof block or of a hidden action are those of the action, whether or not anything depends on
//! them.

use std::collections::BTreeSet;

use crate::check::report::Report;
use crate::check::world::{DeclaredParam, Variables, World};
use crate::core::{Expr, Program, Store, exprs_of_stmts, reads_of_expr};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;
use crate::syntax::ast::{AutomatonItem, Binder, Ident, Item, LetItem, TypeItem, VocabularyItem};

/// The check that the names bound in a part of the text are used. If the part has mistakes, nothing is reported, since what
/// was not understood may use the names.
#[derive(Clone, Copy)]
pub(in crate::check) struct UseCheck {
    /// What the names stand for: `the bound variable`.
    what: &'static str,
    /// How many errors were reported before it.
    errors: usize,
}

impl UseCheck {
    /// Begins the check of a part.
    pub(in crate::check) fn begin(what: &'static str, report: &Report) -> Self {
        let errors = report.errors();
        Self { what, errors }
    }

    /// Warns of the names of the part that nothing reads.
    pub(in crate::check) fn end<'a>(
        self,
        names: impl IntoIterator<Item = &'a Ident>,
        report: &mut Report,
    ) {
        self.warn(names, |name| unused(self.what, name), report);
    }

    /// Warns about parameters of a locally controlled action that neither a clause nor the signature restricts: all values
    /// are allowed. (A parameter of an input is a part of its name, which others use.)
    pub(in crate::check) fn arbitrary<'a>(
        self,
        formals: impl IntoIterator<Item = (&'a Ident, &'a DeclaredParam)>,
        report: &mut Report,
    ) {
        let open: Vec<&Ident> = formals
            .into_iter()
            .filter(|(_, declared)| !report.is_used(declared.name.span))
            .map(|(name, _)| name)
            .collect();
        let warning = |name: &Ident| {
            unused("the parameter", name).label("the action can happen with any value of it")
        };
        self.warn(open, warning, report);
    }

    fn warn<'a>(
        self,
        names: impl IntoIterator<Item = &'a Ident>,
        warning: impl Fn(&Ident) -> Diagnostic,
        report: &mut Report,
    ) {
        for name in names {
            if report.errors() == self.errors && !report.is_used(name.span) {
                let silenced = format!("call it `_{}` if that is meant", name.name);
                warn(warning(name).help(silenced), name, report);
            }
        }
    }
}

/// The names of bound variables.
pub(in crate::check) fn names<'a>(
    binders: impl IntoIterator<Item = &'a Binder>,
) -> impl Iterator<Item = &'a Ident> {
    binders.into_iter().map(|binder| &binder.name)
}

/// Types, theories, named expressions, parameters and state variables that nothing uses. Nothing is reported for a model
/// with mistakes, since what was not understood may use them.
pub(in crate::check) fn declarations(items: &[Item], world: &World, report: &mut Report) {
    if report.errors() > 0 {
        return;
    }
    let assumed = assumed(items);
    for item in items {
        match item {
            Item::Type(item) => ty(item, report),
            Item::Let(item) => declared("the expression", &item.name, report),
            Item::Vocabulary(item) => vocabulary(item, &assumed, report),
            Item::Automaton(item) => automaton(item, report),
            _ => {}
        }
    }
    let headers = world.headers.iter();
    for variable in headers.flat_map(|header| &header.variables.list) {
        // A variable of a composition is the one of its component.
        if !report.is_used(variable.name.span) {
            report.mark_used(variable.name.span);
            warn(
                unread("the state variable", &variable.name),
                &variable.name,
                report,
            );
        }
    }
}

/// The theories that something assumes or builds on.
fn assumed(items: &[Item]) -> BTreeSet<&Name> {
    let theories = items.iter().flat_map(|item| match item {
        Item::Theory(item) => std::slice::from_ref(item),
        Item::Automaton(item) => &item.theories[..],
        Item::Vocabulary(item) => &item.includes[..],
        _ => &[],
    });
    theories.map(|theory| &theory.name.name).collect()
}

fn ty(item: &TypeItem, report: &mut Report) {
    if !report.is_type_used(&item.name.name) {
        warn(unused("the type", &item.name), &item.name, report);
    }
}

/// A theory that nothing assumes, or what it declares. Its types are there without anybody assuming it.
fn vocabulary(item: &VocabularyItem, assumed: &BTreeSet<&Name>, report: &mut Report) {
    item.types.iter().for_each(|item| ty(item, report));
    if item.types.is_empty() && !assumed.contains(&item.name.name) {
        warn(unused("the theory", &item.name), &item.name, report);
        return;
    }
    for param in &item.params {
        declared("the parameter", param, report);
    }
    for operator in &item.operators {
        declared("the operator", &operator.name, report);
    }
}

fn automaton(item: &AutomatonItem, report: &mut Report) {
    for param in &item.params {
        declared("the parameter", &param.name, report);
    }
    for LetItem { name, .. } in &item.lets {
        declared("the expression", name, report);
    }
}

fn declared(what: &str, name: &Ident, report: &mut Report) {
    if !report.is_used(name.span) {
        warn(unused(what, name), name, report);
    }
}

fn unused(what: &str, name: &Ident) -> Diagnostic {
    Diagnostic::warning(
        Code::NeverUsed,
        name.span,
        format!("{what} `{}` is never used", name.name),
    )
}

fn unread(what: &str, name: &Ident) -> Diagnostic {
    Diagnostic::warning(
        Code::NeverRead,
        name.span,
        format!("{what} `{}` is never read", name.name),
    )
}

fn warn(warning: Diagnostic, name: &Ident, report: &mut Report) {
    if !name.name.starts_with('_') {
        report.add_absence(&name.name, warning);
    }
}

/// Own variables of a schedule or a proof block that nothing reads.
pub(in crate::check) fn variables<'a>(
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
            warn(
                unread("the variable", &variable.name),
                &variable.name,
                report,
            );
        }
    }
}
