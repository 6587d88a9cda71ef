//! Atoms: relations between terms, the templates that everything else is built from.

mod elements;
mod formula;
mod numbers;
mod relation;
mod sets;

pub(crate) use formula::{less, literal};
pub(crate) use numbers::Fit;
pub(crate) use relation::{Atom, Relation};

use crate::relations::term::Terms;
use crate::samples::Schema;

/// All atoms over the terms of a frame that compare like with like. Those with fitted constants come from what the
/// samples show of the numbers.
pub(crate) fn all(schema: &Schema, terms: &Terms, fit: &Fit) -> Vec<Atom> {
    let mut atoms = Vec::new();
    elements::propose(schema, terms, &mut atoms);
    sets::propose(schema, terms, &mut atoms);
    atoms.extend(of_numbers(schema, terms, fit));
    atoms
}

/// Those over numbers alone, and over the values that enumerations take.
pub(crate) fn of_numbers(schema: &Schema, terms: &Terms, fit: &Fit) -> Vec<Atom> {
    let mut atoms = Vec::new();
    fit.propose(schema, terms, &mut atoms);
    atoms
}
