//! The search: which literals of a frame hold on all samples.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Type;

use crate::bits::Bits;
use crate::relations::atom::{Fit, Relation};
use crate::relations::confidence::{Finding, justify};
use crate::relations::evaluate::{Block, blocks};
use crate::relations::frame::Frame;
use crate::relations::space::{Literal, Space};
use crate::relations::term::TermId;
use crate::relations::term::Terms;
use crate::samples::Samples;

/// What was found in a frame.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) space: Space,
    pub(crate) findings: Vec<Finding>,
}

/// The literals that hold on all states, in a frame. What a frame with fewer variables states as well is left to it.
pub(crate) fn search(samples: &Samples, frame: Frame) -> Found {
    let (space, survivors) = survivors(samples, frame);
    let literals = survivors.held(&space);
    Found {
        findings: justify(samples, &space, literals),
        space,
    }
}

fn survivors(samples: &Samples, frame: Frame) -> (Space, Survivors) {
    let schema = samples.schema();
    let columns = schema.variables_as_terms();
    let terms = Terms::of(schema.model(), &frame, columns, samples.lost());
    let mut fit = Fit::new(schema, &terms);
    if !fit.is_idle() {
        blocks(samples, samples.states(), &frame, &terms, |block| {
            fit.absorb(block);
        });
    }
    let space = Space::new(schema, frame, terms, &fit);
    let literals = literals(&space);
    let mut survivors = Survivors {
        tallies: vec![Tally::default(); literals.len()],
        literals,
    };
    let (frame, terms) = (&space.frame, &space.terms);
    blocks(samples, samples.states(), frame, terms, |block| {
        survivors.absorb(&space, block);
    });
    (space, survivors)
}

fn literals(space: &Space) -> Vec<Literal> {
    let mut out = Vec::new();
    for (at, atom) in space.atoms.iter().enumerate() {
        let literal = |positive| Literal { atom: at, positive };
        out.push(literal(true));
        if atom.is_condition(&space.terms) {
            out.push(literal(false));
        }
    }
    out
}

/// What the rows say of the literals of a frame.
struct Survivors {
    literals: Vec<Literal>,
    tallies: Vec<Tally>,
}

/// On how many rows a literal is defined, and on how many it is false.
#[derive(Clone, Copy, Default)]
struct Tally {
    defined: u64,
    violated: u64,
}

impl Survivors {
    /// Takes a block in: each atom is evaluated once.
    fn absorb(&mut self, space: &Space, block: &Block) {
        let truths = Truths::of(space, block, &self.literals);
        for ((defined, violated), tally) in truths.rows.iter().zip(&mut self.tallies) {
            tally.defined += defined.count();
            tally.violated += violated.count();
        }
    }

    /// The literals that no row has refuted, and some has tested.
    fn held(&self, space: &Space) -> Vec<Literal> {
        let mut out = Vec::new();
        let listed = listed_values(space);
        for (literal, tally) in self.literals.iter().zip(&self.tallies) {
            if space.rules_out(*literal) && listed.contains(&space.atoms[literal.atom].args[0]) {
                continue;
            }
            let is_own = space.atoms[literal.atom].binders(&space.terms) == space.frame.mask();
            if is_own && tally.violated == 0 && tally.defined > 0 {
                out.push(*literal);
            }
        }
        reduce_order(space, &mut out);
        out
    }
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

/// For each literal, the rows on which it is defined and those on which it is false.
pub(crate) struct Truths {
    pub(crate) rows: Vec<(Bits, Bits)>,
}

impl Truths {
    pub(crate) fn of(space: &Space, block: &Block, literals: &[Literal]) -> Self {
        let mut rows: Vec<(Bits, Bits)> = Vec::with_capacity(literals.len());
        for (at, literal) in literals.iter().enumerate() {
            // Where both literals of an atom are asked for they stand side by side: one is false where the other is not.
            let last = at.checked_sub(1).map(|last| literals[last]);
            if last.is_some_and(|last| last.atom == literal.atom) {
                let (defined, violated) = &rows[at - 1];
                rows.push((defined.clone(), defined.and_not(violated)));
                continue;
            }
            let atom = &space.atoms[literal.atom];
            let (defined, holds) = (block.defined(atom), block.holds(atom));
            let violated = if literal.positive {
                defined.and_not(&holds)
            } else {
                defined.intersection(&holds)
            };
            rows.push((defined, violated));
        }
        Self { rows }
    }
}
