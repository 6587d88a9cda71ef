//! Which values a condition leaves to a bound variable.

mod solved;
mod source;
mod subject;

use crate::core::expr::{Expr, ExprKind, LocalId};
use crate::core::operator::Op;
use crate::notation::Infix;

pub use source::{Source, SourceFinder, path};
pub use subject::Subject;

/// The constraint of a condition on a variable. The term in it does not depend on the variable.
#[derive(Clone, Copy, Debug)]
pub enum Constraint<'e> {
    /// It has the value of the term.
    Equal(&'e Expr),
    /// It is an element of the collection, or a key of the map, that the term is.
    Element(&'e Expr),
    /// It is below the term, or as large as that where the bound is not strict.
    Below(Bound<'e>),
    /// It is above the term, or as large as that where the bound is not strict.
    Above(Bound<'e>),
}

/// A bound of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'e> {
    /// The term that it is compared with.
    pub term: &'e Expr,
    /// Whether the value of the term is itself excluded.
    pub is_strict: bool,
}

impl Expr {
    /// The constraint that this condition alone puts on the variable, if it has such a form.
    #[must_use]
    pub fn constraint(&self, variable: LocalId) -> Option<Constraint<'_>> {
        self.constraint_on(&variable.into())
    }

    /// The constraint that this condition alone puts on a variable or a field of one, if it has such a form.
    #[must_use]
    pub fn constraint_on(&self, subject: &Subject) -> Option<Constraint<'_>> {
        let ExprKind::Apply(op, args) = &self.kind else {
            return None;
        };
        let [left, right] = &args[..] else {
            return None;
        };
        let (term, is_left) = match (subject.is(left), subject.is(right)) {
            (true, _) => (right, true),
            (false, true) => (left, false),
            (false, false) => return None,
        };
        if term.mentions(subject.variable) {
            return None;
        }
        let is_strict = *op == Op::Lt;
        match op {
            Op::Eq => Some(Constraint::Equal(term)),
            Op::Lt | Op::Le if is_left => Some(Constraint::Below(Bound { term, is_strict })),
            Op::Lt | Op::Le => Some(Constraint::Above(Bound { term, is_strict })),
            Op::Defined if !is_left => Some(Constraint::Element(term)),
            op if op.infix() == Some(Infix::In) && is_left => Some(Constraint::Element(term)),
            _ => None,
        }
    }

    /// The element and the collection of which this condition says that the one is in the other.
    #[must_use]
    pub fn membership(&self) -> Option<(&Expr, &Expr)> {
        match &self.kind {
            ExprKind::Apply(op, args) if op.infix() == Some(Infix::In) => {
                args.first().zip(args.get(1))
            }
            _ => None,
        }
    }

    /// Whether this is the bound variable.
    #[must_use]
    pub fn is_local(&self, variable: LocalId) -> bool {
        matches!(self.kind, ExprKind::Local(local) if local == variable)
    }

    /// Whether the bound variable occurs in the term.
    #[must_use]
    pub fn mentions(&self, variable: LocalId) -> bool {
        self.is_local(variable) || self.children().any(|child| child.mentions(variable))
    }
}
