//! The search: which clauses of a frame hold on all samples.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Type;

use crate::atom::{Atom, Fit, Relation};
use crate::bits::Bits;
use crate::clause::{Clause, Literal, Space};
use crate::confidence::{Evidence, justify};
use crate::evaluate::{Block, blocks};
use crate::frame::Frame;
use crate::samples::Samples;
use crate::term::{Kind, TermId, Terms};

/// With more literals than this in a frame, its implications are not searched.
const MAX_LITERALS: usize = 2000;

/// A clause that holds on all samples.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) clause: Clause,
    pub(crate) evidence: Evidence,
}

/// What was found in a frame.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) space: Space,
    pub(crate) findings: Vec<Finding>,
    /// Whether the frame was too large for its implications to be searched.
    pub(crate) only_units: bool,
}

/// The clauses of one and two literals that hold on all states, in a frame. Clauses that a frame with fewer variables
/// states as well are left to it.
pub(crate) fn search(samples: &Samples, frame: Frame) -> Found {
    let (space, survivors) = survivors(samples, frame);
    let clauses = survivors.clauses(&space, Vacuous::Left);
    Found {
        findings: justify(samples, &space, clauses),
        only_units: survivors.literals.len() > MAX_LITERALS,
        space,
    }
}

/// The formulas of a frame that no state refutes, the vacuous ones included.
pub(crate) fn unrefuted(samples: &Samples, frame: Frame) -> Vec<String> {
    let (space, survivors) = survivors(samples, frame);
    let clauses = survivors.clauses(&space, Vacuous::Taken);
    let formulas = clauses.iter().map(|c| space.formula(samples.schema(), c));
    formulas.collect()
}

fn survivors(samples: &Samples, frame: Frame) -> (Space, Survivors) {
    let schema = samples.schema();
    let terms = Terms::of(schema, &frame, schema.variables(), samples.lost());
    let mut fit = Fit::new(schema, &terms);
    if !fit.is_idle() {
        blocks(samples, samples.states(), &frame, &terms, |block| {
            fit.absorb(block);
        });
    }
    let space = Space::new(schema, frame, terms, &fit);
    let mut survivors = Survivors::new(&space, literals(&space));
    let (frame, terms) = (&space.frame, &space.terms);
    blocks(samples, samples.states(), frame, terms, |block| {
        survivors.absorb(&space, block);
    });
    (space, survivors)
}

/// What becomes of clauses whose premise never holds or whose conclusion always does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vacuous {
    Left,
    Taken,
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
    /// Pairs of literals, by position, of which one has held in every row so far.
    pairs: Vec<(u32, u32)>,
}

/// On how many rows a literal is defined, and on how many it is false.
#[derive(Clone, Copy, Default)]
struct Tally {
    defined: u64,
    violated: u64,
}

impl Tally {
    fn is_mixed(self) -> bool {
        0 < self.violated && self.violated < self.defined
    }
}

impl Survivors {
    fn new(space: &Space, literals: Vec<Literal>) -> Self {
        let mut pairs = Vec::new();
        if literals.len() <= MAX_LITERALS {
            for (at, a) in literals.iter().enumerate() {
                for (other, b) in literals.iter().enumerate().skip(at + 1) {
                    if is_worth_trying(space, *a, *b) {
                        pairs.push((at as u32, other as u32));
                    }
                }
            }
        }
        Self {
            tallies: vec![Tally::default(); literals.len()],
            literals,
            pairs,
        }
    }

    /// Takes a block in: each atom is evaluated once, pairs are decided by words.
    fn absorb(&mut self, space: &Space, block: &Block) {
        let truths = Truths::of(space, block, &self.literals);
        for ((defined, violated), tally) in truths.rows.iter().zip(&mut self.tallies) {
            tally.defined += defined.count();
            tally.violated += violated.count();
        }
        let violated = |at: u32| &truths.rows[at as usize].1;
        self.pairs
            .retain(|(a, b)| !violated(*a).meets(violated(*b)));
    }

    /// The clauses that no row has refuted.
    fn clauses(&self, space: &Space, vacuous: Vacuous) -> Vec<Clause> {
        let taken = vacuous == Vacuous::Taken;
        let mut out = Vec::new();
        let listed = listed_values(space);
        for (literal, tally) in self.literals.iter().zip(&self.tallies) {
            if space.rules_out(*literal) && listed.contains(&space.atoms[literal.atom].args[0]) {
                continue;
            }
            let binders = space.atoms[literal.atom].binders(&space.terms);
            let is_own = binders == space.frame.mask();
            if is_own && tally.violated == 0 && (taken || tally.defined > 0) {
                out.push(Clause::unit(*literal));
            }
        }
        for (a, b) in &self.pairs {
            let (a, b) = (*a as usize, *b as usize);
            if taken || (self.tallies[a].is_mixed() && self.tallies[b].is_mixed()) {
                out.push(Clause {
                    literals: vec![self.literals[a], self.literals[b]],
                });
            }
        }
        if !taken {
            reduce_order(space, &mut out);
        }
        out
    }
}

/// Leaves out what follows from the order of other terms: `a <= c` where `a <= b` and `b <= c` are found.
fn reduce_order(space: &Space, clauses: &mut Vec<Clause>) {
    let edges: BTreeMap<(TermId, TermId), bool> = clauses
        .iter()
        .filter_map(|clause| order(space, clause))
        .collect();
    let mut after: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
    for (a, b) in edges.keys() {
        after.entry(*a).or_default().push(*b);
    }
    clauses.retain(|clause| {
        let Some(((a, c), strict)) = order(space, clause) else {
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

/// Which term is less than which, if the clause says that of two that are always defined; and whether it never equals
/// it.
fn order(space: &Space, clause: &Clause) -> Option<((TermId, TermId), bool)> {
    let [literal] = clause.literals[..] else {
        return None;
    };
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
        .filter(|term| matches!(space.terms.get(*term).ty, Type::Enum(_)))
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

/// Whether a pair of literals is a clause of this frame that no smaller frame and no single atom states.
fn is_worth_trying(space: &Space, a: Literal, b: Literal) -> bool {
    let (x, y) = (&space.atoms[a.atom], &space.atoms[b.atom]);
    if a.atom == b.atom || !is_allowed(space, a) || !is_allowed(space, b) {
        return false;
    }
    if !(x.is_condition(&space.terms) || y.is_condition(&space.terms)) || is_own_guard(space, x, y)
    {
        return false;
    }
    let (m, n) = (x.binders(&space.terms), y.binders(&space.terms));
    let is_connected = m & n != 0
        || m == space.frame.mask()
        || n == space.frame.mask()
        || space.frame.shape != crate::frame::Shape::Free;
    let is_simpler =
        (0..space.frame.binders.len()).any(|v| is_eliminable(space, (x, a), (y, b), v));
    m | n == space.frame.mask() && is_connected && !is_simpler
}

fn is_allowed(space: &Space, literal: Literal) -> bool {
    let atom = &space.atoms[literal.atom];
    atom.is_condition(&space.terms) || (literal.positive && atom.is_conclusion(&space.terms))
}

/// Whether one atom is the guard under which the other is defined: the pair says no more than the other alone.
fn is_own_guard(space: &Space, x: &Atom, y: &Atom) -> bool {
    let guards = |a: &Atom, b: &Atom| {
        matches!(a.relation, Relation::IsNil | Relation::Truth)
            && b.guards(&space.terms).contains(&a.args[0])
    };
    guards(x, y) || guards(y, x)
}

/// Whether a variable can be quantified away: it occurs only as the element of memberships, so that the pair says
/// something of the sets that set atoms say; or only in an equation that says what it is.
fn is_eliminable(
    space: &Space,
    (x, a): (&Atom, Literal),
    (y, b): (&Atom, Literal),
    variable: usize,
) -> bool {
    let [p, q] = [(x, a), (y, b)]
        .map(|(atom, literal)| (occurrence(&space.terms, atom, variable), literal.positive));
    use Occurrence::{Absent, Element, Value};
    let is_tied = |p| matches!(p, (Element | Value, false));
    let is_loose = |p| matches!(p, (Absent | Element, _));
    (is_tied(p) && is_loose(q)) || (is_loose(p) && is_tied(q))
}

/// How a variable occurs in an atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occurrence {
    Absent,
    /// As `v` in `v \in s`, and not in `s`.
    Element,
    /// As `v` in `t = v` or `t = embed(v)`, and not in `t`.
    Value,
    Elsewhere,
}

fn occurrence(terms: &Terms, atom: &Atom, variable: usize) -> Occurrence {
    let mentions = |id: &TermId| terms.get(*id).binders >> variable & 1 == 1;
    let is_variable = |id: &TermId| terms.get(*id).kind == Kind::Bound(variable);
    let places: Vec<&TermId> = atom.args.iter().filter(|a| mentions(a)).collect();
    match (&atom.relation, &places[..]) {
        (_, []) => Occurrence::Absent,
        (Relation::Member, [one]) if is_variable(one) => Occurrence::Element,
        (Relation::Equal | Relation::Embeds, [one]) if is_variable(one) => Occurrence::Value,
        _ => Occurrence::Elsewhere,
    }
}
