//! How far a state gets in the conditions of a transition clause that it does not enable.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Quantifier, Store, TransitionId, Type};

use crate::automaton::conditions;
use crate::code::Formula;
use crate::compile;
use crate::instance::of_state;
use crate::layout::State;
use crate::step::Executor;

/// The conditions of a clause, compiled one after the other: that the first holds for some parameters, that the first
/// two hold for some, and so on.
#[derive(Debug)]
pub struct Conditions {
    /// The conjuncts as they are written, those of what the clause is for before those of the precondition.
    pub spans: Vec<Span>,
    prefixes: Vec<Formula>,
}

impl Executor<'_> {
    /// The conditions of a clause; as many of them as can be evaluated without those behind them.
    #[must_use]
    pub fn conditions(&self, transition: TransitionId) -> Conditions {
        let model = self.instance.model();
        let clause = &model.automaton(self.id).transitions[transition.index()];
        let stores = of_state(&self.code.layout);
        let scope = self.instance.scope(stores, &clause.locals);
        let parameters = clause.params.iter().chain(&clause.hidden).copied();
        let parameters: Vec<_> = parameters.collect();
        let all = conditions(clause);
        let prefix = |length: usize| {
            let conjuncts = all[..length].iter().copied().cloned().collect::<Vec<_>>();
            let body = Expr::conjunction(conjuncts, clause.pre.span);
            let exists =
                ExprKind::Quantified(Quantifier::Exists, parameters.clone(), Box::new(body));
            let formula = Expr {
                kind: exists,
                ty: Type::Bool,
                span: clause.pre.span,
            };
            compile::formula(scope, &formula).ok()
        };
        Conditions {
            spans: all.iter().map(|c| c.span).collect(),
            prefixes: (1..=all.len()).map_while(prefix).collect(),
        }
    }

    /// How many conditions of a clause, from the first on, hold together in a state for some parameters, if these are
    /// more than `known`, and `known` otherwise. A condition that is undefined counts as one that does not hold.
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
