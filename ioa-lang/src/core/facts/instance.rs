//! Whether a term is another one with something in the place of the variables that this leaves open.

use crate::core::claims::OpenTerm;
use crate::core::expr::{Expr, ExprKind, LocalId};
use crate::core::types::Type;

impl OpenTerm {
    /// Whether it is composed of other terms, and no formula: a variable or a constant is not worth a name, and clauses are made of what
    /// formulas consist of.
    #[must_use]
    pub fn is_composed_value(&self) -> bool {
        matches!(self.term.kind, ExprKind::Apply(..) | ExprKind::If(..))
            && self.term.ty != Type::Bool
    }

    /// What stands in a term in the places of the variables that this one leaves open, if nothing else differs but the names of bound
    /// variables; nothing if a variable is open that does not occur.
    #[must_use]
    pub fn values_in(&self, term: &Expr) -> Option<Vec<Expr>> {
        let mut matching = Matching {
            values: vec![None; self.open],
            bound: Vec::new(),
        };
        let is_instance = matching.fits(&self.term, term);
        is_instance.then(|| matching.values.into_iter().collect())?
    }
}

/// What is known of a match.
struct Matching {
    values: Vec<Option<Expr>>,
    /// The variables that are bound here, with those in whose places they stand, the inner ones last.
    bound: Vec<(LocalId, LocalId)>,
}

impl Matching {
    fn fits(&mut self, own: &Expr, other: &Expr) -> bool {
        if own.ty != other.ty {
            return false;
        }
        match (&own.kind, &other.kind) {
            (ExprKind::Local(id), _) if id.index() < self.values.len() => {
                self.stands_for(*id, other)
            }
            (ExprKind::Local(own), ExprKind::Local(other)) => {
                let mut inner = self.bound.iter().rev();
                let nearest = inner.find(|(a, b)| a == own || b == other);
                nearest == Some(&(*own, *other))
            }
            (ExprKind::Apply(a, own), ExprKind::Apply(b, other)) => {
                a == b && self.all_fit(own, other)
            }
            (ExprKind::Theory(a, own), ExprKind::Theory(b, other)) => {
                a == b && self.all_fit(own, other)
            }
            (ExprKind::If(a, b, c), ExprKind::If(d, e, f)) => {
                self.fits(a, d) && self.fits(b, e) && self.fits(c, f)
            }
            (ExprKind::Quantified(a, own, body), ExprKind::Quantified(b, other, inner)) => {
                a == b && self.bodies_fit((own, body), (other, inner))
            }
            (ExprKind::Comprehension(own, body), ExprKind::Comprehension(other, inner))
            | (ExprKind::Entries(own, body), ExprKind::Entries(other, inner)) => {
                self.bodies_fit((&[*own], body), (&[*other], inner))
            }
            (own, other) => own == other,
        }
    }

    fn all_fit(&mut self, own: &[Expr], other: &[Expr]) -> bool {
        let mut pairs = own.iter().zip(other);
        own.len() == other.len() && pairs.all(|(own, other)| self.fits(own, other))
    }

    fn bodies_fit(
        &mut self,
        (own, body): (&[LocalId], &Expr),
        (other, inner): (&[LocalId], &Expr),
    ) -> bool {
        let outer = self.bound.len();
        let pairs = own.iter().copied().zip(other.iter().copied());
        self.bound.extend(pairs);
        let fits = own.len() == other.len() && self.fits(body, inner);
        self.bound.truncate(outer);
        fits
    }

    /// Whether a term can stand in the place of an open variable: it does so everywhere, and reads nothing that is bound here.
    fn stands_for(&mut self, open: LocalId, other: &Expr) -> bool {
        let mut is_free = true;
        other.walk(&mut |part| {
            if let ExprKind::Local(id) = part.kind {
                is_free &= self.bound.iter().all(|(_, bound)| *bound != id);
            }
        });
        let value = &mut self.values[open.index()];
        is_free && *value.get_or_insert_with(|| other.clone()) == *other
    }
}
