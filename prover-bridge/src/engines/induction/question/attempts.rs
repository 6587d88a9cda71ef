//! Attempts at a question, each with another setting of the solver, whose luck with quantifiers changes with each of them.
//!
//! Of those that come to an answer the first in their order decides, and only those up to it are counted. So it makes no difference
//! whether they are made one after the other or side by side.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use z3::ast::Bool;
use z3::{PrepareSynchronized, Synchronized};

use crate::engines::induction::round::{Lanes, Raw};
use crate::engines::induction::spread::spread;
use crate::obligations::Kind;
use crate::options::{Allowance, Options};
use crate::solver::{Answer, Solver, in_context_of};

/// Work that the attempt with all premises may take before other ways are tried, in Z3's own unit: about a fifth of a second's.
pub(super) const FIRST: u32 = 200_000;

/// Work that the attempt with all premises may take after that: about a second's.
pub(super) const MODERATE: u32 = 1_000_000;

/// Work that a question to the small instance may take at last.
pub(super) const GENEROUS: u32 = 3 * MODERATE;

/// Attempts with some settings of the solver, each of which may take so much work.
pub(super) struct Attempts {
    /// The settings, by number.
    settings: Range<u32>,
    work: u32,
}

/// Attempts right after the first one with few premises: what is easy with these is mostly proved at once.
pub(super) const BRIEF: Attempts = Attempts {
    settings: 0..4,
    work: FIRST / 4,
};

/// Attempts after that. How much work a proof takes has a heavy tail: of 24 settings, five proved an obligation of Paxos with less than
/// 700,000 units and seven not with 3,000,000. So many short attempts find more than a few long ones.
pub(super) const RESTARTS: [Attempts; 2] = [
    Attempts {
        settings: 4..8,
        work: FIRST,
    },
    Attempts {
        settings: 8..16,
        work: 3 * FIRST,
    },
];

/// Attempts after these have failed.
pub(super) const LONG: Attempts = Attempts {
    settings: 16..20,
    work: GENEROUS,
};

/// The last one, with all the work that is allowed.
pub(super) const LAST: Attempts = Attempts {
    settings: 0..1,
    work: u32::MAX,
};

/// What an attempt came to.
struct Tried {
    answer: Answer,
    queries: u32,
    resources: u64,
}

/// What attempts are to refute, and within which limits.
pub(super) struct Denial<'d> {
    pub(super) kind: Kind,
    pub(super) options: &'d Options<'d>,
    /// The lanes that the question is in, if it is in some.
    pub(super) lanes: Option<&'d Lanes>,
    /// The limits of all that is asked of the obligation.
    pub(super) allowance: Allowance<'d>,
    pub(super) stated: Vec<Bool>,
}

impl Denial<'_> {
    /// Whether one of some attempts finds a refutation: one after the other, in the context that the question is in. If none does,
    /// that says nothing.
    pub(super) fn is_soon_refuted(&self, attempts: &Attempts, raw: &mut Raw) -> bool {
        let mut answers = attempts.settings.clone().map(|setting| {
            let mut solver = Solver::varied(self.options, setting).allowed(&self.allowance);
            let stated = self.stated.iter().cloned();
            stated.for_each(|formula| solver.assert(formula));
            let tried = Tried::by(&mut solver, attempts.work);
            tried.is_counted(raw);
            tried.answer
        });
        answers.find(|answer| !answer.is_open()) == Some(Answer::Unsat)
    }

    /// The same where each attempt may take long: as many side by side as there are threads for, each in a context of its own.
    pub(super) fn is_refuted(&self, attempts: &Attempts, raw: &mut Raw) -> bool {
        let attempts = attempts.within(self.allowance.work());
        let Some(attempts) = attempts.filter(|_| !self.allowance.time().is_zero()) else {
            return false;
        };
        let side_by_side = SideBySide {
            kind: self.kind,
            options: self.options,
            time: self.allowance.of_time(),
            work: attempts.work,
            stated: self.stated.synchronized(),
            decided: AtomicU32::new(u32::MAX),
        };
        let settings: Vec<u32> = attempts.settings.collect();
        // This thread is at nothing while others work for it.
        self.options.turns_to(&[]);
        let abreast = self.lanes.map_or(1, Lanes::abreast);
        let tried = spread(&settings, abreast, |setting| {
            vec![(*setting, side_by_side.attempt(*setting))]
        });
        self.options.turns_to_obligations(&[self.kind]);
        let last = side_by_side.decided.into_inner();
        let upto = tried
            .into_iter()
            .take_while(|(setting, _)| *setting <= last);
        let mut answers = upto.filter_map(|(_, tried)| {
            let tried = tried?;
            tried.is_counted(raw);
            self.allowance.spend(tried.resources);
            self.options.spends(tried.resources);
            Some(tried.answer)
        });
        answers.find(|answer| !answer.is_open()) == Some(Answer::Unsat)
    }
}

/// What attempts share that are made side by side.
struct SideBySide<'a> {
    kind: Kind,
    options: &'a Options<'a>,
    /// The time for all of them, and the work for each.
    time: Allowance<'a>,
    work: u32,
    /// What is to be refuted.
    stated: Synchronized<Vec<Bool>>,
    /// The first setting that has come to an answer so far.
    decided: AtomicU32,
}

impl SideBySide<'_> {
    /// An attempt in a context of its own, unless an earlier one has come to an answer. What it takes is for the caller to count.
    fn attempt(&self, setting: u32) -> Option<Tried> {
        let is_needless = || self.decided.load(Ordering::Relaxed) < setting;
        if is_needless() {
            return None;
        }
        let stop = || is_needless() || self.options.is_stopped();
        let options = &Options {
            stop: Some(&stop),
            spent: None,
            ..self.options.clone()
        };
        options.turns_to_obligations(&[self.kind]);
        let tried = in_context_of(options, || {
            let mut solver = Solver::varied(options, setting).allowed(&self.time);
            let stated = self.stated.recover().into_iter();
            stated.for_each(|formula| solver.assert(formula));
            Tried::by(&mut solver, self.work)
        });
        options.turns_to(&[]);
        if !tried.answer.is_open() {
            self.decided.fetch_min(setting, Ordering::Relaxed);
        }
        Some(tried)
    }
}

impl Attempts {
    /// As many of them as may be made with so much work left, if that is limited.
    fn within(&self, left: Option<u64>) -> Option<Self> {
        let Range { start, end } = self.settings;
        let Some(left) = left else {
            return Some(Self {
                settings: start..end,
                work: self.work,
            });
        };
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        let affordable = (left / self.work).max(1);
        (left > 0).then(|| Self {
            settings: start..end.min(start + affordable),
            work: self.work.min(left),
        })
    }
}

impl Tried {
    /// Asks whether what is asserted can be true, with so much work at most.
    fn by(solver: &mut Solver<'_>, work: u32) -> Self {
        let answer = solver.limited(work, Solver::check);
        Self {
            answer,
            queries: solver.queries(),
            resources: solver.resources(),
        }
    }

    /// Adds what it took to what the question took.
    fn is_counted(&self, raw: &mut Raw) {
        raw.queries += self.queries;
        raw.resources += self.resources;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_attempts_are_made_than_there_is_work_for() {
        let attempts = |left| {
            let within = LONG.within(left);
            within.map(|within| (within.settings, within.work))
        };
        assert_eq!(attempts(None), Some((16..20, GENEROUS)));
        assert_eq!(attempts(Some(u64::MAX)), Some((16..20, GENEROUS)));
        assert_eq!(
            attempts(Some(2 * u64::from(GENEROUS) + 1)),
            Some((16..18, GENEROUS))
        );
        assert_eq!(attempts(Some(5)), Some((16..17, 5)));
        assert_eq!(attempts(Some(0)), None);
    }
}
