//! Quantifiers and comprehensions: loops over as few values as possible, or none if a mask will do.

use std::borrow::Cow;

use finite::Form;
use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier, Type};

use super::super::Compiler;
use super::super::domain::Reach;
use crate::code::{Binary, Domain, Fold, General, Loop, Narrow, Word};

impl Compiler<'_> {
    /// `\A` or `\E`.
    pub(in crate::compile) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[LocalId],
        body: &Expr,
    ) -> Word {
        let (binders, body) = merge(quantifier, binders, body);
        match quantifier {
            Quantifier::Exists => {
                self.in_reach(binders, body.conjuncts(), |c, binders, conjuncts| {
                    c.exists(binders, conjuncts, body)
                })
            }
            Quantifier::ForAll => {
                let (antecedents, consequent) = match &body.kind {
                    ExprKind::Apply(Op::Implies, args) => (args[0].conjuncts(), &args[1]),
                    _ => (Vec::new(), body),
                };
                if self.are_in_direct_reach(&binders, &antecedents) {
                    return self.for_all(&binders, antecedents, consequent);
                }
                // What the consequent denies leaves values too: `p(x) => x \notin s` says as much as `p(x) /\ x \in s => false`.
                let (more, denied, rest) = denied(consequent);
                let binders = [binders, more].concat();
                let antecedents = [antecedents, denied].concat();
                self.in_reach(binders, antecedents, |c, binders, antecedents| {
                    c.for_all(binders, antecedents, &rest)
                })
            }
        }
    }

    /// Whether the conditions say directly of each binder which values are to be tried, where those before it have values.
    fn are_in_direct_reach(&mut self, binders: &[LocalId], conditions: &[&Expr]) -> bool {
        (0..binders.len()).all(|at| {
            let ready = self.take_ready(&mut conditions.to_vec(), &binders[at + 1..]);
            self.direct_reach(binders[at], &ready) != Reach::Unbounded
        })
    }

    /// What `build` makes of the binders and conditions: in another order, and with elements taken apart, if some binders have
    /// finitely many values to be tried only so.
    fn in_reach(
        &mut self,
        binders: Vec<LocalId>,
        conditions: Vec<&Expr>,
        build: impl for<'a> FnOnce(&mut Self, &[LocalId], Vec<&'a Expr>) -> Word,
    ) -> Word {
        if self.are_in_direct_reach(&binders, &conditions) {
            return build(self, &binders, conditions);
        }
        let apart = self.apart(&binders, &conditions);
        let (mut left, conditions) = match &apart {
            Some(apart) => (apart.binders.clone(), apart.conditions(&conditions)),
            None => (binders, conditions),
        };
        let mut ordered = Vec::new();
        while !left.is_empty() {
            let is_next = |c: &mut Self, at: usize| {
                let mut others = left.clone();
                let x = others.remove(at);
                let ready = c.take_ready(&mut conditions.clone(), &others);
                c.reach(x, &ready) != Reach::Unbounded
            };
            let next = (0..left.len()).find(|at| is_next(self, *at));
            ordered.push(left.remove(next.unwrap_or(0)));
        }
        build(self, &ordered, conditions)
    }

    /// There are values of the binders for which all the conjuncts hold.
    fn exists(&mut self, binders: &[LocalId], mut conjuncts: Vec<&Expr>, body: &Expr) -> Word {
        let Some((x, others)) = binders.split_first() else {
            return self.conjunction(&conjuncts);
        };
        let ready = self.take_ready(&mut conjuncts, others);
        let (domain, rest) = self.domain(*x, ready, body.span);
        let exhaustive = !rest.iter().chain(&conjuncts).all(|c| self.is_total(c));
        let inner = self.exists(others, conjuncts, body);
        let inner = Word::all(vec![self.conjunction(&rest), inner]);
        match domain {
            Domain::Mask(mask) if inner == Word::TRUE => not_empty(mask),
            domain => turn((Fold::Any, exhaustive), *x, domain, inner, body.span),
        }
    }

    /// For all values of the binders for which the antecedents hold, the consequent does.
    fn for_all(
        &mut self,
        binders: &[LocalId],
        mut antecedents: Vec<&Expr>,
        consequent: &Expr,
    ) -> Word {
        let Some((x, others)) = binders.split_first() else {
            return self.implication(&antecedents, |c| c.word(consequent));
        };
        let ready = self.take_ready(&mut antecedents, others);
        let (domain, rest) = self.domain(*x, ready, consequent.span);
        if let Domain::Mask(mask) = &domain
            && rest.is_empty()
            && others.is_empty()
            && antecedents.is_empty()
            && self.is_liftable(consequent, *x)
            && let Some(all) = self.all_codes(*x)
        {
            let lifted = self.lift(consequent, *x, all);
            return Word::binary(Binary::Subset, mask.clone(), lifted);
        }
        let conditions = || rest.iter().chain(&antecedents).chain([&consequent]);
        let exhaustive = !conditions().all(|c| self.is_total(c));
        let body = self.implication(&rest, |c| c.for_all(others, antecedents, consequent));
        turn((Fold::All, exhaustive), *x, domain, body, consequent.span)
    }

    pub(in crate::compile) fn conjunction(&mut self, conjuncts: &[&Expr]) -> Word {
        Word::all(conjuncts.iter().map(|c| self.word(c)).collect())
    }

    fn implication(
        &mut self,
        antecedents: &[&Expr],
        consequent: impl FnOnce(&mut Self) -> Word,
    ) -> Word {
        let antecedent = self.conjunction(antecedents);
        let consequent = consequent(self);
        if antecedent == Word::TRUE {
            return consequent;
        }
        Word::Implies(Box::new([antecedent, consequent]))
    }

    /// `{x: T where P}` of a type that fits a word.
    pub(in crate::compile) fn packed_comprehension(
        &mut self,
        ty: &Type,
        x: LocalId,
        body: &Expr,
    ) -> Word {
        let (domain, rest) = self.domain(x, body.conjuncts(), body.span);
        let mut inner = self.conjunction(&rest);
        if let Some(Form::Set(element)) = self.shape(ty).packing().map(|p| &p.form)
            && let Form::Int(low, place) = element.form
        {
            // What is collected has to have a code, which is the integer itself.
            let fits = Word::Narrow(Box::new(Narrow {
                value: Word::Local(x.0),
                low,
                max: element.max,
                place,
                span: body.span,
            }));
            let is_code = Word::Let(self.temporary(), Box::new([fits, Word::TRUE]));
            inner = Word::all(vec![inner, is_code]);
        }
        match domain {
            Domain::Mask(mask) if inner == Word::TRUE => mask,
            domain => turn((Fold::Collect, true), x, domain, inner, body.span),
        }
    }

    /// `{x: T where P}` that does not.
    pub(in crate::compile) fn general_comprehension(&mut self, x: LocalId, body: &Expr) -> General {
        let (domain, rest) = self.domain(x, body.conjuncts(), body.span);
        let (slot, span) = (x.0, body.span);
        let body = self.conjunction(&rest);
        let binder = self.binder(x);
        let turn = Loop {
            fold: Fold::Collect,
            slot,
            domain,
            body,
            exhaustive: true,
            span,
        };
        General::Collect(Box::new(turn), binder)
    }
}

/// The variables that a formula speaks of all values of, what it denies of them, and what it says where all of that is so: of
/// `\A x: T (~p(x) \/ q(x))`, these are `x`, `p(x)` and `q(x)`.
fn denied(formula: &Expr) -> (Vec<LocalId>, Vec<&Expr>, Cow<'_, Expr>) {
    let never = || {
        let never = ExprKind::Bool(false);
        Cow::Owned(Expr::new(never, Type::Bool, formula.span))
    };
    match &formula.kind {
        ExprKind::Quantified(Quantifier::ForAll, binders, body) => {
            let (more, conjuncts, rest) = denied(body);
            ([binders.clone(), more].concat(), conjuncts, rest)
        }
        ExprKind::Apply(Op::Not, args) => (Vec::new(), args[0].conjuncts(), never()),
        ExprKind::Apply(Op::Implies, args) => {
            let (binders, more, rest) = denied(&args[1]);
            (binders, [args[0].conjuncts(), more].concat(), rest)
        }
        ExprKind::Apply(Op::Or, cases) => {
            // The first ones alone: a case may guard those behind it.
            let negated = |case: &&Expr| matches!(case.kind, ExprKind::Apply(Op::Not, _));
            let denying = cases.iter().take_while(negated);
            let denied: Vec<&Expr> = denying.flat_map(|case| case.children()).collect();
            let rest = match cases.get(denied.len()..).unwrap_or_default() {
                [] => never(),
                [one] => Cow::Borrowed(one),
                more => {
                    let rest = Expr::apply(Op::Or, more.to_vec(), Type::Bool, formula.span);
                    Cow::Owned(rest)
                }
            };
            let conjuncts = denied.iter().flat_map(|e| e.conjuncts()).collect();
            (Vec::new(), conjuncts, rest)
        }
        _ => (Vec::new(), Vec::new(), Cow::Borrowed(formula)),
    }
}

/// A quantifier directly below one of the same kind is taken together with it.
fn merge<'e>(
    quantifier: Quantifier,
    binders: &[LocalId],
    mut body: &'e Expr,
) -> (Vec<LocalId>, &'e Expr) {
    let mut all = binders.to_vec();
    while let ExprKind::Quantified(inner, more, next) = &body.kind
        && *inner == quantifier
    {
        all.extend(more);
        body = next;
    }
    (all, body)
}

fn turn(
    (fold, exhaustive): (Fold, bool),
    x: LocalId,
    domain: Domain,
    body: Word,
    span: Span,
) -> Word {
    let slot = x.0;
    Word::Loop(Box::new(Loop {
        fold,
        slot,
        domain,
        body,
        exhaustive,
        span,
    }))
}

fn not_empty(mask: Word) -> Word {
    let empty = Word::binary(Binary::Equal, mask, Word::Const(0));
    Word::Not(Box::new(empty))
}
