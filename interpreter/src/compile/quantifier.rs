//! Quantifiers and comprehensions: loops over as few values as possible, or none where a mask will do.

use finite::Form;
use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier, Type};

use super::Compiler;
use crate::code::{Binary, Domain, Fold, General, Loop, Narrow, Word};

impl Compiler<'_> {
    /// `\A` or `\E`.
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[LocalId],
        body: &Expr,
    ) -> Word {
        let (binders, body) = merge(quantifier, binders, body);
        match quantifier {
            Quantifier::Exists => self.exists(&binders, body.conjuncts(), body),
            Quantifier::ForAll => match &body.kind {
                ExprKind::Apply(Op::Implies, args) => {
                    self.for_all(&binders, args[0].conjuncts(), &args[1])
                }
                _ => self.for_all(&binders, Vec::new(), body),
            },
        }
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

    pub(super) fn conjunction(&mut self, conjuncts: &[&Expr]) -> Word {
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
    pub(super) fn packed_comprehension(&mut self, ty: &Type, x: LocalId, body: &Expr) -> Word {
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
    pub(super) fn general_comprehension(&mut self, x: LocalId, body: &Expr) -> General {
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
