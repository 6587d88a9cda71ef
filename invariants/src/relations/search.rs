//! The search: which literals of a frame hold on all samples.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ioa_lang::core::Type;

use crate::relations::atom::{Atom, Fit, Relation};
use crate::relations::cases::{Case, cases};
use crate::relations::confidence::{Finding, justify};
use crate::relations::evaluate::{Block, blocks};
use crate::relations::frame::Frame;
use crate::relations::space::{Literal, Space};
use crate::relations::term::{Readable, TermId, Terms};
use crate::samples::Samples;

/// What was found in a frame, or in a case there.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) space: Space,
    pub(crate) findings: Vec<Finding>,
}

/// The literals that hold on all states, in a frame, and those that hold in each of the cases that are told apart. What a frame
/// with fewer variables states as well is left to it.
pub(crate) fn search(samples: &Samples, frame: &Frame) -> Vec<Found> {
    let schema = samples.schema();
    let mut terms = Terms::of(schema, frame, Readable::of_states(samples, frame));
    if frame.binders.is_empty() {
        terms = terms.with_indicators(schema);
    }
    let (cases, limit) = cases(schema, frame, &mut terms);
    let cases: Vec<Option<Case>> = [None]
        .into_iter()
        .chain(cases.into_iter().map(Some))
        .collect();
    let mut spaces = fitted(samples, (frame, &Rc::new(terms)), &cases);
    spaces[0].limits.extend(limit);
    let literals = surviving(samples, &spaces, &cases);
    let everywhere = stated(&spaces[0], &literals[0]);
    let found = spaces.into_iter().zip(literals);
    let found = found.map(|(space, mut literals)| {
        if space.case.as_ref().is_some_and(|case| !case.is_named) {
            literals.retain(|l| l.positive && !everywhere.contains(&space.atoms[l.atom]));
        }
        Found {
            findings: justify(samples, &space, literals),
            space,
        }
    });
    found.collect()
}

/// The space of each case, with the constants that fit there.
fn fitted(
    samples: &Samples,
    (frame, terms): (&Frame, &Rc<Terms>),
    cases: &[Option<Case>],
) -> Vec<Space> {
    let schema = samples.schema();
    let states = (samples, samples.states());
    let mut fits: Vec<Fit> = cases.iter().map(|_| Fit::new(schema, terms)).collect();
    if !fits[0].is_idle() {
        blocks(states, (frame, terms), cases, |at, block| {
            fits[at].absorb(block);
        });
        let goes_on: Vec<bool> = fits.iter_mut().map(|fit| fit.goes_on(terms)).collect();
        if goes_on.contains(&true) {
            blocks(states, (frame, terms), cases, |at, block| {
                fits[at].absorb_planes(block);
            });
        }
    }
    let each = fits.iter().zip(cases);
    let space = |(fit, case): (&Fit, &Option<Case>)| {
        Space::new(schema, frame.clone(), Rc::clone(terms), (fit, case.clone()))
    };
    each.map(space).collect()
}

/// The literals of each space that no row of its case has refuted.
fn surviving(samples: &Samples, spaces: &[Space], cases: &[Option<Case>]) -> Vec<Vec<Literal>> {
    let states = (samples, samples.states());
    let mut open: Vec<Vec<Open>> = spaces.iter().map(Open::all).collect();
    let about = (&spaces[0].frame, &*spaces[0].terms);
    blocks(states, about, cases, |at, block| {
        open[at].retain_mut(|open| open.survives(&spaces[at], block));
    });
    let each = spaces.iter().zip(&open);
    each.map(|(space, open)| held(space, open)).collect()
}

/// What some literals say that are not negated.
fn stated(space: &Space, literals: &[Literal]) -> BTreeSet<Atom> {
    let positive = literals.iter().filter(|literal| literal.positive);
    let atoms = positive.map(|literal| space.atoms[literal.atom].clone());
    atoms.collect()
}

/// An atom that has not been both true and false.
struct Open {
    atom: usize,
    /// Whether it was defined somewhere.
    is_defined: bool,
    /// Whether it may be true wherever it is defined, and whether it may be false there.
    may_be: [bool; 2],
}

impl Open {
    fn all(space: &Space) -> Vec<Self> {
        let atoms = space.atoms.iter().enumerate();
        let open = |(atom, found): (usize, &Atom)| Self {
            atom,
            is_defined: false,
            may_be: [true, found.is_condition(&space.terms)],
        };
        atoms.map(open).collect()
    }

    /// Takes a block in.
    fn survives(&mut self, space: &Space, block: &Block) -> bool {
        let atom = &space.atoms[self.atom];
        let (defined, holds) = (block.defined(atom), block.holds(atom));
        self.is_defined |= !defined.is_empty();
        self.may_be[0] &= defined.is_within(&holds);
        self.may_be[1] &= defined.is_apart_from(&holds);
        self.may_be.contains(&true)
    }

    /// The literals that no row has refuted.
    fn literals(&self) -> impl Iterator<Item = Literal> + '_ {
        let signs = [true, false].into_iter().zip(self.may_be);
        let held = signs.filter(|(_, may_be)| *may_be && self.is_defined);
        held.map(|(positive, _)| Literal {
            atom: self.atom,
            positive,
        })
    }
}

/// The literals that no row has refuted, and some has tested, and that say something of all variables of the frame.
fn held(space: &Space, open: &[Open]) -> Vec<Literal> {
    let listed = listed_values(space);
    let says_more = |literal: &Literal| {
        let atom = &space.atoms[literal.atom];
        let is_told = space.rules_out(*literal) && listed.contains(&atom.args[0]);
        !is_told && space.binders(atom) == space.frame.mask()
    };
    let literals = open.iter().flat_map(Open::literals);
    let mut out: Vec<Literal> = literals.filter(says_more).collect();
    reduce_order(space, &mut out);
    out
}

/// Leaves out what follows from the order of other terms: `a <= c` where `a <= b` and `b <= c` are found.
fn reduce_order(space: &Space, literals: &mut Vec<Literal>) {
    let edges: BTreeMap<(TermId, TermId), bool> = literals
        .iter()
        .filter_map(|literal| order(space, *literal))
        .collect();
    let mut after: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
    for (a, b) in edges.keys() {
        after.entry(*a).or_default().push(*b);
    }
    literals.retain(|literal| {
        let Some(((a, c), strict)) = order(space, *literal) else {
            return true;
        };
        let through = |b: &TermId| {
            let rest = edges.get(&(*b, c));
            rest.is_some_and(|rest| !strict || *rest || edges[&(a, *b)])
        };
        !after
            .get(&a)
            .is_some_and(|middle| middle.iter().any(through))
    });
}

/// Which term is less than which, if the literal says that of two that are always defined; and whether it never equals
/// it.
fn order(space: &Space, literal: Literal) -> Option<((TermId, TermId), bool)> {
    let atom = &space.atoms[literal.atom];
    let numbers = || space.terms.get(atom.args[0]).measure.is_some();
    if !numbers() || !atom.guards(&space.terms).is_empty() {
        return None;
    }
    match (&atom.relation, literal.positive) {
        (Relation::Less, true) => Some(((atom.args[0], atom.args[1]), true)),
        (Relation::AtMost, true) => Some(((atom.args[0], atom.args[1]), false)),
        (Relation::Less, false) => Some(((atom.args[1], atom.args[0]), false)),
        _ => None,
    }
}

/// The terms of which it is said which values they have: then it need not be said which they do not have.
fn listed_values(space: &Space) -> BTreeSet<TermId> {
    let listed = space.atoms.iter();
    let listed = listed.filter(|atom| matches!(atom.relation, Relation::OneOf(_)));
    let listed = listed.map(|atom| atom.args[0]);
    listed
        .filter(|term| matches!(space.terms.get(*term).ty(), Type::Enum(_)))
        .collect()
}

impl Space {
    /// Whether a literal says that a term is not some constant.
    fn rules_out(&self, literal: Literal) -> bool {
        !literal.positive && matches!(self.atoms[literal.atom].relation, Relation::Is(_))
    }
}
