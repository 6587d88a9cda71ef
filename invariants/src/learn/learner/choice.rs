//! Which clauses are kept: those that exclude made-up states which simpler ones do not.

use super::super::evidence::Evidence;
use super::super::search::FrameSearch;
use super::super::search::excluding::Excluding;
use super::Learner;
use super::entry::{Entry, Source};
use super::excluded::{excluded, made_up};

impl Learner<'_> {
    /// The clauses that exclude made-up states which simpler ones do not.
    pub(super) fn select(&mut self, evidence: &dyn Evidence) -> Vec<Entry> {
        let counts = made_up(evidence);
        let mut entries: Vec<Entry> = Vec::new();
        for (at, clauses) in self.clauses.iter().enumerate() {
            let frame = &self.frames[at];
            let mut excluding = Excluding::of(frame);
            for clause in clauses.iter().flatten() {
                let (about, how) = ((frame, at, clause), (&mut excluding, &counts[..]));
                let excludes = excluded(&mut self.excluded, about, how, evidence);
                let says_something = excludes.iter().any(|word| *word != 0);
                let least = self.effort.support;
                // To count the states that support a clause takes long.
                let is_supported = || least == 0 || least <= supported(frame, clause, self.blocks);
                if says_something && is_supported() {
                    entries.push(Entry {
                        source: Source::Clause(at, clause.clone()),
                        cost: frame.cost(clause),
                        excludes: excludes.to_vec(),
                    });
                }
            }
        }
        for (at, given) in self
            .given
            .iter()
            .enumerate()
            .filter(|(_, given)| given.holds)
        {
            entries.push(Entry {
                source: Source::Given(at),
                cost: given.cost,
                excludes: given.excludes.clone(),
            });
        }
        let prefers = self.effort.prefers;
        entries.sort_by(|a, b| a.rank(prefers).cmp(&b.rank(prefers)));
        let mut excluded: Vec<u64> = vec![0; counts.iter().map(|c| c.div_ceil(64)).sum()];
        let all = entries.len();
        entries.retain_mut(|entry| {
            for (word, before) in entry.excludes.iter_mut().zip(&mut excluded) {
                *word &= !*before;
                *before |= *word;
            }
            entry.excludes.iter().any(|word| *word != 0)
        });
        entries.truncate(self.effort.candidates);
        self.learnt.redundant = all - entries.len();
        entries
    }
}

/// The states that support the least supported literal of a clause.
fn supported(frame: &FrameSearch, clause: &[usize], blocks: usize) -> u64 {
    let mut sums = vec![0; clause.len()];
    for block in 0..blocks {
        for (sum, more) in sums.iter_mut().zip(frame.support(clause, block)) {
            *sum += more;
        }
    }
    sums.into_iter().min().unwrap_or(0)
}
