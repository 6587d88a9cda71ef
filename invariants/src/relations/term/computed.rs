//! Numbers that are computed from others, as far as conditions of the text compare them. Nothing is said of such a number by itself.

use ioa_lang::core::{Expr, ExprKind, Op, Type};
use num_traits::ToPrimitive;

use super::kind::{Computed, Kind, TermId, leaf};
use super::terms::Terms;

/// So many numbers are computed in a frame at most.
const MAX_COMPUTED: usize = 8;

impl Terms {
    /// The term that an expression is.
    pub(crate) fn find(&self, expr: &Expr) -> Option<TermId> {
        self.ids().find(|id| self.get(*id).expr == *expr)
    }

    /// The term that an expression over numbers is, which becomes one if it is none yet.
    pub(crate) fn find_or_compute(&mut self, expr: &Expr) -> Option<TermId> {
        if let Some(known) = self.find(expr) {
            return Some(known);
        }
        let is_full = || {
            let computed = self.select(|term| matches!(term.kind, Kind::Computed(_)));
            computed.len() >= MAX_COMPUTED
        };
        let computed = self.computed(expr)?;
        let parts = computed.terms();
        if parts.is_empty() || is_full() {
            return None;
        }
        let mut term = leaf(Kind::Computed(computed), expr.clone());
        term.measure = None;
        for part in parts {
            let part = self.get(part);
            term.binders |= part.binders;
            term.columns.extend(&part.columns);
            term.guards.extend(&part.guards);
        }
        self.push(term);
        Some(self.len() - 1)
    }

    fn computed(&self, expr: &Expr) -> Option<Computed> {
        let is_number = |id: &TermId| self.get(*id).measure.is_some();
        match &expr.kind {
            ExprKind::Int(number) => Some(Computed::Number(number.to_i64()?)),
            ExprKind::Apply(op @ (Op::Add | Op::Mul | Op::Min | Op::Max | Op::Abs), args)
                if expr.ty.is_integer() =>
            {
                self.applied(*op, args)
            }
            // A difference of natural numbers may have no value.
            ExprKind::Apply(Op::Sub, args) if expr.ty == Type::Int => self.applied(Op::Sub, args),
            _ => self.find(expr).filter(is_number).map(Computed::Term),
        }
    }

    fn applied(&self, op: Op, args: &[Expr]) -> Option<Computed> {
        let args = args.iter().map(|arg| self.computed(arg));
        Some(Computed::Applied(op, args.collect::<Option<_>>()?))
    }
}
