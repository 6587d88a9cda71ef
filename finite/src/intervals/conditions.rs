//! What a true or a false condition says about the intervals of terms.

use std::collections::BTreeSet;

use super::super::Range;
use super::terms::intersection;
use super::{ALL, Analysis, Scene};
use ioa_lang::core::{Expr, ExprKind, Op};

impl Analysis<'_> {
    /// Assumes that a condition is true.
    pub(super) fn assume(&self, condition: &Expr, scene: &mut Scene) {
        for conjunct in condition.conjuncts() {
            match &conjunct.kind {
                ExprKind::Apply(op @ (Op::Lt | Op::Le), args) => {
                    self.ordered(*op, &args[0], &args[1], scene);
                }
                ExprKind::Apply(Op::Eq, args) => {
                    self.compare(&args[0], &args[1], 0, scene);
                    self.compare(&args[1], &args[0], 0, scene);
                }
                ExprKind::Apply(Op::Member, args) if args[0].ty.is_integer() => {
                    let elements = self.elements(&args[1]);
                    elements
                        .into_iter()
                        .for_each(|range| self.limit(&args[0], range, scene));
                }
                ExprKind::Apply(Op::Defined, args) if args[1].ty.is_integer() => {
                    let keys = self.elements(&args[0]);
                    keys.into_iter()
                        .for_each(|range| self.limit(&args[1], range, scene));
                }
                ExprKind::Apply(Op::Not, args) => self.assume_not(&args[0], scene),
                _ => {}
            }
        }
    }

    /// Assumes that a condition is false.
    pub(super) fn assume_not(&self, condition: &Expr, scene: &mut Scene) {
        if let ExprKind::Apply(op, args) = &condition.kind
            && let Some(opposite) = op.opposite()
        {
            self.ordered(opposite, &args[1], &args[0], scene);
        }
    }

    /// Assumes that one term is less than another, or not greater.
    fn ordered(&self, op: Op, less: &Expr, more: &Expr, scene: &mut Scene) {
        self.compare(less, more, i64::from(op == Op::Lt), scene);
    }

    /// Assumes that one integer is less than another by at least the given amount.
    fn compare(&self, less: &Expr, more: &Expr, by: i64, scene: &mut Scene) {
        if !less.ty.is_integer() {
            return;
        }
        let (Some(a), Some(b)) = (self.interval(less, scene), self.interval(more, scene)) else {
            return;
        };
        let high = b.high.saturating_sub(by);
        let low = a.low.saturating_add(by);
        self.limit(less, Range { high, ..ALL }, scene);
        self.limit(more, Range { low, ..ALL }, scene);
    }

    /// Assumes that the value of a term lies in an interval.
    fn limit(&self, expr: &Expr, range: Range, scene: &mut Scene) {
        let Some(old) = self.interval(expr, scene) else {
            return;
        };
        let new = intersection(old, range);
        scene.dead |= new.low > new.high;
        if let ExprKind::Local(local) = expr.kind {
            scene.locals.insert(local, new);
        } else if self.place(expr).is_some() {
            let mut mentioned = BTreeSet::new();
            expr.walk(&mut |e| {
                if let ExprKind::State(state) = e.kind {
                    mentioned.insert(state.var);
                }
            });
            scene.terms.insert(expr.clone(), (mentioned, new));
        }
    }
}
