//! A block of rows: the words of each term there, and where atoms are true.

use std::cell::OnceCell;

use finite::Form;
use ioa_lang::core::Type;
use ioa_lang::value::Value;

use super::values;
use crate::bits::Bits;
use crate::relations::atom::{Atom, Relation};
use crate::relations::cases::Case;
use crate::relations::term::{Kind, Place, TermId, Terms};
use crate::samples::{Encoding, Samples, Table};

/// The terms of a frame over some samples.
pub(crate) struct Block<'a> {
    pub(super) samples: &'a Samples,
    pub(super) terms: &'a Terms,
    /// The words of each term, row by row.
    pub(super) words: Vec<Vec<u64>>,
    /// Where each term is something that guards others, once that was asked for.
    present: Vec<OnceCell<Bits>>,
    pub(super) rows: usize,
    /// Words of a bit vector for one assignment.
    pub(crate) segment: usize,
    live: Bits,
}

impl<'a> Block<'a> {
    pub(super) fn new(
        (samples, table): (&'a Samples, &'a Table),
        terms: &'a Terms,
        assignments: &[Vec<u64>],
        sampled: &[usize],
    ) -> Self {
        let stride = sampled.len().next_multiple_of(64);
        let rows = stride * assignments.len();
        let mut block = Self {
            samples,
            terms,
            words: Vec::with_capacity(terms.len()),
            present: vec![OnceCell::new(); terms.len()],
            rows,
            segment: stride / 64,
            live: Bits::collect(rows, |row| row % stride < sampled.len()),
        };
        // A row that is no sample repeats the first, so that every word is a code.
        let column = |at: usize| {
            let column = table.column(at);
            let words = sampled.iter().map(|row| column[*row]);
            words.chain(std::iter::repeat(column[sampled[0]]))
        };
        for id in terms.ids() {
            let words = match &terms.get(id).kind {
                Kind::Column(at) => {
                    let one: Vec<u64> = column(*at).take(stride).collect();
                    one.repeat(assignments.len())
                }
                Kind::Bound(at) => assignments
                    .iter()
                    .flat_map(|values| std::iter::repeat_n(values[*at], stride))
                    .collect(),
                Kind::Own(Place { first, args }) | Kind::OwnDefined(Place { first, args }) => {
                    let distance = |values: &Vec<u64>| -> usize {
                        let each = args.iter();
                        each.map(|(arg, stride)| values[*arg] as usize * stride)
                            .sum()
                    };
                    let columns = assignments.iter().map(|values| first + distance(values));
                    columns.flat_map(|at| column(at).take(stride)).collect()
                }
                _ => block.derive(id),
            };
            block.words.push(words);
        }
        block
    }

    /// Looks at the block with only those of its rows that belong to a case, if there is one.
    pub(super) fn within(&mut self, case: Option<&Case>, look: impl FnOnce(&Self)) {
        let rows = self.rows_of(case);
        let all = std::mem::replace(&mut self.live, rows);
        look(self);
        self.live = all;
    }

    /// The block with only those of its rows that belong to a case, if there is one.
    pub(super) fn restricted(mut self, case: Option<&Case>) -> Self {
        self.live = self.rows_of(case);
        self
    }

    fn rows_of(&self, case: Option<&Case>) -> Bits {
        let Some(case) = case else {
            return self.live.clone();
        };
        let defined = self.defined(&case.condition);
        let holds = self.holds(&case.condition);
        match case.is_true {
            true => defined.intersection(&holds),
            false => defined.and_not(&holds),
        }
    }

    /// The rows that stand for a sample.
    pub(crate) fn live(&self) -> &Bits {
        &self.live
    }

    /// The words of a term in the rows that stand for a sample.
    pub(crate) fn live_words(&self, term: TermId) -> impl Iterator<Item = u64> + '_ {
        self.live.ones().map(move |row| self.words[term][row])
    }

    /// The word of a term in a row.
    pub(crate) fn word(&self, term: TermId, row: usize) -> u64 {
        self.words[term][row]
    }

    /// The live rows on which all these terms are defined.
    pub(crate) fn defined_rows(&self, terms: &[TermId]) -> Bits {
        let mut bits = self.live.clone();
        for guard in terms.iter().flat_map(|t| &self.terms.get(*t).guards) {
            bits.and(self.present(*guard));
        }
        bits
    }

    /// The live rows on which an atom is defined.
    pub(crate) fn defined(&self, atom: &Atom) -> Bits {
        self.defined_rows(&atom.args)
    }

    /// Where a term is what it must be for others to be defined.
    fn present(&self, guard: TermId) -> &Bits {
        self.present[guard]
            .get_or_init(|| Bits::collect(self.rows, |row| !self.is_missing(guard, row)))
    }

    /// The rows on which an atom holds; what it says where it is not defined has no meaning.
    pub(crate) fn holds(&self, atom: &Atom) -> Bits {
        let arg = |at: usize| atom.args[at];
        let words = |at: usize| &self.words[arg(at)][..];
        match &atom.relation {
            Relation::Truth => self.each(arg(0), |a| a != 0),
            Relation::IsNil => Bits::collect(self.rows, |row| self.is_missing(arg(0), row)),
            Relation::IsEmpty => self.empty(arg(0)),
            Relation::Is(n) => self.each(arg(0), |a| a as i64 == *n),
            Relation::Equal => self.pairs(atom, |a, b| a == b),
            Relation::Embeds => self.embeds(arg(0), arg(1)),
            Relation::Less => self.pairs(atom, |a, b| (a as i64) < b as i64),
            Relation::AtMost => self.pairs(atom, |a, b| a as i64 <= b as i64),
            Relation::Member => self.member(arg(0), arg(1)),
            Relation::AtMostNumber(n) => self.each(arg(0), |a| a as i64 <= *n),
            Relation::AtLeastNumber(n) => self.each(arg(0), |a| a as i64 >= *n),
            Relation::OneOf(numbers) => self.each(arg(0), |a| numbers.contains(&(a as i64))),
            Relation::Linear { factor, offset } => self.pairs(atom, |a, b| {
                i128::from(a as i64)
                    == i128::from(*factor) * i128::from(b as i64) + i128::from(*offset)
            }),
            Relation::Remainder { modulus, remainder } => {
                self.each(arg(0), |a| (a as i64).rem_euclid(*modulus) == *remainder)
            }
            Relation::Plane { factors, offset } => {
                let [p, q, r] = factors.map(i128::from);
                let offset = i128::from(*offset);
                self.triples(atom, |a, b, c| {
                    p * wide(a) + q * wide(b) + r * wide(c) == offset
                })
            }
            Relation::Balance { factors, offset } => Bits::collect(self.rows, |row| {
                let parts = factors.iter().zip(&atom.args);
                let sum = parts.map(|(n, id)| i128::from(*n) * wide(self.words[*id][row]));
                sum.sum::<i128>() == i128::from(*offset)
            }),
            Relation::IsSum => self.triples(atom, |a, b, c| wide(a) == wide(b) + wide(c)),
            Relation::AtMostSum => self.triples(atom, |a, b, c| wide(a) <= wide(b) + wide(c)),
            Relation::SameElsewhere => {
                let (a, b, c) = (words(0), words(1), words(2));
                Bits::collect(self.rows, |row| {
                    self.is_same_elsewhere(arg(0), a[row], b[row], arg(2), c[row])
                })
            }
            Relation::Joined => self.by_values(atom),
            _ => self.sets(atom),
        }
    }

    /// Whether a term is a set, a multiset or a sequence.
    pub(crate) fn is_collection(&self, term: TermId) -> bool {
        let ty = self.terms.get(term).ty();
        matches!(ty, Type::Set(_) | Type::Mset(_) | Type::Seq(_))
    }

    fn each(&self, a: TermId, holds: impl Fn(u64) -> bool) -> Bits {
        let a = &self.words[a];
        Bits::collect(self.rows, |row| holds(a[row]))
    }

    fn pairs(&self, atom: &Atom, holds: impl Fn(u64, u64) -> bool) -> Bits {
        let (a, b) = (&self.words[atom.args[0]], &self.words[atom.args[1]]);
        Bits::collect(self.rows, |row| holds(a[row], b[row]))
    }

    fn triples(&self, atom: &Atom, holds: impl Fn(u64, u64, u64) -> bool) -> Bits {
        let [a, b, c] = [0, 1, 2].map(|at| &self.words[atom.args[at]]);
        Bits::collect(self.rows, |row| holds(a[row], b[row], c[row]))
    }

    /// The relations between sets: on masks where the sets are packed, on values elsewhere.
    fn sets(&self, atom: &Atom) -> Bits {
        if self.encoding(atom.args[0]) == &Encoding::Interned {
            return self.by_values(atom);
        }
        match atom.relation {
            Relation::Subset => self.pairs(atom, |a, b| a & !b == 0),
            Relation::Disjoint => self.pairs(atom, |a, b| a & b == 0),
            Relation::WithinUnion => self.triples(atom, |a, b, c| a & !(b | c) == 0),
            Relation::IsUnion => self.triples(atom, |a, b, c| a == b | c),
            Relation::MeetWithin => self.triples(atom, |a, b, c| a & b & !c == 0),
            Relation::Inserted => self.triples(atom, |a, b, c| a == c | 1 << (b & 63)),
            Relation::Deleted => self.triples(atom, |a, b, c| a == c & !(1 << (b & 63))),
            _ => Bits::none(&self.live),
        }
    }

    /// A relation between whole values, which are decoded.
    fn by_values(&self, atom: &Atom) -> Bits {
        Bits::collect(self.rows, |row| {
            let values: Vec<Value> = atom.args.iter().map(|a| self.value(*a, row)).collect();
            values::relates(&atom.relation, &values)
        })
    }

    fn member(&self, element: TermId, whole: TermId) -> Bits {
        if let Encoding::Packed(_) = self.encoding(whole) {
            let (element, whole) = (&self.words[element], &self.words[whole]);
            return Bits::collect(self.rows, |row| whole[row] >> (element[row] & 63) & 1 == 1);
        }
        Bits::collect(self.rows, |row| {
            let part = self.value(element, row);
            match self.samples.pool().value(self.words[whole][row]) {
                Value::Set(parts) => parts.contains(&part),
                Value::Seq(parts) => parts.contains(&part),
                Value::Mset(counts) => counts.contains_key(&part),
                _ => false,
            }
        })
    }

    fn empty(&self, whole: TermId) -> Bits {
        if let Encoding::Packed(_) = self.encoding(whole) {
            return self.each(whole, |a| a == 0);
        }
        self.each(whole, |a| match self.samples.pool().value(a) {
            Value::Set(parts) => parts.is_empty(),
            Value::Seq(parts) => parts.is_empty(),
            Value::Mset(counts) => counts.is_empty(),
            _ => false,
        })
    }

    fn embeds(&self, whole: TermId, part: TermId) -> Bits {
        if let Encoding::Packed(_) = self.encoding(whole) {
            let (whole, part) = (&self.words[whole], &self.words[part]);
            return Bits::collect(self.rows, |row| whole[row] == part[row] + 1);
        }
        Bits::collect(self.rows, |row| {
            let Value::Null(Some(inner)) = self.value(whole, row) else {
                return false;
            };
            *inner == self.value(part, row)
        })
    }

    /// Whether a term that may be nil is, or a formula is false: what it guards is then not defined.
    pub(super) fn is_missing(&self, term: TermId, row: usize) -> bool {
        let word = self.words[term][row];
        match self.encoding(term) {
            Encoding::Packed(_) => word == 0,
            _ => matches!(self.samples.pool().value(word), Value::Null(None)),
        }
    }

    fn is_same_elsewhere(&self, array: TermId, a: u64, b: u64, index: TermId, at: u64) -> bool {
        if let Encoding::Packed(packing) = self.encoding(array)
            && let Form::Array(_, element) = &packing.form
        {
            let mask = low_bits(element.bits) << (u64::from(element.bits) * at).min(63);
            return (a ^ b) & !mask == 0;
        }
        let schema = self.samples.schema();
        let index = self
            .samples
            .pool()
            .decode(schema, self.terms.get(index).ty(), at);
        let (a, b) = (self.samples.pool().value(a), self.samples.pool().value(b));
        values::differ_at_most_at(a, b, &index)
    }

    pub(super) fn encoding(&self, term: TermId) -> &Encoding {
        self.samples.schema().encoding(self.terms.get(term).ty())
    }

    pub(super) fn value(&self, term: TermId, row: usize) -> Value {
        let word = self.words[term][row];
        let schema = self.samples.schema();
        self.samples
            .pool()
            .decode(schema, self.terms.get(term).ty(), word)
    }
}

fn wide(word: u64) -> i128 {
    i128::from(word as i64)
}

pub(super) fn low_bits(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}
