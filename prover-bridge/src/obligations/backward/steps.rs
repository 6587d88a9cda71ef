//! Whether one high action, or none, leads from an earlier state to a later one.

use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Simulation, Transition};
use z3::ast::Bool;

use super::super::background::Assumable;
use super::super::step::{Open, Step, chosen_once, clause_env, open};
use super::super::{Moment, Target, View};
use crate::logic::{Encoded, Logic, State, Sym, and, or};

/// A low step with the high state that it is to be led back from.
pub(super) struct Steps<'s, 'a> {
    pub(super) target: &'s Target<'a>,
    pub(super) number: usize,
    pub(super) simulation: &'a Simulation,
    pub(super) step: &'s Step<'a>,
    pub(super) before: &'s State<'a>,
    pub(super) later: &'s State<'a>,
    pub(super) assumable: &'s Assumable,
}

impl<'a> Steps<'_, 'a> {
    pub(super) fn view(&self, earlier: Option<State<'a>>) -> View<'a> {
        let moment = |low: &State<'a>, high: Option<State<'a>>| {
            Some(Rc::new(Moment {
                low: Some(low.clone()),
                high,
                block: None,
            }))
        };
        View {
            before: moment(self.before, earlier),
            step: Some(self.step.action.clone()),
            after: moment(&self.step.after, Some(self.later.clone())),
            ..view(self.simulation, self.number)
        }
    }
}

impl<'a> Logic<'a> {
    /// Whether one action of the high automaton, or none, leads from a state to the later one with the step's trace.
    pub(super) fn leads(&'a self, steps: &Steps<'_, 'a>, earlier: &State<'a>) -> Encoded<Bool> {
        let model = steps.target.model;
        let low = model
            .automaton(steps.simulation.low)
            .action_of(steps.step.action.transition);
        let high = model.automaton(steps.simulation.high);
        let mut ways = Vec::new();
        if !low.kind.is_external() {
            ways.push(self.same_state(
                steps.target,
                steps.simulation.high,
                earlier,
                steps.later,
            )?);
        }
        for clause in &high.transitions {
            let action = &high.actions[clause.action.index()];
            let args = match low.kind.is_external() {
                true if action.kind == low.kind && action.name == low.name => {
                    &steps.step.action.params[..action.params.len()]
                }
                false if !action.kind.is_external() => &[],
                _ => continue,
            };
            ways.push(self.clause_leads(steps, clause, args, earlier)?);
        }
        Ok(or(&ways))
    }

    /// Whether a clause leads from a state to the later one, for these first parameters and any others.
    fn clause_leads(
        &'a self,
        steps: &Steps<'_, 'a>,
        clause: &'a Transition,
        args: &[Sym<'a>],
        earlier: &State<'a>,
    ) -> Encoded<Bool> {
        let locals = clause.params.iter().chain(&clause.hidden).copied();
        let locals: Vec<_> = locals.collect();
        let mut unknown: Vec<Open<'a>> = locals[args.len()..]
            .iter()
            .map(|local| open(*local, clause))
            .collect();
        let parameters = unknown.len();
        unknown.extend(chosen_once(&clause.effect, clause)?);
        let free: Vec<Sym<'a>> = clause
            .unconstrained
            .iter()
            .map(|var| steps.later[var.index()].clone())
            .collect();
        self.exists_each(&unknown, &[], &|values| {
            let (params, chosen) = values.split_at(parameters);
            let env = clause_env(clause, earlier, &[args, params].concat());
            let enabled = self.enabled(clause, &env)?;
            let (fits, after) = self.outcome_of(clause, &env, chosen, &free)?;
            let high = steps.simulation.high;
            let arrives = self.same_state(steps.target, high, &after, steps.later)?;
            Ok(and(&[enabled, fits, arrives]))
        })
    }

    pub(super) fn same_state(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        a: &State<'a>,
        b: &State<'a>,
    ) -> Encoded<Bool> {
        let variables = &target.model.automaton(id).variables;
        let pairs = variables.iter().zip(a.iter().zip(b.iter()));
        let same = pairs.map(|(variable, (a, b))| a.equal(b, &variable.ty, self));
        Ok(and(&same.collect::<Encoded<Vec<Bool>>>()?))
    }
}

pub(super) fn view<'a>(simulation: &Simulation, number: usize) -> View<'a> {
    View {
        low: simulation.low,
        high: Some((simulation.high, number)),
        before: None,
        step: None,
        fired: Vec::new(),
        after: None,
    }
}
