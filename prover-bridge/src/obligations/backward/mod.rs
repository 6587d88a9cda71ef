//! Backward simulations: from what is related after a low step back to what is related before it.
//!
//! The states related to a low state are those that the relation and the invariants of the high automaton allow: what
//! may be assumed of the later high state is to be shown of the earlier one. A proof block gives the earlier state and
//! the fragment; without one, the solver has to find a state from which one action, or none, leads to the later one.

mod steps;

use std::rc::Rc;

use ioa_lang::Span;
use ioa_lang::core::{Simulation, Store, TransitionId};
use z3::ast::Bool;

use self::steps::{Steps, view};
use super::background::{Assumable, Ground};
use super::path::{Parts, Path, parts};
use super::simulation::snapshot;
use super::step::{Open, state_of};
use super::{Case, Goal, Group, Kind, Moment, Piece, Role, Target, View};
use crate::logic::{Choices, Encoded, Env, Logic, Run, State, and, unsupported};

/// No state is related to a low state.
const UNRELATED: &str = "some high state is related to the low state";

/// No state related to the low state before leads to the high state after.
const NO_WAY: &str = "some high state related to the low state before leads to the high state after, by one action or none";

impl<'a> Logic<'a> {
    /// Every state related to a low start state is a high start state.
    pub(crate) fn backward_start_group(
        &'a self,
        target: &Target<'a>,
        number: usize,
        assumable: &Assumable,
    ) -> Encoded<Group<'a>> {
        let simulation = &target.model.simulations[number];
        let run = self.start(target, simulation.low, "")?;
        let low = state_of(&run.run.env, Store::Pre)?.clone();
        let high = self.unknown_state(target, simulation.high, "")?;
        let mut assume = [run.choices, vec![run.so_that]].concat();
        assume.extend(self.invariants(target, simulation.high, &high, assumable));
        let env = states(low, high.clone());
        assume.push(self.related(simulation, &env)?);
        let goals = self.is_start(target, simulation.high, &high);
        assume.extend(self.facts());
        let view = View {
            after: Some(snapshot(&env, Store::Low)),
            ..view(simulation, number)
        };
        let kind = Kind::SimulationStart { simulation: number };
        let cases = goals.map(|goals| vec![self.case(goals, view)]);
        Ok(Group {
            assume,
            members: vec![(kind, cases)],
        })
    }

    /// Every low state is related to some high state; the low one is in the ground's store `Pre`.
    pub(crate) fn backward_total_group(
        &'a self,
        target: &Target<'a>,
        ground: &Ground<'a>,
        number: usize,
        kinds: &[Kind],
        assumable: &Assumable,
    ) -> Encoded<Group<'a>> {
        let simulation = &target.model.simulations[number];
        let low = state_of(&ground.env, Store::Pre)?.clone();
        let alone = Rc::new(Moment {
            low: Some(low.clone()),
            ..Moment::default()
        });
        let mut view = View {
            before: Some(alone),
            ..view(simulation, number)
        };
        if simulation.proof.is_none() {
            let exists = self.some_high(target, simulation, |high| {
                self.is_related(target, simulation, (&low, high), assumable)
            })?;
            let goals = vec![missing(simulation.relation.span, UNRELATED, exists)];
            let kind = Kind::SimulationTotal { simulation: number };
            return Ok(Group {
                assume: self.facts(),
                members: vec![(kind, Ok(vec![self.case(goals, view)]))],
            });
        }
        let parts = parts(target, number)?;
        let (run, assume) = self.made_high(parts, low.clone())?;
        let made = state_of(&run.env, Store::High)?;
        let goals = self.related_goals(parts, (&low, made), assumable)?;
        view.before = Some(snapshot(&states(low, made.clone()), Store::Low));
        let member = |kind: &Kind| {
            let goals = match kind {
                Kind::SimulationTotal { .. } => goals.clone(),
                _ => run.demands.iter().cloned().map(Goal::defined).collect(),
            };
            (*kind, Ok(vec![self.case(goals, view.clone())]))
        };
        Ok(Group {
            assume,
            members: kinds.iter().map(member).collect(),
        })
    }

    /// The high state that the block's `initially` makes for a low state.
    fn made_high(&'a self, parts: Parts<'_, 'a>, low: State<'a>) -> Encoded<(Run<'a>, Vec<Piece>)> {
        let high = self.start(parts.target, parts.simulation.high, "!high")?;
        let blank = self.unknown_variables(&parts.proof.variables, "proof.", "!any")?;
        let env = states(low, state_of(&high.run.env, Store::Pre)?.clone())
            .with(Store::Block, blank)
            .item(&parts.proof.initially.locals);
        let mut run = Run::new(self, env, Choices::Free("proof.initially.".into()));
        run.all(&parts.proof.initially.body)?;
        let mut assume = high.choices;
        assume.extend(self.facts());
        assume.extend(run.assumed.iter().map(|f| Piece::new("choice", f.clone())));
        Ok((run, assume))
    }

    /// The obligations of one low clause: the later high state is in the ground's store `High`.
    pub(crate) fn backward_step_group(
        &'a self,
        target: &Target<'a>,
        ground: &Ground<'a>,
        (number, transition): (usize, TransitionId),
        kinds: &[Kind],
        assumable: &Assumable,
    ) -> Encoded<Group<'a>> {
        let simulation = &target.model.simulations[number];
        let before = state_of(&ground.env, Store::Low)?;
        let later = state_of(&ground.env, Store::High)?;
        let step = self.step(target, (simulation.low, transition), before, "")?;
        let after = states(step.after.clone(), later.clone());
        let mut assume = step.assume.clone();
        assume.push(self.related(simulation, &after)?);
        assume.extend(self.invariants(target, simulation.low, &step.after, assumable));
        let steps = Steps {
            target,
            number,
            simulation,
            step: &step,
            before,
            later,
            assumable,
        };
        let mut members = Vec::new();
        for kind in kinds {
            members.push((*kind, self.backward_cases(&steps, ground, *kind)));
        }
        assume.extend(self.facts());
        Ok(Group { assume, members })
    }

    fn backward_cases(
        &'a self,
        steps: &Steps<'_, 'a>,
        ground: &Ground<'a>,
        kind: Kind,
    ) -> Encoded<Vec<Case<'a>>> {
        let Steps { target, step, .. } = steps;
        if steps.simulation.proof.is_none() {
            let exists = self.some_high(target, steps.simulation, |earlier| {
                Ok(and(&[
                    self.is_related(
                        target,
                        steps.simulation,
                        (steps.before, earlier),
                        steps.assumable,
                    )?,
                    self.leads(steps, earlier)?,
                ]))
            })?;
            let goals = vec![missing(steps.simulation.relation.span, NO_WAY, exists)];
            return Ok(vec![self.case(goals, steps.view(None))]);
        }
        let parts = parts(target, steps.number)?;
        let automaton = target.model.automaton(steps.simulation.low);
        let action = automaton.transitions[step.action.transition.index()].action;
        let Some(entry) = parts.proof.entries.get(action.index()) else {
            return unsupported("an action without an entry in the proof block");
        };
        let blank = self.unknown_variables(&parts.proof.variables, "proof.", "!any")?;
        let env = ground.env.clone().with(Store::Block, blank);
        let paths = self.paths(parts, entry, step, &env)?;
        let definedness = matches!(kind, Kind::Definedness(_));
        paths
            .iter()
            .map(|path| self.backward_path(steps, parts, path, entry.span, definedness))
            .collect()
    }

    fn backward_path(
        &'a self,
        steps: &Steps<'_, 'a>,
        parts: Parts<'_, 'a>,
        path: &Path<'a>,
        span: Span,
        definedness: bool,
    ) -> Encoded<Case<'a>> {
        let mut view = steps.view(path.first.clone());
        view.fired.clone_from(&path.fired);
        if definedness {
            let demands = path.run.demands.iter().cloned();
            return Ok(self.case(demands.map(Goal::defined).collect(), view));
        }
        let Some(earlier) = &path.first else {
            return unsupported("a path of an entry that begins in no state");
        };
        let mut goals = self.related_goals(parts, (steps.before, earlier), steps.assumable)?;
        goals.extend(path.goals.iter().cloned());
        let reached = state_of(&path.run.env, Store::High)?;
        goals.push(Goal {
            span,
            role: Role::Arrival,
            formula: self.same_state(parts.target, parts.simulation.high, reached, steps.later)?,
            source: None,
        });
        let mut case = self.case(goals, view);
        case.assume.extend(path.assumptions());
        Ok(case)
    }

    /// `\\E` over all states of the high automaton.
    fn some_high(
        &'a self,
        target: &Target<'a>,
        simulation: &Simulation,
        body: impl Fn(&State<'a>) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        let variables = target.model.automaton(simulation.high).variables.iter();
        let open: Vec<Open<'a>> = variables.map(|v| (v.name.to_string(), &v.ty)).collect();
        self.exists_each(&open, &[], &|values| body(&Rc::new(values.to_vec())))
    }

    /// Whether the relation and the high invariants hold of two states.
    fn is_related(
        &'a self,
        target: &Target<'a>,
        simulation: &'a Simulation,
        (low, high): (&State<'a>, &State<'a>),
        assumable: &Assumable,
    ) -> Encoded<Bool> {
        let mut parts = vec![
            self.related(simulation, &states(low.clone(), high.clone()))?
                .formula,
        ];
        let invariants = self.invariants(target, simulation.high, high, assumable);
        parts.extend(invariants.into_iter().map(|piece| piece.formula));
        Ok(and(&parts))
    }

    /// The same as goals.
    fn related_goals(
        &'a self,
        parts: Parts<'_, 'a>,
        (low, high): (&State<'a>, &State<'a>),
        assumable: &Assumable,
    ) -> Encoded<Vec<Goal<'a>>> {
        let env = states(low.clone(), high.clone()).item(&parts.simulation.locals);
        let mut goals = self.conjuncts(&parts.simulation.relation, &env, Role::Relation)?;
        let (target, id) = (parts.target, parts.simulation.high);
        for piece in self.invariants(target, id, high, assumable) {
            if let Some(i) = piece.invariant {
                goals.push(Goal {
                    span: target.invariants[i].formula.span,
                    role: Role::Invariant,
                    formula: piece.formula,
                    source: None,
                });
            }
        }
        Ok(goals)
    }

    fn related(&'a self, simulation: &'a Simulation, env: &Env<'a>) -> Encoded<Piece> {
        let relation = self.holds(&simulation.relation, &env.item(&simulation.locals))?;
        Ok(Piece::new("relation", relation))
    }
}

fn states<'a>(low: State<'a>, high: State<'a>) -> Env<'a> {
    Env::default().with(Store::Low, low).with(Store::High, high)
}

fn missing<'a>(span: Span, what: &'static str, formula: Bool) -> Goal<'a> {
    Goal {
        span,
        role: Role::Missing(what),
        formula,
        source: None,
    }
}
