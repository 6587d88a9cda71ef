//! From the parse tree of one piece to its syntax tree.

mod expr;
mod item;
mod literal;
mod section;
mod stmt;
mod theory;

pub(crate) use expr::path_of;
pub(super) use expr::too_deep;

use std::cell::{Cell, RefCell};

use pest::iterators::{Pair, Pairs};

use super::ast::{Binder, Expr, Ident, TypeExpr};
use super::grammar::Rule;
use crate::core::ActionKind;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Name, Span};

/// How many levels a term may have.
pub(super) const MAX_HEIGHT: u32 = 200;

/// Builds the syntax tree of one piece. `base` is where the piece starts in its file; what stands beyond its `length`
/// was added by the recovery from mistakes.
pub(super) struct Builder {
    file: FileId,
    base: usize,
    length: usize,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// Whether it was said that the piece is nested too deep.
    too_deep: Cell<bool>,
}

impl Builder {
    pub(super) fn new(file: FileId, base: usize, length: usize) -> Self {
        Self {
            file,
            base,
            length,
            diagnostics: RefCell::default(),
            too_deep: Cell::default(),
        }
    }

    /// What was found wrong on the way.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_inner()
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let start = pair.as_span().start();
        let end = last_token(pair.clone()).as_span().end();
        let place = |offset: usize| self.base + offset.min(self.length);
        Span::new(self.file, place(start), place(end))
    }

    fn ident(&self, pair: &Pair<'_, Rule>) -> Ident {
        Ident {
            name: Name::from(pair.as_str()),
            span: self.span(pair),
        }
    }

    /// A type. Where a mistake was reported already, its name is empty.
    fn type_expr(&self, pair: Pair<'_, Rule>) -> TypeExpr {
        let span = self.span(&pair);
        let mut parts = parts(pair).peekable();
        let Some(name) = parts.next_if(|part| part.as_rule() == Rule::name) else {
            return error_type(span);
        };
        let tail = parts.next_if(|part| part.as_rule() == Rule::tail);
        let name = self.sort_name(&name, tail.as_ref());
        let args = parts.map(|part| self.type_expr(part)).collect();
        TypeExpr { name, args, span }
    }

    /// `Node`, or `Cell.M` with its tail.
    fn sort_name(&self, name: &Pair<'_, Rule>, tail: Option<&Pair<'_, Rule>>) -> Ident {
        let name = self.ident(name);
        match tail {
            None => name,
            Some(tail) => Ident {
                name: Name::from(format!("{}{}", name.name, tail.as_str())),
                span: name.span.to(self.span(tail)),
            },
        }
    }

    /// The name of an action, and the indices of the component it belongs to: `P[i].Q.tick` is the action `P.Q.tick`, and
    /// `i` its first parameter.
    fn action_name(&self, steps: Vec<Pair<'_, Rule>>, last: &Pair<'_, Rule>) -> (Ident, Vec<Expr>) {
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

    fn binder(&self, pair: Pair<'_, Rule>) -> Binder {
        let mut parts = parts(pair);
        let (name, ty) = (expected(parts.next()), expected(parts.next()));
        Binder {
            name: self.ident(&name),
            ty: self.type_expr(ty),
        }
    }

    /// `x, y: T` as one binder for each name; none where a mistake was reported.
    fn binder_group(&self, pair: Pair<'_, Rule>) -> Vec<Binder> {
        let (names, rest) = names_and_rest(pair);
        let Some(ty) = rest
            .into_iter()
            .find(|part| part.as_rule() == Rule::type_expr)
        else {
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
    fn binders(&self, pair: Pair<'_, Rule>) -> Vec<Binder> {
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
fn names_and_rest(pair: Pair<'_, Rule>) -> (Vec<Pair<'_, Rule>>, Vec<Pair<'_, Rule>>) {
    parts(pair).partition(|part| part.as_rule() == Rule::name)
}

fn action_kind(pair: Pair<'_, Rule>) -> ActionKind {
    match expected(pair.into_inner().next()).as_rule() {
        Rule::k_input => ActionKind::Input,
        Rule::k_output => ActionKind::Output,
        _ => ActionKind::Internal,
    }
}

/// The parts of a node that carry meaning: keywords and punctuation left out.
fn parts(pair: Pair<'_, Rule>) -> impl Iterator<Item = Pair<'_, Rule>> {
    pair.into_inner()
        .filter(|part| !is_token_only(part.as_rule()))
}

/// What the grammar guarantees to be there.
fn expected<T>(part: Option<T>) -> T {
    part.expect("the grammar requires this part")
}

/// The last token of a node. A node's own span may run on over the white space behind it.
fn last_token(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    let mut inner: Pairs<'_, Rule> = pair.clone().into_inner();
    let mut last = inner.next_back();
    while last.as_ref().is_some_and(is_empty) {
        last = inner.next_back();
    }
    last.map_or(pair, last_token)
}

/// Whether a node, though present, has no token.
fn is_empty(pair: &Pair<'_, Rule>) -> bool {
    matches!(
        pair.as_rule(),
        Rule::stmts | Rule::decls | Rule::yields | Rule::EOI
    ) && pair.clone().into_inner().next().is_none()
}

fn is_token_only(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::k_always
            | Rule::k_assumes
            | Rule::k_asserts
            | Rule::k_automaton
            | Rule::k_choose
            | Rule::k_components
            | Rule::k_const
            | Rule::k_det
            | Rule::k_do
            | Rule::k_eff
            | Rule::k_else
            | Rule::k_elseif
            | Rule::k_end
            | Rule::k_ensuring
            | Rule::k_enumeration
            | Rule::k_eventually
            | Rule::k_fi
            | Rule::k_fire
            | Rule::k_for
            | Rule::k_forward
            | Rule::k_from
            | Rule::k_hidden
            | Rule::k_if
            | Rule::k_ignore
            | Rule::k_in
            | Rule::k_includes
            | Rule::k_initially
            | Rule::k_introduces
            | Rule::k_invariant
            | Rule::k_leads
            | Rule::k_let
            | Rule::k_liveness
            | Rule::k_local
            | Rule::k_od
            | Rule::k_of
            | Rule::k_pre
            | Rule::k_schedule
            | Rule::k_simulation
            | Rule::k_so
            | Rule::k_states
            | Rule::k_tasks
            | Rule::k_that
            | Rule::k_then
            | Rule::k_to
            | Rule::k_trait
            | Rule::k_tuple
            | Rule::k_type
            | Rule::k_types
            | Rule::k_union
            | Rule::k_using
            | Rule::k_vocabulary
            | Rule::k_where
            | Rule::k_while
            | Rule::k_with
            | Rule::k_yield
            | Rule::arrow
            | Rule::for_every
            | Rule::comma
            | Rule::semicolon
            | Rule::colon
            | Rule::qualifier
            | Rule::assign
            | Rule::lparen
            | Rule::rparen
            | Rule::lbracket
            | Rule::rbracket
            | Rule::lbrace
            | Rule::rbrace
            | Rule::hash
            | Rule::dot
            | Rule::equals
            | Rule::EOI
    )
}
