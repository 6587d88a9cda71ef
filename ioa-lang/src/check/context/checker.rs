//! The check of one item: its scope, and what every part of it needs.

use std::collections::BTreeSet;

use super::report::{Report, duplicate, mismatch};
use super::scope::{Scope, Visible};
use super::world::World;
use crate::check::widen::{can_widen, widen};
use crate::core::{Expr, ExprKind, Local, LocalId, Model, Substitution, TermId, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, Ident};

/// Checks the terms and statements of one item and lowers them to the core.
///
/// `None` stands for something that was not understood. It has been reported already, so code that receives `None` reports
/// nothing.
pub(in crate::check) struct Checker<'w, 'r> {
    pub(in crate::check) world: &'w World,
    pub(in crate::check) report: &'r mut Report,
    pub(in crate::check) scope: Scope<'w>,
    /// How deep the term at hand is nested.
    pub(in crate::check) depth: usize,
    /// Terms that were written with their types: these are final.
    pub(in crate::check) qualified: BTreeSet<TermId>,
    /// The bound variables that something uses.
    pub(in crate::check) used: BTreeSet<LocalId>,
}

/// Why a type is expected: a place and what it says about it.
pub(in crate::check) type Reason = (Span, String);

/// What the context knows about the type of a term.
#[derive(Clone, Copy)]
pub(in crate::check) enum Want<'a> {
    /// Nothing: the term must say its own type.
    Anything,
    /// The context has a mistake that was already reported, so a term without a type of its own is not reported.
    Unknown,
    /// This type, for this reason.
    Type(&'a Type, Option<&'a Reason>),
}

impl<'a> Want<'a> {
    /// The type, where it was understood.
    pub(in crate::check) fn of(ty: Option<&'a Type>, reason: Option<&'a Reason>) -> Self {
        ty.map_or(Self::Unknown, |ty| Self::Type(ty, reason))
    }

    /// What the entries at this many indices of an array must be.
    pub(in crate::check) fn of_entry(self, indices: usize) -> Self {
        (0..indices).fold(self, |array, _| match array {
            Self::Type(Type::Array(_, entry), reason) => Self::Type(entry, reason),
            Self::Type(..) | Self::Anything => Self::Anything,
            Self::Unknown => Self::Unknown,
        })
    }

    pub(in crate::check) fn boolean() -> Self {
        Self::Type(&Type::Bool, None)
    }
}

impl<'w, 'r> Checker<'w, 'r> {
    pub(in crate::check) fn new(
        world: &'w World,
        report: &'r mut Report,
        scope: Scope<'w>,
    ) -> Self {
        Self {
            world,
            report,
            scope,
            depth: 0,
            qualified: BTreeSet::new(),
            used: BTreeSet::new(),
        }
    }

    pub(in crate::check) fn model(&self) -> &'w Model {
        &self.world.model
    }

    pub(in crate::check) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report.add(Diagnostic::error(code, span, message));
    }

    /// Takes the bound variables of a part of the item that is understood: the next part begins without any.
    pub(in crate::check) fn take_locals(&mut self) -> Vec<Local> {
        self.used.clear();
        std::mem::take(&mut self.scope.locals)
    }

    /// Makes a local that no name refers to.
    pub(in crate::check) fn anonymous(&mut self, name: Name, ty: Type, span: Span) -> LocalId {
        let id = LocalId::at(self.scope.locals.len());
        self.scope.locals.push(Local { name, ty, span });
        id
    }

    /// Binds a name from here to the end of the block at hand. A name that is visible already is an error.
    pub(in crate::check) fn bind(&mut self, name: &Ident, ty: Option<Type>) -> Option<LocalId> {
        self.bind_or(
            name,
            ty,
            "a name cannot be hidden by another: choose a new one",
        )
    }

    /// The same for a formal, which could also match a value that has the name.
    pub(in crate::check) fn bind_formal(
        &mut self,
        name: &Ident,
        ty: Option<Type>,
    ) -> Option<LocalId> {
        self.bind_or(
            name,
            ty,
            "a name cannot be hidden by another: choose a new one, or write `const` before a formal that is to match a value",
        )
    }

    /// Binds a name, or gives advice if it is visible already.
    fn bind_or(&mut self, name: &Ident, ty: Option<Type>, advice: &str) -> Option<LocalId> {
        if name.name.is_empty() {
            return None; // A syntax error stands here, and was reported.
        }
        self.refuse_clash(name, advice);
        let id = ty.map(|ty| self.anonymous(name.name.clone(), ty, name.span));
        self.scope.visible.push(Visible {
            name: name.name.clone(),
            span: name.span,
            id,
        });
        id
    }

    fn refuse_clash(&mut self, name: &Ident, advice: &str) {
        let parameter = self.world.parameter_value(&name.name).map(|(_, span)| span);
        let enumerator = self.world.value_named(&name.name).or(parameter);
        if let Some(first) = self.scope.clash(&name.name).or(enumerator) {
            self.report.add(
                Diagnostic::error(
                    Code::NameTaken,
                    name.span,
                    format!("`{}` has a meaning here already", name.name),
                )
                .related(first, "declared here")
                .help(advice),
            );
        } else if is_reserved(&name.name) {
            let message = format!("`{}` is a value of the language", name.name);
            self.error(Code::NameOfTheLanguage, name.span, message);
        }
    }

    pub(in crate::check) fn bind_written(&mut self, binder: &ast::Binder) -> Option<LocalId> {
        let ty = self.world.resolve(&binder.ty, self.report);
        self.bind(&binder.name, ty)
    }

    /// Runs `body` in a block of its own: what it binds is not visible afterwards.
    pub(in crate::check) fn block<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.visible.len();
        let result = body(self);
        self.scope.visible.truncate(mark);
        result
    }

    /// Reads state no more, for this reason.
    pub(in crate::check) fn forbid_reading(&mut self, reason: &'static str) {
        for state in &mut self.scope.states {
            state.read = Err(reason);
        }
    }

    pub(in crate::check) fn allow_reading(&mut self) {
        for state in &mut self.scope.states {
            state.read = Ok(());
        }
    }

    /// A formula.
    pub(in crate::check) fn formula(&mut self, e: &ast::Expr) -> Option<Expr> {
        self.term(e, Want::boolean())
    }

    /// A formula that may be left out, and then is `true`.
    pub(in crate::check) fn optional_formula(
        &mut self,
        e: Option<&ast::Expr>,
        at: Span,
    ) -> Option<Expr> {
        e.map_or_else(|| Some(Expr::truth(at)), |e| self.formula(e))
    }

    /// The term as one of type `wanted`: natural numbers become integers, anything else must agree.
    pub(in crate::check) fn coerce(
        &mut self,
        expr: Expr,
        wanted: &Type,
        reason: Option<&Reason>,
    ) -> Option<Expr> {
        if can_widen(&expr, wanted, &self.qualified) {
            return Some(widen(expr, wanted, &self.qualified));
        }
        let mut diagnostic = mismatch(self.model(), expr.span, wanted, &expr.ty);
        if let Some((span, text)) = reason {
            diagnostic = diagnostic.related(*span, text.clone());
        }
        self.report.add(diagnostic);
        None
    }

    /// A term in a context that expects a type.
    pub(in crate::check) fn fit(&mut self, expr: Expr, want: Want<'_>) -> Option<Expr> {
        match want {
            Want::Anything | Want::Unknown => Some(expr),
            Want::Type(ty, reason) => self.coerce(expr, ty, reason),
        }
    }

    /// A copy of a formula of another item, with values for the first of its locals.
    pub(in crate::check) fn instantiate(
        &mut self,
        locals: &[Local],
        formula: &Expr,
        values: impl IntoIterator<Item = (LocalId, Expr)>,
        span: Span,
    ) -> Option<Expr> {
        let values: Vec<(LocalId, Expr)> = values.into_iter().collect();
        let nodes = copied_nodes(formula, &values);
        self.report.may_copy(nodes + locals.len(), span)?;
        let copy = Substitution::new(locals, &mut self.scope.locals, values);
        Some(copy.marking(&mut self.qualified).copy(formula))
    }

    pub(in crate::check) fn local(&self, id: LocalId, span: Span) -> Expr {
        Expr::new(
            ExprKind::Local(id),
            self.scope.locals[id.index()].ty.clone(),
            span,
        )
    }

    pub(in crate::check) fn report_duplicate(&mut self, what: &str, name: &Ident, first: Span) {
        self.report.add(duplicate(what, name, first));
    }
}

/// Whether a name denotes a value of the language, and so not a variable.
pub(in crate::check) fn is_reserved(name: &str) -> bool {
    matches!(name, "nil" | "randomBool")
}

/// The number of nodes of a formula after the values are substituted.
fn copied_nodes(formula: &Expr, values: &[(LocalId, Expr)]) -> usize {
    let sizes: std::collections::BTreeMap<LocalId, usize> =
        values.iter().map(|(id, e)| (*id, size(e))).collect();
    let mut nodes = 0;
    formula.walk(&mut |e| {
        nodes += match e.kind {
            ExprKind::Local(id) => sizes.get(&id).copied().unwrap_or(1),
            _ => 1,
        };
    });
    nodes
}

/// How many nodes a term has.
pub(in crate::check) fn size(expr: &Expr) -> usize {
    let mut nodes = 0;
    expr.walk(&mut |_| nodes += 1);
    nodes
}
