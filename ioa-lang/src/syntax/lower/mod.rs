//! From the tree of a file to what it says: the syntax tree that the checker reads.

mod binding;
mod expr;
mod file;
mod item;
mod literal;
mod section;
mod stmt;
mod theory;

pub(crate) use expr::path_of;
pub(super) use expr::too_deep;

use std::cell::{Cell, RefCell};

use super::ast::{Binder, Expr, Ident, Item, TypeExpr};
use super::tree::{Kind, Tree};
use super::view::{self, View};
use crate::diagnostic::Diagnostic;
use crate::notation::ActionKind;
use crate::source::{FileId, Name, Span};

/// How many levels a term may have.
pub(super) const MAX_HEIGHT: u32 = 200;

/// The abstract syntax of a tree.
#[derive(Default)]
pub(super) struct Lowered {
    pub(super) items: Vec<Item>,
    /// Mistakes that the grammar does not exclude.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The parts of the text where something is wrong, or that say nothing.
    pub(super) unread: Vec<Span>,
}

/// The abstract syntax of the tree's file.
pub(super) fn file(file: FileId, tree: &Tree) -> Lowered {
    let builder = Builder::new(file);
    let mut lowered = Lowered::default();
    for item in tree.top().inner().filter_map(view::Item::cast) {
        builder.item(item, &mut lowered);
    }
    lowered.diagnostics = builder.diagnostics.into_inner();
    lowered
}

/// The formula that a tree consists of, with what is wrong with it.
pub(super) fn formula(file: FileId, tree: &Tree) -> (Option<Expr>, Vec<Diagnostic>) {
    let builder = Builder::new(file);
    let piece = tree.top().inner().find_map(view::Formula::cast);
    let formula = piece.map(|piece| builder.expr(piece.formula()));
    (formula, builder.diagnostics.into_inner())
}

/// Builds the syntax tree of one file.
struct Builder {
    file: FileId,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// Whether it was reported that the piece is nested too deep.
    too_deep: Cell<bool>,
}

impl Builder {
    fn new(file: FileId) -> Self {
        Self {
            file,
            diagnostics: RefCell::default(),
            too_deep: Cell::default(),
        }
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    fn span<'t>(&self, part: impl View<'t>) -> Span {
        part.node().span(self.file)
    }

    /// What a token says.
    fn ident<'t>(&self, token: impl View<'t>) -> Ident {
        Ident {
            name: Name::from(token.node().text()),
            span: self.span(token),
        }
    }

    fn idents<'t>(&self, names: impl Iterator<Item = view::Name<'t>>) -> Vec<Ident> {
        names.map(|name| self.ident(name)).collect()
    }

    /// A type. Where a mistake was reported already, its name is empty.
    fn type_expr(&self, ty: view::TypeRef<'_>) -> TypeExpr {
        let span = self.span(ty);
        match ty.name() {
            Some(name) if ty.node().kind() == Kind::type_expr => TypeExpr {
                name: self.sort_name(name, ty.tail()),
                args: self.type_exprs(ty.args()),
                span,
            },
            _ => error_type(span),
        }
    }

    fn type_exprs<'t>(&self, types: impl Iterator<Item = view::TypeRef<'t>>) -> Vec<TypeExpr> {
        types.map(|ty| self.type_expr(ty)).collect()
    }

    /// `Node`, or `Cell.M` with its tail.
    fn sort_name(&self, name: view::Name<'_>, tail: Option<view::Tail<'_>>) -> Ident {
        let name = self.ident(name);
        match tail.map(|tail| self.ident(tail)) {
            None => name,
            Some(tail) => Ident {
                name: Name::from(format!("{}{}", name.name, tail.name)),
                span: name.span.to(tail.span),
            },
        }
    }

    /// The name of an action, and the indices of the component it belongs to: `P[i].Q.tick` is the action `P.Q.tick`, and
    /// `i` its first parameter.
    fn action_name<'t>(
        &self,
        steps: impl Iterator<Item = view::PathStep<'t>>,
        last: view::Name<'t>,
    ) -> (Ident, Vec<Expr>) {
        let (mut path, mut indices) = (Vec::new(), Vec::new());
        for step in steps {
            path.push(self.ident(step.name()));
            indices.extend(self.exprs(step.indices()));
        }
        (path_to(&path, self.ident(last)), indices)
    }

    fn binder(&self, binder: view::Binder<'_>) -> Binder {
        Binder {
            name: self.ident(binder.name()),
            ty: self.type_expr(binder.ty()),
        }
    }

    /// `x, y: T` as one binder for each name.
    fn binder_group(&self, group: view::BinderGroup<'_>) -> Vec<Binder> {
        let ty = self.type_expr(group.ty());
        let binder = |name| Binder {
            name: self.ident(name),
            ty: ty.clone(),
        };
        group.names().map(binder).collect()
    }

    /// `x, y: T, z: U`; none where they are left out.
    fn binders(&self, binders: Option<view::Binders<'_>>) -> Vec<Binder> {
        let groups = binders.into_iter().flat_map(view::Binders::groups);
        groups.flat_map(|group| self.binder_group(group)).collect()
    }
}

fn error_type(span: Span) -> TypeExpr {
    let name = Ident {
        name: Name::from(""),
        span,
    };
    TypeExpr {
        name,
        args: Vec::new(),
        span,
    }
}

/// The name of an action of a component: those of the components around it, with points between them.
fn path_to(steps: &[Ident], last: Ident) -> Ident {
    let Some(first) = steps.first() else {
        return last;
    };
    let names: Vec<&str> = steps
        .iter()
        .chain([&last])
        .map(|step| &*step.name)
        .collect();
    Ident {
        name: names.join(".").into(),
        span: first.span.to(last.span),
    }
}

fn action_kind(kind: view::ActionKind<'_>) -> ActionKind {
    match kind.keyword().kind() {
        Kind::k_input => ActionKind::Input,
        Kind::k_output => ActionKind::Output,
        _ => ActionKind::Internal,
    }
}
