//! Warnings about what is declared and never used.
//!
//! There is no warning about a name that begins with `_`, nor about names whose number is fixed elsewhere: the parameters of
//! an input, of an entry of a proof block or of a hidden action are those of the action, whether or not anything depends on
//! them.

use std::collections::BTreeSet;

use crate::check::checker::Checker;
use crate::check::report::{DeclarationId, Report};
use crate::check::world::{Variables, World};
use crate::core::{Expr, LocalId, Program, Store, exprs_of_stmts, reads_of_expr};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Name;
use crate::syntax::ast::{Ident, Item, TypeItem, VocabularyItem};

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

    /// Warns of those bound in the part that nothing reads.
    pub(in crate::check) fn end(
        self,
        bound: impl IntoIterator<Item = LocalId>,
        checker: &mut Checker<'_, '_>,
    ) {
        self.warn(bound, |name| unused(self.what, name), checker);
    }

    /// Warns about parameters of a locally controlled action that neither a clause nor the signature restricts: all values
    /// are allowed. (A parameter of an input is a part of its name, which others use.)
    pub(in crate::check) fn arbitrary(
        self,
        params: impl IntoIterator<Item = LocalId>,
        checker: &mut Checker<'_, '_>,
    ) {
        let warning = |name: &Ident| {
            unused("the parameter", name).label("the action can happen with any value of it")
        };
        self.warn(params, warning, checker);
    }

    fn warn(
        self,
        bound: impl IntoIterator<Item = LocalId>,
        warning: impl Fn(&Ident) -> Diagnostic,
        checker: &mut Checker<'_, '_>,
    ) {
        for id in bound {
            if checker.report.errors() == self.errors && !checker.used.contains(&id) {
                let local = &checker.scope.locals[id.index()];
                let name = Ident {
                    name: local.name.clone(),
                    span: local.span,
                };
                let silenced = format!("call it `_{}` if that is meant", name.name);
                let warning = warning(&name).help(silenced);
                warn(warning, &name.name, checker.report);
            }
        }
    }
}

/// Registers a declaration, to warn if nothing uses it.
pub(in crate::check) fn declare(what: &str, name: &Ident, report: &mut Report) -> DeclarationId {
    report.declare(&name.name, unused(what, name))
}

/// Registers a state variable, to warn if nothing reads it.
pub(in crate::check) fn declare_state(name: &Ident, report: &mut Report) -> DeclarationId {
    report.declare(&name.name, unread("the state variable", name))
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
            Item::Vocabulary(item) => vocabulary(item, &assumed, world, report),
            _ => {}
        }
    }
    for (name, warning) in report.unused() {
        warn(warning, &name, report);
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
        let warning = unused("the type", &item.name);
        warn(warning, &item.name.name, report);
    }
}

/// The types of a theory, which are there without anybody assuming it, and the theory itself. What else is declared in a
/// theory that nothing assumes is not worth a warning of its own.
fn vocabulary(
    item: &VocabularyItem,
    assumed: &BTreeSet<&Name>,
    world: &World,
    report: &mut Report,
) {
    item.types.iter().for_each(|item| ty(item, report));
    let name = &item.name.name;
    if item.types.is_empty() && !assumed.contains(name) {
        warn(unused("the theory", &item.name), name, report);
        let known = world.vocabularies.get(name).and_then(Option::as_ref);
        let declarations = known.into_iter().flat_map(|known| &known.declarations);
        declarations.for_each(|declaration| report.mark_used(*declaration));
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

fn warn(warning: Diagnostic, name: &Name, report: &mut Report) {
    if !name.starts_with('_') {
        report.add_absence(name, warning);
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
            let warning = unread("the variable", &variable.name);
            warn(warning, &variable.name.name, report);
        }
    }
}
