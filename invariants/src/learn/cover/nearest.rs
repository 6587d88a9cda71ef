//! A shortest clause that excludes one valuation, found by the valuations that are nearest to it.
//!
//! A clause excludes a valuation if none of its literals is true of it. It hits a row then by a literal in which the two differ,
//! so rows that differ in few literals leave few choices, and long clauses are found without a walk through all shorter ones.

use super::{Row, bits, combined, has, literals};

/// With so many rows of few literals the others are compared when they are thinned out: these are the parts of most of them.
const COMPARED: usize = 64;

/// Putting the rows in order counts as so many steps for each of them.
const ORDERING: u64 = 8;

/// Rows without most of those that contain another one: what hits the other ones hits them too. Those of few literals come first.
pub(crate) fn thinned_out(rows: impl IntoIterator<Item = Row>) -> Vec<Row> {
    let mut rows: Vec<(u32, Row)> = rows.into_iter().map(|row| (literals(&row), row)).collect();
    rows.sort_unstable();
    let mut kept: Vec<Row> = Vec::new();
    for (_, row) in rows {
        let is_part = |part: &Row| part.iter().zip(&row).all(|(part, row)| part & !row == 0);
        if !kept.iter().take(COMPARED).any(is_part) {
            kept.push(row);
        }
    }
    kept
}

/// A clause of at most `longest` literals that hits all rows and excludes a valuation, and of those a shortest, if there is one
/// and the steps are enough to find it; each look at a row is one.
pub(crate) fn excluding(
    rows: &[Row],
    valuation: &[u64],
    longest: usize,
    steps: &mut u64,
) -> Option<Vec<usize>> {
    clauses_excluding(rows, valuation, (longest, 1), steps).pop()
}

/// The shortest clauses of at most `longest` literals that hit all rows and exclude a valuation, and those of one literal more
/// that contain none of them; at most so many, as far as the steps are enough to find them.
pub(crate) fn clauses_excluding(
    rows: &[Row],
    valuation: &[u64],
    (longest, most): (usize, usize),
    steps: &mut u64,
) -> Vec<Vec<usize>> {
    *steps = steps.saturating_sub(ORDERING * rows.len() as u64);
    let differing = rows.iter().map(|row| {
        let row = combined(row, valuation, |row, valuation| row & !valuation);
        (literals(&row), row.into_boxed_slice())
    });
    let mut nearest: Vec<(u32, Row)> = differing.collect();
    nearest.sort_unstable();
    nearest.dedup();
    if nearest.first().is_none_or(|(literals, _)| *literals == 0) {
        return Vec::new();
    }
    let rows: Vec<Row> = nearest.into_iter().map(|(_, row)| row).collect();
    let all = vec![!0; valuation.len()];
    let mut search = Search {
        rows: &rows,
        length: 0,
        chosen: Vec::new(),
        steps,
        found: Vec::new(),
        most,
    };
    for length in 1..=longest {
        let is_last = !search.found.is_empty();
        search.length = length;
        if search.extend(0, &all) || is_last {
            break;
        }
    }
    search.found
}

struct Search<'s> {
    rows: &'s [Row],
    length: usize,
    chosen: Vec<usize>,
    steps: &'s mut u64,
    found: Vec<Vec<usize>>,
    /// So many are enough.
    most: usize,
}

impl Search<'_> {
    /// Completes what is chosen to clauses by `allowed` literals, where the rows before this one are hit; says whether there are enough.
    fn extend(&mut self, from: usize, allowed: &[u64]) -> bool {
        let Some(open) = self.open(from) else {
            return self.finds(self.chosen.clone());
        };
        if *self.steps == 0 {
            return false;
        }
        if self.chosen.len() + 1 == self.length {
            return self.finish(open, allowed);
        }
        let mut allowed = allowed.to_vec();
        for literal in bits(&combined(&self.rows[open], &allowed, |row, a| row & a)) {
            // All clauses with this literal are found here, so that no other choice needs it.
            allowed[literal / 64] &= !(1 << (literal % 64));
            self.chosen.push(literal);
            let is_enough = self.extend(open + 1, &allowed);
            self.chosen.pop();
            if is_enough {
                return true;
            }
        }
        false
    }

    /// The last literal is one that all rows have which are not hit: this one is the first of them. Says whether there are enough clauses.
    fn finish(&mut self, first: usize, allowed: &[u64]) -> bool {
        let mut common = combined(&self.rows[first], allowed, |row, a| row & a);
        let mut next = first;
        while let Some(open) = self.open(next + 1) {
            common = combined(&common, &self.rows[open], |common, row| common & row);
            if common.iter().all(|word| *word == 0) {
                return false;
            }
            next = open;
        }
        bits(&common).into_iter().any(|literal| {
            let clause = [&self.chosen[..], &[literal]].concat();
            self.finds(clause)
        })
    }

    /// The first row from this one on that is not hit.
    fn open(&mut self, from: usize) -> Option<usize> {
        let rows = self.rows.get(from..).unwrap_or_default();
        let is_open = |row: &Row| !self.chosen.iter().any(|literal| has(row, *literal));
        let passed = rows.iter().position(is_open);
        let looks = passed.map_or(rows.len(), |passed| passed + 1);
        *self.steps = self.steps.saturating_sub(looks as u64);
        passed.map(|passed| from + passed)
    }

    /// Takes in a clause, unless it contains one that was found. Says whether there are enough.
    fn finds(&mut self, mut clause: Vec<usize>) -> bool {
        clause.sort_unstable();
        let is_in = |part: &Vec<usize>| part.iter().all(|l| clause.contains(l));
        if !self.found.iter().any(is_in) {
            self.found.push(clause);
        }
        self.found.len() >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn a_shortest_clause_excludes_the_valuation_and_hits_all_rows() {
        // Literals 2n and 2n + 1 are each other's negation.
        let rows = [row(&[0, 2, 4]), row(&[0, 3, 5]), row(&[1, 3, 4])];
        let excluded = row(&[1, 2, 5]);
        let mut steps = 1000;
        assert_eq!(excluding(&rows, &excluded, 1, &mut steps), None);
        let clause = excluding(&rows, &excluded, 3, &mut steps).expect("a clause");
        assert_eq!(clause.len(), 2);
        assert!(rows.iter().all(|row| clause.iter().any(|l| has(row, *l))));
        assert!(!clause.iter().any(|l| has(&excluded, *l)));
    }

    #[test]
    fn clauses_of_one_literal_more_contain_no_shorter_ones() {
        let rows = [row(&[0, 2, 4]), row(&[0, 2, 6])];
        let found = clauses_excluding(&rows, &row(&[1, 3, 5, 7]), (4, 10), &mut 1000);
        assert_eq!(found, [vec![0], vec![2], vec![4, 6]]);
        let limited = clauses_excluding(&rows, &row(&[1, 3, 5, 7]), (4, 2), &mut 1000);
        assert_eq!(limited, [vec![0], vec![2]]);
        let short = clauses_excluding(&rows, &row(&[1, 3, 5, 7]), (1, 10), &mut 1000);
        assert_eq!(short, [vec![0], vec![2]]);
    }

    #[test]
    fn what_is_reached_is_not_excluded_and_without_steps_nothing_is() {
        let rows = [row(&[0, 2]), row(&[1, 3])];
        assert_eq!(excluding(&rows, &rows[0], 4, &mut 1000), None);
        assert_eq!(excluding(&rows, &row(&[0, 3]), 4, &mut 0), None);
        assert!(excluding(&rows, &row(&[0, 3]), 4, &mut 1000).is_some());
    }

    #[test]
    fn what_contains_a_row_of_few_literals_is_thinned_out() {
        let rows = [row(&[0, 2, 4]), row(&[1]), row(&[0, 4]), row(&[1, 2])];
        assert_eq!(thinned_out(rows), [row(&[1]), row(&[0, 4])]);
    }

    #[test]
    fn the_last_literal_is_one_that_all_open_rows_have() {
        let rows = [row(&[0, 2]), row(&[4, 6]), row(&[4, 8]), row(&[6, 10])];
        let found = clauses_excluding(&rows, &row(&[1, 3, 5, 7, 9, 11]), (3, 10), &mut 1000);
        let expected = [
            [0, 4, 6],
            [2, 4, 6],
            [0, 4, 10],
            [2, 4, 10],
            [0, 6, 8],
            [2, 6, 8],
        ];
        let mut found: Vec<Vec<usize>> = found;
        let mut expected: Vec<Vec<usize>> = expected.map(Vec::from).to_vec();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}
