//! What a clause, a premise or an invariant needs, asked of the states of one size or of all sizes.

use ioa_lang::Span;
use ioa_lang::core::{AutomatonId, Expr, Implication, Store, TransitionId};
use z3::ast::Bool;

use crate::logic::{Encoded, Env, Logic, State};
use crate::obligations::{Piece, Target, clause_env};
use crate::options::Options;
use crate::solver::{Answer, Solver};

/// What there has to be, or a warning is due.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'w, 'l> {
    /// A state that the established invariants allow.
    State,
    /// One in which a clause is enabled.
    Step(TransitionId),
    /// One in which the premises of an implication in an invariant are met, whatever that invariant itself says.
    Premise(usize, &'w Implication<'l>),
    /// A state of the right types, which the invariants need not allow, and in which this one is false.
    Counter(usize),
}

/// One automaton, to be read at any size or in one instance.
pub(in crate::engines::induction) struct Inspection<'i, 'l> {
    pub(in crate::engines::induction) target: &'i Target<'l>,
    pub(in crate::engines::induction) options: &'i Options<'i>,
    /// The invariants that hold, by position in the target: they exclude what contradicts them.
    pub(in crate::engines::induction) established: &'i [bool],
    /// Whether it is only supposed that they hold.
    pub(in crate::engines::induction) supposed: bool,
    /// The invariants that are looked at themselves.
    pub(in crate::engines::induction) inspected: &'i [bool],
    pub(in crate::engines::induction) automaton: AutomatonId,
    /// Of what sizes the warnings speak, with ` at ` before them; empty for every size.
    pub(in crate::engines::induction) at: &'i str,
}

impl Wanted<'_, '_> {
    /// Whether what is wanted has to satisfy an established invariant.
    pub(super) fn allows(self, invariant: usize) -> bool {
        match self {
            Self::State | Self::Step(_) => true,
            Self::Premise(about, _) => about != invariant,
            Self::Counter(_) => false,
        }
    }
}

/// The states of an automaton in one reading.
pub(super) struct States<'l> {
    pub(super) logic: &'l Logic<'l>,
    pub(super) state: State<'l>,
    /// What holds of them: axioms, facts of types, and the invariants that are established.
    pub(super) ground: Vec<Piece>,
}

/// A small instance that is looked at before every size is: what there is in it, there is.
pub(super) struct Small<'i, 'l> {
    pub(super) states: States<'l>,
    /// Knows what holds of the states.
    pub(super) solver: Solver<'i>,
    /// For each invariant the literal under which the solver knows it.
    pub(super) invariants: Vec<(usize, Bool)>,
}

impl<'l> Small<'_, 'l> {
    /// Whether there is something of what is wanted in the instance.
    pub(super) fn has(
        &mut self,
        inspection: &Inspection<'_, 'l>,
        wanted: Wanted<'_, 'l>,
    ) -> Encoded<bool> {
        let conditions = self.states.conditions(inspection, wanted)?;
        let holds: Vec<Bool> = (self.invariants.iter())
            .filter(|(invariant, _)| wanted.allows(*invariant))
            .map(|(_, literal)| literal.clone())
            .collect();
        let answer = self.solver.scoped(|solver| {
            for (_, condition) in conditions.formulas {
                solver.assert(condition);
            }
            solver.assert_all(&conditions.facts);
            solver.check_assuming(&holds)
        });
        Ok(answer == Answer::Sat)
    }
}

/// What a state has to satisfy, part by part.
pub(super) struct Conditions {
    pub(super) formulas: Vec<(Span, Bool)>,
    /// What is known about the symbols in them.
    pub(super) facts: Vec<Piece>,
}

impl<'l> States<'l> {
    /// What is wanted, for the solver.
    pub(super) fn conditions(
        &self,
        inspection: &Inspection<'_, 'l>,
        wanted: Wanted<'_, 'l>,
    ) -> Encoded<Conditions> {
        let (logic, target) = (self.logic, inspection.target);
        logic.begin_obligation();
        let formulas = match wanted {
            Wanted::State => Vec::new(),
            Wanted::Step(clause) => {
                let id = (inspection.automaton, clause);
                let params = logic.unknown_params(target, id, "")?;
                let clause = &inspection.automaton().transitions[clause.index()];
                let env = clause_env(clause, &self.state, &params);
                let conditions = clause.applies.conjuncts().into_iter();
                conditions_in(logic, conditions.chain(clause.pre.conjuncts()), &env)?
            }
            Wanted::Premise(invariant, implication) => {
                let locals = &target.invariants[invariant].locals;
                let mut env = Env::default()
                    .with(Store::Pre, self.state.clone())
                    .item(locals);
                for local in &implication.locals {
                    let declared = env.declared(*local)?;
                    let name = format!("premise.{}!{}", declared.name, local.index());
                    let value = logic.unknown(&name, &declared.ty)?;
                    env.set_local(*local, value);
                }
                conditions_in(logic, implication.premises.iter().copied(), &env)?
            }
            Wanted::Counter(invariant) => {
                let holds = logic
                    .invariant_before(target, invariant, &self.state)?
                    .formula;
                vec![(target.invariants[invariant].formula.span, holds.not())]
            }
        };
        Ok(Conditions {
            formulas,
            facts: logic.facts(),
        })
    }
}

/// Formulas with their places.
fn conditions_in<'l>(
    logic: &'l Logic<'l>,
    formulas: impl Iterator<Item = &'l Expr>,
    env: &Env<'l>,
) -> Encoded<Vec<(Span, Bool)>> {
    formulas
        .map(|formula| Ok((formula.span, logic.holds(formula, env)?)))
        .collect()
}
