//! Long clauses. There are too many of them to look at all: one is looked for where a made-up state is excluded by no other.

use rustc_hash::FxHashSet;

use super::super::cover::{Clauses, Row, excluding};
use super::excluding::Excluding;
use super::{EXHAUSTIVE, FrameSearch};

/// Steps for one clause, at most.
const STEPS_FOR_ONE: u64 = 1_000_000;

impl FrameSearch {
    /// Shortest clauses of at most so many literals, found in so many steps at most, that exclude made-up states which no clause of any frame does: for each block,
    /// those are `open`, and the ones that are excluded are not any more.
    pub(crate) fn long_clauses(
        &mut self,
        (longest, most): (usize, u64),
        open: &mut [Vec<u64>],
    ) -> Clauses {
        let mut clauses = Clauses::default();
        if longest <= EXHAUSTIVE {
            return clauses;
        }
        let rows = self.rows.sorted();
        let mut tried = std::mem::take(&mut self.tried);
        let mut steps = most;
        'all: for block in 0..open.len().min(self.blocks.len()) {
            for state in 0..self.counts[block].1 {
                if open[block][state / 64] >> (state % 64) & 1 == 0 {
                    continue;
                }
                for valuation in self.untried(block, state, &tried) {
                    let mut own = steps.min(STEPS_FOR_ONE);
                    let before = own;
                    let found = excluding(&rows, &valuation, longest, &mut own);
                    steps -= before - own;
                    if let Some(clause) = found.filter(|clause| self.is_about_all(clause)) {
                        self.exclude(&clause, open);
                        clauses.found.push(clause);
                        break;
                    }
                    tried.insert(valuation);
                    if steps == 0 {
                        clauses.is_partial = true;
                        break 'all;
                    }
                }
            }
        }
        clauses.looks = most - steps;
        self.tried = tried;
        clauses
    }

    /// The valuations of a made-up state, under each assignment, for which no clause was looked for in vain. (With more rows there
    /// is none either.)
    fn untried(&self, block: usize, state: usize, tried: &FxHashSet<Row>) -> Vec<Row> {
        let table = self.blocks[block].iter();
        let valuations = table.map(|columns| self.valuation(columns, state));
        valuations
            .filter(|valuation| !tried.contains(valuation))
            .collect()
    }

    /// Leaves the made-up states open that a clause does not exclude.
    fn exclude(&self, clause: &[usize], open: &mut [Vec<u64>]) {
        let mut excluding = Excluding::of(self);
        for (block, open) in open.iter_mut().enumerate() {
            let excluded = excluding.violators(clause, block, self.counts[block].1);
            for (open, excluded) in open.iter_mut().zip(excluded) {
                *open &= !excluded;
            }
        }
    }
}
