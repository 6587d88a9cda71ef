//! Bounds that no single condition states in so many words: `n + 1 < k` is `n < k - 1`, and `n < 2 \\/ n = 5` bounds `n` because
//! each of its cases does.
//!
//! The conditions themselves are checked for each value that is tried, so what is found here may be too many values, but must
//! not be too few.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op};

use super::{Compiler, Reach};
use crate::code::{Domain, Source, Term, Word};

impl Compiler<'_> {
    /// Whether conditions bound `x` in one of these ways.
    pub(super) fn is_reached(&mut self, x: LocalId, conditions: &[&Expr]) -> bool {
        let solved = self.solved(x, conditions);
        let solved: Vec<&Expr> = solved.iter().collect();
        self.direct_reach(x, &solved) != Reach::Unbounded || self.cases(x, conditions).is_some()
    }

    /// The values to try for `x` if conditions bound it in one of these ways.
    pub(super) fn reached(
        &mut self,
        x: LocalId,
        conditions: &[&Expr],
        span: Span,
    ) -> Option<Domain> {
        let solved = self.solved(x, conditions);
        let solved: Vec<&Expr> = solved.iter().collect();
        if self.direct_reach(x, &solved) != Reach::Unbounded {
            return Some(self.domain(x, solved, span).0);
        }
        let cases = self.cases(x, conditions)?;
        let sources = cases.iter().map(|case| self.values_in(x, case, span));
        Some(Domain::Found(sources.collect()))
    }

    /// The conditions, each followed by what it says of `x` alone if that is another condition.
    fn solved(&self, x: LocalId, conditions: &[&Expr]) -> Vec<Expr> {
        let is_integer = self.local_type(x).is_integer();
        let each = conditions.iter().flat_map(|condition| {
            let solved =
                (is_integer && self.is_total(condition)).then(|| condition.solved_for(&x.into()));
            std::iter::once((*condition).clone()).chain(solved.flatten())
        });
        each.collect()
    }

    /// The cases of a disjunction each of which bounds `x`, if there is one that may be evaluated before the conditions in
    /// front of it.
    fn cases<'e>(&mut self, x: LocalId, conditions: &[&'e Expr]) -> Option<&'e [Expr]> {
        for condition in conditions {
            if !condition.is_total() {
                return None;
            }
            if let ExprKind::Apply(Op::Or, cases) = &condition.kind
                && cases
                    .iter()
                    .all(|case| self.reach(x, &case.conjuncts()) != Reach::Unbounded)
            {
                return Some(cases);
            }
        }
        None
    }

    /// The values to try for `x` in one case.
    fn values_in(&mut self, x: LocalId, case: &Expr, span: Span) -> Source {
        let (outer, _) = self.domain(x, case.conjuncts(), span);
        let ty = self.local_type(x).clone();
        let value: Term = self.term(&Expr::new(ExprKind::Local(x), ty, span));
        Source {
            given: Word::TRUE,
            outer,
            slot: x.0,
            filter: Word::TRUE,
            value,
        }
    }
}
