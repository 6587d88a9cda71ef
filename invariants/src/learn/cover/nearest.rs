//! The shortest clauses that exclude one valuation, found by the valuations that are nearest to it.
//!
//! A clause excludes a valuation if none of its literals is true of it. It hits a row then by a literal in which the two differ,
//! so rows that differ in few literals leave few choices, and long clauses are found without a walk through all shorter ones.
//! Only these rows are put in order and looked at one by one; whether a clause hits the others too, the table says of all at once.

use super::table::Table;
use super::{Row, bits, combined, has};

/// So many rows are looked at one by one.
const NEAREST: usize = 512;

/// In the time of one step, so many words of rows are compared with those of a valuation.
const WORDS_COMPARED: usize = 16;

/// In the time of one step, a literal is looked up in so many rows at once.
const ROWS_AT_ONCE: usize = 1024;

impl Table {
    /// The shortest clauses of at most `longest` literals that hit all rows and exclude a valuation, and those of one literal more
    /// that contain none of them; at most so many, as far as the steps are enough to find them; each look at a row is one.
    pub(crate) fn clauses_excluding(
        &self,
        valuation: &[u64],
        (longest, most): (usize, usize),
        steps: &mut u64,
    ) -> Vec<Vec<usize>> {
        let compared = self.len() * valuation.len() / WORDS_COMPARED;
        *steps = steps.saturating_sub(compared as u64);
        let nearest = self.nearest(valuation);
        if nearest.first().is_none_or(|(literals, _)| *literals == 0) {
            return Vec::new();
        }
        let all: Vec<u64> = valuation.iter().map(|word| !word).collect();
        let mut search = Search {
            table: self,
            nearest: nearest.into_iter().map(|(_, row)| row).collect(),
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

    /// In which literals rows differ from a valuation, of those that differ in few: with how many these are, and in order.
    fn nearest(&self, valuation: &[u64]) -> Vec<(u32, Row)> {
        let distance = |row: &[u64]| -> u32 {
            let both = row.iter().zip(valuation);
            both.map(|(row, valuation)| (row & !valuation).count_ones())
                .sum()
        };
        let distances: Vec<u32> = self.iter().map(distance).collect();
        let furthest = distances.iter().max().map_or(0, |most| *most as usize);
        let mut counts = vec![0; furthest + 1];
        distances.iter().for_each(|at| counts[*at as usize] += 1);
        let mut sum = 0;
        let limit = counts.iter().position(|count| {
            sum += count;
            sum >= NEAREST
        });
        let limit = limit.unwrap_or(furthest) as u32;
        let near = self.iter().zip(distances);
        let near = near.filter(|(_, distance)| *distance <= limit);
        let differing = near.take(2 * NEAREST).map(|(row, distance)| {
            let row = combined(row, valuation, |row, valuation| row & !valuation);
            (distance, row.into_boxed_slice())
        });
        let mut nearest: Vec<(u32, Row)> = differing.collect();
        nearest.sort_unstable();
        nearest.dedup();
        nearest
    }
}

struct Search<'s> {
    table: &'s Table,
    nearest: Vec<Row>,
    length: usize,
    chosen: Vec<usize>,
    steps: &'s mut u64,
    found: Vec<Vec<usize>>,
    /// So many are enough.
    most: usize,
}

impl<'s> Search<'s> {
    /// Completes what is chosen to clauses by `allowed` literals, where the nearest rows before this one are hit; says whether there
    /// are enough.
    fn extend(&mut self, from: usize, allowed: &[u64]) -> bool {
        let near = self.open(from);
        let far = match near {
            Some(_) => None,
            None => self.far(),
        };
        let Some(row) = near.map(|at| &*self.nearest[at]).or(far) else {
            return self.finds(self.chosen.clone());
        };
        let choices = combined(row, allowed, |row, allowed| row & allowed);
        if *self.steps == 0 {
            return false;
        }
        let next = near.map_or(self.nearest.len(), |at| at + 1);
        if self.chosen.len() + 1 == self.length {
            return self.finish(next, choices);
        }
        let mut allowed = allowed.to_vec();
        for literal in bits(&choices) {
            // All clauses with this literal are found here, so that no other choice needs it.
            allowed[literal / 64] &= !(1 << (literal % 64));
            self.chosen.push(literal);
            let is_enough = self.extend(next, &allowed);
            self.chosen.pop();
            if is_enough {
                return true;
            }
        }
        false
    }

    /// The last literal is one of these choices that all rows have which are not hit. Says whether there are enough clauses.
    fn finish(&mut self, mut from: usize, mut choices: Vec<u64>) -> bool {
        while let Some(open) = self.open(from) {
            let mut any = 0;
            for (choice, row) in choices.iter_mut().zip(&self.nearest[open]) {
                *choice &= row;
                any |= *choice;
            }
            if any == 0 {
                return false;
            }
            from = open + 1;
        }
        let open = self.table.open(&self.chosen);
        let choices = bits(&choices);
        self.spend(self.chosen.len() + choices.len());
        choices.into_iter().any(|literal| {
            self.table.has_all(literal, &open) && {
                let clause = [&self.chosen[..], &[literal]].concat();
                self.finds(clause)
            }
        })
    }

    /// The first of the nearest rows from this one on that is not hit.
    fn open(&mut self, from: usize) -> Option<usize> {
        let rows = self.nearest.get(from..).unwrap_or_default();
        let is_open = |row: &Row| !self.chosen.iter().any(|literal| has(row, *literal));
        let passed = rows.iter().position(is_open);
        let looks = passed.map_or(rows.len(), |passed| passed + 1);
        *self.steps = self.steps.saturating_sub(looks as u64);
        passed.map(|passed| from + passed)
    }

    /// The first row of all that is not hit.
    fn far(&mut self) -> Option<&'s [u64]> {
        self.spend(self.chosen.len());
        self.table.first_open(&self.chosen)
    }

    /// Counts that so many literals were looked up in all rows.
    fn spend(&mut self, literals: usize) {
        let looks = literals * self.table.len().div_ceil(ROWS_AT_ONCE);
        *self.steps = self.steps.saturating_sub(looks as u64);
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

    /// The clauses of at most `longest` literals that exclude a valuation, so many at most.
    fn excluding(rows: &[Row], valuation: &Row, limits: (usize, usize)) -> Vec<Vec<usize>> {
        Table::of(rows).clauses_excluding(valuation, limits, &mut 1000)
    }

    #[test]
    fn a_shortest_clause_excludes_the_valuation_and_hits_all_rows() {
        // Literals 2n and 2n + 1 are each other's negation.
        let rows = [row(&[0, 2, 4]), row(&[0, 3, 5]), row(&[1, 3, 4])];
        let excluded = row(&[1, 2, 5]);
        assert!(excluding(&rows, &excluded, (1, 1)).is_empty());
        let found = excluding(&rows, &excluded, (3, 1));
        let [clause] = &found[..] else {
            unreachable!("{found:?}")
        };
        assert_eq!(clause.len(), 2);
        assert!(rows.iter().all(|row| clause.iter().any(|l| has(row, *l))));
        assert!(!clause.iter().any(|l| has(&excluded, *l)));
    }

    #[test]
    fn clauses_of_one_literal_more_contain_no_shorter_ones() {
        let rows = [row(&[0, 2, 4]), row(&[0, 2, 6])];
        let excluded = row(&[1, 3, 5, 7]);
        let found = excluding(&rows, &excluded, (4, 10));
        assert_eq!(found, [vec![0], vec![2], vec![4, 6]]);
        assert_eq!(excluding(&rows, &excluded, (4, 2)), [vec![0], vec![2]]);
        assert_eq!(excluding(&rows, &excluded, (1, 10)), [vec![0], vec![2]]);
    }

    #[test]
    fn what_is_reached_is_not_excluded_and_without_steps_nothing_is() {
        let rows = [row(&[0, 2]), row(&[1, 3])];
        assert!(excluding(&rows, &rows[0], (4, 1)).is_empty());
        let table = Table::of(&rows);
        let found = |steps: &mut u64| table.clauses_excluding(&row(&[0, 3]), (4, 1), steps);
        assert!(found(&mut 0).is_empty());
        assert!(!found(&mut 1000).is_empty());
    }

    #[test]
    fn rows_that_are_far_away_are_hit_too() {
        // Each row has one of the first four literals, and more literals the later it comes.
        let far = |n: usize| row(&[vec![n % 4], (10..10 + n / 40).collect()].concat());
        let rows: Vec<Row> = (0..2000).map(far).collect();
        let found = excluding(&rows, &row(&[]), (4, 10));
        assert_eq!(found, [[0, 1, 2, 3]]);
        assert!(excluding(&rows, &row(&[3]), (4, 10)).is_empty());
    }

    #[test]
    fn the_last_literal_is_one_that_all_open_rows_have() {
        let rows = [row(&[0, 2]), row(&[4, 6]), row(&[4, 8]), row(&[6, 10])];
        let mut found = excluding(&rows, &row(&[1, 3, 5, 7, 9, 11]), (3, 10));
        let expected = [
            [0, 4, 6],
            [2, 4, 6],
            [0, 4, 10],
            [2, 4, 10],
            [0, 6, 8],
            [2, 6, 8],
        ];
        let mut expected: Vec<Vec<usize>> = expected.map(Vec::from).to_vec();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}
