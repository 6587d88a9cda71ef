//! Balances: sums that stay the same, of as many numbers and indicators as it takes.
//!
//! All rows lie in the smallest plane of any dimension that contains them; each equation of that plane is a relation (Karr, Affine
//! Relationships Among Variables of a Program, Acta Informatica 1976; in Petri nets these are the invariants of places).

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::core::Type;

use super::planes::gcd;
use crate::relations::atom::relation::{Atom, Relation};
use crate::relations::evaluate::Block;
use crate::relations::term::{Counted, Kind, Measure, TermId, Terms};

/// With more numbers and indicators than this no balance is looked for.
const MAX_TERMS: usize = 48;
/// A balance has no more parts than this,
const MAX_PARTS: usize = 8;
/// and no factor greater than this.
const MAX_FACTOR: i128 = 4;
/// Lines and planes relate so many numbers at most. A balance of numbers alone has more parts.
const MAX_IN_PLANES: usize = 3;

type Row = Vec<i128>;

/// The plane in which all rows have been so far.
#[derive(Debug, Default)]
pub(super) struct Balances {
    /// Numbers first, then indicators. Of an enumeration the first value has none, and is not counted either, since the others determine
    /// it.
    terms: Vec<TermId>,
    first: Option<Row>,
    /// Directions of the plane: each with the column of its last entry that is not 0, in which no other has one.
    directions: Vec<(usize, Row)>,
    /// Whether numbers became too large to go on.
    is_lost: bool,
}

impl Balances {
    /// Of all numbers, counts and indicators that are always defined, if they are not so few that lines and planes say it all. Sizes of
    /// sets are left out: what they have to do with each other is better said about the elements.
    pub(super) fn new(terms: &Terms) -> Self {
        let is_wanted = |id: &TermId| {
            let term = terms.get(*id);
            let is_first = matches!(
                term.kind,
                Kind::Indicator(_, Counted::Code(0)) | Kind::Count(_, Counted::Code(0))
            );
            let is_number = match &term.kind {
                Kind::Len(_) => true,
                Kind::Size(of) => matches!(terms.get(*of).ty(), Type::Mset(_)),
                _ => matches!(
                    term.measure,
                    Some(
                        Measure::Declared | Measure::Summed | Measure::Counted | Measure::Indicated
                    )
                ),
            };
            is_number && term.guards.is_empty() && !is_first
        };
        let is_number = |id: &TermId| terms.get(*id).measure != Some(Measure::Indicated);
        let all = terms.ids().filter(is_wanted);
        let (mut own, indicators): (Vec<TermId>, Vec<TermId>) = all.partition(is_number);
        let is_count = |id: &TermId| terms.get(*id).measure == Some(Measure::Counted);
        let counts = own.iter().any(is_count);
        let says_more = !indicators.is_empty() || counts || own.len() > MAX_IN_PLANES;
        if own.is_empty() || !says_more || own.len() + indicators.len() > MAX_TERMS {
            return Self::default();
        }
        own.extend(indicators);
        Self {
            terms: own,
            ..Self::default()
        }
    }

    /// Takes the rows of a block in.
    pub(super) fn absorb(&mut self, block: &Block) {
        for at in block.live().ones() {
            // Where no column is determined by others, there is nothing left to find.
            if self.is_lost || self.directions.len() == self.terms.len() {
                return;
            }
            let number = |term: &TermId| i128::from(block.word(*term, at) as i64);
            let row: Row = self.terms.iter().map(number).collect();
            self.note(&row);
        }
    }

    fn note(&mut self, row: &[i128]) {
        let Some(first) = &self.first else {
            self.first = Some(row.to_vec());
            return;
        };
        let mut direction: Row = row.iter().zip(first).map(|(a, b)| a - b).collect();
        for (column, known) in &self.directions {
            match without(&direction, known, *column) {
                Some(rest) => direction = rest,
                None => self.is_lost = true,
            }
        }
        let Some(column) = direction.iter().rposition(|n| *n != 0) else {
            return;
        };
        for (_, known) in &mut self.directions {
            match without(known, &direction, column) {
                Some(rest) => *known = rest,
                None => self.is_lost = true,
            }
        }
        self.directions.push((column, direction));
    }

    /// The equations of the plane, each about a number or an indicator that has none of its own among the directions.
    pub(super) fn propose(&self, terms: &Terms, out: &mut Vec<Atom>) {
        let Some(first) = self.first.as_ref().filter(|_| !self.is_lost) else {
            return;
        };
        let is_free = |column: &usize| self.directions.iter().all(|(own, _)| own != column);
        for head in (0..self.terms.len()).filter(is_free) {
            let Some(factors) = self.equation(head) else {
                continue;
            };
            // The shorter one is read more easily; a constant of a theory may stand in place of the offset of the other.
            let both = [false, true].map(|is_short| self.atom(terms, first, (&factors, is_short)));
            out.extend(both.into_iter().flatten().collect::<BTreeSet<Atom>>());
        }
    }

    /// The factors of the equation that gives one column by those of the directions.
    fn equation(&self, head: usize) -> Option<Row> {
        let own = self.directions.iter();
        let common = own.clone().try_fold(1_i128, |all, (column, direction)| {
            let own = direction[*column].abs();
            all.checked_mul(own / gcd(all, own))
        })?;
        let mut factors = vec![0; self.terms.len()];
        factors[head] = common;
        for (column, direction) in own {
            let share = common / direction[*column];
            factors[*column] = -direction[head].checked_mul(share)?;
        }
        let divisor = factors.iter().fold(0, |all, n| gcd(all, n.abs()));
        Some(factors.into_iter().map(|n| n / divisor).collect())
    }

    /// An equation as an atom, if it is short, and says what relations of two or three numbers do not.
    fn atom(
        &self,
        terms: &Terms,
        first: &[i128],
        (factors, is_short): (&[i128], bool),
    ) -> Option<Atom> {
        let mut products = first.iter().zip(factors).map(|(a, b)| a.checked_mul(*b));
        let mut offset = products.try_fold(0_i128, |sum, n| sum.checked_add(n?))?;
        let own = self.terms.iter().copied().zip(factors.iter().copied());
        let mut parts: BTreeMap<TermId, i128> = own.filter(|(_, factor)| *factor != 0).collect();
        if is_short {
            shorten(terms, &mut parts, &mut offset);
        }
        let is_small = parts.values().all(|factor| factor.abs() <= MAX_FACTOR);
        let measures = || parts.keys().map(|id| terms.get(*id).measure.as_ref());
        let is_count = |m: Option<&Measure>| m == Some(&Measure::Counted);
        let has_number = measures().any(|m| m != Some(&Measure::Indicated) && !is_count(m));
        let has_indicator = measures().any(|m| m == Some(&Measure::Indicated));
        // Planes do not compare what is counted with lengths.
        let has_lengths = measures().any(|m| matches!(m, Some(Measure::Elements(_))));
        let is_mixed = measures().any(is_count) && has_lengths;
        let says_more = has_indicator || is_mixed || parts.len() > MAX_IN_PLANES;
        let is_told = is_small && has_number && says_more && parts.len() <= MAX_PARTS;
        let factors: Vec<i64> = parts.values().map(|n| *n as i64).collect();
        let offset = i64::try_from(offset).ok()?;
        let args: Vec<TermId> = parts.into_keys().collect();
        is_told.then(|| Atom::new(Relation::Balance { factors, offset }, args))
    }
}

/// The indicators of an enumeration add up to 1. So that sum can be taken away from an equation any number of times: here so often
/// that most of them vanish.
fn shorten(terms: &Terms, parts: &mut BTreeMap<TermId, i128>, offset: &mut i128) {
    let mut enumerations: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
    for id in terms.ids() {
        if let Kind::Indicator(of, Counted::Code(_)) = terms.get(id).kind {
            enumerations.entry(of).or_default().push(id);
        }
    }
    for values in enumerations.into_values().filter(|values| values.len() > 1) {
        let factor = |parts: &BTreeMap<TermId, i128>, id| parts.get(id).copied().unwrap_or(0);
        let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
        for id in &values {
            *counts.entry(factor(parts, id)).or_default() += 1;
        }
        let most = counts
            .iter()
            .max_by_key(|(factor, count)| (**count, **factor == 0));
        let common = most.map_or(0, |(factor, _)| *factor);
        *offset -= common;
        for id in &values {
            let rest = factor(parts, id) - common;
            match rest {
                0 => parts.remove(id),
                _ => parts.insert(*id, rest),
            };
        }
    }
}

/// A row without what it has in a column, by another that has something there; nothing if the numbers become too large.
fn without(row: &[i128], other: &[i128], column: usize) -> Option<Row> {
    if row[column] == 0 {
        return Some(row.to_vec());
    }
    let shared = gcd(row[column].abs(), other[column].abs());
    let (own, theirs) = (other[column] / shared, row[column] / shared);
    let each = row.iter().zip(other);
    let rest = each.map(|(a, b)| a.checked_mul(own)?.checked_sub(b.checked_mul(theirs)?));
    let rest: Row = rest.collect::<Option<_>>()?;
    let divisor = rest.iter().fold(0, |all, n| gcd(all, n.abs())).max(1);
    Some(rest.into_iter().map(|n| n / divisor).collect())
}
