//! More independence than footprints show.

use interpreter::Label;

/// Says more about steps than their footprints do. What it says must be true in all states, whether they can be reached or
/// not, or at least in all that can be reached; and it must say the same whenever it is asked.
pub trait Independence {
    /// Whether two labels are known to be independent though their footprints are not: wherever one of them has a step,
    /// the other one is enabled, disabled, or without a result after that step if and only if it was so before; and if both have
    /// a step, the two lead to the same state in either order.
    fn are_independent(&mut self, one: &Label, other: &Label) -> bool;

    /// Whether a step by a label is known to keep what a watch looks at, which is given by its position. If that is a
    /// clause: no label of this clause becomes disabled, except the label itself. If it is a formula: wherever it is not
    /// true for some values of its parameters, it is not true for these after the step.
    fn keeps(&mut self, label: &Label, watch: usize) -> bool;
}

/// Nothing but what footprints show.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByFootprints;

impl Independence for ByFootprints {
    fn are_independent(&mut self, _: &Label, _: &Label) -> bool {
        false
    }

    fn keeps(&mut self, _: &Label, _: usize) -> bool {
        false
    }
}
