//! Transitions and formulas of finite instances, asked of the solver: the other reading of the core, to compare the
//! executor's with.
//!
//! The encoding is the one that proofs use, with each sort closed to the universe's elements and the theories'
//! operators as the universe has them.

use finite::Universe;
use ioa_lang::core::{
    Automaton, AutomatonId, Expr, Local, Model, SortId, Store, Transition, TransitionId, Type,
    VarId, Variable,
};
use ioa_lang::{Span, Value};
use z3::ast::{Ast, Bool, Dynamic};

use crate::counterexample::{Facts, assemble, leaves, scalar_value};
use crate::logic::{
    Choices, Definedness, Encoded, Env, FiniteSize, Logic, Run, Size, State, Sym, UndefinedCause,
    and, has_partial, unsupported,
};
use crate::obligations::{arrive, chosen, clause_env};
use crate::options::Options;
use crate::reason::Reason;
use crate::solver::{Answer, Solver, in_context};

/// Asks for transitions of one automaton in one finite instance.
#[derive(Clone, Debug)]
pub struct TransitionQuery<'a> {
    model: &'a Model,
    universe: &'a Universe,
    automaton: AutomatonId,
    /// Whether quantifiers over finite types are written out, as in the search for counterexamples, or left to the
    /// solver, as in proofs.
    pub expand_quantifiers: bool,
    /// Work for one question, in Z3's own unit; 0 for no limit but a time that a hard question alone comes to.
    pub resource_limit: u32,
}

/// What the logic says about one transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepAnswer {
    /// Whether `where` and the precondition hold of the state and the parameters.
    pub enabled: bool,
    /// Whether the given choices satisfy the predicates of their `choose` statements.
    pub choices_fit: bool,
    /// Whether `ensuring` holds between the states.
    pub ensured: bool,
    /// Every place where something is undefined, with what is wrong there. Where this is not empty, the other answers
    /// mean nothing.
    pub undefined: Vec<(Span, &'static str)>,
    /// The state after the effect, in the order of the variables.
    pub after: Vec<Value>,
}

/// What the logic says about a formula in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaAnswer {
    /// Whether it holds.
    pub holds: bool,
    /// Every place where something is undefined, as in [`StepAnswer::undefined`].
    pub undefined: Vec<(Span, &'static str)>,
}

impl<'a> TransitionQuery<'a> {
    /// Queries about an automaton in an instance.
    #[must_use]
    pub fn new(model: &'a Model, universe: &'a Universe, automaton: AutomatonId) -> Self {
        Self {
            model,
            universe,
            automaton,
            expand_quantifiers: false,
            resource_limit: 0,
        }
    }

    /// What a clause does in a state: `params` are the action's parameters and then the hidden ones, `choices` the
    /// values of its `choose` statements in the order in which they are met and then the values of the variables that
    /// only `ensuring` decides.
    ///
    /// # Errors
    /// Why the solver did not answer: a limit, or a construct or value outside the encoding.
    pub fn step(
        &self,
        state: &[Value],
        transition: TransitionId,
        params: &[Value],
        choices: &[Value],
    ) -> Result<StepAnswer, Reason> {
        let given = Given {
            state,
            params,
            choices,
        };
        in_context(|| self.ask(&self.logic()?, transition, &given))
    }

    /// What a formula over the automaton's state says about a state; `locals` are the bound variables of its item.
    ///
    /// # Errors
    /// Why the solver did not answer: a limit, or a construct or value outside the encoding.
    pub fn holds(
        &self,
        state: &[Value],
        locals: &[Local],
        formula: &Expr,
    ) -> Result<FormulaAnswer, Reason> {
        in_context(|| {
            let logic = self.logic()?;
            let types = self.variables().iter().map(|v| &v.ty);
            let state = lift_all(&logic, state, types)?.into();
            let env = Env::default().with(Store::Pre, state).item(locals);
            let demands = logic.demands(formula, &env, &Bool::from_bool(true))?;
            let conditions = demands.iter().map(|d| Dynamic::from(&d.condition));
            let holds = Dynamic::from(&logic.holds(formula, &env)?);
            let terms: Vec<Dynamic> = std::iter::once(holds).chain(conditions).collect();
            let values = truths(&self.solve(&logic, &terms)?)?;
            let broken = demands.iter().zip(&values[1..]).filter(|(_, met)| !**met);
            Ok(FormulaAnswer {
                holds: values[0],
                undefined: broken.map(|(d, _)| (d.span, d.cause.text())).collect(),
            })
        })
    }

    /// The types of the choices that [`TransitionQuery::step`] wants for a clause.
    ///
    /// # Errors
    /// A clause whose choices cannot be given in advance.
    pub fn choices(&self, transition: TransitionId) -> Result<Vec<&'a Type>, Reason> {
        let automaton = self.model.automaton(self.automaton);
        Ok(choice_types(
            automaton,
            &automaton.transitions[transition.index()],
        )?)
    }

    fn variables(&self) -> &'a [Variable] {
        &self.model.automaton(self.automaton).variables
    }

    /// The vocabulary of the instance.
    fn logic(&self) -> Encoded<Logic<'a>> {
        let sorts = (0..self.model.sorts.len()).map(SortId::at);
        let size = Size::Finite(FiniteSize {
            copy: 0,
            sorts: sorts.map(|id| self.universe.size(id) as u32).collect(),
            meaning: Some(self.universe.clone()),
            expand: self.expand_quantifiers,
            windowed: false,
        });
        let mut logic = Logic::new(self.model, size);
        logic.declare_theories()?;
        Ok(logic)
    }

    fn ask<'l>(
        &'l self,
        logic: &'l Logic<'l>,
        transition: TransitionId,
        given: &Given<'_>,
    ) -> Result<StepAnswer, Reason> {
        let taken = take(logic, self.automaton, transition, given)?;
        let variables = self.variables();
        let mut terms: Vec<Dynamic> = taken.conditions().map(Dynamic::from).collect();
        let conditions = terms.len();
        let facts = Facts::of(logic);
        for (value, variable) in taken.after.iter().zip(variables) {
            leaves(&facts, value, &variable.ty, &mut terms)?;
        }
        let values = self.solve(logic, &terms)?;
        let mut leaves = values[conditions..].iter().cloned();
        let conditions = truths(&values[..conditions])?;
        let types = variables.iter().map(|v| &v.ty);
        let after: Encoded<Vec<Value>> =
            types.map(|ty| assemble(&facts, ty, &mut leaves)).collect();
        Ok(taken.answer(&conditions, after?))
    }

    /// The values of terms. The facts of the instance determine all of them but those that say nothing.
    fn solve<'l>(
        &self,
        logic: &'l Logic<'l>,
        terms: &[Dynamic],
    ) -> Result<Vec<Option<Value>>, Reason> {
        let options = Options {
            resource_limit: self.resource_limit,
            ..Options::default()
        };
        let mut solver = Solver::new(&options);
        for (_, axiom) in logic.axioms(self.universe.setting())? {
            solver.assert(axiom);
        }
        let mut named = Vec::new();
        for (i, term) in terms.iter().enumerate() {
            let constant = Dynamic::new_const(format!("asked!{i}"), &term.get_sort());
            solver.assert(constant.eq(term));
            named.push(constant);
        }
        for fact in logic.take_facts() {
            solver.assert(fact);
        }
        // The incremental solver keeps the named terms; the other one may solve for them, and leave a value of theirs that
        // is a formula with quantifiers.
        match solver.check_assuming(&[]) {
            Answer::Sat => {}
            Answer::Unsat => {
                return Err(Reason::Incomplete("the instance contradicts itself".into()));
            }
            Answer::Unknown(reason) => return Err(reason),
        }
        let lost = || Reason::Incomplete("a value could not be read".into());
        let model = solver.model().ok_or_else(lost)?;
        Ok(named
            .iter()
            .map(|term| scalar_value(logic, &model, term))
            .collect())
    }
}

struct Given<'g> {
    state: &'g [Value],
    params: &'g [Value],
    choices: &'g [Value],
}

/// A transition taken symbolically from given values.
struct Taken<'l> {
    enabled: Bool,
    ensured: Bool,
    demands: Vec<Definedness>,
    after: State<'l>,
}

impl Taken<'_> {
    fn conditions(&self) -> impl Iterator<Item = &Bool> {
        let demands = self.demands.iter().map(|d| &d.condition);
        [&self.enabled, &self.ensured].into_iter().chain(demands)
    }

    fn answer(self, conditions: &[bool], after: Vec<Value>) -> StepAnswer {
        let demands = self.demands.into_iter().zip(&conditions[2..]);
        let (choices, undefined): (Vec<_>, Vec<_>) = demands
            .filter_map(|(demand, met)| (!met).then_some(demand))
            .partition(|d| d.cause == UndefinedCause::WrongChoice);
        StepAnswer {
            enabled: conditions[0],
            choices_fit: choices.is_empty(),
            ensured: conditions[1],
            undefined: undefined.iter().map(|d| (d.span, d.cause.text())).collect(),
            after,
        }
    }
}

fn take<'l>(
    logic: &'l Logic<'l>,
    automaton: AutomatonId,
    transition: TransitionId,
    given: &Given<'_>,
) -> Encoded<Taken<'l>> {
    let automaton = logic.model.automaton(automaton);
    let Some(clause) = automaton.transitions.get(transition.index()) else {
        return unsupported("a clause that the automaton does not have");
    };
    let types = automaton.variables.iter().map(|v| &v.ty);
    let before: State<'l> = lift_all(logic, given.state, types)?.into();
    let locals = clause.params.iter().chain(&clause.hidden);
    let types: Vec<&Type> = locals.map(|l| &clause.locals[l.index()].ty).collect();
    let params = lift_all(logic, given.params, types.into_iter())?;
    let env = clause_env(clause, &before, &params);
    let chosen = given.choices.iter().zip(choice_types(automaton, clause)?);
    let chosen: Encoded<Vec<Sym<'l>>> = chosen.map(|(v, ty)| logic.lift(v, ty)).collect();
    let mut run = Run::new(logic, env, Choices::Given(chosen?));
    let enabled = logic.run_clause(clause, &mut run)?;
    let Choices::Given(rest) = &run.choices else {
        return unsupported("choices that are not given");
    };
    if rest.len() != clause.unconstrained.len() {
        return unsupported("a step with another number of choices than were given");
    }
    let rest = rest.clone();
    let after = arrive(&mut run, clause, &before, &rest)?;
    let relation = Relation {
        clause,
        variables: &automaton.variables,
        logic,
    };
    let demands = relation.demands(&clause.unconstrained, &run.env, &run.guard)?;
    run.demands.extend(demands);
    let enabled: Vec<Bool> = enabled.into_iter().map(|piece| piece.formula).collect();
    Ok(Taken {
        enabled: and(&enabled),
        ensured: logic.holds(&clause.ensuring, &run.env)?,
        demands: run.demands,
        after,
    })
}

/// The `ensuring` of a clause.
#[derive(Clone, Copy)]
struct Relation<'l> {
    clause: &'l Transition,
    variables: &'l [Variable],
    logic: &'l Logic<'l>,
}

impl<'l> Relation<'l> {
    /// What it demands for every value of the variables after the step that are `open`.
    fn demands(&self, open: &[VarId], env: &Env<'l>, guard: &Bool) -> Encoded<Vec<Definedness>> {
        let relation = &self.clause.ensuring;
        let Some((var, rest)) = open.split_first().filter(|_| has_partial(relation)) else {
            return self.logic.demands(relation, env, guard);
        };
        let Variable { name, ty, .. } = &self.variables[var.index()];
        self.logic.generalise(name, ty, guard, |x| {
            let mut env = env.clone();
            env.write(Store::Post, *var, x)?;
            self.demands(rest, &env, &Bool::from_bool(true))
        })
    }
}

fn lift_all<'l>(
    logic: &'l Logic<'l>,
    values: &[Value],
    types: impl ExactSizeIterator<Item = &'l Type>,
) -> Encoded<Vec<Sym<'l>>> {
    if values.len() != types.len() {
        return unsupported("another number of values than are asked for");
    }
    values
        .iter()
        .zip(types)
        .map(|(value, ty)| logic.lift(value, ty))
        .collect()
}

/// The types of the `choose` statements of an effect, then those of the variables that `ensuring` alone decides.
fn choice_types<'l>(automaton: &'l Automaton, clause: &'l Transition) -> Encoded<Vec<&'l Type>> {
    let met = chosen(&clause.effect, clause)?.into_iter();
    let mut types: Vec<&Type> = met.map(|(_, ty)| ty).collect();
    let open = clause.unconstrained.iter();
    types.extend(open.map(|v| &automaton.variables[v.index()].ty));
    Ok(types)
}

/// The values of conditions, all of which must have one.
fn truths(values: &[Option<Value>]) -> Result<Vec<bool>, Reason> {
    let truth = |value: &Option<Value>| match value {
        Some(Value::Bool(b)) => Ok(*b),
        _ => Err(Reason::Incomplete("a condition could not be read".into())),
    };
    values.iter().map(truth).collect()
}
