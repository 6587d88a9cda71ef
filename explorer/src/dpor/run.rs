//! An execution with its happens-before order.

use super::dependence::{Dependence, LabelId};
use crate::liveness::Bits;

/// The steps of an execution, in the order in which they were taken.
#[derive(Debug, Default)]
pub(super) struct Run {
    steps: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    label: LabelId,
    /// The positions of the steps that happen before it.
    past: Bits,
    /// The positions of those that happen before it with nothing between the two, the last one first.
    just_before: Vec<usize>,
    /// The positions of the steps that it is just before, in order.
    just_after: Vec<usize>,
}

impl Run {
    /// How many steps there are.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The label of a step.
    pub(super) fn label(&self, at: usize) -> LabelId {
        self.steps[at].label
    }

    /// Appends a step.
    pub(super) fn push(&mut self, label: LabelId, dependence: &mut Dependence<'_>) {
        let position = self.len();
        let (mut past, mut just_before) = (Bits::none(position), Vec::new());
        for (at, step) in self.steps.iter_mut().enumerate().rev() {
            if !past.has(at) && dependence.are_dependent(step.label, label) {
                past.insert(at);
                past.unite(&step.past);
                just_before.push(at);
                step.just_after.push(position);
            }
        }
        self.steps.push(Step {
            label,
            past,
            just_before,
            just_after: Vec::new(),
        });
    }

    /// Takes the last step back.
    pub(super) fn pop(&mut self) {
        if let Some(last) = self.steps.pop() {
            for at in last.just_before {
                self.steps[at].just_after.pop();
            }
        }
    }

    /// Whether one step happens before a later one.
    pub(super) fn happens_before(&self, one: usize, later: usize) -> bool {
        one < later && self.steps[later].past.has(one)
    }

    /// The steps after a position that do not happen after the step there.
    pub(super) fn not_after(&self, at: usize) -> Vec<LabelId> {
        let later = (at + 1..self.len()).filter(|later| !self.happens_before(at, *later));
        later.map(|later| self.label(later)).collect()
    }

    /// The positions of the steps that are in a race with the one at a position: they happen after it, and nothing happens
    /// between the two.
    pub(super) fn races(&self, at: usize) -> &[usize] {
        &self.steps[at].just_after
    }

    /// The positions of the last step and of all that happen before it.
    pub(super) fn causes_of_last(&self) -> Vec<usize> {
        let last = self.steps.last().map(|step| step.past.iter().collect());
        let mut causes: Vec<usize> = last.unwrap_or_default();
        causes.extend(self.len().checked_sub(1));
        causes
    }
}
