//! An automaton as a transition system in logic, at any number of moments.
//!
//! The states of consecutive moments are unknowns of their own, and a literal for each clause says that it is the one
//! taken between two of them. So a formula about a later state stays as small as one about the first: the step relation
//! is asserted, moment by moment, rather than substituted.

use ioa_lang::core::{AutomatonId, Store, TransitionId};
use z3::ast::Bool;

use super::step::state_of;
use super::{Background, Fired, Goal, Piece, Target};
use crate::logic::{Encoded, Logic, State, and, implies, or};

/// An automaton as a transition system: start states, a step relation, axioms and invariants, all in logic.
#[derive(Clone, Copy)]
pub(crate) struct TransitionSystem<'s, 'a> {
    pub(crate) target: &'s Target<'a>,
    pub(crate) logic: &'a Logic<'a>,
    pub(crate) automaton: AutomatonId,
}

/// A sequence of consecutive states: the *unrolling* of the step relation from some first state.
pub(crate) struct Unrolling<'s, 'a> {
    pub(crate) system: TransitionSystem<'s, 'a>,
    pub(crate) states: Vec<State<'a>>,
    /// What may be taken from each state to the next.
    pub(crate) steps: Vec<Vec<Taken<'a>>>,
}

/// A clause that may be taken at some moment.
pub(crate) struct Taken<'a> {
    /// Whether it is.
    pub(crate) literal: Bool,
    pub(crate) action: Fired<'a>,
}

impl<'s, 'a> TransitionSystem<'s, 'a> {
    /// The axioms of the automaton's setting, and what types say about their operators.
    fn axioms(&self) -> Encoded<Vec<Piece>> {
        let nothing = vec![false; self.target.invariants.len()];
        let background = Background::Start(self.automaton);
        Ok(self.logic.ground(self.target, background, &nothing)?.assume)
    }

    /// The unrolling that begins in a start state; and what is true of that state and of the theories.
    pub(crate) fn start(self) -> Encoded<(Unrolling<'s, 'a>, Vec<Piece>)> {
        let mut assume = self.axioms()?;
        let start = self.logic.start(self.target, self.automaton, "")?;
        let first = state_of(&start.run.env, Store::Pre)?.clone();
        assume.extend(start.choices.into_iter().chain([start.so_that]));
        assume.extend(self.logic.facts());
        Ok((self.unrolling(first), assume))
    }

    /// The unrolling that begins in any state; and what is true of the theories and of the types of that state.
    pub(crate) fn anywhere(self) -> Encoded<(Unrolling<'s, 'a>, Vec<Piece>)> {
        let mut assume = self.axioms()?;
        let first = self.logic.unknown_state(self.target, self.automaton, "")?;
        assume.extend(self.logic.facts());
        Ok((self.unrolling(first), assume))
    }

    fn unrolling(self, first: State<'a>) -> Unrolling<'s, 'a> {
        Unrolling {
            system: self,
            states: vec![first],
            steps: Vec::new(),
        }
    }
}

impl<'a> Unrolling<'_, 'a> {
    /// Adds a step to the end; returns what makes the new last state a successor of the one before it.
    pub(crate) fn extend(&mut self) -> Encoded<Vec<Piece>> {
        let TransitionSystem {
            target,
            logic,
            automaton,
        } = self.system;
        let moment = self.steps.len();
        logic.renew_budget();
        let before = self.states[moment].clone();
        let after = logic.unknown_state(target, automaton, &format!("!{}", moment + 1))?;
        let declared = target.model.automaton(automaton);
        let (mut steps, mut assume) = (Vec::new(), Vec::new());
        for (position, clause) in declared.transitions.iter().enumerate() {
            if clause.refused.is_some() {
                continue;
            }
            let id = (automaton, TransitionId::at(position));
            let step = logic.step(target, id, &before, &format!("!{moment}"))?;
            let mut holds: Vec<Bool> = step.assume.iter().map(|p| p.formula.clone()).collect();
            let pairs = step.after.iter().zip(&*after).zip(&declared.variables);
            for ((computed, next), variable) in pairs {
                holds.push(next.equal(computed, &variable.ty, logic)?);
            }
            let literal = Bool::new_const(format!("taken!{moment}!{position}"));
            assume.push(Piece::new("step", implies(&literal, &and(&holds))));
            steps.push(Taken {
                literal,
                action: step.action,
            });
        }
        let taken: Vec<Bool> = steps.iter().map(|taken| taken.literal.clone()).collect();
        assume.push(Piece::new("some step", or(&taken)));
        assume.extend(logic.facts());
        self.states.push(after);
        self.steps.push(steps);
        Ok(assume)
    }

    /// That an invariant holds at a moment; and what is known about the symbols that this brought up.
    pub(crate) fn assumption(&self, invariant: usize, moment: usize) -> Encoded<Vec<Piece>> {
        let TransitionSystem { target, logic, .. } = self.system;
        let holds = logic.invariant_before(target, invariant, &self.states[moment])?;
        let mut assume = vec![holds];
        assume.extend(logic.facts());
        Ok(assume)
    }

    /// The conjuncts of an invariant at a moment; and what is known about the symbols that they brought up.
    pub(crate) fn goals(
        &self,
        invariant: usize,
        moment: usize,
    ) -> Encoded<(Vec<Goal<'a>>, Vec<Piece>)> {
        let TransitionSystem { target, logic, .. } = self.system;
        let goals = logic.invariant_goals(target, invariant, &self.states[moment])?;
        Ok((goals, logic.facts()))
    }
}
