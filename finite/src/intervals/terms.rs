//! The interval in which the value of an integer term lies.

use num_traits::ToPrimitive;

use super::super::{Place, Range};
use super::{ALL, Analysis, Scene};
use ioa_lang::core::{Expr, ExprKind, Form, Op, StateRef, Store, Type};

impl Analysis<'_> {
    /// The interval of the elements of a set of integers, or of the keys of a map.
    pub(super) fn elements(&self, set: &Expr) -> Option<Range> {
        self.found.get(&Place::Part(set.ty.clone(), 0)).copied()
    }

    /// The interval of an integer term; none if it has no value yet.
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
                    let known = scene.terms.get(expr).map(|(_, range)| *range);
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
        if !op.is_bounded() {
            return Some(all);
        }
        // Each argument is evaluated only once, for terms may be deeply nested.
        let mut ranges = args.iter().map(|arg| self.interval(arg, scene));
        let first = ranges.next()??;
        let second = ranges.next().unwrap_or(Some(first))?;
        op.interval(first, second).or(Some(all))
    }

    /// The place whose value a term denotes.
    pub(super) fn place(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::State(StateRef {
                store: Store::Pre,
                var,
            }) => Some(Place::Variable(self.automaton, *var)),
            ExprKind::Apply(op, args) => {
                let whole = &args.first()?.ty;
                let position = match op.form() {
                    Form::Index => element_position(whole)?,
                    Form::Part => op.part(),
                    _ => return None,
                };
                Some(Place::Part(whole.clone(), position))
            }
            _ => None,
        }
    }
}

/// The position of the elements among the parts of a collection, if these have places.
pub(super) fn element_position(collection: &Type) -> Option<u32> {
    match collection {
        Type::Set(_) | Type::Null(_) => Some(0),
        Type::Array(..) | Type::Map(..) => Some(1),
        _ => None,
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
