//! Atoms over numbers, and the values that enumerations take. Their constants are fitted: a first pass over the samples
//! notes extremes, few values, remainders and lines, and a second one planes.

mod balance;
mod independent;
mod lines;
mod planes;
mod seen;

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Type;

use super::elements::MAX_ENUMERATORS;
use super::relation::{Atom, Relation};
use balance::Balances;
use lines::Line;
use planes::Plane;
use seen::Seen;

use crate::relations::evaluate::Block;
use crate::relations::term::{Kind, Measure, Term, TermId, Terms};
use crate::samples::Schema;

/// With more numbers than this in a frame, two are not fitted to a line.
const MAX_FOR_LINES: usize = 512;
/// As above, for three numbers and a plane.
const MAX_FOR_PLANES: usize = 100;
/// As above, for one number and the sum of two others, which it does not exceed.
const MAX_FOR_SUMS: usize = 8;

/// What the samples show of the numbers of a frame.
#[derive(Debug, Default)]
pub(crate) struct Fit {
    numbers: Vec<Seen>,
    /// What is computed from others: nothing but bounds is looked for.
    computed: Vec<Seen>,
    lines: Vec<Line>,
    planes: Vec<Plane>,
    balances: Balances,
    phases: Vec<Phases>,
    equals: Equals,
    limits: BTreeSet<String>,
}

/// Numbers that have been equal in every row so far, as Daikon keeps them: what is said about one, its leader, need not
/// be said about the others. Numbers that are not always defined are left out.
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

impl Fit {
    /// Nothing seen yet.
    pub(crate) fn new(schema: &Schema, terms: &Terms) -> Self {
        let is_number = |measure: &Measure| *measure != Measure::Indicated;
        let numbers = terms.select(|t| t.measure.as_ref().is_some_and(is_number));
        let computed = terms.select(|t| matches!(t.kind, Kind::Computed(_)));
        let mut lines = Vec::new();
        if numbers.len() <= MAX_FOR_LINES {
            for x in &numbers {
                for y in &numbers {
                    let may_be_equal =
                        || are_sizes(terms, &[*x, *y]) || is_of_sum(terms, &[*x, *y]);
                    if x != y && (is_comparable(terms, *x, *y) || may_be_equal()) {
                        lines.push(Line::of(*x, *y));
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
        Self {
            equals: Equals::new(terms, &numbers),
            limits,
            numbers: numbers.into_iter().map(Seen::of).collect(),
            computed: computed.into_iter().map(Seen::of).collect(),
            lines,
            planes: Vec::new(),
            balances: Balances::new(terms),
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
            for row in block.defined_rows(&[phases.term]).ones() {
                phases.seen |= 1 << block.word(phases.term, row);
            }
        }
        self.equals.refine(block);
        for seen in self.numbers.iter_mut().chain(&mut self.computed) {
            for row in block.defined_rows(&[seen.term]).ones() {
                seen.note(block.word(seen.term, row) as i64);
            }
        }
        self.lines.retain_mut(|line| line.absorb(block));
        self.balances.absorb(block);
    }

    /// Goes on to planes, for which all rows are to be taken in once more, if there are numbers of which nothing simpler is known.
    pub(crate) fn goes_on(&mut self, terms: &Terms) -> bool {
        let (_, fitted) = self.fitted(terms, &self.followers());
        let functions: BTreeSet<TermId> = fitted.iter().map(|(_, y)| *y).collect();
        let followers = self.followers();
        let is_free = |seen: &&Seen| {
            let term = seen.term;
            !seen.is_constant() && !functions.contains(&term) && !followers.contains(&term)
        };
        let free: Vec<TermId> = self
            .numbers
            .iter()
            .filter(is_free)
            .map(|s| s.term)
            .collect();
        if free.len() > MAX_FOR_PLANES {
            let limit = format!("more than {MAX_FOR_PLANES} numbers: no plane was fitted to three");
            self.limits.insert(limit);
            return false;
        }
        self.planes = planes::all(&free, |three| are_comparable(terms, three));
        !self.planes.is_empty()
    }

    /// Takes the rows of a block in for the planes.
    pub(crate) fn absorb_planes(&mut self, block: &Block) {
        self.planes.retain_mut(|plane| plane.absorb(block));
    }

    /// Which templates were not tried, because there are too many numbers.
    pub(crate) fn limits(&self) -> &BTreeSet<String> {
        &self.limits
    }

    /// The atoms over numbers: what was fitted, and the relations without constants.
    pub(super) fn propose(&self, schema: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
        out.extend(self.phases.iter().filter_map(Phases::one_of));
        self.equals.propose(out);
        let followers = self.followers();
        let (lines, fitted) = self.fitted(terms, &followers);
        // What is a function of another number is represented by it.
        let functions: BTreeSet<TermId> = fitted.iter().map(|(_, y)| *y).collect();
        let is_free = |t: &TermId| !functions.contains(t) && !followers.contains(t);
        for seen in self.numbers.iter().filter(|n| !followers.contains(&n.term)) {
            seen.propose(schema, terms, (is_free(&seen.term), &mut *out));
        }
        for seen in &self.computed {
            seen.propose_bounds(schema, terms, out);
        }
        out.extend(lines);
        let planes = planes::independent(&self.planes, terms);
        let numbers = self.numbers.iter().map(|seen| seen.term);
        let numbers: Vec<TermId> = numbers.filter(is_free).collect();
        compare(terms, &numbers, &planes, out);
        out.extend(planes);
        self.balances.propose(terms, out);
    }
}

impl Fit {
    /// The numbers that always equal another one, of which all is said.
    fn followers(&self) -> BTreeSet<TermId> {
        let classes = self.equals.classes.iter();
        classes.flat_map(|class| &class[1..]).copied().collect()
    }

    /// The lines, and from which number to which they go. Where one holds one way, it may hold the other way too: the first is
    /// enough.
    fn fitted(
        &self,
        terms: &Terms,
        followers: &BTreeSet<TermId>,
    ) -> (Vec<Atom>, BTreeSet<(TermId, TermId)>) {
        let (mut atoms, mut fitted) = (Vec::new(), BTreeSet::new());
        for line in &self.lines {
            if let Some((factor, offset)) = line.found()
                && !fitted.contains(&(line.y, line.x))
                && !followers.contains(&line.x)
                && !followers.contains(&line.y)
            {
                let plain = factor == 1 && offset == 0;
                // Except for equality, what sizes of different elements, or sizes and sums, have to do with each other describes only small
                // instances.
                if !plain && !is_comparable(terms, line.x, line.y) {
                    continue;
                }
                fitted.insert((line.x, line.y));
                let relation = if plain {
                    Relation::Equal
                } else {
                    Relation::Linear { factor, offset }
                };
                atoms.push(Atom::new(relation, [line.y, line.x]));
            }
        }
        (atoms, fitted)
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
            let mut parts: BTreeMap<Vec<u64>, Vec<TermId>> = BTreeMap::new();
            for number in class {
                let words = block.live_words(*number).collect();
                parts.entry(words).or_default().push(*number);
            }
            parts.into_values().collect::<Vec<_>>()
        };
        self.classes = self.classes.iter().flat_map(split).collect();
        self.classes.sort();
    }

    /// Says that the members of each class equal its leader.
    fn propose(&self, out: &mut Vec<Atom>) {
        for class in &self.classes {
            let (leader, others) = class.split_first().expect("a class has members");
            for other in others {
                out.push(Atom::new(Relation::Equal, [*other, *leader]));
            }
        }
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

/// Whether two numbers may be compared: a number of the model with any, sizes with sizes of the same elements.
fn is_comparable(terms: &Terms, a: TermId, b: TermId) -> bool {
    match (&terms.get(a).measure, &terms.get(b).measure) {
        (Some(Measure::Elements(x)), Some(Measure::Elements(y))) => x == y,
        (Some(Measure::Counted), other) | (other, Some(Measure::Counted)) => {
            *other == Some(Measure::Declared)
        }
        (Some(Measure::Summed), other) | (other, Some(Measure::Summed)) => {
            matches!(other, Some(Measure::Declared | Measure::Summed))
        }
        _ => true,
    }
}

/// Whether all numbers are sizes: these may be equal, or add up, whatever the elements are.
fn are_sizes(terms: &Terms, numbers: &[TermId]) -> bool {
    let mut measures = numbers.iter().map(|id| &terms.get(*id).measure);
    measures.all(|measure| matches!(measure, Some(Measure::Elements(_))))
}

/// Whether one of some numbers is a sum. It may be equal to sizes and counts, but other comparisons with these say nothing.
fn is_of_sum(terms: &Terms, numbers: &[TermId]) -> bool {
    let mut measures = numbers.iter().map(|id| &terms.get(*id).measure);
    measures.any(|measure| *measure == Some(Measure::Summed))
}

/// The same of three numbers: sizes may add up; what two counts have to do with each other, or sizes of sets of different elements, may
/// be shown by a number of the model or a sum.
fn are_comparable(terms: &Terms, three: &[TermId; 3]) -> bool {
    let is_any = |wanted: &dyn Fn(&Measure) -> bool| {
        let mut measures = three.iter().map(|id| terms.get(*id).measure.as_ref());
        measures.any(|measure| measure.is_some_and(wanted))
    };
    let is_shown = is_any(&|m| matches!(m, Measure::Declared | Measure::Summed));
    let has_sizes = is_any(&|m| matches!(m, Measure::Elements(_)));
    match is_any(&|m| *m == Measure::Counted) {
        true => is_shown && !has_sizes,
        false => is_shown || are_sizes(terms, three),
    }
}

fn compare(terms: &Terms, numbers: &[TermId], planes: &[Atom], out: &mut Vec<Atom>) {
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
        sums(terms, numbers, planes, out);
    }
}

/// That a number is at most the sum of two others, unless it is that sum.
fn sums(terms: &Terms, numbers: &[TermId], planes: &[Atom], out: &mut Vec<Atom>) {
    for a in numbers {
        for (at, b) in numbers.iter().enumerate() {
            for c in numbers[at + 1..].iter().filter(|c| a != b && a != *c) {
                let pairs = [(*a, *b), (*a, *c), (*b, *c)];
                if !pairs.iter().all(|(x, y)| is_comparable(terms, *x, *y)) {
                    continue;
                }
                let bounded = Atom::new(Relation::AtMostSum, [*a, *b, *c]);
                // That a size is at most a sum of sizes is better said about the sets.
                let is_sum = Atom::new(Relation::IsSum, bounded.args.clone());
                if !bounded.counts(terms) && !planes.contains(&is_sum) {
                    out.push(bounded);
                }
            }
        }
    }
}
