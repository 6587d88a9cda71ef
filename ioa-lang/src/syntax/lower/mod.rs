//! From the tree of a file to what it says: the syntax tree that the checker reads.

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
use super::tree::{Kind, Node, Tree};
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
    for item in tree.top().inner() {
        builder.item(item, &mut lowered);
    }
    lowered.diagnostics = builder.diagnostics.into_inner();
    lowered
}

/// The formula that a tree consists of, with what is wrong with it.
pub(super) fn formula(file: FileId, tree: &Tree) -> (Option<Expr>, Vec<Diagnostic>) {
    let builder = Builder::new(file);
    let mut pieces = tree.top().inner();
    let piece = pieces.find(|piece| piece.kind() == Kind::formula_piece);
    let formula = piece.map(|piece| builder.only_expr(piece));
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

    fn span(&self, node: &Node<'_>) -> Span {
        node.span(self.file)
    }

    fn ident(&self, pair: &Node<'_>) -> Ident {
        Ident {
            name: Name::from(pair.text()),
            span: self.span(pair),
        }
    }

    /// A type. Where a mistake was reported already, its name is empty.
    fn type_expr(&self, pair: Node<'_>) -> TypeExpr {
        let span = self.span(&pair);
        if pair.kind() != Kind::type_expr {
            return error_type(span);
        }
        let mut parts = parts(pair).peekable();
        let name = expected(parts.next());
        let tail = parts.next_if(|part| part.kind() == Kind::tail);
        let name = self.sort_name(&name, tail.as_ref());
        let args = parts.map(|part| self.type_expr(part)).collect();
        TypeExpr { name, args, span }
    }

    /// `Node`, or `Cell.M` with its tail.
    fn sort_name(&self, name: &Node<'_>, tail: Option<&Node<'_>>) -> Ident {
        let name = self.ident(name);
        match tail {
            None => name,
            Some(tail) => Ident {
                name: Name::from(format!("{}{}", name.name, tail.text())),
                span: name.span.to(self.span(tail)),
            },
        }
    }

    /// The name of an action, and the indices of the component it belongs to: `P[i].Q.tick` is the action `P.Q.tick`, and
    /// `i` its first parameter.
    fn action_name(&self, steps: Vec<Node<'_>>, last: &Node<'_>) -> (Ident, Vec<Expr>) {
        let last = self.ident(last);
        let (mut path, mut indices) = (String::new(), Vec::new());
        let mut start = last.span;
        for (position, step) in steps.into_iter().enumerate() {
            let mut parts = parts(step);
            let name = self.ident(&expected(parts.next()));
            if position == 0 {
                start = name.span;
            }
            path.push_str(&name.name);
            path.push('.');
            indices.extend(parts.flat_map(|part| self.exprs(part)));
        }
        path.push_str(&last.name);
        let ident = Ident {
            name: Name::from(path),
            span: start.to(last.span),
        };
        (ident, indices)
    }

    fn binder(&self, pair: Node<'_>) -> Binder {
        let mut parts = parts(pair);
        let (name, ty) = (expected(parts.next()), expected(parts.next()));
        Binder {
            name: self.ident(&name),
            ty: self.type_expr(ty),
        }
    }

    /// `x, y: T` as one binder for each name; none if a mistake was reported.
    fn binder_group(&self, pair: Node<'_>) -> Vec<Binder> {
        let (names, rest) = names_and_rest(pair);
        let Some(ty) = rest.into_iter().find(|part| part.kind() == Kind::type_expr) else {
            return Vec::new();
        };
        let ty = self.type_expr(ty);
        let binder = |name| Binder {
            name: self.ident(name),
            ty: ty.clone(),
        };
        names.iter().map(binder).collect()
    }

    /// `x, y: T, z: U`
    fn binders(&self, pair: Node<'_>) -> Vec<Binder> {
        parts(pair)
            .flat_map(|group| self.binder_group(group))
            .collect()
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

/// The names that a node starts with, and what follows them.
fn names_and_rest(pair: Node<'_>) -> (Vec<Node<'_>>, Vec<Node<'_>>) {
    parts(pair).partition(|part| part.kind() == Kind::name)
}

fn action_kind(pair: Node<'_>) -> ActionKind {
    match expected(pair.inner().next()).kind() {
        Kind::k_input => ActionKind::Input,
        Kind::k_output => ActionKind::Output,
        _ => ActionKind::Internal,
    }
}

/// The parts of a node that carry meaning.
fn parts(pair: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    pair.inner().filter(|part| !is_token_only(part.kind()))
}

/// What the grammar guarantees to be there.
fn expected<T>(part: Option<T>) -> T {
    part.expect("the grammar requires this part")
}

/// Keywords and punctuation, and what stands where nothing should.
fn is_token_only(rule: Kind) -> bool {
    matches!(
        rule,
        Kind::k_always
            | Kind::k_any
            | Kind::k_assumes
            | Kind::k_asserts
            | Kind::k_automaton
            | Kind::k_choose
            | Kind::k_components
            | Kind::k_const
            | Kind::k_det
            | Kind::k_do
            | Kind::k_eff
            | Kind::k_else
            | Kind::k_elseif
            | Kind::k_end
            | Kind::k_ensuring
            | Kind::k_enumeration
            | Kind::k_eventually
            | Kind::k_fi
            | Kind::k_fire
            | Kind::k_for
            | Kind::k_forward
            | Kind::k_from
            | Kind::k_hidden
            | Kind::k_if
            | Kind::k_ignore
            | Kind::k_in
            | Kind::k_includes
            | Kind::k_initially
            | Kind::k_introduces
            | Kind::k_invariant
            | Kind::k_leads
            | Kind::k_let
            | Kind::k_liveness
            | Kind::k_local
            | Kind::k_od
            | Kind::k_monitor
            | Kind::k_of
            | Kind::k_pre
            | Kind::k_schedule
            | Kind::k_simulation
            | Kind::k_so
            | Kind::k_states
            | Kind::k_tasks
            | Kind::k_that
            | Kind::k_then
            | Kind::k_to
            | Kind::k_trait
            | Kind::k_tuple
            | Kind::k_type
            | Kind::k_types
            | Kind::k_union
            | Kind::k_uses
            | Kind::k_using
            | Kind::k_vocabulary
            | Kind::k_weight
            | Kind::k_where
            | Kind::k_while
            | Kind::k_with
            | Kind::k_yield
            | Kind::arrow
            | Kind::for_every
            | Kind::comma
            | Kind::semicolon
            | Kind::colon
            | Kind::qualifier
            | Kind::assign
            | Kind::lparen
            | Kind::rparen
            | Kind::lbracket
            | Kind::rbracket
            | Kind::lbrace
            | Kind::rbrace
            | Kind::hash
            | Kind::dot
            | Kind::equals
            | Kind::extra
            | Kind::missing_token
    )
}
