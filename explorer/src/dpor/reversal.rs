//! What is to be tried after an execution has ended: its races, the other way round.

use super::dependence::{Dependence, LabelId};
use super::run::Run;

/// A step of an execution that has ended.
pub(super) struct Reversed<'r> {
    pub(super) run: &'r Run,
    /// The position of the step.
    pub(super) at: usize,
    /// The labels that were enabled before the step.
    pub(super) before: &'r [LabelId],
    /// Those that were enabled after it.
    pub(super) after: &'r [LabelId],
}

impl Reversed<'_> {
    /// The sequences that reverse a race of the step, each to be taken from the state before it. `is_enabled` says whether
    /// a label is enabled after a sequence of steps from there.
    pub(super) fn sequences(
        &self,
        dependence: &Dependence<'_>,
        mut is_enabled: impl FnMut(&[LabelId], LabelId) -> bool,
    ) -> Vec<Vec<LabelId>> {
        let step = self.run.label(self.at);
        let mut first = self.disabled();
        let races = self.run.races(self.at).iter();
        let mut raced: Vec<LabelId> = races.map(|race| self.run.label(*race)).collect();
        raced.retain(|later| *later != step && !first.contains(later));
        if first.is_empty() && raced.is_empty() {
            return Vec::new();
        }
        let others = self.run.not_after(self.at);
        let can_be_first = |later: &LabelId| {
            // It is enabled where it was taken, and nothing else that happens between the two decides about it.
            if !dependence.decides_about(step, *later) {
                return true;
            }
            let mut deciding = others.iter();
            match deciding.any(|other| dependence.decides_about(*other, *later)) {
                true => is_enabled(&others, *later),
                false => self.before.contains(later),
            }
        };
        raced.retain(can_be_first);
        first.extend(raced);
        let reversed = |label| others.iter().copied().chain([label]).collect();
        first.into_iter().map(reversed).collect()
    }

    /// The labels that the step has disabled.
    fn disabled(&self) -> Vec<LabelId> {
        let step = self.run.label(self.at);
        let before = self.before.iter().copied();
        before
            .filter(|label| *label != step && !self.after.contains(label))
            .collect()
    }
}
