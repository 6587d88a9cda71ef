//! A frame with its terms and atoms, and the literals over them as text.

use std::collections::BTreeSet;

use crate::relations::atom::{self, Atom, text};
use crate::relations::frame::{Frame, Shape};
use crate::relations::term::{TermId, Terms};
use crate::samples::Schema;

/// No frame has more atoms than this: each takes a few kilobytes while a block of rows is looked at.
const MAX_ATOMS: usize = 20_000;

/// A frame with its terms and atoms.
#[derive(Debug)]
pub(crate) struct Space {
    pub(crate) frame: Frame,
    pub(crate) terms: Terms,
    pub(crate) atoms: Vec<Atom>,
    /// Whether there are terms or atoms that were left out because there are too many.
    pub(crate) is_truncated: bool,
    /// Which templates were not tried, because there are too many terms for them.
    pub(crate) limits: BTreeSet<String>,
}

/// An atom, by position in its space, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub(crate) atom: usize,
    pub(crate) positive: bool,
}

impl Space {
    pub(crate) fn new(
        schema: &Schema,
        frame: Frame,
        terms: Terms,
        fit: &crate::relations::atom::Fit,
    ) -> Self {
        let mut atoms = atom::all(schema, &terms, fit);
        atoms.retain(|a| a.guards(&terms).iter().all(|g| is_plain_guard(&terms, *g)));
        let is_truncated = terms.is_truncated() || atoms.len() > MAX_ATOMS;
        atoms.truncate(MAX_ATOMS);
        Self {
            frame,
            terms,
            atoms,
            is_truncated,
            limits: fit.limits().clone(),
        }
    }

    /// The columns that a literal speaks of.
    pub(crate) fn columns(&self, literal: Literal) -> BTreeSet<usize> {
        self.atoms[literal.atom].columns(&self.terms)
    }

    /// The literal as IOA text: for all values of the frame's variables for which it is defined.
    pub(crate) fn formula(&self, schema: &Schema, literal: Literal) -> String {
        let atom = &self.atoms[literal.atom];
        let mut premises: Vec<String> = self.shape().into_iter().collect();
        for guard in atom.guards(&self.terms) {
            premises.push(self.terms.get(guard).as_guard());
        }
        let mut body = text::literal(schema, &self.terms, atom, literal.positive);
        if !premises.is_empty() {
            body = format!("{} => {body}", premises.join(" /\\ "));
        }
        let quantifiers = self.frame.quantifiers(schema);
        match quantifiers.is_empty() {
            true => body,
            false => format!("{quantifiers}({body})"),
        }
    }

    fn shape(&self) -> Option<String> {
        let names = || (&self.frame.binders[0].name, &self.frame.binders[1].name);
        match self.frame.shape {
            Shape::Free => None,
            Shape::Distinct => Some(format!("{} ~= {}", names().0, names().1)),
            Shape::Ordered => Some(format!("{} < {}", names().0, names().1)),
        }
    }
}

/// A guard that itself needs none is enough for now: `x.val.val` is left out.
fn is_plain_guard(terms: &Terms, guard: TermId) -> bool {
    terms.get(guard).guards.is_empty()
}
