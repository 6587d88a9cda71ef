//! Whether a clause that is enabled has an outcome: choices and new values for which its `ensuring` holds.

use std::rc::Rc;

use ioa_lang::core::{LocalId, Stmt, StmtKind, Store, Transition, Type};
use z3::ast::Bool;

use super::Target;
use super::invariant::{Step, state_of};
use crate::logic::{
    AtSpan, Choices, Definedness, Encoded, Env, Logic, Run, State, Sym, UndefinedCause, and,
    implies, unsupported,
};

/// Something whose value the clause leaves open.
pub(super) type Open<'a> = (String, &'a Type);

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
        let mut env = Env::default()
            .with(Store::Pre, before.clone())
            .item(&clause.locals);
        let params = clause.params.iter().chain(&clause.hidden);
        for (local, value) in params.zip(&step.action.params) {
            env.set_local(*local, value.clone());
        }
        let mut open = Vec::new();
        chosen(&clause.effect, clause, &mut open)?;
        let choices = open.len();
        for var in &clause.unconstrained {
            let variable = &automaton.variables[var.index()];
            open.push((variable.name.to_string(), &variable.ty));
        }
        let enabled = and(&[
            self.holds(&clause.applies, &env)?,
            self.holds(&clause.pre, &env)?,
        ]);
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
    pub(super) fn outcome_of(
        &'a self,
        clause: &'a Transition,
        env: &Env<'a>,
        chosen: &[Sym<'a>],
        free: &[Sym<'a>],
    ) -> Encoded<(Bool, State<'a>)> {
        let before = state_of(env, Store::Pre)?.clone();
        let mut run = Run::new(self, env.clone(), Choices::Given(chosen.to_vec()));
        run.all(&clause.effect)?;
        let mut after = state_of(&run.env, Store::Pre)?.to_vec();
        for (var, value) in clause.unconstrained.iter().zip(free) {
            after[var.index()] = value.clone();
        }
        let after = Rc::new(after);
        run.env.set_state(Store::Pre, before);
        run.env.set_state(Store::Post, after.clone());
        let given = run
            .demands
            .iter()
            .filter(|d| d.cause == UndefinedCause::WrongChoice);
        let mut holds: Vec<Bool> = given.map(|d| d.condition.clone()).collect();
        holds.push(self.holds(&clause.ensuring, &run.env)?);
        Ok((and(&holds), after))
    }

    /// `\E` over all of `open`, of a body over their values.
    pub(super) fn exists_each(
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

/// The choices of an effect in the order in which a run meets them.
pub(super) fn chosen<'a>(
    stmts: &'a [Stmt],
    clause: &'a Transition,
    out: &mut Vec<Open<'a>>,
) -> Encoded<()> {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Choose { binder, .. } => out.push(open(*binder, clause)),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                let bodies = branches.iter().map(|(_, body)| body).chain([otherwise]);
                out.extend(alternatives(bodies, clause).at(stmt.span)?);
            }
            StmtKind::For { body, .. } => {
                let mut inside = Vec::new();
                chosen(body, clause, &mut inside)?;
                if !inside.is_empty() {
                    return unsupported("whether choices in a loop can meet an `ensuring`")
                        .at(stmt.span);
                }
            }
            StmtKind::Assign(..)
            | StmtKind::While(..)
            | StmtKind::Fire(_)
            | StmtKind::FireAny(_) => {}
        }
    }
    Ok(())
}

/// The choices of branches, which all take their values from the same place.
fn alternatives<'a>(
    bodies: impl Iterator<Item = &'a Vec<Stmt>>,
    clause: &'a Transition,
) -> Encoded<Vec<Open<'a>>> {
    let mut common: Option<Vec<Open<'a>>> = None;
    for body in bodies {
        let mut here = Vec::new();
        chosen(body, clause, &mut here)?;
        let types = |open: &[Open<'a>]| open.iter().map(|(_, ty)| *ty).collect::<Vec<_>>();
        match &common {
            Some(first) if types(first) != types(&here) => {
                return unsupported(
                    "whether branches with different choices can meet an `ensuring`",
                );
            }
            Some(_) => {}
            None => common = Some(here),
        }
    }
    Ok(common.unwrap_or_default())
}

pub(super) fn open(binder: LocalId, clause: &Transition) -> Open<'_> {
    let local = &clause.locals[binder.index()];
    (local.name.to_string(), &local.ty)
}
