//! Atoms over numbers, and the values that enumerations take. Their constants are fitted: a first pass over the samples
//! notes extremes, few values and lines.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Type;

use super::elements::MAX_ENUMERATORS;
use super::relation::{Atom, Relation};
use crate::relations::evaluate::Block;
use crate::relations::term::{Kind, Measure, Term, TermId, Terms};
use crate::samples::{Encoding, Schema};

/// A number with more values than this is not one of few.
const MAX_FEW: usize = 3;
/// With more numbers than this in a frame, two are not fitted to a line.
const MAX_FOR_LINES: usize = 128;
/// As above, for three numbers.
const MAX_FOR_SUMS: usize = 8;

/// What the samples show of the numbers of a frame.
#[derive(Debug, Default)]
pub(crate) struct Fit {
    numbers: Vec<Seen>,
    lines: Vec<Line>,
    phases: Vec<Phases>,
    equals: Equals,
    limits: BTreeSet<String>,
}

/// Numbers that have been equal in every row so far, as Daikon keeps them: what is said of one, its leader, need not
/// be said of the others. Numbers that are not always defined are left out.
#[derive(Debug, Default)]
struct Equals {
    /// Each in the order of the terms, the leader first.
    classes: Vec<Vec<TermId>>,
}

/// The values of an enumeration that a term takes.
#[derive(Debug)]
struct Phases {
    term: TermId,
    /// How many values the enumeration has.
    count: usize,
    /// Those seen, as a mask.
    seen: u64,
}

/// The values of a term.
#[derive(Debug)]
struct Seen {
    term: TermId,
    least: i64,
    most: i64,
    /// The values while they are few, one more once they are not.
    few: BTreeSet<i64>,
}

/// Whether `y = factor * x + offset` so far.
#[derive(Debug)]
struct Line {
    x: TermId,
    y: TermId,
    state: LineState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineState {
    Unseen,
    Point(i64, i64),
    Through { factor: i64, offset: i64 },
    Broken,
}

impl Fit {
    /// Nothing seen yet.
    pub(crate) fn new(schema: &Schema, terms: &Terms) -> Self {
        let numbers = terms.select(|t| t.measure.is_some());
        let mut lines = Vec::new();
        if numbers.len() <= MAX_FOR_LINES {
            for x in &numbers {
                for y in &numbers {
                    if x != y && is_comparable(terms, *x, *y) {
                        lines.push(Line {
                            x: *x,
                            y: *y,
                            state: LineState::Unseen,
                        });
                    }
                }
            }
        }
        let mut limits = BTreeSet::new();
        if numbers.len() > MAX_FOR_LINES {
            limits.insert(format!(
                "more than {MAX_FOR_LINES} numbers: no line was fitted to two of them"
            ));
        }
        let seen = |term| Seen {
            term,
            least: i64::MAX,
            most: i64::MIN,
            few: BTreeSet::new(),
        };
        Self {
            equals: Equals::new(terms, &numbers),
            limits,
            numbers: numbers.into_iter().map(seen).collect(),
            lines,
            phases: terms
                .ids()
                .filter_map(|t| Phases::of(schema, terms, t))
                .collect(),
        }
    }

    /// Whether there is nothing to fit.
    pub(crate) fn is_idle(&self) -> bool {
        self.numbers.is_empty() && self.phases.is_empty()
    }

    /// Takes the rows of a block in.
    pub(crate) fn absorb(&mut self, block: &Block) {
        for phases in &mut self.phases {
            for row in block.defined_rows(&[phases.term]) {
                phases.seen |= 1 << block.word(phases.term, row);
            }
        }
        self.equals.refine(block);
        for seen in &mut self.numbers {
            for row in block.defined_rows(&[seen.term]) {
                seen.note(block.word(seen.term, row) as i64);
            }
        }
        for line in &mut self.lines {
            for row in block.defined_rows(&[line.x, line.y]) {
                if line.state == LineState::Broken {
                    break;
                }
                line.note(
                    block.word(line.x, row) as i64,
                    block.word(line.y, row) as i64,
                );
            }
        }
    }

    /// Which templates were not tried, because there are too many numbers.
    pub(crate) fn limits(&self) -> &BTreeSet<String> {
        &self.limits
    }

    /// The atoms over numbers: what was fitted, and the relations without constants.
    pub(super) fn propose(&self, schema: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
        out.extend(self.phases.iter().filter_map(Phases::one_of));
        let followers = self.equals.propose(out);
        for seen in self.numbers.iter().filter(|n| !followers.contains(&n.term)) {
            seen.propose(schema, terms, out);
        }
        // Where a line holds one way, it may hold the other way too: the first is enough.
        let mut fitted: BTreeSet<(TermId, TermId)> = BTreeSet::new();
        for line in &self.lines {
            if let LineState::Through { factor, offset } = line.state
                && !fitted.contains(&(line.y, line.x))
                && !followers.contains(&line.x)
                && !followers.contains(&line.y)
            {
                fitted.insert((line.x, line.y));
                let plain = factor == 1 && offset == 0;
                let relation = if plain {
                    Relation::Equal
                } else {
                    Relation::Linear { factor, offset }
                };
                out.push(Atom::new(relation, [line.y, line.x]));
            }
        }
        // What is a function of another number is represented by it.
        let functions: BTreeSet<TermId> = fitted.iter().map(|(_, y)| *y).collect();
        let is_free = |t: &TermId| !functions.contains(t) && !followers.contains(t);
        let numbers = self.numbers.iter().map(|seen| seen.term);
        compare(terms, &numbers.filter(is_free).collect::<Vec<_>>(), out);
    }
}

impl Equals {
    fn new(terms: &Terms, numbers: &[TermId]) -> Self {
        let mut classes: Vec<Vec<TermId>> = Vec::new();
        let total = numbers.iter().filter(|n| terms.get(**n).guards.is_empty());
        for number in total {
            let measure = &terms.get(*number).measure;
            let alike = |class: &&mut Vec<TermId>| terms.get(class[0]).measure == *measure;
            match classes.iter_mut().find(alike) {
                Some(class) => class.push(*number),
                None => classes.push(vec![*number]),
            }
        }
        Self { classes }
    }

    /// Splits the classes whose members differ in a block.
    fn refine(&mut self, block: &Block) {
        let split = |class: &Vec<TermId>| {
            let mut parts: BTreeMap<&[u64], Vec<TermId>> = BTreeMap::new();
            for number in class {
                parts.entry(block.words(*number)).or_default().push(*number);
            }
            parts.into_values().collect::<Vec<_>>()
        };
        self.classes = self.classes.iter().flat_map(split).collect();
        self.classes.sort();
    }

    /// Says that the members of each class equal its leader, and which are no leaders.
    fn propose(&self, out: &mut Vec<Atom>) -> BTreeSet<TermId> {
        let mut followers = BTreeSet::new();
        for class in &self.classes {
            let (leader, others) = class.split_first().expect("a class has members");
            for other in others {
                out.push(Atom::new(Relation::Equal, [*other, *leader]));
                followers.insert(*other);
            }
        }
        followers
    }
}

impl Phases {
    fn of(schema: &Schema, terms: &Terms, id: TermId) -> Option<Self> {
        let Term { expr, kind, .. } = terms.get(id);
        let Type::Enum(ty) = &expr.ty else {
            return None;
        };
        let count = schema.model().enumerations[ty.index()].values.len();
        let wanted = count <= MAX_ENUMERATORS && !matches!(kind, Kind::Bound(_));
        wanted.then_some(Self {
            term: id,
            count,
            seen: 0,
        })
    }

    /// Which values the term takes, where they are several but not all.
    fn one_of(&self) -> Option<Atom> {
        let seen = (0..self.count as i64).filter(|n| self.seen >> n & 1 == 1);
        let seen: Vec<i64> = seen.collect();
        let some = 1 < seen.len() && seen.len() < self.count;
        some.then(|| Atom::new(Relation::OneOf(seen), [self.term]))
    }
}

impl Seen {
    fn note(&mut self, n: i64) {
        self.least = self.least.min(n);
        self.most = self.most.max(n);
        if self.few.len() <= MAX_FEW {
            self.few.insert(n);
        }
    }

    /// Bounds and few values, without what the type says anyway.
    fn propose(&self, schema: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
        let mut push = |relation| out.push(Atom::new(relation, [self.term]));
        let term = terms.get(self.term);
        let (floor, ceiling) = limits(schema, term.ty(), term.measure.as_ref());
        // That a size is 0 is said of the set itself.
        let counts = matches!(term.measure, Some(Measure::Elements(_)));
        let lowest = if counts { 1 } else { i64::MIN };
        if self.least > self.most {
            return;
        }
        if self.few.len() <= MAX_FEW {
            let named = self.few.iter().filter(|n| **n >= lowest);
            named.for_each(|n| push(Relation::Is(*n)));
            let range = self.most - self.least + 1;
            if self.few.len() > 1 && (self.few.len() as i64) < range {
                push(Relation::OneOf(self.few.iter().copied().collect()));
            }
        }
        if self.least < self.most {
            if self.least > floor.max(lowest) {
                push(Relation::AtLeastNumber(self.least));
            }
            if self.most < ceiling {
                push(Relation::AtMostNumber(self.most));
            }
        }
    }
}

/// The least and the largest number that the type allows in this finite instance.
fn limits(schema: &Schema, ty: &Type, measure: Option<&Measure>) -> (i64, i64) {
    let floor = if *ty == Type::Nat { 0 } else { i64::MIN };
    let Some(Measure::Elements(element)) = measure else {
        return (floor, i64::MAX);
    };
    let count = match schema.encoding(element) {
        Encoding::Packed(packing) => i64::try_from(packing.count()).unwrap_or(i64::MAX),
        Encoding::Number | Encoding::Interned => i64::MAX,
    };
    (floor, count)
}

impl Line {
    fn note(&mut self, x: i64, y: i64) {
        self.state = match self.state {
            LineState::Unseen => LineState::Point(x, y),
            LineState::Point(x0, y0) if (x0, y0) == (x, y) => self.state,
            LineState::Point(x0, y0) => through((x0, y0), (x, y)),
            LineState::Through { factor, offset } => {
                let expected = factor.checked_mul(x).and_then(|p| p.checked_add(offset));
                if expected == Some(y) {
                    self.state
                } else {
                    LineState::Broken
                }
            }
            LineState::Broken => LineState::Broken,
        };
    }
}

/// The line through two points, where it has integer coefficients and is neither level nor steep in `y`.
fn through((x0, y0): (i64, i64), (x1, y1): (i64, i64)) -> LineState {
    let line = || {
        let (dx, dy) = (x1.checked_sub(x0)?, y1.checked_sub(y0)?);
        let factor = dy.checked_div(dx)?;
        let exact = factor != 0 && factor.checked_mul(dx)? == dy;
        let offset = y0.checked_sub(factor.checked_mul(x0)?)?;
        exact.then_some(LineState::Through { factor, offset })
    };
    line().unwrap_or(LineState::Broken)
}

/// Whether two numbers may be compared: a number of the model with any, sizes with sizes of the same elements.
fn is_comparable(terms: &Terms, a: TermId, b: TermId) -> bool {
    match (&terms.get(a).measure, &terms.get(b).measure) {
        (Some(Measure::Elements(x)), Some(Measure::Elements(y))) => x == y,
        _ => true,
    }
}

fn compare(terms: &Terms, numbers: &[TermId], out: &mut Vec<Atom>) {
    for a in numbers {
        for b in numbers {
            if a == b || !is_comparable(terms, *a, *b) {
                continue;
            }
            let less = Atom::new(Relation::Less, [*a, *b]);
            // Elsewhere the negation of the opposite says it.
            if less.counts(terms) {
                out.push(Atom::new(Relation::AtMost, [*a, *b]));
            }
            out.push(less);
        }
    }
    if numbers.len() <= MAX_FOR_SUMS {
        sums(terms, numbers, out);
    }
}

fn sums(terms: &Terms, numbers: &[TermId], out: &mut Vec<Atom>) {
    for a in numbers {
        for (at, b) in numbers.iter().enumerate() {
            for c in numbers[at + 1..].iter().filter(|c| a != b && a != *c) {
                let pairs = [(*a, *b), (*a, *c), (*b, *c)];
                if !pairs.iter().all(|(x, y)| is_comparable(terms, *x, *y)) {
                    continue;
                }
                let sum = Atom::new(Relation::IsSum, [*a, *b, *c]);
                // That a size is at most a sum of sizes is better said of the sets.
                if !sum.counts(terms) {
                    out.push(Atom::new(Relation::AtMostSum, [*a, *b, *c]));
                }
                out.push(sum);
            }
        }
    }
}
