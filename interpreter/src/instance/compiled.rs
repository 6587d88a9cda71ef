//! The compiled form of an automaton as a code generator reads it.

use ioa_lang::Diagnostic;
use ioa_lang::core::{ActionKind, AutomatonId, TransitionId};

use crate::code::{Binder, Formula, Plan, Stmt};
use crate::instance::Instance;
use crate::instance::automaton::{TransitionCode, positions};
use crate::state::layout::Location;

/// A transition clause that can be run and whose parameters can be enumerated.
#[derive(Clone, Debug)]
pub struct Clause<'i> {
    /// The action's parameters, then the hidden ones.
    pub binders: &'i [Binder],
    /// The valuations of them that enable the clause.
    pub plan: &'i Plan,
    /// The effect, which changes the state in place.
    pub effect: &'i [Stmt],
    /// The relation of the state after the effect to the one before, if there is one.
    pub relation: Option<Relation<'i>>,
    /// Whether the automaton controls the action.
    pub local: bool,
    /// Whether a determinator yields the hidden parameters in runs; a search tries all values.
    pub handed: bool,
}

/// The relation that `ensuring` states, over the state before in [`Pre`](ioa_lang::core::Store::Pre) and the state
/// after in [`Post`](ioa_lang::core::Store::Post).
#[derive(Clone, Debug)]
pub struct Relation<'i> {
    /// The variables that get new values, each with the binder that stands for it.
    pub open: Vec<(Location, &'i Binder)>,
    /// The valuations of the binders that satisfy the relation.
    pub plan: &'i Plan,
}

impl Instance {
    /// The transition clauses of an automaton, by [`TransitionId`]; none for one that cannot be run at these sizes, or
    /// whose parameters cannot be enumerated.
    #[must_use]
    pub fn clauses(&self, automaton: AutomatonId) -> Vec<Option<Clause<'_>>> {
        let transitions = self.automaton(automaton).transitions.iter().enumerate();
        let clauses = transitions.map(|(t, code)| {
            let code = code.as_ref().ok()?;
            self.clause(automaton, TransitionId::at(t), code)
        });
        clauses.collect()
    }

    fn clause<'i>(
        &'i self,
        automaton: AutomatonId,
        transition: TransitionId,
        code: &'i TransitionCode,
    ) -> Option<Clause<'i>> {
        let layout = self.layout(automaton);
        let declared = self.model().automaton(automaton);
        let action = declared.transitions[transition.index()].action;
        let relation = code.ensuring.as_ref().map(|ensuring| Relation {
            open: (ensuring.open.iter())
                .map(|(variable, binder)| (layout.location(*variable).clone(), binder))
                .collect(),
            plan: &ensuring.plan,
        });
        Some(Clause {
            binders: &code.binders,
            plan: code.free.as_ref().ok()?,
            effect: &code.effect,
            relation,
            local: declared.actions[action.index()].kind != ActionKind::Input,
            handed: code.handed.is_some(),
        })
    }

    /// Every reason why an automaton cannot be run without being told what to do: something that it chooses has too many values
    /// to try.
    #[must_use]
    pub fn unrunnable(&self, automaton: AutomatonId) -> Vec<&Diagnostic> {
        let code = self.automaton(automaton);
        let start = code.start.as_ref().err();
        let clauses = code.transitions.iter();
        let clauses = clauses.filter_map(|clause| match clause {
            Ok(clause) => clause.free.as_ref().err(),
            Err(why) => Some(why),
        });
        start.into_iter().chain(clauses).flatten().collect()
    }

    /// The invariants of an automaton that cannot be evaluated at these sizes, by their positions in the model, each with every
    /// reason.
    #[must_use]
    pub fn unevaluable(&self, automaton: AutomatonId) -> Vec<(usize, &[Diagnostic])> {
        let stated = positions(self.model(), automaton);
        let compiled = stated.zip(&self.automaton(automaton).invariants);
        compiled
            .filter_map(|(at, code)| Some((at, &code.as_ref().err()?[..])))
            .collect()
    }

    /// The compiled form of an invariant of an automaton, by its position in the model; none if it cannot be run at
    /// these sizes or is not one of this automaton.
    #[must_use]
    pub fn invariant(&self, automaton: AutomatonId, invariant: usize) -> Option<&Formula> {
        let stated = self.automaton(automaton).invariants.iter();
        let found = stated.flatten().find(|code| code.index == invariant)?;
        Some(&found.formula)
    }
}
