//! Why a step cannot be taken, and why an invariant is false.

use ioa_lang::core::{ActionId, Expr, ExprKind, LocalId, Quantifier, Store, Transition, Type};

use crate::automaton::conditions;
use crate::cell::Cell;
use crate::explain::{Reason, explain};
use crate::instance::of_state;
use crate::layout::State;
use crate::step::Executor;

impl Executor<'_> {
    /// The false conjuncts that keep an action from being taken with these parameters: of the preconditions of the
    /// clauses that are for them or, where there is none, of what the clauses are for.
    pub fn why_not(&mut self, state: &State, action: ActionId, params: &[Cell]) -> Vec<Reason> {
        self.machine.store_mut(Store::Pre).clone_from(state);
        let automaton = self.instance.model().automaton(self.id);
        let clauses: Vec<&Transition> = automaton.clauses(action).map(|(_, t)| t).collect();
        let applies = |t: &Transition| t.applies.conjuncts().into_iter().cloned().collect();
        let (mut unmet, mut inapplicable) = (Vec::new(), Vec::new());
        for clause in clauses {
            self.bind_locals(clause, params);
            let reasons = self.why_false_of(clause, applies(clause));
            if reasons.is_empty() {
                let all = conditions(clause).into_iter().cloned().collect();
                unmet.extend(self.why_false_of(clause, all));
            } else {
                inapplicable.extend(reasons);
            }
        }
        if unmet.is_empty() {
            inapplicable
        } else {
            unmet
        }
    }

    fn bind_locals(&mut self, clause: &Transition, params: &[Cell]) {
        self.machine.reserve(clause.locals.len());
        for (local, value) in clause.params.iter().zip(params) {
            self.machine.bind(local.0, value.clone());
        }
    }

    /// Why some conditions of a clause do not hold together, whatever the hidden parameters.
    fn why_false_of(&mut self, clause: &Transition, conditions: Vec<Expr>) -> Vec<Reason> {
        let hidden = |e: &Expr| {
            clause
                .hidden
                .iter()
                .any(|h| crate::compile::mentions(e, *h))
        };
        let (open, closed): (Vec<Expr>, Vec<Expr>) = conditions.into_iter().partition(hidden);
        let mut formulas = closed;
        if !open.is_empty() {
            let span = clause.pre.span;
            let body = Box::new(Expr::conjunction(open, span));
            let kind = ExprKind::Quantified(Quantifier::Exists, clause.hidden.clone(), body);
            formulas.push(Expr {
                kind,
                ty: Type::Bool,
                span,
            });
        }
        let stores = of_state(&self.code.layout);
        let scope = self.instance.scope(stores, &clause.locals);
        let formulas: Vec<&Expr> = formulas.iter().collect();
        let bound: &[LocalId] = &clause.params;
        explain(&mut self.machine, scope, bound, &formulas, false)
    }

    /// Why an invariant, by its position in the model, is false in a state; empty if it is not.
    pub fn why_violated(&mut self, state: &State, invariant: usize) -> Vec<Reason> {
        self.machine.store_mut(Store::Pre).clone_from(state);
        self.why_false(invariant)
    }

    /// Why an invariant is false in the state that the machine is at.
    pub(crate) fn why_false(&mut self, invariant: usize) -> Vec<Reason> {
        let invariant = &self.instance.model().invariants[invariant];
        let stores = of_state(&self.code.layout);
        let scope = self.instance.scope(stores, &invariant.locals);
        explain(&mut self.machine, scope, &[], &[&invariant.formula], false)
    }
}
