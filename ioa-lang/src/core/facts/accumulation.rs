//! Assignments that accumulate in a place, by adding or removing: the iterations of a loop may execute them in any order.

use crate::core::expr::{Expr, ExprKind};
use crate::core::operator::{Accumulation, Op};
use crate::core::stmt::{Place, Projection};

impl Expr {
    /// How `place := self` accumulates, and by what; nothing if it does not.
    #[must_use]
    pub fn accumulates(&self, place: &Place) -> Option<(Accumulation, &Self)> {
        let ExprKind::Apply(op, args) = &self.kind else {
            return None;
        };
        let (how, position) = op.row().accumulation?;
        let [first, second] = &args[..] else {
            return None;
        };
        let (old, by) = match position {
            0 => (first, second),
            _ => (second, first),
        };
        old.reads(place, &place.path).then_some((how, by))
    }

    /// Whether it reads just the part of the place's variable to which the path leads.
    fn reads(&self, place: &Place, path: &[Projection]) -> bool {
        let Some((last, before)) = path.split_last() else {
            return self.kind == ExprKind::State(place.root);
        };
        let ExprKind::Apply(op, args) = &self.kind else {
            return false;
        };
        let is_last = match (op, last) {
            (Op::Select, Projection::Index(index)) | (Op::Lookup, Projection::Entry(index)) => {
                args[1] == *index
            }
            (Op::Field(field), Projection::Field(other)) => field == other,
            _ => false,
        };
        is_last && args[0].reads(place, before)
    }
}
