//! Which names an expression can refer to.

use crate::core::{
    Automaton, AutomatonId, Expr, ExprKind, Local, Model, Schedule, Simulation, StateRef, Store,
    Type, Variable,
};

/// The names that an expression may refer to: those of the item it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub(super) locals: &'a [Local],
    /// The one automaton at hand.
    pub(super) automaton: Option<&'a Automaton>,
    /// The own variables of a schedule or proof block.
    pub(super) block: &'a [Variable],
    pub(super) low: Option<&'a Automaton>,
    pub(super) high: Option<&'a Automaton>,
}

impl<'a> Context<'a> {
    /// Expressions that read no state, such as axioms.
    #[must_use]
    pub fn stateless(locals: &'a [Local]) -> Self {
        Self {
            locals,
            automaton: None,
            block: &[],
            low: None,
            high: None,
        }
    }

    /// Expressions about one automaton: in its transitions, start states and invariants.
    #[must_use]
    pub fn automaton(model: &'a Model, automaton: AutomatonId, locals: &'a [Local]) -> Self {
        Self {
            automaton: Some(model.automaton(automaton)),
            ..Self::stateless(locals)
        }
    }

    /// Expressions in a schedule.
    #[must_use]
    pub fn schedule(model: &'a Model, schedule: &'a Schedule) -> Self {
        Self {
            block: &schedule.variables,
            ..Self::automaton(model, schedule.automaton, &schedule.program.locals)
        }
    }

    /// Expressions in a simulation: in its relation and its proof block. The locals are those of the part at hand.
    #[must_use]
    pub fn simulation(model: &'a Model, simulation: &'a Simulation, locals: &'a [Local]) -> Self {
        Self {
            block: simulation
                .proof
                .as_ref()
                .map_or(&[], |proof| &proof.variables),
            low: Some(model.automaton(simulation.low)),
            high: Some(model.automaton(simulation.high)),
            ..Self::stateless(locals)
        }
    }

    /// The automaton whose variable it is; `None` for an own variable of a schedule or proof block.
    pub(super) fn automaton_of(&self, state: StateRef) -> Option<&'a Automaton> {
        match state.store {
            Store::Pre | Store::Post => self.automaton,
            Store::Block => None,
            Store::Low => self.low,
            Store::High => self.high,
        }
    }

    /// The declared type of a (state or bound) variable, which may be smaller than that of a term that reads it; the type of
    /// any other term.
    pub(crate) fn declared_type(&self, expr: &Expr) -> Type {
        match expr.kind {
            ExprKind::State(state) => {
                let automaton = self.automaton_of(state);
                let variables = automaton.map_or(self.block, |a| &a.variables);
                variables[state.var.index()].ty.clone()
            }
            ExprKind::Local(id) => self.locals[id.index()].ty.clone(),
            _ => expr.ty.clone(),
        }
    }
}
