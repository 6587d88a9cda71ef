//! What is to be shown of steps that are taken for independent, in whatever state.
//!
//! Here a step is *blocked* in a state if it is disabled there: its conditions have a value, and are false. It *has a
//! result* if it is enabled and all is defined.

use ioa_lang::Value;
use ioa_lang::core::{
    Invariant, Stmt, StmtKind, Store, Transition, TransitionId, any_stmt, exprs_of_clause,
};
use z3::ast::Bool;

use super::TransitionSystem;
use super::step::Step;
use crate::logic::{Encoded, Env, State, and, has_partial, iff, implies, or, unsupported};

/// A clause with values for all of its parameters: the action's, then the hidden ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Firing {
    /// The clause.
    pub transition: TransitionId,
    /// The values.
    pub params: Vec<Value>,
}

/// A step that is tried in some state.
struct Tried<'a> {
    /// Whether the parameters have the values that they are to have.
    is_given: Bool,
    has_result: Bool,
    is_blocked: Bool,
    after: State<'a>,
}

/// The marks of the names of the parameters of the two steps: each step has its own in all states in which it is tried.
const MARKS: [&str; 2] = ["!one", "!other"];

impl<'a> TransitionSystem<'_, 'a> {
    /// That two steps commute wherever both have a result, and that neither changes whether the other one is blocked or
    /// has a result.
    pub(crate) fn commutation(
        &self,
        before: &State<'a>,
        firings: [&'a Firing; 2],
    ) -> Encoded<Bool> {
        let mut first = Vec::new();
        for (firing, mark) in firings.into_iter().zip(MARKS) {
            first.push(self.given(firing, before, mark)?);
        }
        let mut then = Vec::new();
        for at in [0, 1] {
            then.push(self.given(firings[1 - at], &first[at].after, MARKS[1 - at])?);
        }
        let mut all = Vec::new();
        for at in [0, 1] {
            let (earlier, later): (&Tried<'a>, &Tried<'a>) = (&first[1 - at], &then[at]);
            let same = and(&[
                iff(&earlier.has_result, &later.has_result),
                iff(&earlier.is_blocked, &later.is_blocked),
            ]);
            all.push(implies(&first[at].has_result, &same));
        }
        let both = and(&[first[0].has_result.clone(), first[1].has_result.clone()]);
        let variables = &self.target.model.automaton(self.automaton).variables;
        let pairs = then[0].after.iter().zip(&*then[1].after).zip(variables);
        let equal =
            pairs.map(|((one, other), variable)| one.equal(other, &variable.ty, self.logic));
        let equal = and(&equal.collect::<Encoded<Vec<Bool>>>()?);
        all.push(implies(&both, &equal));
        let given = and(&[first[0].is_given.clone(), first[1].is_given.clone()]);
        Ok(implies(&given, &and(&all)))
    }

    /// That a step blocks no step by a clause but itself.
    pub(crate) fn blocks_nothing(
        &self,
        before: &State<'a>,
        firing: &'a Firing,
        clause: TransitionId,
    ) -> Encoded<Bool> {
        let step = self.given(firing, before, MARKS[0])?;
        let other = self.unknown(clause, before, MARKS[1])?;
        let later = self.unknown(clause, &step.after, MARKS[1])?;
        let is_other = match clause == firing.transition {
            true => self.are(&other, firing)?.not(),
            false => Bool::from_bool(true),
        };
        let (other, later) = (Tried::of(&other), Tried::of(&later));
        let premise = and(&[
            step.is_given,
            step.has_result,
            is_other,
            other.is_blocked.not(),
        ]);
        Ok(implies(&premise, &later.is_blocked.not()))
    }

    /// That wherever a conjunct of an invariant is false for some values of its parameters, it is false for them after a
    /// step.
    pub(crate) fn restores_nothing(
        &self,
        before: &State<'a>,
        firing: &'a Firing,
        (invariant, conjunct): (&'a Invariant, usize),
    ) -> Encoded<Bool> {
        let conjuncts = invariant.formula.scoped_conjuncts();
        let Some((bound, formula)) = conjuncts.get(conjunct) else {
            return unsupported("a conjunct that the invariant does not have");
        };
        if has_partial(formula) {
            return unsupported("a formula that may be undefined");
        }
        let step = self.given(firing, before, MARKS[0])?;
        let mut env = Env::default().item(&invariant.locals);
        for local in bound {
            let declared = env.declared(*local)?;
            let name = format!("parameter.{}!{}", declared.name, local.index());
            let value = self.logic.unknown(&name, &declared.ty)?;
            env.set_local(*local, value);
        }
        let holds = |state: &State<'a>| {
            let env = env.clone().with(Store::Pre, state.clone());
            self.logic.holds(formula, &env)
        };
        let premise = and(&[step.is_given, step.has_result, holds(before)?.not()]);
        Ok(implies(&premise, &holds(&step.after)?.not()))
    }

    /// A step with given parameters, tried in a state.
    fn given(&self, firing: &'a Firing, before: &State<'a>, mark: &str) -> Encoded<Tried<'a>> {
        let step = self.unknown(firing.transition, before, mark)?;
        let is_given = self.are(&step, firing)?;
        Ok(Tried {
            is_given,
            ..Tried::of(&step)
        })
    }

    /// A step by a clause with unknown parameters.
    fn unknown(
        &self,
        transition: TransitionId,
        before: &State<'a>,
        mark: &str,
    ) -> Encoded<Step<'a>> {
        let automaton = self.target.model.automaton(self.automaton);
        is_determined(&automaton.transitions[transition.index()])?;
        self.logic.renew_budget();
        self.logic
            .step(self.target, (self.automaton, transition), before, mark)
    }

    /// That the parameters of a step have the values of a firing.
    fn are(&self, step: &Step<'a>, firing: &'a Firing) -> Encoded<Bool> {
        let automaton = self.target.model.automaton(self.automaton);
        let clause = &automaton.transitions[firing.transition.index()];
        let locals = clause.params.iter().chain(&clause.hidden);
        let types = locals.map(|local| &clause.locals[local.index()].ty);
        let pairs = step.action.params.iter().zip(&firing.params).zip(types);
        let equal = pairs
            .map(|((param, value), ty)| param.equal(&self.logic.lift(value, ty)?, ty, self.logic));
        Ok(and(&equal.collect::<Encoded<Vec<Bool>>>()?))
    }
}

impl<'a> Tried<'a> {
    /// A step whose parameters may have any values.
    fn of(step: &Step<'a>) -> Self {
        let conditions: Vec<Bool> = step.assume.iter().map(|p| p.formula.clone()).collect();
        let demands: Vec<Bool> = step.demands.iter().map(|d| d.condition.clone()).collect();
        let (enabled, defined) = (and(&conditions), and(&demands));
        // What the effect demands is demanded only where the step is enabled.
        let is_blocked = or(&[enabled.clone(), defined.not()]).not();
        Self {
            is_given: Bool::from_bool(true),
            has_result: and(&[enabled, defined]),
            is_blocked,
            after: step.after.clone(),
        }
    }
}

/// Says that a clause with given parameters has one result at most, and that the logic says exactly where it has none.
///
/// Under quantifiers and in loops, the logic demands that terms are defined where they might not be evaluated.
fn is_determined(clause: &Transition) -> Encoded<()> {
    if clause.refused.is_some() {
        return unsupported("a clause that refuses an input");
    }
    if !clause.unconstrained.is_empty() || !clause.ensuring.is_true() || chooses(&clause.effect) {
        return unsupported("a clause with several results");
    }
    let (mut is_partial, mut is_scoped) = (false, has_loop(&clause.effect));
    exprs_of_clause(clause, &mut |expr| {
        expr.walk(&mut |part| {
            is_scoped |= !part.binders().is_empty() && has_partial(part);
        });
        is_partial |= has_partial(expr);
    });
    match is_partial && is_scoped {
        true => unsupported("terms without a value under a quantifier or in a loop"),
        false => Ok(()),
    }
}

fn chooses(statements: &[Stmt]) -> bool {
    any_stmt(statements, |kind| matches!(kind, StmtKind::Choose { .. }))
}

fn has_loop(statements: &[Stmt]) -> bool {
    any_stmt(statements, |kind| matches!(kind, StmtKind::For { .. }))
}
