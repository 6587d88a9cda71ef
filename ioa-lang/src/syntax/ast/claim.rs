//! What is stated about automata.

use super::automaton::Formal;
use super::name::Ident;
use super::statement::{StateDecl, Stmt};
use super::term::{Binder, Expr};
use crate::notation::{ActionKind, Direction, Temporal};
use crate::source::Span;

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantItem {
    /// Its name.
    pub name: Ident,
    /// The automaton.
    pub automaton: Ident,
    /// The invariants that its proof may assume, if that is restricted.
    pub uses: Option<Vec<Ident>>,
    /// The predicate.
    pub formula: Expr,
    /// The whole item.
    pub span: Span,
}

/// A liveness property: `liveness L of A: P leads to Q for m: Msg`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivenessItem {
    /// Its name.
    pub name: Ident,
    /// The automaton that it is about.
    pub automaton: Ident,
    /// What is to happen; nothing where a mistake was reported already.
    pub progress: Option<Temporal<Expr>>,
    /// The values that it is to happen for.
    pub binders: Vec<Binder>,
    /// The whole item.
    pub span: Span,
}

/// A simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationItem {
    /// Which way it goes.
    pub direction: Direction,
    /// The implementation.
    pub low: Ident,
    /// The specification.
    pub high: Ident,
    /// The relation.
    pub relation: Expr,
    /// `proof ..`
    pub proof: Option<ProofItem>,
    /// The heading.
    pub span: Span,
}

/// A proof block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofItem {
    /// Its own variables.
    pub states: Vec<StateDecl>,
    /// `initially s; t`
    pub initially: Vec<Stmt>,
    /// Its entries.
    pub entries: Vec<ProofEntryItem>,
    /// The keyword `proof`.
    pub span: Span,
}

/// `for internal step(k: Int) do .. od` or `for internal tidy ignore`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofEntryItem {
    /// The kind as written.
    pub kind: ActionKind,
    /// The low action.
    pub name: Ident,
    /// Its formals.
    pub formals: Vec<Formal>,
    /// The invariants that its proof may assume, if that is restricted.
    pub uses: Option<Vec<Ident>>,
    /// What is done; nothing for `ignore`.
    pub body: Vec<Stmt>,
    /// The heading.
    pub span: Span,
}
