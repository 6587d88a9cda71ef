//! Conjuncts that are evaluated as soon as the variables that they read have values.

use ioa_lang::core::{Expr, ExprKind, LocalId};

use super::Compiler;

/// Conjuncts in the order of the text that wait for variables to have values.
///
/// A conjunct guards those after it. A conjunct that cannot fault may be evaluated before earlier ones, but not before one that can
/// fault; a conjunct that can fault is evaluated only after all earlier ones. So the conjunction faults in exactly the same cases.
pub(super) struct Waiting<'e>(Vec<Conjunct<'e>>);

struct Conjunct<'e> {
    formula: &'e Expr,
    is_total: bool,
    /// The variables that it reads,
    reads: Vec<LocalId>,
    /// and how many of them have no value yet.
    open: usize,
}

impl Compiler<'_> {
    /// Removes from `conjuncts`, which are in source order, those that may be evaluated before any variable of `unbound` has a value.
    pub(crate) fn take_ready<'e>(
        &self,
        conjuncts: &mut Vec<&'e Expr>,
        unbound: &[LocalId],
    ) -> Vec<&'e Expr> {
        let mut waiting = Waiting::new(self, unbound, std::mem::take(conjuncts));
        let ready = waiting.take_ready(None);
        *conjuncts = waiting.conjuncts();
        ready
    }
}

impl<'e> Waiting<'e> {
    /// None of the variables has a value yet.
    pub(super) fn new(c: &Compiler<'_>, variables: &[LocalId], conjuncts: Vec<&'e Expr>) -> Self {
        let each = conjuncts.into_iter().map(|formula| {
            let mut reads = Vec::new();
            formula.walk(&mut |term| match term.kind {
                ExprKind::Local(x) if variables.contains(&x) && !reads.contains(&x) => {
                    reads.push(x);
                }
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

    pub(super) fn are_all_total(&self) -> bool {
        self.0.iter().all(|conjunct| conjunct.is_total)
    }

    pub(super) fn conjuncts(&self) -> Vec<&'e Expr> {
        self.0.iter().map(|conjunct| conjunct.formula).collect()
    }

    /// How many conjuncts read a variable.
    pub(super) fn readers(&self, x: LocalId) -> usize {
        let reads = |conjunct: &&Conjunct<'_>| conjunct.reads.contains(&x);
        self.0.iter().filter(reads).count()
    }

    /// The conjuncts that may be evaluated once one more variable has a value.
    pub(super) fn ready(&self, next: Option<LocalId>) -> Vec<&'e Expr> {
        let ready = self.0.iter().zip(self.are_ready(next));
        let ready = ready.filter_map(|(conjunct, is_ready)| is_ready.then_some(conjunct.formula));
        ready.collect()
    }

    /// Gives a variable a value, and removes the conjuncts that may be evaluated then.
    pub(super) fn take_ready(&mut self, next: Option<LocalId>) -> Vec<&'e Expr> {
        let mut ready = Vec::new();
        let mut are_ready = self.are_ready(next).into_iter();
        self.0.retain_mut(|conjunct| {
            let reads = next.is_some_and(|x| conjunct.reads.contains(&x));
            conjunct.open -= usize::from(reads);
            let is_ready = are_ready.next().unwrap_or(false);
            if is_ready {
                ready.push(conjunct.formula);
            }
            !is_ready
        });
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
    /// Whether all variables that it reads have values once one more has.
    fn has_values(&self, next: Option<LocalId>) -> bool {
        match self.open {
            0 => true,
            1 => next.is_some_and(|x| self.reads.contains(&x)),
            _ => false,
        }
    }
}
