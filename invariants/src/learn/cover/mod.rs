//! Minimal clauses: the smallest sets of literals of which each row has at least one.
//!
//! A row is the set of literals that are true of one valuation. A clause holds on all rows if it *hits* each of them. The
//! search takes a row that is not hit yet, of few literals, and tries each of these; the last literal of a clause is found at
//! once, for it is in all rows that are left. Clauses are found by length, and no clause with a shorter one in it is tried: by
//! implication only the strongest that hold are looked at.

mod nearest;
mod table;

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::evidence::ones;
pub(crate) use table::Table;

/// A set of literals of a frame, as bits.
pub(crate) type Row = Box<[u64]>;

/// More steps than this are not taken for the clauses of one length; then some may be missed.
const MAX_STEPS: u64 = 1_000_000;
/// Nor are more clauses than this looked at, of one length.
const MAX_FOUND: usize = 4000;
/// When more rows than this were compared with each other, what contains another one stays: it does no harm.
const MAX_COMPARED: u64 = 20_000_000;
/// In the time of one look at a row, so many are compared with each other: mostly the first words differ.
const ROWS_COMPARED: u64 = 8;
/// In the time of one look at a row, so many words are combined with others.
pub(crate) const WORDS_COMBINED: usize = 16;

/// Whether a bit is set: a literal of a row, or a state of a set.
pub(crate) fn has(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// Rows of which none is a part of another: what hits these hits all that were added.
#[derive(Debug, Default)]
pub(crate) struct LeastRows {
    /// By how many literals they have: of two rows that have as many, none is a part of the other. So where all atoms are defined,
    /// no two rows are compared.
    rows: BTreeMap<u32, Vec<Row>>,
    known: FxHashSet<Row>,
    /// Those that were added since clauses were last looked for.
    fresh: Vec<Row>,
}

impl LeastRows {
    /// Adds rows. Returns how many looks at rows that took; not all are compared with each other where there are too many.
    pub(crate) fn add(&mut self, rows: impl IntoIterator<Item = Row>) -> u64 {
        let mut compared = 0;
        let mut fresh: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
        for row in rows {
            fresh.entry(literals(&row)).or_default().push(row);
        }
        let counts: Vec<u32> = fresh.keys().copied().collect();
        for count in counts {
            let mut added = fresh.remove(&count).unwrap_or_default();
            added.sort_unstable();
            added.retain(|row| {
                let is_new = !self.known.contains(row)
                    && !has_part(&mut self.rows, count, row, &mut compared)
                    && !has_part(&mut fresh, count, row, &mut compared);
                is_new && self.known.insert(row.clone())
            });
            fresh.insert(count, added);
        }
        let Self { rows, known, .. } = self;
        for (count, old) in rows.iter_mut() {
            old.retain(|row| {
                let is_least = !has_part(&mut fresh, *count, row, &mut compared);
                if !is_least {
                    known.remove(row);
                }
                is_least
            });
        }
        for (count, added) in fresh {
            self.fresh.extend(added.iter().cloned());
            rows.entry(count).or_default().extend(added);
        }
        compared / ROWS_COMPARED
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// From now on, rows that are there already are not fresh.
    pub(crate) fn settle(&mut self) {
        self.fresh.clear();
    }

    /// The rows, those of few literals first.
    pub(crate) fn sorted(&self) -> Vec<Row> {
        let groups = self.rows.values();
        let sorted = groups.flat_map(|rows| {
            let mut rows = rows.clone();
            rows.sort_unstable();
            rows
        });
        sorted.collect()
    }

    /// Whether each fresh row has one of these literals, as the others are known to have.
    pub(crate) fn are_hit(&self, clause: &[usize]) -> bool {
        let mut rows = self.fresh.iter();
        rows.all(|row| clause.iter().any(|l| has(row, *l)))
    }
}

/// Whether one of some rows is a part of a row, which has so many literals; counts the rows that are compared with it. Once these are too
/// many, nothing is found any more.
fn has_part(rows: &mut BTreeMap<u32, Vec<Row>>, count: u32, row: &Row, compared: &mut u64) -> bool {
    rows.range_mut(..count).any(|(_, smaller)| {
        if *compared > MAX_COMPARED {
            return false;
        }
        let found = smaller.iter().position(|part| {
            *compared += 1;
            part.iter().zip(&**row).all(|(p, r)| p & !r == 0)
        });
        // What one row contains the next ones often contain too.
        found.is_some_and(|at| {
            smaller.swap(at, at / 2);
            true
        })
    })
}

/// What came of a search.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    /// Ascending literals.
    pub(crate) found: Vec<Vec<usize>>,
    /// Whether a limit was reached.
    pub(crate) is_partial: bool,
    /// How many looks at rows the search took.
    pub(crate) looks: u64,
}

/// The minimal clauses of at most `longest` literals that hit all rows; `allowed` are the literals that may be used.
pub(crate) fn minimal(rows: &[Row], allowed: &[u64], longest: usize) -> Clauses {
    let mut clauses = Clauses::default();
    if rows.is_empty() {
        return clauses;
    }
    let mut search = Search::new(rows, allowed.len());
    let mut allowed = allowed.to_vec();
    let all = ones(rows.len());
    for length in 1..=longest {
        (search.length, search.steps) = (length, 0);
        search.extend(&all, &allowed);
        clauses.is_partial |= search.steps >= MAX_STEPS || search.found.len() >= MAX_FOUND;
        for clause in std::mem::take(&mut search.found) {
            match clause[..] {
                [one] => allowed[one / 64] &= !(1 << (one % 64)),
                [a, b] => {
                    search.partners[a][b / 64] |= 1 << (b % 64);
                    search.partners[b][a / 64] |= 1 << (a % 64);
                }
                _ => search.earlier.push(clause.clone()),
            }
            clauses.found.push(clause);
        }
    }
    clauses.looks = search.looks;
    clauses
}

struct Search<'r> {
    rows: &'r [Row],
    /// For each literal the rows that have it.
    hits: Vec<Vec<u64>>,
    /// For each literal those that it must not be together with: its negation, and what makes a shorter clause with it.
    partners: Vec<Vec<u64>>,
    chosen: Vec<usize>,
    steps: u64,
    looks: u64,
    /// How many literals the clauses that are looked for have.
    length: usize,
    /// Clauses of three literals, for those of four.
    earlier: Vec<Vec<usize>>,
    found: Vec<Vec<usize>>,
}

impl<'r> Search<'r> {
    fn new(rows: &'r [Row], words: usize) -> Self {
        let literals = words * 64;
        let mut hits = vec![vec![0_u64; rows.len().div_ceil(64)]; literals];
        for (at, row) in rows.iter().enumerate() {
            for literal in bits(row) {
                hits[literal][at / 64] |= 1 << (at % 64);
            }
        }
        let complement = |literal: usize| {
            let mut partners = vec![0_u64; words];
            partners[(literal ^ 1) / 64] |= 1 << ((literal ^ 1) % 64);
            partners
        };
        Self {
            rows,
            hits,
            partners: (0..literals).map(complement).collect(),
            chosen: Vec::new(),
            steps: 0,
            looks: 0,
            length: 0,
            earlier: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Completes what is chosen in all ways; `open` are the rows that are not hit, `allowed` the literals to choose from.
    fn extend(&mut self, open: &[u64], allowed: &[u64]) {
        self.steps += 1;
        if self.steps >= MAX_STEPS || self.found.len() >= MAX_FOUND {
            return;
        }
        let Some(first) = first(open) else { return };
        if self.chosen.len() + 1 == self.length {
            return self.finish(open, allowed);
        }
        let mut allowed = allowed.to_vec();
        for literal in bits(&combined(&self.rows[first], &allowed, |row, a| row & a)) {
            allowed[literal / 64] &= !(1 << (literal % 64));
            let left = combined(open, &self.hits[literal], |open, hit| open & !hit);
            self.looks += 1 + (open.len() / WORDS_COMBINED) as u64;
            let narrowed = combined(&allowed, &self.partners[literal], |a, p| a & !p);
            self.chosen.push(literal);
            self.extend(&left, &narrowed);
            self.chosen.pop();
        }
    }

    /// The last literal is one that all open rows have.
    fn finish(&mut self, open: &[u64], allowed: &[u64]) {
        let mut common = allowed.to_vec();
        self.looks += 1 + (open.len() / WORDS_COMBINED) as u64;
        for (at, word) in open.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let row = &self.rows[at * 64 + rest.trailing_zeros() as usize];
                self.looks += 1;
                let mut all = 0;
                for (c, r) in common.iter_mut().zip(&**row) {
                    *c &= r;
                    all |= *c;
                }
                if all == 0 {
                    return;
                }
                rest &= rest - 1;
            }
        }
        for literal in bits(&common) {
            let mut clause = self.chosen.clone();
            clause.push(literal);
            clause.sort_unstable();
            if self.is_minimal(&clause) {
                self.found.push(clause);
            }
        }
    }

    /// Whether each literal hits some row that the others do not, and no shorter clause was found in it.
    fn is_minimal(&mut self, clause: &[usize]) -> bool {
        let is_in = |part: &Vec<usize>| part.iter().all(|l| clause.contains(l));
        if self.earlier.iter().any(is_in) {
            return false;
        }
        self.looks += 1 + (clause.len() * self.rows.len() / 64 / WORDS_COMBINED) as u64;
        let is_needed = |literal: &usize| {
            let others = clause.iter().filter(|l| *l != literal);
            let others: Vec<&Vec<u64>> = others.map(|l| &self.hits[*l]).collect();
            let own = self.hits[*literal].iter().enumerate();
            let mut alone = own.map(|(at, word)| others.iter().fold(*word, |w, o| w & !o[at]));
            alone.any(|word| word != 0)
        };
        clause.iter().all(is_needed)
    }
}

/// How many literals a row has.
fn literals(row: &[u64]) -> u32 {
    row.iter().map(|word| word.count_ones()).sum()
}

/// The position of the first bit that is set.
fn first(words: &[u64]) -> Option<usize> {
    let at = words.iter().position(|word| *word != 0)?;
    Some(at * 64 + words[at].trailing_zeros() as usize)
}

fn combined(a: &[u64], b: &[u64], op: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}

/// Exchanges rows and columns of 64 words of bits: halves of the square first, then halves of these (Warren, Hacker's Delight,
/// section 7-3).
pub(crate) fn transposed(square: &mut [u64; 64]) {
    let (mut half, mut mask) = (32, u64::from(u32::MAX));
    while half > 0 {
        for row in (0..64).filter(|row| row & half == 0) {
            let exchanged = (square[row] >> half ^ square[row + half]) & mask;
            square[row] ^= exchanged << half;
            square[row + half] ^= exchanged;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

/// The positions of the bits that are set.
pub(crate) fn bits(words: &[u64]) -> Vec<usize> {
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            out.push(at * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row that has these literals.
    pub(super) fn row(literals: &[usize]) -> Row {
        let word = literals.iter().fold(0_u64, |word, l| word | 1 << l);
        vec![word].into_boxed_slice()
    }

    #[test]
    fn clauses_hit_all_rows_and_have_no_shorter_ones_in_them() {
        // Literals 0 and 1 are each other's negation, as are 2 and 3, and 4 and 5.
        let rows = [row(&[0, 2, 4]), row(&[0, 3, 5]), row(&[1, 3, 4])];
        let found = minimal(&rows, &[0b11_1111], 3).found;
        let expected = [vec![0, 3], vec![0, 4], vec![3, 4], vec![1, 2, 5]];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_row_without_literals_refutes_everything() {
        let rows = [row(&[0, 2]), row(&[])];
        assert!(minimal(&rows, &[0b1111], 4).found.is_empty());
    }

    #[test]
    fn of_rows_that_contain_each_other_the_least_are_enough() {
        let mut least = LeastRows::default();
        least.add([row(&[0, 2]), row(&[0, 2, 4])]);
        least.add([row(&[0]), row(&[0, 4])]);
        assert_eq!(least.sorted(), [row(&[0])]);
        assert!(least.are_hit(&[0]) && !least.are_hit(&[2]));
        least.settle();
        least.add([row(&[0]), row(&[2, 4])]);
        assert!(least.are_hit(&[2]) && !least.are_hit(&[0]));
    }

    #[test]
    fn rows_and_columns_of_a_square_are_exchanged() {
        let at = |row: usize| (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 1 << row;
        let given: [u64; 64] = std::array::from_fn(at);
        let mut square = given;
        transposed(&mut square);
        for (row, bits) in square.into_iter().enumerate() {
            for (column, word) in given.iter().enumerate() {
                assert_eq!(bits >> column & 1, word >> row & 1, "{row}, {column}");
            }
        }
    }
}
