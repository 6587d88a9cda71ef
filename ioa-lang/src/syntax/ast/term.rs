//! Terms, and the types that are written in them.

use num_bigint::BigInt;

use super::name::Ident;
use crate::notation::{Infix, Prefix, Quantifier, Rational};
use crate::source::{Name, Span};

/// `x: T`. A group `x, y: T` is written as one binder each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The name; that of a loop is empty where a mistake was reported already.
    pub name: Ident,
    /// The type.
    pub ty: TypeExpr,
}

/// A type as written: `Array[Node, Set[Ballot]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    /// The constructor or the declared name; empty where a mistake was reported already.
    pub name: Ident,
    /// What stands in the brackets.
    pub args: Vec<TypeExpr>,
    /// The whole type.
    pub span: Span,
}

/// A term or formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole term, parentheses included.
    pub span: Span,
}

/// The forms of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Number(BigInt),
    /// A number with a decimal point.
    Decimal(Rational),
    /// `'a'`
    Char(char),
    /// `"abc"`
    Text(Name),
    /// `Node#2`
    Element(Ident, u32),
    /// A name: a variable, a value of an enumeration, or `nil`.
    Name(Ident),
    /// `f(a, b)`, built-in or not, `enabled(act(x))` included. An action `P[i].act(x)` of a component is `P.act` of `i`
    /// and `x`.
    Call(Ident, Vec<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `t.f`
    Field(Box<Expr>, Ident),
    /// `t:T`
    Qualified(Box<Expr>, TypeExpr),
    /// A prefix operator.
    Unary(Prefix, Box<Expr>),
    /// An infix operator other than `/\` and `\/`, with the operator's own span.
    Binary(Infix, Span, Box<Expr>, Box<Expr>),
    /// `a /\ b /\ c` or `a \/ b \/ c`: two or more operands side by side, however many, on one level.
    Chain(Infix, Vec<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `\A x: T (P)`
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
    /// `{a, b}`, `{}`
    Braces(Vec<Expr>),
    /// `{x: T where P}`
    Comprehension(Box<Binder>, Box<Expr>),
    /// `[a, b]`
    Brackets(Vec<Expr>),
    /// `[x, y: T -> e]`
    Entries(Vec<Binder>, Box<Expr>),
    /// Where a mistake was reported already; it has any type.
    Error,
}
