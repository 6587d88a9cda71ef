//! What a bound variable ranges over: all values of its type or, of a type that is not finite, those that a condition
//! leaves.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type};

use super::helpers::Helper;
use super::operators::Infix;
use super::tree::Term;
use super::writer::Writer;

impl<'a> Writer<'a> {
    /// The set that a variable ranges over, given conditions without which nothing follows from its value. They may
    /// mention variables that are not in scope yet; then they are of no use here.
    pub(super) fn range(&mut self, x: LocalId, conditions: &[&'a Expr]) -> Term {
        let local = &self.declared[x.index()];
        if self.is_finite(&local.ty)
            && let Some(set) = self.set_of(&local.ty)
        {
            return set;
        }
        if let Some(set) = self.determined(x, conditions) {
            return set;
        }
        if let Some(set) = self.between(x, conditions) {
            return set;
        }
        let ty = self.model.type_name(&local.ty);
        let what = format!(
            "{} ranges over all of {ty}, which TLC cannot go through",
            local.name
        );
        let help = format!(
            "say what {0} equals, which set it is in, or between which numbers it lies",
            local.name
        );
        self.unsayable(local.span, &what, &help)
    }

    /// `x = t` or `x \in s`.
    fn determined(&mut self, x: LocalId, conditions: &[&'a Expr]) -> Option<Term> {
        for (at, condition) in conditions.iter().enumerate() {
            let ExprKind::Apply(op, args) = &condition.kind else {
                continue;
            };
            let term = match op {
                Op::Eq if is_local(&args[1], x) => &args[0],
                Op::Eq | Op::Member | Op::SeqMember if is_local(&args[0], x) => &args[1],
                _ => continue,
            };
            if !self.is_known(term) {
                continue;
            }
            let may_be_below = self.declared[x.index()].ty == Type::Nat && term.ty == Type::Int;
            let value = self.term(term);
            let set = match op {
                // A `Nat` that is to equal an integer below zero has no value.
                Op::Eq if may_be_below => Term::infix(
                    Infix::Intersection,
                    Term::Set(vec![value]),
                    Term::name("Nat"),
                ),
                Op::Eq => Term::Set(vec![value]),
                Op::SeqMember => self.call(Helper::Range, vec![value]),
                _ => value,
            };
            return Some(self.guarded(set, term, &conditions[..at]));
        }
        None
    }

    /// `lo <= x /\ x <= hi`.
    fn between(&mut self, x: LocalId, conditions: &[&'a Expr]) -> Option<Term> {
        let ty = &self.declared[x.index()].ty;
        let mut low = (*ty == Type::Nat).then(|| Term::number(0));
        let mut high = None;
        for condition in conditions {
            let ExprKind::Apply(op @ (Op::Lt | Op::Le), args) = &condition.kind else {
                continue;
            };
            let (side, term, inwards) = if is_local(&args[0], x) {
                (&mut high, &args[1], Infix::Minus)
            } else if is_local(&args[1], x) {
                (&mut low, &args[0], Infix::Plus)
            } else {
                continue;
            };
            if !self.is_known(term) || !is_total(term) {
                continue;
            }
            let bound = self.term(term);
            *side = Some(match op {
                Op::Lt => Term::infix(inwards, bound, Term::number(1)),
                _ => bound,
            });
        }
        Some(Term::infix(Infix::To, low?, high?))
    }

    /// A set whose term is not defined everywhere, asked for only where the conditions before it hold.
    fn guarded(&mut self, set: Term, term: &Expr, before: &[&'a Expr]) -> Term {
        if is_total(term) {
            return set;
        }
        let before: Vec<&Expr> = before
            .iter()
            .copied()
            .filter(|c| !c.is_true() && self.is_known(c))
            .collect();
        let guards: Vec<Term> = before.into_iter().map(|c| self.term(c)).collect();
        if guards.is_empty() {
            return set;
        }
        Term::conditional(Term::all(guards), set, Term::Set(Vec::new()))
    }

    /// Whether all variables that an expression mentions without binding them are in scope.
    fn is_known(&self, expr: &Expr) -> bool {
        let (mut mentioned, mut within) = (Vec::new(), Vec::new());
        expr.walk(&mut |e| match &e.kind {
            ExprKind::Local(id) => mentioned.push(*id),
            ExprKind::Quantified(_, binders, _) => within.extend(binders),
            ExprKind::Comprehension(binder, _) => within.push(*binder),
            _ => {}
        });
        let known = |id: &LocalId| self.bound.contains_key(id) || within.contains(id);
        mentioned.iter().all(known)
    }
}

/// Whether an expression is the bound variable.
pub(super) fn is_local(expr: &Expr, x: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(id) if id == x)
}

/// Whether an expression is defined whatever the values of its variables.
fn is_total(expr: &Expr) -> bool {
    let mut total = true;
    expr.walk(&mut |e| {
        if let ExprKind::Apply(op, _) = e.kind {
            total &= !op.is_partial(&e.ty);
        }
    });
    total
}
