//! Finds partial operators that are guarded by formulas evaluated before them.
//!
//! In `x ~= nil => p(x.val)` the value of `x.val` matters only if `x` is not `nil`. So it can be computed without a check,
//! with an arbitrary result if `x` is `nil`. Then the term cannot fault, may be evaluated early or needlessly, and takes no
//! branch.

use ioa_lang::core::{Expr, ExprKind, Known, Op, TermId, Type};
use rustc_hash::FxHashSet;

/// The guarded terms, by node: a guard of one term does not guard a copy of it elsewhere.
#[derive(Debug, Default)]
pub(super) struct Guarded(FxHashSet<TermId>);

impl Guarded {
    /// The terms in some conjuncts, each of which guards those after it.
    pub(super) fn by(conjuncts: &[&Expr], mut is_packed: impl FnMut(&Type) -> bool) -> Self {
        let mut found = Search::default();
        found.in_order(conjuncts.iter().copied(), true);
        let mut guarded = found.guarded;
        // Only a packed value can be replaced by an arbitrary word where its value does not matter.
        guarded.retain(|term| term.children().all(|part| is_packed(&part.ty)));
        Self(guarded.into_iter().map(Expr::id).collect())
    }

    /// The terms in some conjuncts whose outermost operator has a value where all formulas of `holding` are true.
    pub(super) fn where_true(holding: &[&Expr], conjuncts: &[&Expr]) -> Self {
        let known = Known::of(holding.iter().copied());
        let mut found = FxHashSet::default();
        for conjunct in conjuncts {
            conjunct.walk(&mut |term| {
                if known.defines_outermost(term) {
                    found.insert(term.id());
                }
            });
        }
        Self(found)
    }

    pub(super) fn contains(&self, expr: &Expr) -> bool {
        self.0.contains(&expr.id())
    }
}

/// Which terms are guarded.
#[derive(Default)]
struct Search<'e> {
    /// What holds where a term is evaluated.
    known: Known<'e>,
    guarded: Vec<&'e Expr>,
}

impl<'e> Search<'e> {
    fn visit(&mut self, expr: &'e Expr) {
        match &expr.kind {
            ExprKind::If(condition, yes, no) => {
                self.visit(condition);
                for (branch, outcome) in [(yes, true), (no, false)] {
                    let before = self.known.mark();
                    self.known.learn(condition, outcome);
                    self.visit(branch);
                    self.known.forget(before);
                }
            }
            ExprKind::Apply(op, args) => {
                match op.row().guards {
                    Some(goes_on_if) => self.in_order(args.iter(), goes_on_if),
                    None => args.iter().for_each(|arg| self.visit(arg)),
                }
                // There is code without a check for these two.
                if matches!(op, Op::Val | Op::Lookup) && self.known.defines_outermost(expr) {
                    self.guarded.push(expr);
                }
            }
            _ => expr.children().for_each(|child| self.visit(child)),
        }
    }

    /// Visits terms, each of which is evaluated only where those before it had this outcome.
    fn in_order(&mut self, terms: impl Iterator<Item = &'e Expr>, outcome: bool) {
        let before = self.known.mark();
        for term in terms {
            self.visit(term);
            self.known.learn(term, outcome);
        }
        self.known.forget(before);
    }
}
