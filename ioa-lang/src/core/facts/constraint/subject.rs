//! What constraints are about.

use crate::core::expr::{Expr, ExprKind, LocalId};
use crate::core::operator::Op;

/// A bound variable, a field of one, or a field of such a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The variable.
    pub variable: LocalId,
    /// The positions of the fields, from the variable inwards.
    pub fields: Vec<u32>,
}

impl From<LocalId> for Subject {
    fn from(variable: LocalId) -> Self {
        Self {
            variable,
            fields: Vec::new(),
        }
    }
}

impl Subject {
    /// A field of it.
    #[must_use]
    pub fn field(&self, position: u32) -> Self {
        let mut field = self.clone();
        field.fields.push(position);
        field
    }

    /// Whether a term stands for it.
    #[must_use]
    pub fn is(&self, term: &Expr) -> bool {
        let (mut term, mut fields) = (term, self.fields.iter().rev());
        while let ExprKind::Apply(Op::Field(position), args) = &term.kind {
            if fields.next() != Some(position) {
                return false;
            }
            term = &args[0];
        }
        fields.next().is_none() && term.is_local(self.variable)
    }
}
