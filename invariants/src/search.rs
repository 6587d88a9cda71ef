//! The search: which clauses of a frame hold on all samples.

use crate::atom::{Atom, Fit, Relation};
use crate::bits::Bits;
use crate::clause::{Clause, Literal, Space};
use crate::confidence::{self, Counts};
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
    /// Distinct samples on which the clause says something: its premise holds, its sets are not empty.
    pub(crate) support: u64,
    /// Probability that it holds of this many samples by chance.
    pub(crate) chance: f64,
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
    let schema = samples.schema();
    let terms = Terms::of(schema, &frame, schema.variables(), samples.lost());
    let mut fit = Fit::new(&terms);
    if !fit.is_idle() {
        blocks(samples, samples.states(), &frame, &terms, |block| {
            fit.absorb(block);
        });
    }
    let space = Space::new(schema, frame, terms, &fit);
    let literals = literals(&space);
    let only_units = literals.len() > MAX_LITERALS;
    let mut evidence = Evidence::new(&space, literals, only_units);
    let (frame, terms) = (&space.frame, &space.terms);
    blocks(samples, samples.states(), frame, terms, |block| {
        evidence.absorb(&space, block);
    });
    let findings = evidence.findings(&space);
    Found {
        space,
        findings,
        only_units,
    }
}

fn literals(space: &Space) -> Vec<Literal> {
    let mut out = Vec::new();
    for (at, atom) in space.atoms.iter().enumerate() {
        let literal = |positive| Literal { atom: at, positive };
        out.push(literal(true));
        if atom.is_condition() {
            out.push(literal(false));
        }
    }
    out
}

/// What the rows say of the literals of a frame.
struct Evidence {
    literals: Vec<Literal>,
    counts: Vec<Counts>,
    /// Pairs of literals, by position, of which one has held in every row so far.
    pairs: Vec<(u32, u32)>,
}

impl Evidence {
    fn new(space: &Space, literals: Vec<Literal>, only_units: bool) -> Self {
        let mut pairs = Vec::new();
        if !only_units {
            for (at, a) in literals.iter().enumerate() {
                for (other, b) in literals.iter().enumerate().skip(at + 1) {
                    if is_worth_trying(space, *a, *b) {
                        pairs.push((at as u32, other as u32));
                    }
                }
            }
        }
        Self {
            counts: vec![Counts::default(); literals.len()],
            literals,
            pairs,
        }
    }

    /// Takes a block in: each atom is evaluated once, pairs are decided by words.
    fn absorb(&mut self, space: &Space, block: &Block) {
        let mut violated: Vec<Bits> = Vec::with_capacity(self.literals.len());
        let mut last: Option<(usize, Bits, Bits)> = None;
        for (literal, counts) in self.literals.iter().zip(&mut self.counts) {
            let atom = &space.atoms[literal.atom];
            let (defined, holds) = match last.take() {
                Some((at, defined, holds)) if at == literal.atom => (defined, holds),
                _ => (block.defined(atom), block.holds(atom)),
            };
            let bits = if literal.positive {
                defined.and_not(&holds)
            } else {
                let mut both = defined.clone();
                both.and(&holds);
                both
            };
            counts.rows += block.live().count();
            counts.defined += defined.count();
            counts.violated += bits.count();
            counts.violating_samples += bits.count_folded(block.segment);
            if counts.violated == 0 {
                let telling = telling(block, atom, defined.clone());
                counts.telling_samples += telling.count_folded(block.segment);
            }
            violated.push(bits);
            last = Some((literal.atom, defined, holds));
        }
        self.pairs
            .retain(|(a, b)| !violated[*a as usize].meets(&violated[*b as usize]));
    }

    fn findings(&self, space: &Space) -> Vec<Finding> {
        let mut out = Vec::new();
        for (literal, counts) in self.literals.iter().zip(&self.counts) {
            let atom = &space.atoms[literal.atom];
            if counts.violated == 0 && atom.binders(&space.terms) == space.frame.mask() {
                out.push(Finding {
                    clause: Clause::unit(*literal),
                    support: counts.telling_samples,
                    chance: confidence::unit(&atom.relation, counts),
                });
            }
        }
        for (a, b) in &self.pairs {
            let (a, b) = (*a as usize, *b as usize);
            let (p, q) = (&self.counts[a], &self.counts[b]);
            if p.is_mixed() && q.is_mixed() {
                out.push(Finding {
                    clause: Clause {
                        literals: vec![self.literals[a], self.literals[b]],
                    },
                    support: p.violating_samples.min(q.violating_samples),
                    chance: confidence::pair(p, q),
                });
            }
        }
        out
    }
}

/// The rows on which an atom says something that is not trivially so.
fn telling(block: &Block, atom: &Atom, mut rows: Bits) -> Bits {
    let sets: &[TermId] = match atom.relation {
        Relation::Subset | Relation::WithinUnion | Relation::IsUnion | Relation::Equal => {
            &atom.args[..1]
        }
        Relation::Disjoint | Relation::MeetWithin => &atom.args[..2],
        _ => &[],
    };
    for set in sets.iter().filter(|set| block.is_collection(**set)) {
        rows = rows.and_not(&block.holds(&Atom::new(Relation::IsEmpty, [*set])));
    }
    if let Relation::AtMostNumber(n) | Relation::AtLeastNumber(n) = atom.relation {
        rows.and(&block.holds(&Atom::new(Relation::Is(n), atom.args.clone())));
    }
    rows
}

/// Whether a pair of literals is a clause of this frame that no smaller frame and no single atom states.
fn is_worth_trying(space: &Space, a: Literal, b: Literal) -> bool {
    let (x, y) = (&space.atoms[a.atom], &space.atoms[b.atom]);
    if a.atom == b.atom || !is_allowed(x, a) || !is_allowed(y, b) {
        return false;
    }
    if !(x.is_condition() || y.is_condition()) || is_own_guard(space, x, y) {
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

fn is_allowed(atom: &Atom, literal: Literal) -> bool {
    atom.is_condition() || (literal.positive && atom.is_conclusion())
}

/// Whether one atom is the guard under which the other is defined: the pair says no more than the other alone.
fn is_own_guard(space: &Space, x: &Atom, y: &Atom) -> bool {
    let guards = |a: &Atom, b: &Atom| {
        a.relation == Relation::IsNil && b.guards(&space.terms).contains(&a.args[0])
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
    match (p, q) {
        ((Element, false), (Absent | Element, _)) | ((Absent | Element, _), (Element, false)) => {
            true
        }
        ((Value, false), (Absent | Element, _)) | ((Absent | Element, _), (Value, false)) => true,
        _ => false,
    }
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
