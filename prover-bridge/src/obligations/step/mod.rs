//! A clause run once in logic. This is the only reading of a step: it gives the conditions under which the clause is taken, what
//! may go wrong, and the state after it as terms over the state before it. Induction substitutes these terms into what is to hold
//! afterwards; an unrolling asserts that they equal the unknowns of the next state.

mod choices;
mod outcome;

use std::rc::Rc;

use ioa_lang::core::{Automaton, AutomatonId, Store, Transition, TransitionId};
use z3::ast::Bool;

pub(crate) use choices::chosen;
pub(super) use choices::{Open, chosen_once, open};

use super::{Fired, Piece, Target};
use crate::logic::{
    Choices, Definedness, Encoded, Env, Logic, Run, State, Sym, UndefinedCause, and, unsupported,
};

/// A transition clause run from an unknown state with unknown parameters.
pub(crate) struct Step<'a> {
    /// Applicability, precondition, and what the effect's choices and `ensuring` add.
    pub(crate) assume: Vec<Piece>,
    /// What the clause demands, from left to right.
    pub(crate) demands: Vec<Definedness>,
    pub(crate) action: Fired<'a>,
    pub(crate) after: State<'a>,
}

impl Step<'_> {
    /// That no partial operator is applied outside its domain. That choices are possible need not be said: there are their values.
    pub(crate) fn defined(&self) -> Vec<Piece> {
        let partial = self.demands.iter();
        let partial = partial.filter(|d| matches!(d.cause, UndefinedCause::Undefined(_)));
        partial
            .map(|demand| Piece::new("defined", demand.condition.clone()))
            .collect()
    }
}

impl<'a> Logic<'a> {
    /// A clause run from `before` with unknown parameters; `mark` tells its symbols from those of steps at other moments.
    pub(crate) fn step(
        &'a self,
        target: &Target<'a>,
        (id, transition): (AutomatonId, TransitionId),
        before: &State<'a>,
        mark: &str,
    ) -> Encoded<Step<'a>> {
        let automaton = target.model.automaton(id);
        let clause = &automaton.transitions[transition.index()];
        let prefix = prefix(automaton, transition, mark);
        let params = self.unknown_params(target, (id, transition), mark)?;
        let env = clause_env(clause, before, &params);
        let mut run = Run::new(self, env, Choices::Free(prefix.into()));
        let mut assume = self.run_clause(clause, &mut run)?;
        let open = self.open_variables(automaton, clause, mark)?;
        let after = arrive(&mut run, clause, before, &open)?;
        run.demand(&clause.ensuring)?;
        assume.extend(run.assumed.iter().map(|f| Piece::new("choice", f.clone())));
        assume.push(Piece::new(
            "ensuring",
            self.holds(&clause.ensuring, &run.env)?,
        ));
        Ok(Step {
            assume,
            demands: run.demands,
            action: Fired {
                automaton: id,
                transition,
                params,
            },
            after,
        })
    }

    /// Unknown values for the parameters of a clause, the hidden ones last.
    pub(crate) fn unknown_params(
        &'a self,
        target: &Target<'a>,
        (id, transition): (AutomatonId, TransitionId),
        mark: &str,
    ) -> Encoded<Vec<Sym<'a>>> {
        let automaton = target.model.automaton(id);
        let clause = &automaton.transitions[transition.index()];
        let prefix = prefix(automaton, transition, mark);
        let locals = clause.params.iter().chain(&clause.hidden);
        let unknown = locals.map(|local| {
            let declared = &clause.locals[local.index()];
            let name = format!("{prefix}{}!{}", declared.name, local.index());
            self.unknown(&name, &declared.ty)
        });
        unknown.collect()
    }

    /// Runs a clause up to the end of its effect; its conditions are what is returned.
    pub(crate) fn run_clause(
        &'a self,
        clause: &'a Transition,
        run: &mut Run<'a>,
    ) -> Encoded<Vec<Piece>> {
        run.demand(&clause.applies)?;
        let applies = self.holds(&clause.applies, &run.env)?;
        run.guard = applies.clone();
        run.demand(&clause.pre)?;
        let pre = self.holds(&clause.pre, &run.env)?;
        run.guard = and(&[applies.clone(), pre.clone()]);
        run.all(&clause.effect)?;
        Ok(vec![Piece::new("applies", applies), Piece::new("pre", pre)])
    }

    /// Unknown values of the variables that `ensuring` alone decides.
    fn open_variables(
        &'a self,
        automaton: &'a Automaton,
        clause: &'a Transition,
        mark: &str,
    ) -> Encoded<Vec<Sym<'a>>> {
        let unknown = clause.unconstrained.iter().map(|var| {
            let variable = &automaton.variables[var.index()];
            let name = format!("{}.{}!after{mark}", automaton.name, variable.name);
            self.unknown(&name, &variable.ty)
        });
        unknown.collect()
    }

    /// Whether a clause is enabled.
    pub(super) fn enabled(&'a self, clause: &'a Transition, env: &Env<'a>) -> Encoded<Bool> {
        let conditions = [&clause.applies, &clause.pre].map(|formula| self.holds(formula, env));
        let [applies, pre] = conditions;
        Ok(and(&[applies?, pre?]))
    }
}

/// What the names of a clause stand for in a state, with values for the first of its parameters, the hidden ones last.
pub(crate) fn clause_env<'a>(
    clause: &'a Transition,
    before: &State<'a>,
    params: &[Sym<'a>],
) -> Env<'a> {
    let mut env = Env::default()
        .with(Store::Pre, before.clone())
        .item(&clause.locals);
    let locals = clause.params.iter().chain(&clause.hidden);
    for (local, value) in locals.zip(params) {
        env.set_local(*local, value.clone());
    }
    env
}

/// The state that the effect of a clause led to, with these values of the variables that `ensuring` alone decides. From now on
/// the run is between the two states, as `ensuring` is.
pub(crate) fn arrive<'a>(
    run: &mut Run<'a>,
    clause: &Transition,
    before: &State<'a>,
    open: &[Sym<'a>],
) -> Encoded<State<'a>> {
    let mut after = state_of(&run.env, Store::Pre)?.to_vec();
    for (var, value) in clause.unconstrained.iter().zip(open) {
        after[var.index()] = value.clone();
    }
    let after = Rc::new(after);
    run.env.set_state(Store::Pre, before.clone());
    run.env.set_state(Store::Post, after.clone());
    Ok(after)
}

pub(crate) fn state_of<'e, 'a>(env: &'e Env<'a>, store: Store) -> Encoded<&'e State<'a>> {
    match env.state(store) {
        Some(state) => Ok(state),
        None => unsupported("a state is asked for where there is none"),
    }
}

/// What the names of the symbols of a clause begin with.
fn prefix(automaton: &Automaton, transition: TransitionId, mark: &str) -> String {
    let action = &automaton.action_of(transition).name;
    format!("{}.{action}{mark}.", automaton.name)
}
