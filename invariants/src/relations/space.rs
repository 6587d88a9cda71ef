//! A frame with its terms and atoms, and the literals over them as formulas.

use std::collections::BTreeSet;
use std::rc::Rc;

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Invariant, Substitution};

use crate::build::{equal, implied, not};
use crate::relations::atom::{self, Atom, Fit};
use crate::relations::cases::{Case, is_told};
use crate::relations::frame::{Frame, Shape};
use crate::relations::term::{TermId, Terms};
use crate::samples::Schema;

/// No frame has more atoms than this: each takes some hundred bytes.
const MAX_ATOMS: usize = 200_000;

/// A frame with its terms and atoms.
#[derive(Debug)]
pub(crate) struct Space {
    pub(crate) frame: Frame,
    pub(crate) terms: Rc<Terms>,
    pub(crate) atoms: Vec<Atom>,
    /// The case in which they are looked at, if not in all.
    pub(crate) case: Option<Case>,
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
        terms: Rc<Terms>,
        (fit, case): (&Fit, Option<Case>),
    ) -> Self {
        let is_found = case.as_ref().is_some_and(|case| !case.is_named);
        let mut atoms = match is_found {
            true => atom::of_numbers(schema, &terms, fit),
            false => atom::all(schema, &terms, fit),
        };
        atoms.retain(|a| a.guards(&terms).iter().all(|g| is_plain_guard(&terms, *g)));
        atoms.retain(|a| !is_found || is_told(a, &terms));
        // What a case supposes is not to be found in it.
        let supposes = |atom: &Atom| case.as_ref().is_some_and(|c| c.supposes(&terms, atom));
        atoms.retain(|a| !supposes(a));
        let is_truncated = terms.is_truncated() || atoms.len() > MAX_ATOMS;
        atoms.truncate(MAX_ATOMS);
        Self {
            frame,
            terms,
            atoms,
            case,
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
        let mut premises: Vec<Expr> = self.shape(schema).into_iter().collect();
        premises.extend(
            self.case
                .iter()
                .flat_map(|case| self.supposed(schema, case)),
        );
        let guards = atom.guards(&self.terms).into_iter();
        let guards = guards.map(|guard| self.terms.get(guard).as_guard());
        let guards: Vec<Expr> = guards.filter(|guard| !premises.contains(guard)).collect();
        premises.extend(guards);
        premises.retain(|premise| premise.kind != ExprKind::Bool(true));
        let conclusion = atom::literal(schema, &self.terms, atom, literal.positive);
        let body = implied(premises, conclusion);
        let whole = self.frame.quantified(body);
        // What is bound in other terms is left out.
        let mut locals = Vec::new();
        let formula = Substitution::new(self.terms.locals(), &mut locals, []).copy(&whole);
        Invariant {
            name: "relation".into(),
            automaton: schema.automaton(),
            locals,
            formula,
            uses: None,
            span: Span::default(),
        }
    }

    /// The frame's variables in an atom and in the case, as a mask.
    pub(crate) fn binders(&self, atom: &Atom) -> u8 {
        let case = self.case.as_ref();
        let case = case.map(|case| case.condition.binders(&self.terms));
        atom.binders(&self.terms) | case.unwrap_or(0)
    }

    /// What is true in a case.
    fn supposed(&self, schema: &Schema, case: &Case) -> Vec<Expr> {
        let guards = case.condition.guards(&self.terms).into_iter();
        let guards = guards.map(|guard| self.terms.get(guard).as_guard());
        let condition = atom::literal(schema, &self.terms, &case.condition, case.is_true);
        guards.chain([condition]).collect()
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
