//! Work, counted: what a search comes to by such a limit is the same on every machine, and the same the next time.

use std::sync::atomic::{AtomicU64, Ordering};

/// Units of work in the time of a second on one core of a machine of today: a unit is about a nanosecond.
const A_SECOND: f64 = 1e9;

/// An evaluation of a formula in a state, by the interpreter.
const EVALUATION: u64 = 400;

/// The same by machine code.
const NATIVE_EVALUATION: u64 = 60;

/// A turn of a loop, by the interpreter.
const TURN: u64 = 150;

/// A formula made ready to be evaluated, whatever evaluates it.
const FORMULA: u64 = 50_000;

/// A formula made machine code, where it is told from making it ready.
const COMPILED: u64 = 800_000;

/// A test of a formula in a state, where it is told from asking for it.
const TEST: u64 = 8;

/// A visit to a state.
const VISIT: u64 = 100;

/// A step to a state that may have been visited before, by the interpreter.
const STEP: u64 = 2_000;

/// The same by machine code.
const NATIVE_STEP: u64 = 25;

/// A state replaced by what stands for it.
const RENAMED: u64 = 1_500;

/// The same where sorting finds that.
const SORTED: u64 = 150;

/// An instance made ready to be visited.
const INSTANCE: u64 = 5_000_000;

/// A look at a valuation of literals.
const LOOK: u64 = 20;

/// A question to the solver, and a unit of what it counts itself.
#[cfg(feature = "smt")]
const QUESTION: u64 = 50_000;
#[cfg(feature = "smt")]
const RESOURCE: u64 = 650;

/// The work that was done for something, by however many threads.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Work(AtomicU64);

impl Work {
    /// So many units.
    pub(in crate::pipeline) fn done(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The work in so many seconds, about.
    pub(in crate::pipeline) const fn in_seconds(seconds: f64) -> u64 {
        (seconds * A_SECOND) as u64
    }

    /// Formulas were evaluated so many times together. Returns how much work the evaluations are counted as.
    pub(super) fn evaluated(&self, formulas: usize, evaluations: usize, is_native: bool) -> u64 {
        let each = match is_native {
            true => NATIVE_EVALUATION,
            false => EVALUATION,
        };
        self.add(FORMULA, formulas as u64);
        self.add(each, evaluations as u64)
    }

    /// In evaluations that were counted as so much work, loops have taken so many turns, by the interpreter: if that is more work, it
    /// counts. Where collections have many elements, and formulas speak of two of them at a time, it is.
    pub(super) fn looped(&self, turns: u64, counted: u64) {
        self.add(1, turns.saturating_mul(TURN).saturating_sub(counted));
    }

    /// So many states of an instance were visited by so many steps, and formulas tested on each of them. Returns how much work the
    /// tests are counted as.
    pub(super) fn visited(
        &self,
        (states, steps): (u64, u64),
        formulas: usize,
        is_native: bool,
    ) -> u64 {
        let step = match is_native {
            true => NATIVE_STEP,
            false => STEP,
        };
        self.add(INSTANCE, 1);
        self.add(VISIT, states);
        let evaluations =
            usize::try_from(states).map_or(usize::MAX, |n| n.saturating_mul(formulas));
        self.add(step, steps);
        self.evaluated(formulas, evaluations, is_native)
    }

    /// So many states of an instance were visited by so many steps, and formulas tested on each of them, all by machine code. Here the
    /// work is that of this machine, rather than of evaluations that are asked for one by one.
    pub(super) fn tested(&self, (states, steps): (u64, u64), formulas: usize) {
        let formulas = formulas as u64;
        self.add(INSTANCE, 1);
        self.add(VISIT, states);
        self.add(NATIVE_STEP, steps);
        self.add(COMPILED, formulas);
        self.add(TEST, formulas.saturating_mul(states));
    }

    /// So many states were replaced by what stands for them, which sorting found, or ways of renaming.
    pub(super) fn renamed(&self, states: u64, by_sorting: bool) {
        let each = if by_sorting { SORTED } else { RENAMED };
        self.add(each, states);
    }

    /// So many valuations were looked at.
    pub(super) fn looked(&self, looks: u64) {
        self.add(LOOK, looks);
    }

    /// The solver has answered a question, with so much work in its own unit.
    #[cfg(feature = "smt")]
    pub(in crate::pipeline) fn asked(&self, resources: u64) {
        self.add(QUESTION, 1);
        self.add(RESOURCE, resources);
    }

    /// Adds something that was done so many times. Returns how much work that is.
    fn add(&self, units: u64, times: u64) -> u64 {
        let more = units.saturating_mul(times);
        self.0.update(Ordering::Relaxed, Ordering::Relaxed, |done| {
            done.saturating_add(more)
        });
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_count_where_they_are_more_work_than_evaluations() {
        let (short, long) = (Work::default(), Work::default());
        for (work, turns) in [(&short, 10), (&long, 10_000)] {
            let counted = work.evaluated(1, 10, false);
            work.looped(turns, counted);
        }
        assert_eq!(short.done(), FORMULA + 10 * EVALUATION);
        assert_eq!(long.done(), FORMULA + 10_000 * TURN);
    }

    #[test]
    fn what_is_interpreted_is_more_work_and_no_sum_overflows() {
        let (interpreted, native) = (Work::default(), Work::default());
        interpreted.visited((1000, 5000), 3, false);
        native.visited((1000, 5000), 3, true);
        assert!(interpreted.done() > native.done());
        assert!(native.done() > INSTANCE + 3 * FORMULA);
        native.looked(u64::MAX);
        native.looked(1);
        assert_eq!(native.done(), u64::MAX);
    }
}
