//! Comparisons of sums and differences, solved for a part of them.

use super::Subject;
use crate::core::expr::{Expr, ExprKind};
use crate::core::operator::Op;
use crate::core::types::Type;

impl Expr {
    /// What a comparison of integers says of a subject alone, if this occurs in it once, in a sum or a difference: `n + 1 < k`
    /// says `n < k - 1`. It says so where the comparison is defined.
    #[must_use]
    pub fn solved_for(&self, subject: &Subject) -> Option<Self> {
        let ExprKind::Apply(op @ (Op::Eq | Op::Lt | Op::Le), sides) = &self.kind else {
            return None;
        };
        let [left, right] = &sides[..] else {
            return None;
        };
        let is_in = |term: &Self| term.mentions(subject.variable);
        let (mut side, mut other, mut is_left) = match (is_in(left), is_in(right)) {
            (true, false) => (left, right.clone(), true),
            (false, true) => (right, left.clone(), false),
            _ => return None,
        };
        let number = |op: Op, parts: [Self; 2]| Self::apply(op, parts.into(), Type::Int, self.span);
        while !subject.is(side) {
            let ExprKind::Apply(sign @ (Op::Add | Op::Sub), parts) = &side.kind else {
                return None;
            };
            let [first, second] = &parts[..] else {
                return None;
            };
            let is_sum = *sign == Op::Add;
            (side, other, is_left) = match (is_in(first), is_in(second)) {
                (true, false) if is_sum => {
                    (first, number(Op::Sub, [other, second.clone()]), is_left)
                }
                (false, true) if is_sum => {
                    (second, number(Op::Sub, [other, first.clone()]), is_left)
                }
                (true, false) => (first, number(Op::Add, [other, second.clone()]), is_left),
                (false, true) => (second, number(Op::Sub, [first.clone(), other]), !is_left),
                _ => return None,
            };
        }
        let sides = match is_left {
            true => vec![side.clone(), other],
            false => vec![other, side.clone()],
        };
        Some(Self::apply(*op, sides, Type::Bool, self.span))
    }
}
