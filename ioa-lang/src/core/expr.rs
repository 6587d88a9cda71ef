//! The terms and formulas of the core. Every expression knows its type and where it came from.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use num_bigint::{BigInt, Sign};

use crate::notation::{Quantifier, Rational};

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
///
/// A term is a tree of nodes, each of which has an [identity](TermId) of its own: a copy consists of other nodes. Terms are
/// equal, and *the same term*, if they say the same in the same types, whatever their nodes and wherever they stand.
#[derive(Debug)]
pub struct Expr {
    id: TermId,
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it came from.
    pub span: Span,
}

/// A bound variable of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// Its name as written.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its binding occurrence.
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
    /// `Node#2`: an element of a sort in a finite instance. Occurs in schedules and in questions about one instance, never in what is proved.
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
    /// The values have no order, so none of them guards another: the formula is defined if its body is defined for every
    /// value, even if a single value determines its truth. A guard within the body applies to each value separately, as in
    /// `\A x (x \in s => 0 < f[x].val)`.
    Quantified(Quantifier, Vec<LocalId>, Box<Expr>),
    /// `{x: T where body}`; defined where the body is for every value.
    Comprehension(LocalId, Box<Expr>),
    /// `[x: T -> body]`: the array whose entry at each `x` is the body; defined where the body is for every value.
    Entries(LocalId, Box<Expr>),
    /// A draw from the run's random generator. Occurs in schedules only.
    Random(RandomDraw, Vec<Expr>),
}

/// Which node of a term something is. No two nodes have the same identity, and it cannot be given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u64);

impl TermId {
    fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Clone for Expr {
    fn clone(&self) -> Self {
        Self::new(self.kind.clone(), self.ty.clone(), self.span)
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.ty == other.ty
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.ty.hash(state);
    }
}

impl Expr {
    /// A term of some type, standing where `span` says.
    #[must_use]
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Self {
        Self {
            id: TermId::fresh(),
            kind,
            ty,
            span,
        }
    }

    /// Which node it is.
    #[must_use]
    pub fn id(&self) -> TermId {
        self.id
    }

    /// The same node with another type and another place.
    #[must_use]
    pub fn retyped(self, ty: Type, span: Span) -> Self {
        Self { ty, span, ..self }
    }

    /// The formula `true`, standing where `span` says.
    #[must_use]
    pub fn truth(span: Span) -> Self {
        Self::new(ExprKind::Bool(true), Type::Bool, span)
    }

    /// The formula `false`, standing where `span` says.
    #[must_use]
    pub fn falsehood(span: Span) -> Self {
        Self::new(ExprKind::Bool(false), Type::Bool, span)
    }

    /// `op` applied to `args`, of type `ty`.
    #[must_use]
    pub fn apply(op: Op, args: Vec<Expr>, ty: Type, span: Span) -> Self {
        Self::new(ExprKind::Apply(op, args), ty, span)
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

    /// The formula's conjuncts, those under universal quantifiers too, from left to right: each with the variables that
    /// the quantifiers around it bind. The formula holds if and only if each of them holds for all values of these.
    #[must_use]
    pub fn scoped_conjuncts(&self) -> Vec<(Vec<LocalId>, &Self)> {
        match &self.kind {
            ExprKind::Apply(Op::And, parts) => {
                parts.iter().flat_map(Self::scoped_conjuncts).collect()
            }
            ExprKind::Quantified(Quantifier::ForAll, binders, body) => {
                let mut inner = body.scoped_conjuncts();
                for (bound, _) in &mut inner {
                    bound.splice(0..0, binders.iter().copied());
                }
                inner
            }
            _ => vec![(Vec::new(), self)],
        }
    }

    /// The immediate sub-expressions, from left to right.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let (list, boxed): (&[Expr], [Option<&Expr>; 3]) = match &self.kind {
            ExprKind::Apply(_, args) | ExprKind::Theory(_, args) | ExprKind::Random(_, args) => {
                (args, [None; 3])
            }
            ExprKind::If(c, a, b) => (&[], [Some(c), Some(a), Some(b)]),
            ExprKind::Quantified(_, _, body)
            | ExprKind::Comprehension(_, body)
            | ExprKind::Entries(_, body) => (&[], [Some(body), None, None]),
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

    /// The variables that it binds in its sub-expressions.
    #[must_use]
    pub fn binders(&self) -> &[LocalId] {
        match &self.kind {
            ExprKind::Quantified(_, binders, _) => binders,
            ExprKind::Comprehension(binder, _) | ExprKind::Entries(binder, _) => {
                std::slice::from_ref(binder)
            }
            _ => &[],
        }
    }

    /// Whether it has a value whatever the values of its variables are, and always the same one.
    #[must_use]
    pub fn is_total(&self) -> bool {
        self.is_total_here() && self.children().all(Self::is_total)
    }

    /// Whether it has a value wherever its parts have one, as far as its form shows, and always the same one. A quotient or remainder has
    /// one where the divisor is a positive numeral.
    #[must_use]
    pub fn is_total_here(&self) -> bool {
        match &self.kind {
            ExprKind::Apply(Op::Div | Op::Mod, args) if args[1].is_positive_numeral() => true,
            ExprKind::Apply(op, _) => !op.is_partial(&self.ty),
            ExprKind::Random(..) => false,
            _ => true,
        }
    }

    fn is_positive_numeral(&self) -> bool {
        matches!(&self.kind, ExprKind::Int(n) if n.sign() == Sign::Plus)
    }

    /// Calls `visit` on this expression and all below it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn a_copy_says_the_same_and_is_another_node() {
        let there = Span::new(FileId(0), 3, 7);
        let term = Expr::apply(
            Op::Not,
            vec![Expr::truth(there)],
            Type::Bool,
            Span::default(),
        );
        let copy = term.clone();
        assert_eq!(term, copy);
        assert!(term.id() != copy.id());
        let parts = term.children().zip(copy.children());
        assert!(parts.into_iter().all(|(one, other)| one.id() != other.id()));
    }

    #[test]
    fn where_a_term_stands_is_no_part_of_what_it_says() {
        let there = Span::new(FileId(0), 3, 7);
        assert_eq!(Expr::truth(Span::default()), Expr::truth(there));
        assert_ne!(Expr::truth(there), Expr::falsehood(there));
        let seven = |ty| Expr::new(ExprKind::Int(7.into()), ty, there);
        assert_ne!(seven(Type::Nat), seven(Type::Int));
        let moved = seven(Type::Nat);
        let id = moved.id();
        assert_eq!(moved.retyped(Type::Int, Span::default()).id(), id);
    }
}
