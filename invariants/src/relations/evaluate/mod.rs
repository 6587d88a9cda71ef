//! Terms and atoms evaluated over a block of rows.
//!
//! A block is a run of samples times the assignments of a frame. For each assignment there is a segment of whole
//! 64-bit words, so that a sample has the same bit in every segment.

use std::collections::BTreeSet;

use finite::{Form, Packing};
use ioa_lang::core::Type;
use ioa_lang::value::Value;

use crate::bits::Bits;
use crate::relations::atom::{Atom, Relation};
use crate::relations::frame::Frame;
use crate::relations::term::{Kind, TermId, Terms};
use crate::relations::values;
use crate::samples::{Encoding, Samples, Table};

/// Rows of a block, about: enough to amortise the loop over atoms, few enough for a word of each term to stay cached.
const BLOCK_ROWS: usize = 1 << 14;

/// The terms of a frame over some samples.
pub(crate) struct Block<'a> {
    samples: &'a Samples,
    terms: &'a Terms,
    /// The words of each term, row by row.
    words: Vec<Vec<u64>>,
    rows: usize,
    /// Words of a bit vector for one assignment.
    pub(crate) segment: usize,
    live: Bits,
}

/// Calls `visit` with each block of the table's rows.
pub(crate) fn blocks<'a>(
    samples: &'a Samples,
    table: &'a Table,
    frame: &Frame,
    terms: &'a Terms,
    mut visit: impl FnMut(&Block<'a>),
) {
    let assignments = frame.assignments();
    let step = (BLOCK_ROWS / assignments.len().max(1)).next_multiple_of(64);
    for start in (0..table.rows()).step_by(step) {
        let rows: Vec<usize> = (start..table.rows().min(start + step)).collect();
        visit(&Block::new(samples, table, terms, &assignments, &rows));
    }
}

/// Rows of the largest block that is held whole.
const EVIDENCE_ROWS: usize = 1 << 15;

/// One block with samples from all over the table, and which samples these are.
pub(crate) fn cross_section<'a>(
    samples: &'a Samples,
    table: &'a Table,
    frame: &Frame,
    terms: &'a Terms,
) -> (Block<'a>, Vec<usize>) {
    let assignments = frame.assignments();
    let wanted = (EVIDENCE_ROWS / assignments.len().max(1)).max(64);
    let step = table.rows().div_ceil(wanted).max(1);
    let rows: Vec<usize> = (0..table.rows()).step_by(step).collect();
    (Block::new(samples, table, terms, &assignments, &rows), rows)
}

impl<'a> Block<'a> {
    fn new(
        samples: &'a Samples,
        table: &'a Table,
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
            rows,
            segment: stride / 64,
            live: Bits::collect(rows, |row| row % stride < sampled.len()),
        };
        for id in terms.ids() {
            let words = match terms.get(id).kind {
                Kind::Column(at) => {
                    // A row that is no sample repeats the first, so that every word is a code.
                    let column = table.column(at);
                    let mut one: Vec<u64> = sampled.iter().map(|row| column[*row]).collect();
                    one.resize(stride, column[sampled[0]]);
                    one.repeat(assignments.len())
                }
                Kind::Bound(at) => assignments
                    .iter()
                    .flat_map(|values| std::iter::repeat_n(values[at], stride))
                    .collect(),
                _ => block.derive(id),
            };
            block.words.push(words);
        }
        block
    }

    /// The rows that stand for a sample.
    pub(crate) fn live(&self) -> &Bits {
        &self.live
    }

    /// The words of a term, row by row; rows that are no samples repeat one that is.
    pub(crate) fn words(&self, term: TermId) -> &[u64] {
        &self.words[term]
    }

    /// The word of a term in a row.
    pub(crate) fn word(&self, term: TermId, row: usize) -> u64 {
        self.words[term][row]
    }

    /// The live rows on which all these terms are defined.
    pub(crate) fn defined_rows(&self, terms: &[TermId]) -> impl Iterator<Item = usize> + '_ {
        let guards: BTreeSet<TermId> = terms
            .iter()
            .flat_map(|t| self.terms.get(*t).guards.iter().copied())
            .collect();
        let stride = self.segment * 64;
        let live = self.live.count() as usize / (self.rows / stride.max(1)).max(1);
        (0..self.rows)
            .filter(move |row| row % stride < live)
            .filter(move |row| guards.iter().all(|g| !self.is_missing(*g, *row)))
    }

    /// The live rows on which an atom is defined.
    pub(crate) fn defined(&self, atom: &Atom) -> Bits {
        let mut bits = self.live.clone();
        for guard in atom.guards(self.terms) {
            bits.and(&Bits::collect(self.rows, |row| {
                !self.is_missing(guard, row)
            }));
        }
        bits
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
            Relation::IsSum => self.triples(atom, |a, b, c| wide(a) == wide(b) + wide(c)),
            Relation::AtMostSum => self.triples(atom, |a, b, c| wide(a) <= wide(b) + wide(c)),
            Relation::SameElsewhere => {
                let (a, b, c) = (words(0), words(1), words(2));
                Bits::collect(self.rows, |row| {
                    self.is_same_elsewhere(arg(0), a[row], b[row], arg(2), c[row])
                })
            }
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
            return Bits::collect(self.rows, |row| {
                let values: Vec<Value> = atom.args.iter().map(|a| self.value(*a, row)).collect();
                values::relates(&atom.relation, &values)
            });
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
    fn is_missing(&self, term: TermId, row: usize) -> bool {
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

    fn encoding(&self, term: TermId) -> &Encoding {
        self.samples.schema().encoding(self.terms.get(term).ty())
    }

    fn value(&self, term: TermId, row: usize) -> Value {
        let word = self.words[term][row];
        let schema = self.samples.schema();
        self.samples
            .pool()
            .decode(schema, self.terms.get(term).ty(), word)
    }

    /// The words of a term made of others.
    fn derive(&self, id: TermId) -> Vec<u64> {
        let part = match self.terms.get(id).kind {
            Kind::Select(part, _)
            | Kind::Val(part)
            | Kind::Field(part, _)
            | Kind::Size(part)
            | Kind::Len(part)
            | Kind::Defined(part, _)
            | Kind::Entry(part, _)
            | Kind::Tag(part)
            | Kind::IsVariant(part, _)
            | Kind::Payload(part, _) => part,
            Kind::Column(_) | Kind::Bound(_) => return Vec::new(),
        };
        match self.encoding(part) {
            Encoding::Packed(packing) => self.unpack(id, part, &packing.form),
            _ => (0..self.rows).map(|row| self.part(id, part, row)).collect(),
        }
    }

    /// The words of a part of a packed value.
    fn unpack(&self, id: TermId, whole: TermId, form: &Form) -> Vec<u64> {
        let words = self.words[whole].iter().copied();
        let at = |element: &Packing, index: TermId| {
            let (bits, mask) = (u64::from(element.bits), low_bits(element.bits));
            let places = words.clone().zip(&self.words[index]);
            places.map(move |(word, at)| shr(word, bits * at) & mask)
        };
        match (&self.terms.get(id).kind, form) {
            (Kind::Select(_, index), Form::Array(_, element)) => at(element, *index).collect(),
            (Kind::Defined(_, index), Form::Map(_, slot)) => {
                at(slot, *index).map(|slot| u64::from(slot != 0)).collect()
            }
            // Where nothing is defined the entry is not either, but its word must be a code.
            (Kind::Entry(_, index), Form::Map(_, slot)) => at(slot, *index)
                .map(|slot| slot.saturating_sub(1))
                .collect(),
            (Kind::Field(_, at), Form::Tuple(_, fields)) => {
                let (offset, field) = &fields[*at as usize];
                let mask = low_bits(field.bits);
                words
                    .map(|word| shr(word, u64::from(*offset)) & mask)
                    .collect()
            }
            (kind, Form::Union(_, width, _)) => {
                let (payload, tag) = (low_bits(*width), |word| shr(word, u64::from(*width)));
                let is = |word, variant: u32| tag(word) == u64::from(variant);
                match *kind {
                    Kind::IsVariant(_, v) => words.map(|w| u64::from(is(w, v))).collect(),
                    Kind::Payload(_, v) => words
                        .map(|w| if is(w, v) { w & payload } else { 0 })
                        .collect(),
                    _ => words.map(tag).collect(),
                }
            }
            (Kind::Size(_), _) => words.map(|word| u64::from(word.count_ones())).collect(),
            // Where the whole is nil this is no code of anything, but then the term is not defined.
            _ => words.map(|word| word.saturating_sub(1)).collect(),
        }
    }

    /// The word of a part of an interned value; 0 (which may always be looked at) where there is no such part.
    fn part(&self, id: TermId, whole: TermId, row: usize) -> u64 {
        let term = self.terms.get(id);
        let pool = self.samples.pool();
        let whole = pool.value(self.words[whole][row]);
        let word = |v: &Value| pool.word(self.samples.schema(), term.ty(), v);
        match (&term.kind, whole) {
            (Kind::Select(_, index), Value::Array { entries, default }) => {
                let index = self.value(*index, row);
                entries.get(&index).or(default.as_deref()).map_or(0, word)
            }
            (Kind::Defined(_, key), Value::Map(entries)) => {
                u64::from(entries.contains_key(&self.value(*key, row)))
            }
            (Kind::Entry(_, key), Value::Map(entries)) => {
                entries.get(&self.value(*key, row)).map_or(0, word)
            }
            (Kind::Tag(_), Value::Union(_, variant, _)) => u64::from(*variant),
            (Kind::IsVariant(_, v), Value::Union(_, variant, _)) => u64::from(v == variant),
            (Kind::Payload(_, v), Value::Union(_, variant, inner)) if v == variant => word(inner),
            (Kind::Size(_), Value::Mset(counts)) => counts.values().sum(),
            (Kind::Val(_), Value::Null(Some(inner))) => word(inner),
            (Kind::Field(_, at), Value::Tuple(_, fields)) => word(&fields[*at as usize]),
            (Kind::Size(_), Value::Set(parts)) => parts.len() as u64,
            (Kind::Len(_), Value::Seq(parts)) => parts.len() as u64,
            _ => 0,
        }
    }
}

fn wide(word: u64) -> i128 {
    i128::from(word as i64)
}

fn shr(word: u64, by: u64) -> u64 {
    word.checked_shr(by as u32).unwrap_or(0)
}

fn low_bits(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}
