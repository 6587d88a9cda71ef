//! The search: which literals of a frame hold on all samples.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Type;

use crate::relations::atom::{Atom, Fit, Relation};
use crate::relations::confidence::{Finding, justify};
use crate::relations::evaluate::{Block, Case, blocks};
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
    let each = terms.splits().iter();
    let cases: Vec<Case> = each
        .flat_map(|split| {
            [true, false].map(|is_true| Case {
                split: *split,
                is_true,
            })
        })
        .collect();
    let cases = [None].into_iter().chain(cases.into_iter().map(Some));
    cases
        .map(|case| in_case(samples, (frame, &terms), case))
        .collect()
}

fn in_case(samples: &Samples, (frame, terms): (&Frame, &Terms), case: Option<Case>) -> Found {
    let schema = samples.schema();
    let states = (samples, samples.states());
    let mut fit = Fit::new(schema, terms);
    if !fit.is_idle() {
        blocks(states, (frame, terms), case, |block| fit.absorb(block));
        if fit.goes_on(terms) {
            blocks(states, (frame, terms), case, |block| {
                fit.absorb_planes(block);
            });
        }
    }
    let space = Space::new(schema, frame.clone(), terms.clone(), (&fit, case));
    let mut open = Open::all(&space);
    blocks(states, (&space.frame, &space.terms), case, |block| {
        open.retain_mut(|open| open.survives(&space, block));
    });
    let literals = held(&space, &open);
    Found {
        findings: justify(samples, &space, literals),
        space,
    }
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
