//! Which clauses are kept: those that exclude made-up states which simpler ones do not, and bounds of numbers if that is wanted.

use super::super::evidence::Evidence;
use super::super::search::Open;
use super::super::search::{FrameSearch, Sieve};
use super::Learner;
use super::effort::Preference;
use super::entry::{Entry, Given, Source};
use super::searches::made_up;

/// A clause counts as more intricate by this for each composed tuple that it says is not in a collection: usually the same can be said
/// of all elements, and the clause is an instance of that.
const TUPLE_IS_MISSING: u32 = 13;

/// Finds out what each formula excludes.
struct Chooser<'l> {
    given: &'l [Given],
    sieves: Vec<Sieve<'l>>,
    evidence: &'l dyn Evidence,
}

impl Chooser<'_> {
    /// The open states that a formula excludes.
    fn excludes(&mut self, entry: &Entry, open: &Open) -> Vec<u32> {
        match &entry.source {
            Source::Given(given) => open.among(&self.given[*given].excludes),
            Source::Clause(at, clause) => {
                let (excluded, looks) = self.sieves[*at].excluded(clause, open);
                self.evidence.spend(looks);
                excluded
            }
        }
    }
}

impl Learner<'_> {
    /// The clauses that exclude made-up states which simpler ones do not.
    pub(super) fn select(&mut self, evidence: &dyn Evidence) -> Vec<Entry> {
        let (mut entries, frames) = (self.entries(), &self.frames);
        let (prefers, least, blocks) = (self.effort.prefers, self.effort.support, self.blocks);
        let spares = self.effort.spares_bounds;
        let mut chooser = Chooser {
            given: &self.given,
            sieves: frames.iter().map(FrameSearch::sieve).collect(),
            evidence,
        };
        let mut open = Open::all(&made_up(evidence));
        if prefers == Preference::Strong {
            for entry in &mut entries {
                entry.count = chooser.excludes(entry, &open).len() as u64;
            }
        }
        entries.sort_by(|a, b| a.rank(prefers).cmp(&b.rank(prefers)));
        let all = entries.len();
        entries.retain_mut(|entry| {
            let excludes = chooser.excludes(entry, &open);
            entry.count = excludes.len() as u64;
            // To count the states that support a clause takes long.
            let is_supported = || match &entry.source {
                Source::Clause(at, clause) if least > 0 => {
                    least <= supported(&frames[*at], clause, blocks)
                }
                _ => true,
            };
            let is_wanted = entry.count > 0 || spares && is_bound(entry, frames);
            let is_kept = is_wanted && is_supported();
            if is_kept {
                open.close(&excludes);
            }
            is_kept
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
                cost: frame.cost(clause) + TUPLE_IS_MISSING * frame.missing_tuples(clause),
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

/// Whether a formula is a clause that bounds a number and says nothing else.
fn is_bound(entry: &Entry, frames: &[FrameSearch]) -> bool {
    match &entry.source {
        Source::Clause(at, clause) => frames[*at].is_bound(clause),
        Source::Given(_) => false,
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
