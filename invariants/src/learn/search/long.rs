//! Long clauses. There are too many of them to look at all: one is looked for where a made-up state is excluded by no other.

use super::super::cover::{Clauses, Table};
use super::open::Open;
use super::{EXHAUSTIVE, FrameSearch};

/// Steps for one clause, at most.
const STEPS_FOR_ONE: u64 = 1_000_000;

impl FrameSearch {
    /// Shortest clauses of at most so many literals, found in so many steps at most, that exclude made-up states which no clause of any
    /// frame does: those that are `open`. The ones that are excluded are not any more.
    pub(crate) fn long_clauses(
        &mut self,
        (longest, most): (usize, u64),
        open: &mut Open,
    ) -> Clauses {
        let mut clauses = Clauses::default();
        if longest <= EXHAUSTIVE {
            return clauses;
        }
        let rows = Table::of(&self.rows.sorted());
        let mut tried = std::mem::take(&mut self.tried);
        let mut sieve = self.sieve();
        let mut steps = most;
        for at in 0..sieve.len() {
            let is_new = !tried.contains(&at);
            let valuation = is_new.then(|| sieve.open(at, open)).flatten();
            let Some(valuation) = valuation else {
                continue;
            };
            let mut own = steps.min(STEPS_FOR_ONE);
            let before = own;
            let found = rows.clauses_excluding(&valuation, (longest, 1), &mut own);
            steps -= before - own;
            match found.into_iter().find(|clause| self.is_of_frame(clause)) {
                Some(clause) => {
                    open.close(&sieve.excluded(&clause, open).0);
                    clauses.found.push(clause);
                }
                None => {
                    tried.insert(at);
                }
            }
            if steps == 0 {
                clauses.is_partial = true;
                break;
            }
        }
        clauses.looks = most - steps;
        self.tried = tried;
        clauses
    }
}
