//! Between which integers the value of a term lies.

use num_traits::ToPrimitive;

use super::super::{Place, Range};
use super::{ALL, Analysis, Scene};
use crate::core::{Expr, ExprKind, Op, StateRef, Store, Type, fingerprint};

impl Analysis<'_> {
    /// The interval of the elements of a set of integers, or of the keys of a map.
    pub(super) fn elements(&self, set: &Expr) -> Option<Range> {
        self.found.get(&Place::Part(set.ty.clone(), 0)).copied()
    }

    /// The interval of an integer; nothing if there is none yet.
    pub(super) fn interval(&self, expr: &Expr, scene: &Scene) -> Option<Range> {
        let all = every(&expr.ty);
        let range = match &expr.kind {
            ExprKind::Int(n) => n.to_i64().map_or(all, |n| Range { low: n, high: n }),
            ExprKind::Local(local) => scene.locals.get(local).copied().unwrap_or(all),
            ExprKind::If(_, a, b) => match (self.interval(a, scene), self.interval(b, scene)) {
                (Some(a), Some(b)) => a.hull(b),
                (one, other) => return one.or(other),
            },
            _ => match self.place(expr) {
                Some(place) => {
                    let known = scene.terms.get(&fingerprint(expr)).map(|(_, range)| *range);
                    known.or_else(|| self.found.get(&place).copied())?
                }
                None => match &expr.kind {
                    ExprKind::Apply(op, args) => self.computed(*op, args, all, scene)?,
                    _ => all,
                },
            },
        };
        let range = intersection(range, all);
        (range.low <= range.high).then_some(range)
    }

    fn computed(&self, op: Op, args: &[Expr], all: Range, scene: &Scene) -> Option<Range> {
        // Each argument once, for terms may be nested deeply.
        let ranges: Vec<Option<Range>> = match op {
            Op::Add
            | Op::Sub
            | Op::Neg
            | Op::Mul
            | Op::Min
            | Op::Max
            | Op::Abs
            | Op::Mod
            | Op::Div => args.iter().map(|arg| self.interval(arg, scene)).collect(),
            _ => Vec::new(),
        };
        let arg = |at: usize| ranges.get(at).copied().flatten();
        let products = |a: Range, b: Range| {
            let ends = [
                (a.low, b.low),
                (a.low, b.high),
                (a.high, b.low),
                (a.high, b.high),
            ];
            ends.map(|(a, b)| a.saturating_mul(b))
        };
        Some(match op {
            Op::Add => Range {
                low: arg(0)?.low.saturating_add(arg(1)?.low),
                high: arg(0)?.high.saturating_add(arg(1)?.high),
            },
            Op::Sub => Range {
                low: arg(0)?.low.saturating_sub(arg(1)?.high),
                high: arg(0)?.high.saturating_sub(arg(1)?.low),
            },
            Op::Neg => Range {
                low: arg(0)?.high.saturating_neg(),
                high: arg(0)?.low.saturating_neg(),
            },
            Op::Mul => {
                let ends = products(arg(0)?, arg(1)?);
                Range {
                    low: ends.into_iter().fold(i64::MAX, i64::min),
                    high: ends.into_iter().fold(i64::MIN, i64::max),
                }
            }
            Op::Min => Range {
                low: arg(0)?.low.min(arg(1)?.low),
                high: arg(0)?.high.min(arg(1)?.high),
            },
            Op::Max => Range {
                low: arg(0)?.low.max(arg(1)?.low),
                high: arg(0)?.high.max(arg(1)?.high),
            },
            Op::Abs => {
                let Range { low, high } = arg(0)?;
                let high = high.max(low.saturating_neg());
                Range { low: 0, high }
            }
            Op::Mod if arg(1)?.low > 0 => Range {
                low: 0,
                high: arg(1)?.high - 1,
            },
            Op::Div if arg(0)?.low >= 0 && arg(1)?.low > 0 => Range {
                low: 0,
                high: arg(0)?.high / arg(1)?.low,
            },
            _ => all,
        })
    }

    /// The place that a term names a value of.
    pub(super) fn place(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::State(StateRef {
                store: Store::Pre,
                var,
            }) => Some(Place::Variable(self.automaton, *var)),
            ExprKind::Apply(op, args) => {
                let position = match op {
                    Op::Select | Op::Lookup => 1,
                    Op::Field(position) | Op::Payload(position) => *position,
                    Op::Val => 0,
                    _ => return None,
                };
                Some(Place::Part(args[0].ty.clone(), position))
            }
            _ => None,
        }
    }
}

/// All values of a type of integers.
pub(super) fn every(ty: &Type) -> Range {
    let low = if *ty == Type::Nat { 0 } else { ALL.low };
    Range { low, ..ALL }
}

pub(super) fn intersection(a: Range, b: Range) -> Range {
    Range {
        low: a.low.max(b.low),
        high: a.high.min(b.high),
    }
}
