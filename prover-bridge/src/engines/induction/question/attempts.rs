//! Attempts at a question, each with another setting of the solver, whose luck with quantifiers changes with each of them.
//!
//! Of those that come to an answer the first in their order decides, and only those up to it are counted. So it makes no difference
//! whether they are made one after the other or side by side.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use z3::ast::Bool;
use z3::{PrepareSynchronized, Synchronized};

use super::{FIRST, GENEROUS, Question, is_open};
use crate::engines::induction::round::{Lanes, Raw};
use crate::engines::induction::spread::spread;
use crate::obligations::{Case, Kind};
use crate::options::{Allowance, Options};
use crate::solver::{Answer, Solver, in_context_of};

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

impl Question<'_, '_, '_> {
    /// Whether one of some attempts with few premises, or with all, finds a proof: one after the other, in the context that the
    /// question is in. If none does, that says nothing.
    pub(super) fn is_soon_proved(
        &self,
        few: Option<&[usize]>,
        attempts: &Attempts,
        case: &Case<'_>,
        raw: &mut Raw,
    ) -> bool {
        let mut answers = attempts.settings.clone().map(|setting| {
            let mut solver = Solver::varied(self.round.options, setting).allowed(&self.allowance);
            self.state(&mut solver, few, case);
            let tried = Tried::by(&mut solver, attempts.work);
            tried.is_counted(raw);
            tried.answer
        });
        answers.find(|answer| !is_open(answer)) == Some(Answer::Unsat)
    }

    /// The same where each attempt may take long: as many side by side as there are threads for, each in a context of its own.
    pub(super) fn is_proved(
        &self,
        few: Option<&[usize]>,
        attempts: &Attempts,
        case: &Case<'_>,
        raw: &mut Raw,
    ) -> bool {
        let options = self.round.options;
        let attempts = attempts.within(self.allowance.work());
        let Some(attempts) = attempts.filter(|_| !self.allowance.time().is_zero()) else {
            return false;
        };
        let mut solver = Solver::new(options);
        self.state(&mut solver, few, case);
        let side_by_side = SideBySide {
            kind: self.kind,
            options,
            time: self.allowance.of_time(),
            work: attempts.work,
            stated: solver.asserted().synchronized(),
            decided: AtomicU32::new(u32::MAX),
        };
        let settings: Vec<u32> = attempts.settings.collect();
        // This thread is at nothing while others work for it.
        options.turns_to(&[]);
        let abreast = self.round.lanes.map_or(1, Lanes::abreast);
        let tried = spread(&settings, abreast, |setting| {
            vec![(*setting, side_by_side.attempt(*setting))]
        });
        options.turns_to_obligations(&[self.kind]);
        let last = side_by_side.decided.into_inner();
        let upto = tried
            .into_iter()
            .take_while(|(setting, _)| *setting <= last);
        let mut answers = upto.filter_map(|(_, tried)| {
            let tried = tried?;
            tried.is_counted(raw);
            self.allowance.spend(tried.resources);
            options.spends(tried.resources);
            Some(tried.answer)
        });
        answers.find(|answer| !is_open(answer)) == Some(Answer::Unsat)
    }

    /// Asserts what the case assumes, with some of the invariants or all, and that its goals fail.
    fn state(&self, solver: &mut Solver<'_>, premises: Option<&[usize]>, case: &Case<'_>) {
        for piece in self.pieces(case, premises) {
            solver.assert_all(std::slice::from_ref(piece));
        }
        solver.deny(&case.goals);
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
        if !is_open(&tried.answer) {
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
