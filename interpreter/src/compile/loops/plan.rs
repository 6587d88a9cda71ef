//! Plans: in which order to give values to several binders, so that most wrong valuations are never tried.

use ioa_lang::Span;
use ioa_lang::core::{Expr, LocalId};

use super::super::Compiler;
use super::super::domain::Reach;
use super::super::guards::Guarded;
use crate::code::{Level, Plan, Word};

impl Compiler<'_> {
    /// The plan that enumerates the valuations of `binders` for which all `conjuncts` hold.
    pub(crate) fn plan(&mut self, binders: &[LocalId], conjuncts: Vec<&Expr>, span: Span) -> Plan {
        self.guarding(&conjuncts.clone(), |c| match c.apart(binders, &conjuncts) {
            Some(apart) => c.plan_of(&apart.binders, apart.conditions(&conjuncts), span),
            None => c.plan_of(binders, conjuncts, span),
        })
    }

    fn plan_of(&mut self, binders: &[LocalId], mut conjuncts: Vec<&Expr>, span: Span) -> Plan {
        let partial = !conjuncts.iter().all(|c| self.is_total(c));
        let mut unbound = binders.to_vec();
        let mut holding = self.take_ready(&mut conjuncts, &unbound);
        let filter = self.filter(&holding);
        let mut levels = Vec::new();
        let assured = std::mem::take(&mut self.assured);
        while !unbound.is_empty() {
            self.assured = Guarded::where_true(&holding, &conjuncts);
            let next = self.next_binder(&unbound, &conjuncts);
            let x = unbound.remove(next);
            let ready = self.take_ready(&mut conjuncts, &unbound);
            holding.extend(&ready);
            let (domain, rest) = self.domain(x, ready, span);
            levels.push(Level {
                binder: self.binder(x),
                domain: self.hoist_domain(domain),
                filter: self.filter(&rest),
            });
        }
        self.assured = assured;
        debug_assert!(conjuncts.is_empty());
        Plan {
            filter,
            levels: levels.into(),
            partial,
            span,
        }
    }

    fn filter(&mut self, conjuncts: &[&Expr]) -> Word {
        let words = conjuncts.iter().map(|c| self.word(c)).collect();
        self.hoist(Word::all(words))
    }

    /// The binder with the fewest values to be tried; of equal ones, the first.
    fn next_binder(&mut self, unbound: &[LocalId], conjuncts: &[&Expr]) -> usize {
        let reach = |c: &mut Self, x: LocalId| -> Reach {
            let others: Vec<LocalId> = unbound.iter().copied().filter(|u| *u != x).collect();
            let ready = c.take_ready(&mut conjuncts.to_vec(), &others);
            c.reach(x, &ready)
        };
        let reaches = unbound.iter().map(|x| reach(self, *x));
        let least = reaches.enumerate().min_by_key(|(at, reach)| (*reach, *at));
        least.map_or(0, |(at, _)| at)
    }
}
