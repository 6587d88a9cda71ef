//! Plans: in which order to give values to several binders, so that most wrong valuations are never tried.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId};

use super::super::Compiler;
use super::super::domain::Reach;
use super::super::guards::Guarded;
use crate::code::{Level, Plan, Word};

impl Compiler<'_> {
    /// The plan that enumerates the valuations of `binders` for which all `conjuncts` hold.
    pub(crate) fn plan(&mut self, binders: &[LocalId], conjuncts: Vec<&Expr>, span: Span) -> Plan {
        self.guarding(&conjuncts.clone(), |c| {
            if let Some(apart) = c.apart(binders, &conjuncts) {
                let conditions = apart.conditions(&conjuncts);
                c.plan_of(&apart.binders, conditions, Order::FewestValues, span)
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

/// Conjuncts in the order of the text that wait for binders to have values.
struct Waiting<'e>(Vec<Conjunct<'e>>);

struct Conjunct<'e> {
    formula: &'e Expr,
    is_total: bool,
    /// The binders that it reads,
    reads: Vec<LocalId>,
    /// and how many of them have no value yet.
    open: usize,
}

impl<'e> Waiting<'e> {
    fn new(c: &Compiler<'_>, binders: &[LocalId], conjuncts: Vec<&'e Expr>) -> Self {
        let each = conjuncts.into_iter().map(|formula| {
            let mut reads = Vec::new();
            formula.walk(&mut |term| match term.kind {
                ExprKind::Local(x) if binders.contains(&x) && !reads.contains(&x) => reads.push(x),
                _ => {}
            });
            Conjunct {
                formula,
                is_total: c.is_total(formula),
                open: reads.len(),
                reads,
            }
        });
        Self(each.collect())
    }

    fn are_all_total(&self) -> bool {
        self.0.iter().all(|conjunct| conjunct.is_total)
    }

    fn conjuncts(&self) -> Vec<&'e Expr> {
        self.0.iter().map(|conjunct| conjunct.formula).collect()
    }

    /// How many conjuncts read a binder.
    fn readers(&self, x: LocalId) -> usize {
        let reads = |conjunct: &&Conjunct<'_>| conjunct.reads.contains(&x);
        self.0.iter().filter(reads).count()
    }

    /// The conjuncts that may be evaluated once one more binder has a value, in the way of [`Compiler::take_ready`].
    fn ready(&self, next: Option<LocalId>) -> Vec<&'e Expr> {
        let ready = self.0.iter().zip(self.are_ready(next));
        let ready = ready.filter_map(|(conjunct, is_ready)| is_ready.then_some(conjunct.formula));
        ready.collect()
    }

    /// Gives a binder a value, and removes the conjuncts that may be evaluated then.
    fn take_ready(&mut self, next: Option<LocalId>) -> Vec<&'e Expr> {
        let ready = self.ready(next);
        let mut are_ready = self.are_ready(next).into_iter();
        self.0.retain(|_| !are_ready.next().unwrap_or(false));
        for conjunct in &mut self.0 {
            let reads = next.is_some_and(|x| conjunct.reads.contains(&x));
            conjunct.open -= usize::from(reads);
        }
        ready
    }

    fn are_ready(&self, next: Option<LocalId>) -> Vec<bool> {
        let (mut anything_waits, mut partial_waits) = (false, false);
        let each = self.0.iter().map(|conjunct| {
            let is_allowed = match conjunct.is_total {
                true => !partial_waits,
                false => !anything_waits,
            };
            let is_ready = is_allowed && conjunct.has_values(next);
            anything_waits |= !is_ready;
            partial_waits |= !is_ready && !conjunct.is_total;
            is_ready
        });
        each.collect()
    }
}

impl Conjunct<'_> {
    /// Whether all binders that it reads have values once one more has.
    fn has_values(&self, next: Option<LocalId>) -> bool {
        match self.open {
            0 => true,
            1 => next.is_some_and(|x| self.reads.contains(&x)),
            _ => false,
        }
    }
}
