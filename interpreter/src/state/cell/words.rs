//! Serialisation of cells as words, for searches that are saved and resumed.
//!
//! A cell is written as a word with its kind and a length, followed by its contents. For a collection the number of its
//! parts is also written, since it is a field of the cell.

use ioa_lang::core::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

use super::{Cell, Number, Parts};
use crate::interrupt::limits::MAX_DEPTH;

const WORD: u64 = 0;
const SMALL: u64 = 1;
const BIG: u64 = 2;
const SET: u64 = 3;
const SEQ: u64 = 4;
const TUPLE: u64 = 5;
const NIL: u64 = 6;
const EMBED: u64 = 7;
const DENSE: u64 = 8;
const SPARSE: u64 = 9;
const REAL: u64 = 10;
const TEXT: u64 = 11;
const UNION: u64 = 12;
const MAP: u64 = 13;
const MSET: u64 = 14;

/// The number of bits of a cell's first word that hold its kind.
const KIND_BITS: u32 = 8;

impl Cell {
    /// Appends the cell as words.
    pub fn push_words(&self, out: &mut Vec<u64>) {
        match self {
            Self::Word(code) => out.extend([WORD, *code]),
            Self::Int(n) => push_number(n, out),
            Self::Set(set) => push_all(SET, set, set.items.iter(), out),
            Self::Seq(seq) => push_all(SEQ, seq, seq.items.iter(), out),
            Self::Tuple(fields) => push_all(TUPLE, fields, fields.items.iter(), out),
            Self::Null(None) => out.push(NIL),
            Self::Null(Some(inner)) => push_one(EMBED, inner, out),
            Self::Dense(items) => push_all(DENSE, items, items.items.iter(), out),
            Self::Sparse(array) => {
                let (default, entries) = (&array.items.default, &array.items.entries);
                let cells = entries.iter().flat_map(|(k, v)| [k, v]);
                push_all(SPARSE, array, std::iter::once(default).chain(cells), out);
            }
            Self::Real(n) => {
                out.push(REAL);
                push_bytes(BIG, &n.numer().to_signed_bytes_le(), out);
                push_bytes(BIG, &n.denom().to_signed_bytes_le(), out);
            }
            Self::Text(text) => push_bytes(TEXT, text.as_bytes(), out),
            Self::Union(variant, inner) => push_one(head(UNION, *variant as usize), inner, out),
            Self::Map(map) => {
                let cells = map.items.iter().flat_map(|(k, v)| [k, v]);
                push_all(MAP, map, cells, out);
            }
            Self::Mset(mset) => {
                out.push(head(MSET, mset.items.len()));
                for (element, copies) in &mset.items {
                    element.push_words(out);
                    out.push(*copies);
                }
            }
        }
    }

    /// Appends the number of the cell's words, and these words.
    pub(crate) fn push_counted(&self, out: &mut Vec<u64>) {
        let length = out.len();
        out.push(0);
        self.push_words(out);
        out[length] = (out.len() - length - 1) as u64;
    }

    /// The cell whose [counted](Self::push_counted) words come first, and the words behind them; none unless there is one.
    pub(crate) fn split_counted(words: &[u64]) -> Option<(Self, &[u64])> {
        let (length, behind) = words.split_first()?;
        let (cell, behind) = behind.split_at_checked(usize::try_from(*length).ok()?)?;
        Some((Self::of_words(cell)?, behind))
    }

    /// The cell that some words represent; none unless they represent exactly one.
    #[must_use]
    pub fn of_words(words: &[u64]) -> Option<Self> {
        let mut reader = Reader { words };
        let cell = reader.cell(0)?;
        reader.words.is_empty().then_some(cell)
    }
}

fn head(kind: u64, length: usize) -> u64 {
    (length as u64) << KIND_BITS | kind
}

fn push_number(n: &Number, out: &mut Vec<u64>) {
    match n {
        Number::Small(n) => out.extend([SMALL, n.cast_unsigned()]),
        Number::Big(n) => push_bytes(BIG, &n.to_signed_bytes_le(), out),
    }
}

fn push_one(head: u64, inner: &Cell, out: &mut Vec<u64>) {
    out.push(head);
    inner.push_words(out);
}

fn push_all<'c, T>(
    kind: u64,
    parts: &Parts<T>,
    cells: impl Iterator<Item = &'c Cell>,
    out: &mut Vec<u64>,
) {
    let at = out.len();
    out.extend([kind, parts.count]);
    let mut length = 0;
    for cell in cells {
        cell.push_words(out);
        length += 1;
    }
    out[at] = head(kind, length);
}

fn push_bytes(kind: u64, bytes: &[u8], out: &mut Vec<u64>) {
    out.push(head(kind, bytes.len()));
    out.extend(bytes.chunks(size_of::<u64>()).map(|chunk| {
        let mut word = [0; size_of::<u64>()];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    }));
}

/// The words of a cell that have not been read yet.
struct Reader<'w> {
    words: &'w [u64],
}

impl Reader<'_> {
    fn word(&mut self) -> Option<u64> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(*first)
    }

    /// Reads a cell at the given nesting depth.
    fn cell(&mut self, depth: usize) -> Option<Cell> {
        if depth > MAX_DEPTH {
            return None;
        }
        let first = self.word()?;
        let length = usize::try_from(first >> KIND_BITS).ok()?;
        let deeper = depth + 1;
        Some(match first & ((1 << KIND_BITS) - 1) {
            WORD => Cell::Word(self.word()?),
            SMALL => Cell::Int(Number::Small(self.word()?.cast_signed())),
            BIG => Cell::Int(Number::bounded(self.integer(length)?).ok()?),
            NIL => Cell::Null(None),
            EMBED => Cell::embed(self.cell(deeper)?).ok()?,
            REAL => self.real()?,
            TEXT => Cell::text(String::from_utf8(self.bytes(length)?).ok()?.into()).ok()?,
            UNION => Cell::variant(u32::try_from(length).ok()?, self.cell(deeper)?).ok()?,
            MSET => self.mset(length, deeper)?,
            kind => self.collection(kind, length, deeper)?,
        })
    }

    fn cells(&mut self, length: usize, depth: usize) -> Option<Vec<Cell>> {
        (0..length).map(|_| self.cell(depth)).collect()
    }

    fn collection(&mut self, kind: u64, length: usize, depth: usize) -> Option<Cell> {
        let count = self.word()?;
        let cells = self.cells(length, depth)?;
        let made = match kind {
            SET => Cell::counted_set(cells.into_iter().collect(), count),
            SEQ => Cell::counted_seq(cells.into_iter().collect(), count),
            TUPLE => Cell::tuple(cells.into()),
            DENSE => Cell::dense(cells.into_iter().collect(), count),
            MAP => Cell::map(pairs(cells)?, count),
            SPARSE => {
                let mut cells = cells.into_iter();
                let default = cells.next()?;
                Cell::sparse(default, pairs(cells.collect())?, count)
            }
            _ => return None,
        };
        made.ok()
    }

    fn mset(&mut self, length: usize, depth: usize) -> Option<Cell> {
        let counts = (0..length).map(|_| Some((self.cell(depth)?, self.word()?)));
        Cell::mset(counts.collect::<Option<_>>()?).ok()
    }

    fn real(&mut self) -> Option<Cell> {
        let mut term = || {
            let length = usize::try_from(self.word()? >> KIND_BITS).ok()?;
            self.integer(length)
        };
        let (numerator, denominator) = (term()?, term()?);
        if denominator.is_zero() {
            return None;
        }
        Cell::real(Rational::new(numerator, denominator)).ok()
    }

    fn integer(&mut self, bytes: usize) -> Option<BigInt> {
        Some(BigInt::from_signed_bytes_le(&self.bytes(bytes)?))
    }

    fn bytes(&mut self, length: usize) -> Option<Vec<u8>> {
        let (these, rest) = self
            .words
            .split_at_checked(length.div_ceil(size_of::<u64>()))?;
        self.words = rest;
        let mut bytes: Vec<u8> = these.iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.truncate(length);
        Some(bytes)
    }
}

/// Reads pairs of cells, the first of which are keys.
fn pairs(cells: Vec<Cell>) -> Option<imbl::OrdMap<Cell, Cell>> {
    let (mut map, mut cells) = (imbl::OrdMap::new(), cells.into_iter());
    while let Some(key) = cells.next() {
        map.insert(key, cells.next()?);
    }
    Some(map)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn int(n: i64) -> Cell {
        Cell::Int(Number::Small(n))
    }

    /// A cell of every kind, each in a tuple with the others.
    fn every_kind() -> Cell {
        let big = BigInt::from(i64::MIN) * BigInt::from(i64::MAX);
        let entries: imbl::OrdMap<Cell, Cell> =
            [(int(1), int(-2)), (int(3), int(4))].into_iter().collect();
        let counts: imbl::OrdMap<Cell, u64> = [(int(7), 3_u64), (int(9), 1)].into_iter().collect();
        let cells = vec![
            Cell::Word(u64::MAX),
            int(-5),
            Cell::Int(Number::Big(Arc::new(big.clone()))),
            Cell::set([int(2), int(1)].into_iter().collect()).unwrap(),
            Cell::seq([int(2), Cell::Word(0)].into_iter().collect()).unwrap(),
            Cell::tuple(Box::new([])).unwrap(),
            Cell::Null(None),
            Cell::embed(int(8)).unwrap(),
            Cell::dense([int(1)].into_iter().collect(), 2).unwrap(),
            Cell::sparse(int(0), entries.clone(), 6).unwrap(),
            Cell::real(Rational::new(big, 12.into())).unwrap(),
            Cell::text("héllo, world".into()).unwrap(),
            Cell::text("".into()).unwrap(),
            Cell::variant(3, int(1)).unwrap(),
            Cell::map(entries, 5).unwrap(),
            Cell::mset(counts).unwrap(),
        ];
        Cell::tuple(cells.into()).unwrap()
    }

    #[test]
    fn every_kind_of_cell_comes_back() {
        let cell = every_kind();
        let mut words = Vec::new();
        cell.push_words(&mut words);
        assert_eq!(Cell::of_words(&words), Some(cell));
    }

    #[test]
    fn words_that_are_cut_short_or_changed_are_no_cell_or_another_one() {
        let cell = every_kind();
        let mut words = Vec::new();
        cell.push_words(&mut words);
        assert!((0..words.len()).all(|end| Cell::of_words(&words[..end]).is_none()));
        words.push(0);
        assert_eq!(Cell::of_words(&words), None);
        words.pop();
        for at in 0..words.len() {
            for bit in [0, 3, 8, 40, 63] {
                let mut changed = words.clone();
                changed[at] ^= 1 << bit;
                // Any input is read without a panic and within bounds; only the checksum of the file detects the change.
                let _ = Cell::of_words(&changed);
            }
        }
        let deep: Vec<u64> = std::iter::repeat_n(EMBED, 1 << 20).chain([NIL]).collect();
        assert_eq!(Cell::of_words(&deep), None);
    }
}
