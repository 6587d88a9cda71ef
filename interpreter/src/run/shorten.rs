//! Shortens a run that fails: steps are left out as long as the rest still fails in the same way.
//!
//! This is delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on
//! Software Engineering 28(2), 2002, section 3) on the labels of the steps. Steps that are no longer enabled, because others
//! were left out, are left out as well.

use super::{Ending, Violation};
use crate::executor::Executor;
use crate::instance::Instance;
use crate::state::layout::State;
use crate::trace::{Step, Trace};
use crate::transition::TransitionSystem;

/// A shorter run that fails in the same way as another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortened {
    /// Its execution.
    pub trace: Trace,
    /// How it ends.
    pub ending: Ending,
    /// Whether it is known that no single step can be left out.
    pub is_minimal: bool,
}

/// Shortens a run that violates an invariant to one that violates the same invariant, taking at most the given number of
/// steps in the search. None if it cannot be shortened, or does not violate an invariant.
pub fn shorten(
    instance: &Instance,
    trace: &Trace,
    ending: &Ending,
    most: u64,
) -> Option<Shortened> {
    let Ending::Violated(violations) = ending else {
        return None;
    };
    let executor = Executor::new(instance, trace.automaton).ok()?;
    let mut search = Search {
        executor,
        start: &trace.start,
        invariant: violations.first()?.invariant,
        left: most,
    };
    let mut steps = trace.steps.clone();
    let is_minimal = search.minimise(&mut steps);
    if steps.len() >= trace.steps.len() {
        return None;
    }
    let last = steps.last().map_or(&trace.start, |step| &step.state);
    let violations: Vec<Violation> = search.executor.violations(last).ok()?;
    Some(Shortened {
        ending: Ending::Violated(violations),
        trace: Trace {
            steps,
            ..Trace::clone(trace)
        },
        is_minimal,
    })
}

/// A search for shorter runs.
struct Search<'i, 's> {
    executor: Executor<'i>,
    start: &'s State,
    /// The invariant that has to be violated, by its position in the model.
    invariant: usize,
    /// How many more steps the search may take.
    left: u64,
}

impl Search<'_, '_> {
    /// Leaves out as many steps as possible: it tries halves, quarters and so on down to single steps, and repeats the last
    /// until no step can be left out. Returns whether it finished.
    fn minimise(&mut self, steps: &mut Vec<Step>) -> bool {
        let mut length = steps.len().div_ceil(2);
        while length > 0 {
            let before = steps.len();
            if !self.leave_out_each(length, steps) {
                return false;
            }
            if length > 1 {
                length = length.div_ceil(2).min(length - 1);
            } else if steps.len() == before {
                return true;
            }
        }
        true
    }

    /// Tries to leave out each block of this length, the last one first. Returns whether it finished.
    fn leave_out_each(&mut self, length: usize, steps: &mut Vec<Step>) -> bool {
        let mut end = steps.len();
        while end > 0 {
            let begin = end.saturating_sub(length);
            if let Some(shorter) = self.without(begin..end, steps) {
                *steps = shorter;
            }
            if self.left == 0 || self.executor.instance().cancel().is_set() {
                return false;
            }
            end = begin.min(steps.len());
        }
        true
    }

    /// The run without some steps, if it still fails.
    fn without(&mut self, left_out: std::ops::Range<usize>, steps: &[Step]) -> Option<Vec<Step>> {
        let mut kept = steps[..left_out.start].to_vec();
        for step in &steps[left_out.end..] {
            self.left = self.left.checked_sub(1)?;
            let here = kept.last().map_or(self.start, |step| &step.state);
            let next = self.executor.successor(here, &step.label).ok()?;
            let Some(state) = next.filter(|next| next != here) else {
                continue;
            };
            let violated = self.executor.violated(&state).ok()?;
            let fails = violated.contains(&self.invariant);
            if !fails && !violated.is_empty() {
                return None;
            }
            kept.push(Step {
                label: step.label.clone(),
                state,
            });
            if fails {
                return Some(kept);
            }
        }
        None
    }
}
