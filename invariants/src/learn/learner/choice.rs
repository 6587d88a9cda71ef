//! Which clauses are kept: those that exclude made-up states which simpler ones do not.

use super::super::columns::Columns;
use super::super::evidence::Evidence;
use super::super::search::FrameSearch;
use super::super::search::excluding::Excluding;
use super::Learner;
use super::effort::Preference;
use super::entry::{Entry, Given, Source};
use super::excluded::{Excluded, made_up};

/// Finds out what each formula excludes.
struct Chooser<'l> {
    frames: &'l [FrameSearch],
    given: &'l [Given],
    excluding: Vec<Excluding<'l>>,
    excluded: &'l mut Excluded,
    columns: &'l mut Columns,
    evidence: &'l dyn Evidence,
    /// How many states of each block are made up.
    counts: Vec<usize>,
}

impl Chooser<'_> {
    /// The made-up states that a formula excludes, block by block.
    fn excludes(&mut self, entry: &Entry) -> &[u64] {
        match &entry.source {
            Source::Given(given) => &self.given[*given].excludes,
            Source::Clause(at, clause) => {
                let about = (&self.frames[*at], *at, clause);
                let how = (&mut self.excluding[*at], &self.counts[..]);
                self.excluded.by(about, how, (self.evidence, self.columns))
            }
        }
    }
}

impl Learner<'_> {
    /// The clauses that exclude made-up states which simpler ones do not.
    pub(super) fn select(&mut self, evidence: &dyn Evidence) -> Vec<Entry> {
        self.excluded.forget(&self.clauses, &mut self.columns);
        let (mut entries, frames) = (self.entries(), &self.frames);
        let (prefers, least, blocks) = (self.effort.prefers, self.effort.support, self.blocks);
        let mut chooser = Chooser {
            frames,
            given: &self.given,
            excluding: frames.iter().map(Excluding::of).collect(),
            excluded: &mut self.excluded,
            columns: &mut self.columns,
            evidence,
            counts: made_up(evidence),
        };
        if prefers == Preference::Strong {
            for entry in &mut entries {
                entry.count = count(chooser.excludes(entry));
            }
        }
        entries.sort_by(|a, b| a.rank(prefers).cmp(&b.rank(prefers)));
        let words = chooser.counts.iter().map(|count| count.div_ceil(64));
        let mut open: Vec<u64> = vec![!0; words.sum()];
        let mut all = 0;
        entries.retain_mut(|entry| {
            let excludes = chooser.excludes(entry);
            if let Source::Clause(at, clause) = &entry.source {
                let says_something = excludes.iter().any(|word| *word != 0);
                // To count the states that support a clause takes long.
                let is_supported =
                    || least == 0 || least <= supported(&frames[*at], clause, blocks);
                if !says_something || !is_supported() {
                    return false;
                }
            }
            all += 1;
            let both = open.iter().zip(excludes);
            entry.count = both.map(|(open, word)| ones_of(open & word)).sum();
            let both = open.iter_mut().zip(excludes);
            both.for_each(|(open, word)| *open &= !word);
            entry.count > 0
        });
        entries.truncate(self.effort.candidates);
        self.learnt.redundant = all - entries.len();
        entries
    }

    /// All that holds so far.
    fn entries(&self) -> Vec<Entry> {
        let clauses = self.clauses.iter().enumerate().flat_map(|(at, clauses)| {
            let frame = &self.frames[at];
            clauses.iter().flatten().map(move |clause| Entry {
                source: Source::Clause(at, clause.clone()),
                cost: frame.cost(clause),
                count: 0,
            })
        });
        let given = self.given.iter().enumerate();
        let given = given.filter(|(_, given)| given.holds);
        let given = given.map(|(at, given)| Entry {
            source: Source::Given(at),
            cost: given.cost,
            count: 0,
        });
        clauses.chain(given).collect()
    }
}

/// How many states these are.
fn count(states: &[u64]) -> u64 {
    states.iter().map(|word| ones_of(*word)).sum()
}

fn ones_of(word: u64) -> u64 {
    u64::from(word.count_ones())
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
