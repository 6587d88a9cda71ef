//! Plans: in which order to give values to several binders, so that most wrong valuations are never tried.

use ioa_lang::Span;
use ioa_lang::core::{Expr, LocalId};

use super::super::Compiler;
use super::super::domain::Reach;
use super::super::guards::Guarded;
use super::super::waiting::Waiting;
use crate::code::{Level, Plan, Word};

impl Compiler<'_> {
    /// The plan that enumerates the valuations of `binders` for which all `conjuncts` hold.
    pub(crate) fn plan(&mut self, binders: &[LocalId], conjuncts: Vec<&Expr>, span: Span) -> Plan {
        self.guarding(&conjuncts.clone(), |c| {
            if let Some(apart) = c.apart(binders, &conjuncts) {
                let conditions = apart.conditions(&conjuncts);
                c.guarding(&conditions.clone(), |c| {
                    c.plan_of(&apart.binders, conditions, Order::FewestValues, span)
                })
            } else if let Some(entries) = c.entries(binders, &conjuncts, span) {
                let conditions = entries.conditions.iter().collect();
                c.plan_of(
                    &entries.binders,
                    conditions,
                    Order::FewestForConditions,
                    span,
                )
            } else {
                c.plan_of(binders, conjuncts, Order::FewestValues, span)
            }
        })
    }

    /// Whether each of some binders has values to be tried, one after the other, where `others` have got theirs as early as they can.
    pub(in crate::compile) fn are_in_reach(
        &mut self,
        binders: &[LocalId],
        others: &[LocalId],
        conjuncts: Vec<&Expr>,
    ) -> bool {
        self.guarding(&conjuncts.clone(), |c| {
            let mut left = [binders, others].concat();
            let mut waiting = Waiting::new(c, &left, conjuncts);
            let mut holding = waiting.take_ready(None);
            let assured = std::mem::take(&mut c.assured);
            while !left.is_empty() {
                c.assured = Guarded::where_true(&holding, &waiting.conjuncts());
                let next = c.next_binder(&left, &waiting, Order::FewestValues);
                let x = left[next];
                if c.reach(x, &waiting.ready(Some(x))) == Reach::Unbounded {
                    break;
                }
                left.remove(next);
                holding.extend(waiting.take_ready(Some(x)));
            }
            c.assured = assured;
            !binders.iter().any(|x| left.contains(x))
        })
    }

    fn plan_of(
        &mut self,
        binders: &[LocalId],
        conjuncts: Vec<&Expr>,
        order: Order,
        span: Span,
    ) -> Plan {
        let mut waiting = Waiting::new(self, binders, conjuncts);
        let partial = !waiting.are_all_total();
        let mut unbound = binders.to_vec();
        let mut holding = waiting.take_ready(None);
        let filter = self.filter(&holding);
        let mut levels = Vec::new();
        let assured = std::mem::take(&mut self.assured);
        while !unbound.is_empty() {
            if partial {
                self.assured = Guarded::where_true(&holding, &waiting.conjuncts());
            }
            let next = self.next_binder(&unbound, &waiting, order);
            let x = unbound.remove(next);
            let ready = waiting.take_ready(Some(x));
            holding.extend(&ready);
            let (domain, rest) = self.domain(x, ready, span);
            levels.push(Level {
                binder: self.binder(x),
                domain: self.hoist_domain(domain),
                filter: self.filter(&rest),
            });
        }
        self.assured = assured;
        debug_assert!(waiting.conjuncts().is_empty());
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

    /// The binder that comes next in an order; of equal ones, the first.
    fn next_binder(&mut self, unbound: &[LocalId], waiting: &Waiting<'_>, order: Order) -> usize {
        let mut rank = |x: LocalId| match (self.reach(x, &waiting.ready(Some(x))), order) {
            (Reach::Finite(values), Order::FewestForConditions) => {
                Reach::Finite((values << 32) / waiting.readers(x).max(1) as u128)
            }
            (reach, _) => reach,
        };
        let ranks = unbound.iter().map(|x| rank(*x));
        let least = ranks.enumerate().min_by_key(|(at, rank)| (*rank, *at));
        least.map_or(0, |(at, _)| at)
    }
}

/// Which binder gets a value next.
#[derive(Clone, Copy)]
enum Order {
    /// The one with the fewest values to be tried.
    FewestValues,
    /// The one with the fewest values for each condition that reads it (Bessiere and Regin, MAC and combined heuristics, 1996).
    FewestForConditions,
}
