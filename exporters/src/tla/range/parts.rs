//! Sets that no condition gives in so many words: of tuples, by what is said of their fields; of what is compared in a sum or a
//! difference; and of what each case of a disjunction bounds by itself.
//!
//! The conditions themselves are written, too, so that a set may have more values than satisfy them, but not fewer.

use ioa_lang::core::{Expr, ExprKind, Op, Subject, Type};

use crate::tla::syntax::{Infix, Term};
use crate::tla::writer::Writer;

impl Writer<'_> {
    /// The set of the values of a subject, as far as its type and conditions on it or on its fields bound it.
    fn set_within(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        if self.is_finite(own)
            && let Some(set) = self.set_of(own)
        {
            return Some(set);
        }
        self.direct(subject, own, conditions)
            .or_else(|| self.in_parts(subject, own, conditions))
    }

    /// The set of the values of a subject that is bounded in one of these ways.
    pub(super) fn in_parts(
        &mut self,
        subject: &Subject,
        own: &Type,
        conditions: &[&Expr],
    ) -> Option<Term> {
        self.solved(subject, own, conditions)
            .or_else(|| self.by_cases(subject, own, conditions))
            .or_else(|| self.records(subject, own, conditions))
    }

    /// The set of a number, by comparisons that are solved for it.
    fn solved(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        if !own.is_integer() {
            return None;
        }
        let total = conditions.iter().take_while(|c| c.is_total());
        let each = total.flat_map(|condition| {
            std::iter::once((*condition).clone()).chain(condition.solved_for(subject))
        });
        let each: Vec<Expr> = each.collect();
        self.direct(subject, own, &each.iter().collect::<Vec<_>>())
    }

    /// The union of the sets that the cases of a disjunction give.
    fn by_cases(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        let total = conditions.iter().take_while(|c| c.is_total());
        for condition in total {
            let ExprKind::Apply(Op::Or, cases) = &condition.kind else {
                continue;
            };
            let sets = cases
                .iter()
                .map(|case| self.set_within(subject, own, &case.conjuncts()));
            if let Some(sets) = sets.collect::<Option<Vec<Term>>>() {
                let union = |all, one| Term::infix(Infix::Union, all, one);
                return sets.into_iter().reduce(union);
            }
        }
        None
    }

    /// The records whose fields are in the sets of their values.
    fn records(&mut self, subject: &Subject, own: &Type, conditions: &[&Expr]) -> Option<Term> {
        let Type::Tuple(id) = own else {
            return None;
        };
        let fields = &self.model.tuples[id.index()].fields;
        let sets = (0..).zip(fields).map(|(at, (_, ty))| {
            let set = self.set_within(&subject.field(at), ty, conditions)?;
            Some((self.field_of(own, at), set))
        });
        Some(Term::Records(sets.collect::<Option<_>>()?))
    }
}
