//! Finds partial operators that are guarded by formulas evaluated before them.
//!
//! In `x ~= nil => p(x.val)` the value of `x.val` matters only if `x` is not `nil`. So it can be computed without a check,
//! with an arbitrary result if `x` is `nil`. Then the term cannot fault, may be evaluated early or needlessly, and takes no
//! branch.

use ioa_lang::core::{Expr, ExprKind, Op, TermId, Type};
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

    pub(super) fn contains(&self, expr: &Expr) -> bool {
        self.0.contains(&expr.id())
    }
}

/// The facts that hold where a term is evaluated.
#[derive(Default)]
struct Search<'e> {
    /// Atoms that are true.
    known: Vec<Fact<'e>>,
    guarded: Vec<&'e Expr>,
}

/// What an atom says about a term.
#[derive(Clone, Copy)]
enum Fact<'e> {
    /// It is not `nil`.
    Some(&'e Expr),
    /// The first, a map, has an entry for the second.
    Defined(&'e Expr, &'e Expr),
}

impl<'e> Search<'e> {
    fn visit(&mut self, expr: &'e Expr) {
        match &expr.kind {
            ExprKind::If(condition, yes, no) => {
                self.visit(condition);
                for (branch, outcome) in [(yes, true), (no, false)] {
                    let before = self.known.len();
                    self.learn(condition, outcome);
                    self.visit(branch);
                    self.known.truncate(before);
                }
            }
            ExprKind::Apply(op, args) => {
                match op.row().guards {
                    Some(goes_on_if) => self.in_order(args.iter(), goes_on_if),
                    None => args.iter().for_each(|arg| self.visit(arg)),
                }
                let is_guarded = |fact: &Fact<'_>| match (*fact, op, &args[..]) {
                    (Fact::Some(known), Op::Val, [null]) => same(known, null),
                    (Fact::Defined(known, at), Op::Lookup, [map, key]) => {
                        same(known, map) && same(at, key)
                    }
                    _ => false,
                };
                if self.known.iter().any(is_guarded) {
                    self.guarded.push(expr);
                }
            }
            _ => expr.children().for_each(|child| self.visit(child)),
        }
    }

    /// Visits terms, each of which is evaluated only where those before it had this outcome.
    fn in_order(&mut self, terms: impl Iterator<Item = &'e Expr>, outcome: bool) {
        let before = self.known.len();
        for term in terms {
            self.visit(term);
            self.learn(term, outcome);
        }
        self.known.truncate(before);
    }

    /// Notes what follows from a formula that is true, or false.
    fn learn(&mut self, formula: &'e Expr, outcome: bool) {
        match (&formula.kind, outcome) {
            (ExprKind::Apply(Op::Not, args), _) => self.learn(&args[0], !outcome),
            (ExprKind::Apply(Op::And, args), true) | (ExprKind::Apply(Op::Or, args), false) => {
                args.iter().for_each(|arg| self.learn(arg, outcome));
            }
            (ExprKind::Apply(Op::Implies, args), false) => {
                self.learn(&args[0], true);
                self.learn(&args[1], false);
            }
            (ExprKind::Apply(Op::Eq, args), _) => self.learn_equation(&args[0], &args[1], outcome),
            (ExprKind::Apply(Op::Defined, args), true) => {
                self.known.push(Fact::Defined(&args[0], &args[1]));
            }
            _ => {}
        }
    }

    fn learn_equation(&mut self, left: &'e Expr, right: &'e Expr, outcome: bool) {
        for (term, other) in [(left, right), (right, left)] {
            let is_some = match &other.kind {
                ExprKind::Apply(Op::Nil, _) => !outcome,
                ExprKind::Apply(Op::Embed, _) => outcome,
                _ => false,
            };
            if is_some {
                self.known.push(Fact::Some(term));
            }
        }
    }
}

/// Whether two terms have the same value. Two random draws need not have.
fn same(left: &Expr, right: &Expr) -> bool {
    let mut draws = false;
    left.walk(&mut |term| draws |= matches!(term.kind, ExprKind::Random(..)));
    left == right && !draws
}
