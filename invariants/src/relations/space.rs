//! A frame with its terms and atoms, and the literals over them as formulas.

use std::collections::BTreeSet;

use ioa_lang::Span;
use ioa_lang::core::{Expr, Invariant};

use crate::build::{equal, implied, not};
use crate::relations::atom::{self, Atom};
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

    /// The literal as an invariant: for all values of the frame's variables for which it is defined.
    pub(crate) fn invariant(&self, schema: &Schema, literal: Literal) -> Invariant {
        let atom = &self.atoms[literal.atom];
        let guards = atom.guards(&self.terms).into_iter();
        let guards = guards.map(|guard| self.terms.get(guard).as_guard());
        let premises = self.shape(schema).into_iter().chain(guards);
        let conclusion = atom::literal(schema, &self.terms, atom, literal.positive);
        let body = implied(premises.collect(), conclusion);
        let (locals, formula) = self.frame.quantified(body);
        Invariant {
            name: "relation".into(),
            automaton: schema.automaton(),
            locals,
            formula,
            uses: None,
            span: Span::default(),
        }
    }

    /// How the frame's variables are related, as a formula.
    fn shape(&self, schema: &Schema) -> Option<Expr> {
        let mut variables = self.frame.variables();
        let (first, second) = variables.next().zip(variables.next())?;
        match self.frame.shape {
            Shape::Free => None,
            Shape::Distinct => Some(not(equal(first, second))),
            Shape::Ordered => Some(atom::less(schema, &first, &second)),
        }
    }
}

/// A guard that itself needs none is enough for now: `x.val.val` is left out.
fn is_plain_guard(terms: &Terms, guard: TermId) -> bool {
    terms.get(guard).guards.is_empty()
}
