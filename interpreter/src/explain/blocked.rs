//! How many of some conditions a state satisfies, in order: the conditions of a transition clause, or the premises of an
//! invariant.

use std::ops::ControlFlow;

use ioa_lang::Span;
use ioa_lang::core::{Expr, Implication, Local, LocalId, Store, TransitionId};

use crate::code::{Frame, Plan};
use crate::compile;
use crate::compile::of_state;
use crate::executor::Executor;
use crate::instance::automaton::conditions;
use crate::interrupt::fault::Interrupt;
use crate::state::layout::State;
use crate::vm::halt::interrupt;

/// Compiled conditions: that the first holds for some values of the variables they mention, that the first two hold for some
/// values, and so on.
#[derive(Debug)]
pub struct Conditions {
    /// The places of the conjuncts in the source.
    pub spans: Vec<Span>,
    /// Whether each conjunct only tells one case of a composition from another.
    pub cases: Vec<bool>,
    /// The values of the variables that satisfy the first conjunct, the first two, and so on. None where they cannot be
    /// enumerated without a later conjunct.
    prefixes: Vec<Option<(Frame, Plan)>>,
}

/// What keeps a state from satisfying some conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// Nothing: some values satisfy all of them.
    No,
    /// The condition at this position, which no values satisfy together with all conditions before it; some values satisfy
    /// those before it, as far as that can be evaluated.
    By(usize),
    /// That cannot be evaluated.
    Unknown,
}

impl Executor<'_> {
    /// The conditions of a clause: first those of its `where` and parameters, then those of the precondition.
    #[must_use]
    pub fn conditions(&self, transition: TransitionId) -> Conditions {
        let clause = &self.instance.model().automaton(self.id).transitions[transition.index()];
        let parameters: Vec<_> = clause
            .params
            .iter()
            .chain(&clause.hidden)
            .copied()
            .collect();
        let all = conditions(clause);
        let applies = clause.applies.conjuncts();
        let is_case = |condition: &&Expr| {
            let position = applies.iter().position(|one| one.id() == condition.id());
            position.is_some_and(|position| clause.cases.contains(position))
        };
        Conditions {
            cases: all.iter().map(is_case).collect(),
            ..self.prefixes(&clause.locals, &parameters, &all)
        }
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
            let conjuncts = &all[..length];
            // Other variables may have infinitely many values, and none of them matters.
            let is_mentioned = |local: &LocalId| conjuncts.iter().any(|c| c.mentions(*local));
            let mentioned: Vec<LocalId> = bound.iter().copied().filter(is_mentioned).collect();
            compile::item(scope, |c| c.plan(&mentioned, conjuncts.to_vec(), span)).ok()
        };
        Conditions {
            spans: all.iter().map(|c| c.span).collect(),
            cases: vec![false; all.len()],
            prefixes: (1..=all.len()).map(prefix).collect(),
        }
    }

    /// What keeps a state from satisfying some conditions, of which those before `known` are satisfied, or do not matter. Values
    /// for which a condition is undefined count as some for which it does not hold. It is unknown where that takes more than so
    /// much `fuel`, or is cancelled.
    pub fn blocked(
        &mut self,
        state: &State,
        (conditions, known): (&Conditions, usize),
        fuel: u64,
    ) -> Blocked {
        let end = self.machine.used().saturating_add(fuel);
        self.machine.store_mut(Store::Pre).clone_from(state);
        let mut is_known = true;
        for (at, prefix) in conditions.prefixes.iter().enumerate().skip(known) {
            let Some(prefix) = prefix else {
                is_known = false;
                continue;
            };
            let left = end.saturating_sub(self.machine.used());
            match self.is_satisfied(prefix, left) {
                Ok(false) | Err(Interrupt::Fault(_)) => return Blocked::By(at),
                Ok(true) => is_known = true,
                // A later condition is not to blame where it may be this one.
                Err(Interrupt::Limit(_)) => return Blocked::Unknown,
            }
        }
        match is_known {
            true => Blocked::No,
            false => Blocked::Unknown,
        }
    }

    /// Whether some values satisfy conditions in the machine's state, whatever these are for others.
    fn is_satisfied(
        &mut self,
        (frame, plan): &(Frame, Plan),
        fuel: u64,
    ) -> Result<bool, Interrupt> {
        self.machine.enter(frame);
        self.machine.refuel_within(fuel);
        let found = self
            .machine
            .past_faults(plan, &mut |_| Ok(ControlFlow::Break(())));
        found
            .map(|flow| flow.is_break())
            .map_err(|stop| interrupt(*stop, frame))
    }
}
