//! Which pairs are left when those are taken away from which some low step has no answer, again and again.

use super::pairs::{Joint, Unanswered};

impl Joint {
    /// Takes pairs away until all that are left have an answer to each step that leads to one that is left.
    pub(super) fn settle(&mut self) {
        self.lost = vec![None; self.pairs.len()];
        let mut round = 0;
        loop {
            let lost: Vec<(usize, usize)> = (0..self.expanded_pairs)
                .filter(|pair| self.lost[*pair].is_none())
                .filter_map(|pair| Some((pair, self.unanswered(pair)?)))
                .collect();
            if lost.is_empty() {
                return;
            }
            for (pair, step) in lost {
                self.lost[pair] = Some(Unanswered { step, round });
            }
            round += 1;
        }
    }

    /// The first step from a pair without an answer that leads to a pair that is left.
    fn unanswered(&self, pair: usize) -> Option<usize> {
        let (s, u) = self.pairs[pair];
        self.moves[s].iter().position(|step| {
            let mut answers = self.answers(u, step).iter();
            !answers.any(|answer| self.may_relate(step.to, answer.to))
        })
    }

    /// Whether two states form a pair that is left.
    #[must_use]
    pub fn may_relate(&self, low: usize, high: usize) -> bool {
        let at = self.pair_at(low, high);
        at.is_some_and(|at| self.lost[at].is_none())
    }

    /// Why a pair was taken away, if it was.
    #[must_use]
    pub fn lost(&self, pair: usize) -> Option<Unanswered> {
        self.lost[pair]
    }

    /// The pairs that are left.
    pub fn left(&self) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(|pair| self.lost[*pair].is_none())
    }

    /// The first low start state from which no pair of start states is left.
    #[must_use]
    pub fn unmatched_start(&self) -> Option<usize> {
        let starts = self.high_starts().iter();
        let is_matched = |low: usize| starts.clone().any(|high| self.may_relate(low, *high));
        self.starts().iter().copied().find(|low| !is_matched(*low))
    }
}
