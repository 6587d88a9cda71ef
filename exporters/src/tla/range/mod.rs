//! The range of a bound variable: all values of its type or, if the type is not finite, those that a condition allows.

mod indirect;
mod parts;

use ioa_lang::core::{Constraint, Expr, ExprKind, LocalId, Subject, Type};

use super::helpers::Helper;
use super::syntax::Infix;
use super::syntax::Term;
use super::writer::Writer;

impl<'a> Writer<'a> {
    /// The set that a variable ranges over, given conditions without which nothing follows from its value. They may mention
    /// variables that are not in scope yet; such conditions are ignored here.
    pub(super) fn range(&mut self, x: LocalId, conditions: &[&Expr]) -> Term {
        let local = &self.declared[x.index()];
        if self.is_finite(&local.ty)
            && let Some(set) = self.set_of(&local.ty)
        {
            return set;
        }
        let subject = Subject::from(x);
        if let Some(set) = self.direct(&subject, &local.ty, conditions) {
            return set;
        }
        if let Some(set) = self.indirect(x, conditions) {
            return set;
        }
        if let Some(set) = self.in_parts(&subject, &local.ty, conditions) {
            return set;
        }
        let ty = self.model.type_name(&local.ty);
        let what = format!(
            "{} ranges over all of {ty}, which TLC cannot go through",
            local.name
        );
        let of_fields = match local.ty {
            Type::Tuple(_) => ", or this of each of its fields",
            _ => "",
        };
        let help = format!(
            "say what {0} equals, which set it is in, or between which numbers it lies{of_fields}",
            local.name
        );
        self.unsayable(local.span, &what, &help)
    }

    /// The set that conditions give of which each is about the subject alone.
    fn direct(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        self.determined(subject, own, conditions)
            .or_else(|| self.between(subject, own, conditions))
    }

    /// `x = t` or `x \in s`.
    fn determined(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        for (at, condition) in conditions.iter().enumerate() {
            let (term, ty) = match condition.constraint_on(subject) {
                Some(Constraint::Equal(term)) => (term, None),
                Some(Constraint::Element(term)) => (term, Some(&term.ty)),
                _ => continue,
            };
            let is_listed = matches!(ty, None | Some(Type::Set(_) | Type::Seq(_)));
            if !is_listed || !self.is_known(term, &[]) {
                continue;
            }
            let may_be_below = *own == Type::Nat && term.ty == Type::Int;
            let value = self.term(term);
            let set = match ty {
                // A `Nat` that must equal a negative integer has no value.
                None if may_be_below => Term::infix(
                    Infix::Intersection,
                    Term::Set(vec![value]),
                    Term::name("Nat"),
                ),
                None => Term::Set(vec![value]),
                Some(Type::Seq(_)) => self.call(Helper::Range, vec![value]),
                Some(_) => value,
            };
            return Some(self.guarded(set, term, &conditions[..at]));
        }
        None
    }

    /// `lo <= x /\ x <= hi`.
    fn between(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        let mut low = (*own == Type::Nat).then(|| Term::number(0));
        let mut high = None;
        for condition in conditions {
            let (side, found, inwards) = match condition.constraint_on(subject) {
                Some(Constraint::Below(found)) => (&mut high, found, Infix::Minus),
                Some(Constraint::Above(found)) => (&mut low, found, Infix::Plus),
                _ => continue,
            };
            if !self.is_known(found.term, &[]) || !found.term.is_total() {
                continue;
            }
            let bound = self.term(found.term);
            *side = Some(match found.is_strict {
                true => Term::infix(inwards, bound, Term::number(1)),
                false => bound,
            });
        }
        Some(Term::infix(Infix::To, low?, high?))
    }

    /// A set whose term is not defined everywhere, evaluated only where the conditions before it hold.
    pub(super) fn guarded(&mut self, set: Term, term: &Expr, before: &[&Expr]) -> Term {
        if term.is_total() {
            return set;
        }
        let before: Vec<&Expr> = before
            .iter()
            .copied()
            .filter(|c| !c.is_true() && self.is_known(c, &[]))
            .collect();
        let guards: Vec<Term> = before.into_iter().map(|c| self.term(c)).collect();
        if guards.is_empty() {
            return set;
        }
        Term::conditional(Term::all(guards), set, Term::Set(Vec::new()))
    }

    /// Whether all variables that an expression mentions without binding them are in scope, or are these.
    pub(super) fn is_known(&self, expr: &Expr, these: &[LocalId]) -> bool {
        let (mut mentioned, mut within) = (Vec::new(), these.to_vec());
        expr.walk(&mut |e| {
            within.extend(e.binders());
            if let ExprKind::Local(id) = e.kind {
                mentioned.push(id);
            }
        });
        let known = |id: &LocalId| self.bound.contains_key(id) || within.contains(id);
        mentioned.iter().all(known)
    }
}
