//! Declarations of types, named expressions, theories and vocabularies.

use super::name::Ident;
use super::term::{Binder, Expr, TypeExpr};
use crate::source::Span;

/// A type declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeItem {
    /// The declared name.
    pub name: Ident,
    /// What it is.
    pub definition: TypeDefinition,
    /// The whole item.
    pub span: Span,
}

/// The right-hand side of a type declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeDefinition {
    /// `type Node`: an uninterpreted sort.
    Sort,
    /// `enumeration of a, b`
    Enumeration(Vec<Ident>),
    /// `tuple of a, b: T, c: U`
    Tuple(Vec<Binder>),
    /// `union of a, b: T, c: U`
    Union(Vec<Binder>),
    /// `type Votes = Set[Node]`: another name for a type.
    Alias(TypeExpr),
}

/// `let f(a, b: Nat) = e`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetItem {
    /// The name of the expression.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// What it stands for.
    pub body: Expr,
    /// The whole item.
    pub span: Span,
}

/// `assumes Quorums(Quorum, Node)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryItem {
    /// The theory.
    pub name: Ident,
    /// Its actual types.
    pub args: Vec<TypeExpr>,
    /// The whole item.
    pub span: Span,
}

/// A theory that the user declares, as a vocabulary or as a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VocabularyItem {
    /// Its name.
    pub name: Ident,
    /// Its parameters, which stand for types.
    pub params: Vec<Ident>,
    /// The types that it declares.
    pub types: Vec<TypeItem>,
    /// The theories that it builds on.
    pub includes: Vec<TheoryItem>,
    /// Its operators; a group `f, g: T -> U` is written as one each.
    pub operators: Vec<OperatorDecl>,
    /// The axioms about them.
    pub axioms: Vec<Expr>,
    /// The heading.
    pub span: Span,
}

/// `right: I -> I`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorDecl {
    /// The operator.
    pub name: Ident,
    /// The types of its arguments.
    pub params: Vec<TypeExpr>,
    /// The type of its result.
    pub result: TypeExpr,
    /// The whole declaration.
    pub span: Span,
}
