//! The values of one number: extremes, few values, remainders.

use std::collections::BTreeSet;

use ioa_lang::core::Type;

use crate::relations::atom::relation::{Atom, Relation};
use crate::relations::term::{Measure, TermId, Terms};
use crate::samples::{Encoding, Schema};

/// A number with more values than this is not one of few.
const MAX_FEW: usize = 3;

/// The values of a term.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) term: TermId,
    least: i64,
    most: i64,
    /// The values while they are few, one more once they are not.
    few: BTreeSet<i64>,
    /// What divides the distances between all values.
    step: u64,
}

impl Seen {
    /// Nothing seen yet.
    pub(super) fn of(term: TermId) -> Self {
        Self {
            term,
            least: i64::MAX,
            most: i64::MIN,
            few: BTreeSet::new(),
            step: 0,
        }
    }

    /// Whether it has one value at most.
    pub(super) fn is_constant(&self) -> bool {
        self.few.len() <= 1
    }

    pub(super) fn note(&mut self, n: i64) {
        if self.step != 1
            && let Some(first) = self.few.first()
        {
            self.step = gcd(self.step, n.abs_diff(*first));
        }
        self.least = self.least.min(n);
        self.most = self.most.max(n);
        if self.few.len() <= MAX_FEW {
            self.few.insert(n);
        }
    }

    /// Bounds, few values, and a remainder if the number is no function of another one; without what the type says anyway.
    pub(super) fn propose(
        &self,
        schema: &Schema,
        terms: &Terms,
        (is_free, out): (bool, &mut Vec<Atom>),
    ) {
        let mut push = |relation| out.push(Atom::new(relation, [self.term]));
        let term = terms.get(self.term);
        let lowest = lowest(term.measure.as_ref());
        if self.least > self.most || term.measure == Some(Measure::Counted) {
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
        if is_free
            && self.few.len() > 2
            && let Ok(modulus @ 2..) = i64::try_from(self.step)
        {
            let remainder = self.least.rem_euclid(modulus);
            push(Relation::Remainder { modulus, remainder });
        }
        self.propose_bounds(schema, terms, out);
    }

    /// Bounds, without what the type says anyway.
    pub(super) fn propose_bounds(&self, schema: &Schema, terms: &Terms, out: &mut Vec<Atom>) {
        let mut push = |relation| out.push(Atom::new(relation, [self.term]));
        let term = terms.get(self.term);
        let (floor, ceiling) = limits(schema, term.ty(), term.measure.as_ref());
        let lowest = lowest(term.measure.as_ref());
        // A sum that takes many values usually grows with the size of the sort, and so would its bound.
        let grows = term.measure == Some(Measure::Summed) && self.few.len() > MAX_FEW;
        if self.least < self.most && !grows {
            if self.least > floor.max(lowest) {
                push(Relation::AtLeastNumber(self.least));
            }
            if self.most < ceiling {
                push(Relation::AtMostNumber(self.most));
            }
        }
    }
}

/// The least number that is worth saying: that a size is 0 is said about the set itself.
fn lowest(measure: Option<&Measure>) -> i64 {
    match measure {
        Some(Measure::Elements(_)) => 1,
        _ => i64::MIN,
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

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
