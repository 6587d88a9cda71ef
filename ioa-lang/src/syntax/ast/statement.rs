//! Statements, and the declarations of the variables that they assign.

use super::name::Ident;
use super::term::{Binder, Expr, TypeExpr};
use crate::notation::ActionKind;
use crate::source::Span;

/// `box: Seq[M] := {}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDecl {
    /// The variable.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
    /// Its initial value.
    pub init: Option<Rhs>,
    /// The whole declaration.
    pub span: Span,
}

/// The right-hand side of an assignment or initialisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rhs {
    /// A term.
    Expr(Expr),
    /// `choose x where P`, or a bare `choose`.
    Choose(Choose),
}

/// `choose x where P det do yield t1; yield t2 od`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choose {
    /// The name of the chosen value in the predicate.
    pub binder: Option<Ident>,
    /// The predicate.
    pub predicate: Option<Expr>,
    /// The determinator's rows.
    pub det: Vec<YieldRow>,
    /// The whole right-hand side.
    pub span: Span,
}

/// `yield t` of a determinator; `yield t, u` where several parameters are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YieldRow {
    /// A term for each of what is chosen.
    pub terms: Vec<Expr>,
    /// The whole.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `place := ..`; the place is parsed as a term.
    Assign(Expr, Rhs),
    /// `if .. then .. elseif .. else .. fi`
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `for x: T in s do .. od`, `for x: T where P do .. od`
    For(Binder, ForRange, Vec<Stmt>),
    /// `while c do .. od`
    While(Expr, Vec<Stmt>),
    /// `fire output decide(n, v) using t for x`
    Fire {
        /// The kind as written; may be left out.
        kind: Option<ActionKind>,
        /// The action.
        action: Ident,
        /// The actuals.
        args: Vec<Expr>,
        /// Terms for the action's `choose`s, with the names they are for.
        using: Vec<(Expr, Ident)>,
    },
    /// `fire any weight a = 0.05, b = 3`: the actions and their weights, as written
    FireAny(Vec<(Ident, Ident)>),
    /// `ignore`: nothing is done
    Ignore,
}

/// What a `for` ranges over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForRange {
    /// `in s`
    In(Expr),
    /// `where P`
    Where(Expr),
}
