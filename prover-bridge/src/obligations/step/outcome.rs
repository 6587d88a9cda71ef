//! Whether a clause that is enabled has an outcome: choices and new values for which its `ensuring` holds.

use ioa_lang::core::{Store, Transition};
use z3::ast::Bool;

use super::{Open, Step, arrive, chosen_once, clause_env, state_of};
use crate::logic::{
    AtSpan, Choices, Definedness, Encoded, Env, Logic, Run, State, Sym, UndefinedCause, and,
    implies,
};
use crate::obligations::Target;

impl<'a> Logic<'a> {
    /// That a step which is enabled has an outcome; nothing where the clause has no `ensuring`.
    pub(crate) fn outcome(
        &'a self,
        target: &Target<'a>,
        step: &Step<'a>,
        before: &State<'a>,
    ) -> Encoded<Option<Definedness>> {
        let automaton = target.model.automaton(step.action.automaton);
        let clause = &automaton.transitions[step.action.transition.index()];
        if clause.ensuring.is_true() {
            return Ok(None);
        }
        let env = clause_env(clause, before, &step.action.params);
        let mut open = chosen_once(&clause.effect, clause)?;
        let choices = open.len();
        for var in &clause.unconstrained {
            let variable = &automaton.variables[var.index()];
            open.push((variable.name.to_string(), &variable.ty));
        }
        let enabled = self.enabled(clause, &env)?;
        let possible = self.exists_each(&open, &[], &|values| {
            let (chosen, free) = values.split_at(choices);
            Ok(self.outcome_of(clause, &env, chosen, free)?.0)
        });
        Ok(Some(Definedness {
            span: clause.ensuring.span,
            cause: match clause.refused {
                Some(_) => UndefinedCause::RefusedInput,
                None => UndefinedCause::NoOutcome,
            },
            condition: implies(&enabled, &possible.at(clause.ensuring.span)?),
        }))
    }

    /// Whether the effect run with these choices, and these new values where it leaves them free, is an outcome; and the
    /// state that it leads to.
    pub(in crate::obligations) fn outcome_of(
        &'a self,
        clause: &'a Transition,
        env: &Env<'a>,
        chosen: &[Sym<'a>],
        free: &[Sym<'a>],
    ) -> Encoded<(Bool, State<'a>)> {
        let before = state_of(env, Store::Pre)?.clone();
        let mut run = Run::new(self, env.clone(), Choices::Given(chosen.to_vec()));
        run.all(&clause.effect)?;
        let after = arrive(&mut run, clause, &before, free)?;
        let given = run
            .demands
            .iter()
            .filter(|d| d.cause == UndefinedCause::WrongChoice);
        let mut holds: Vec<Bool> = given.map(|d| d.condition.clone()).collect();
        holds.push(self.holds(&clause.ensuring, &run.env)?);
        Ok((and(&holds), after))
    }

    /// `\E` over all of `open`, of a body over their values.
    pub(in crate::obligations) fn exists_each(
        &'a self,
        open: &[Open<'a>],
        values: &[Sym<'a>],
        body: &dyn Fn(&[Sym<'a>]) -> Encoded<Bool>,
    ) -> Encoded<Bool> {
        let Some(((name, ty), rest)) = open.split_first() else {
            return body(values);
        };
        self.exists(name, ty, |x| {
            let values = [values, &[x]].concat();
            self.exists_each(rest, &values, body)
        })
    }
}
