//! How many of some conditions a state satisfies, in order: the conditions of a transition clause, or the premises of an
//! invariant.

use ioa_lang::Span;
use ioa_lang::core::{
    Expr, ExprKind, Implication, Local, LocalId, Quantifier, Store, TransitionId, Type,
};

use crate::code::Formula;
use crate::compile;
use crate::compile::of_state;
use crate::executor::Executor;
use crate::instance::automaton::conditions;
use crate::state::layout::State;

/// Compiled conditions: that the first holds for some values of the variables they mention, that the first two hold for some
/// values, and so on.
#[derive(Debug)]
pub struct Conditions {
    /// The places of the conjuncts in the source.
    pub spans: Vec<Span>,
    prefixes: Vec<Formula>,
}

impl Conditions {
    /// Whether each of them can be evaluated without the later ones.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.prefixes.len() == self.spans.len()
    }
}

impl Executor<'_> {
    /// The conditions of a clause: first those of its `where` and parameters, then those of the precondition, as long as
    /// they can be evaluated without the later ones.
    #[must_use]
    pub fn conditions(&self, transition: TransitionId) -> Conditions {
        let clause = &self.instance.model().automaton(self.id).transitions[transition.index()];
        let parameters: Vec<_> = clause
            .params
            .iter()
            .chain(&clause.hidden)
            .copied()
            .collect();
        self.prefixes(&clause.locals, &parameters, &conditions(clause))
    }

    /// The premises of each implication in an invariant of the model.
    #[must_use]
    pub fn premises(&self, invariant: usize) -> Vec<Conditions> {
        let stated = &self.instance.model().invariants[invariant];
        let all = stated.formula.implications();
        all.iter()
            .map(|Implication { locals, premises }| self.prefixes(&stated.locals, locals, premises))
            .collect()
    }

    fn prefixes(&self, locals: &[Local], bound: &[LocalId], all: &[&Expr]) -> Conditions {
        let scope = self.instance.scope(of_state(&self.code.layout), locals);
        let prefix = |length: usize| {
            let span = all[length - 1].span;
            let conjuncts = all[..length].iter().copied().cloned();
            let body = Expr::conjunction(conjuncts, span);
            let formula = Expr::new(
                ExprKind::Quantified(Quantifier::Exists, bound.to_vec(), Box::new(body)),
                Type::Bool,
                span,
            );
            compile::formula(scope, &formula).ok()
        };
        Conditions {
            spans: all.iter().map(|c| c.span).collect(),
            prefixes: (1..=all.len()).map_while(prefix).collect(),
        }
    }

    /// The number of conditions, from the first on, that hold together in a state for some values, or `known` if that is
    /// greater. An undefined condition counts as one that does not hold.
    pub fn reach(&mut self, state: &State, conditions: &Conditions, known: usize) -> usize {
        self.machine.store_mut(Store::Pre).clone_from(state);
        let mut reached = known;
        for prefix in conditions.prefixes.iter().skip(known) {
            self.machine.enter(&prefix.frame);
            match self.machine.word(&prefix.body) {
                Ok(value) if value != 0 => reached += 1,
                _ => break,
            }
        }
        reached
    }
}
