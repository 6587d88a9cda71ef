//! Why a step cannot be taken, and why an invariant is false.

use ioa_lang::core::{Expr, ExprKind, LocalId, Quantifier, Store, Transition, Type};

use crate::compile::of_state;
use crate::executor::Executor;
use crate::explain::{Reason, explain};
use crate::instance::automaton::conditions;
use crate::state::layout::State;
use crate::vm::exec::Call;

/// Why no clause accepts a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Whether some clause applies to these parameters, so that its precondition is what is false.
    pub applies: bool,
    /// The false conjuncts of the preconditions of the clauses that apply to these parameters; if none applies, those of the
    /// conditions under which the clauses apply.
    pub reasons: Vec<Reason>,
}

impl Executor<'_> {
    /// Why a call is not accepted.
    pub fn why_not(&mut self, state: &State, call: &Call) -> Refusal {
        self.machine.store_mut(Store::Pre).clone_from(state);
        let automaton = self.instance.model().automaton(self.id);
        let clauses: Vec<&Transition> = automaton.clauses(call.action).map(|(_, t)| t).collect();
        let applies = |t: &Transition| t.applies.conjuncts().into_iter().cloned().collect();
        let (mut unmet, mut inapplicable, mut some_applies) = (Vec::new(), Vec::new(), false);
        for clause in clauses {
            let given = self.bind_locals(clause, call);
            let reasons = self.why_false_of(clause, &given, applies(clause));
            if reasons.is_empty() {
                some_applies = true;
                let all = conditions(clause).into_iter().cloned().collect();
                unmet.extend(self.why_false_of(clause, &given, all));
            } else {
                inapplicable.extend(reasons);
            }
        }
        Refusal {
            applies: some_applies,
            reasons: if some_applies { unmet } else { inapplicable },
        }
    }

    /// Binds the parameters, and the hidden parameters for which there are values, and returns which these are.
    fn bind_locals(&mut self, clause: &Transition, call: &Call) -> Vec<LocalId> {
        self.machine.reserve(clause.locals.len());
        let params = clause.params.iter().zip(&call.args);
        let given: Vec<_> = params
            .chain(clause.hidden.iter().zip(&call.using))
            .collect();
        for (local, value) in &given {
            self.machine.bind(local.0, (*value).clone());
        }
        given.into_iter().map(|(local, _)| *local).collect()
    }

    /// Why some conditions of a clause do not hold together, whatever values the remaining hidden parameters take.
    fn why_false_of(
        &mut self,
        clause: &Transition,
        bound: &[LocalId],
        conditions: Vec<Expr>,
    ) -> Vec<Reason> {
        let hidden = clause.hidden.iter().copied();
        let unbound: Vec<LocalId> = hidden.filter(|h| !bound.contains(h)).collect();
        let open = |e: &Expr| unbound.iter().any(|h| e.mentions(*h));
        let (open, mut formulas): (Vec<Expr>, Vec<Expr>) = conditions.into_iter().partition(open);
        if !open.is_empty() {
            let span = clause.pre.span;
            let body = Box::new(Expr::conjunction(open, span));
            let kind = ExprKind::Quantified(Quantifier::Exists, unbound, body);
            formulas.push(Expr::new(kind, Type::Bool, span));
        }
        let stores = of_state(&self.code.layout);
        let scope = self.instance.scope(stores, &clause.locals);
        let formulas: Vec<&Expr> = formulas.iter().collect();
        explain(&mut self.machine, scope, bound, &formulas, false)
    }

    /// Why an invariant, by its position in the model, is false in a state.
    pub fn why_violated(&mut self, state: &State, invariant: usize) -> Vec<Reason> {
        self.machine.store_mut(Store::Pre).clone_from(state);
        self.why_false(invariant)
    }

    /// Why an invariant is false in the machine's state.
    pub(crate) fn why_false(&mut self, invariant: usize) -> Vec<Reason> {
        let invariant = &self.instance.model().invariants[invariant];
        let stores = of_state(&self.code.layout);
        let scope = self.instance.scope(stores, &invariant.locals);
        explain(&mut self.machine, scope, &[], &[&invariant.formula], false)
    }
}
