//! What is to be tried after an execution has ended: its races, the other way round.

use super::dependence::{Dependence, LabelId};
use super::run::Run;

/// The sequences of steps that reverse a race of the step at a position, each to be taken from the state before that
/// step, in which these labels were enabled.
pub(super) fn reversals(
    run: &Run,
    at: usize,
    enabled: &[LabelId],
    dependence: &Dependence,
) -> Vec<Vec<LabelId>> {
    let step = run.label(at);
    let is_disabled = |label: &&LabelId| **label != step && dependence.decides_about(step, **label);
    let mut first: Vec<LabelId> = enabled.iter().filter(is_disabled).copied().collect();
    for race in run.races(at) {
        let later = run.label(race);
        // If the step decides about the later one, this was enabled before, and is among those above, or it was not.
        if later != step && !dependence.decides_about(step, later) && !first.contains(&later) {
            first.push(later);
        }
    }
    if first.is_empty() {
        return Vec::new();
    }
    let others = run.not_after(at);
    let reversed = |label| others.iter().copied().chain([label]).collect();
    first.into_iter().map(reversed).collect()
}
