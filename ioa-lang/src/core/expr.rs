//! The terms and formulas of the core. Every expression knows its type and where it came from.

use num_bigint::BigInt;
use num_rational::Ratio;

use super::fingerprint::fingerprint;
use super::operator::{Op, RandomDraw};
use super::types::{Type, index};
use crate::source::{Name, Span};

index!(
    /// A bound variable of one item (a parameter, a quantified variable, a loop variable): a position in that
    /// item's `locals`. No two binders of an item share one, so a local never shadows another.
    LocalId
);
index!(
    /// A state variable: a position in the `variables` of the automaton, schedule or proof block that owns it.
    VarId
);
index!(
    /// An operator of a theory: a position in [`Model::functions`](crate::core::Model::functions).
    FunctionId
);

/// An exact fraction.
pub type Rational = Ratio<BigInt>;

/// Which valuation a state variable is read from or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// The state of the one automaton at hand: before and during a transition, in an invariant, as seen by a schedule.
    Pre,
    /// The state after a transition; occurs in `ensuring` alone.
    Post,
    /// The low automaton's state, in a simulation. In a proof block's entries: before the low step.
    Low,
    /// The high automaton's state, in a simulation.
    High,
    /// The own variables of a schedule or of a proof block.
    Block,
}

/// A state variable in one of the valuations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateRef {
    /// Which valuation.
    pub store: Store,
    /// Which variable of it.
    pub var: VarId,
}

/// A well-typed term; a formula is a term of type `Bool`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it came from.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// `true` or `false`.
    Bool(bool),
    /// A number; of type `Nat` only if it is not negative.
    Int(BigInt),
    /// A fraction, of type `Real`.
    Real(Rational),
    /// A character.
    Char(char),
    /// A string.
    Text(Name),
    /// A value of an enumeration, by position.
    Enumerator(u32),
    /// `Node#2`: an element of a sort in a finite instance. Occurs in schedules only, never in what is proved.
    Element(u32),
    /// A state variable.
    State(StateRef),
    /// A bound variable.
    Local(LocalId),
    /// A built-in operator applied to its arguments.
    Apply(Op, Vec<Expr>),
    /// A theory's operator applied to its arguments.
    Theory(FunctionId, Vec<Expr>),
    /// `if c then a else b`: only the chosen branch is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `\A x, y (body)` or `\E x, y (body)` over all values of the binders' types.
    ///
    /// The values have no order, so none of them guards another: the formula is defined where its body is defined for
    /// every value, even if one value alone settles its truth. Guards within the body are for each value by itself, as
    /// in `\A x (x \in s => 0 < f[x].val)`.
    Quantified(Quantifier, Vec<LocalId>, Box<Expr>),
    /// `{x: T where body}`; defined where the body is for every value.
    Comprehension(LocalId, Box<Expr>),
    /// A draw from the run's random generator. Occurs in schedules only.
    Random(RandomDraw, Vec<Expr>),
}

/// For all, or there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `\A`
    ForAll,
    /// `\E`
    Exists,
}

impl Expr {
    /// The formula `true`, standing where `span` says.
    #[must_use]
    pub fn truth(span: Span) -> Self {
        Self {
            kind: ExprKind::Bool(true),
            ty: Type::Bool,
            span,
        }
    }

    /// The formula `false`, standing where `span` says.
    #[must_use]
    pub fn falsehood(span: Span) -> Self {
        Self {
            kind: ExprKind::Bool(false),
            ty: Type::Bool,
            span,
        }
    }

    /// `op` applied to `args`, of type `ty`.
    #[must_use]
    pub fn apply(op: Op, args: Vec<Expr>, ty: Type, span: Span) -> Self {
        Self {
            kind: ExprKind::Apply(op, args),
            ty,
            span,
        }
    }

    /// Whether this is the literal `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        matches!(self.kind, ExprKind::Bool(true))
    }

    /// The conjunction of the formulas: nested conjunctions are flattened, the literal `true` is dropped.
    #[must_use]
    pub fn conjunction(formulas: impl IntoIterator<Item = Expr>, span: Span) -> Self {
        let mut parts: Vec<Expr> = formulas
            .into_iter()
            .flat_map(Expr::into_conjuncts)
            .filter(|part| !part.is_true())
            .collect();
        match parts.len() {
            0 => Self::truth(span),
            1 => parts.remove(0),
            _ => Self::apply(Op::And, parts, Type::Bool, span),
        }
    }

    /// The disjunction of the formulas; `false` if there is none, `true` if one of them is the literal.
    #[must_use]
    pub fn disjunction(mut formulas: Vec<Expr>, span: Span) -> Self {
        if let Some(position) = formulas.iter().position(Expr::is_true) {
            return formulas.swap_remove(position);
        }
        match formulas.len() {
            0 => Self::falsehood(span),
            1 => formulas.remove(0),
            _ => Self::apply(Op::Or, formulas, Type::Bool, span),
        }
    }

    /// The formula's top-level conjuncts, from left to right.
    #[must_use]
    pub fn into_conjuncts(self) -> Vec<Expr> {
        match self.kind {
            ExprKind::Apply(Op::And, parts) => {
                parts.into_iter().flat_map(Expr::into_conjuncts).collect()
            }
            _ => vec![self],
        }
    }

    /// The formula's top-level conjuncts, from left to right, borrowed.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Apply(Op::And, parts) => parts.iter().flat_map(Expr::conjuncts).collect(),
            _ => vec![self],
        }
    }

    /// The immediate sub-expressions, from left to right.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (list, boxed): (&[Expr], [Option<&Expr>; 3]) = match &self.kind {
            ExprKind::Apply(_, args) | ExprKind::Theory(_, args) | ExprKind::Random(_, args) => {
                (args, [None; 3])
            }
            ExprKind::If(c, a, b) => (&[], [Some(c), Some(a), Some(b)]),
            ExprKind::Quantified(_, _, body) | ExprKind::Comprehension(_, body) => {
                (&[], [Some(body), None, None])
            }
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Char(_)
            | ExprKind::Text(_)
            | ExprKind::Enumerator(_)
            | ExprKind::Element(_)
            | ExprKind::State(_)
            | ExprKind::Local(_) => (&[], [None; 3]),
        };
        list.iter().chain(boxed.into_iter().flatten())
    }

    /// Whether two terms are the same but for where they stand.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        fingerprint(self) == fingerprint(other)
    }

    /// Whether it has a value whatever the values of its variables are, and always the same one.
    #[must_use]
    pub fn is_total(&self) -> bool {
        let here = match &self.kind {
            ExprKind::Apply(op, _) => !op.is_partial(&self.ty),
            ExprKind::Random(..) => false,
            _ => true,
        };
        here && self.children().all(Self::is_total)
    }

    /// Calls `visit` on this expression and all below it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}
