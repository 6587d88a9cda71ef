//! Transitions of finite instances, asked of the solver: the other reading of the core, to compare the executor's with.
//!
//! The encoding is the one that proofs use, with each sort closed to the universe's elements and the theories'
//! operators as the universe has them.

use ioa_lang::core::{
    Automaton, AutomatonId, LocalId, Model, SortId, Stmt, StmtKind, Store, Transition,
    TransitionId, Type,
};
use ioa_lang::finite::Universe;
use ioa_lang::{Span, Value};
use z3::ast::{Ast, Bool, Dynamic};

use crate::counterexample::{assemble, leaves, scalar_value};
use crate::encode::{
    Choices, Encoded, Env, FiniteSize, Lack, Logic, Run, Size, State, Sym, and, outside,
};
use crate::report::Reason;
use crate::solve::{Answer, Options, Session, in_context};

/// Asks for transitions of one automaton in one finite instance.
#[derive(Clone, Debug)]
pub struct TransitionQuery<'a> {
    model: &'a Model,
    universe: &'a Universe,
    automaton: AutomatonId,
    /// Whether quantifiers over finite types are written out, as in the search for counterexamples, or left to the
    /// solver, as in proofs.
    pub expand_quantifiers: bool,
}

/// What the logic says of one transition.
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

impl<'a> TransitionQuery<'a> {
    /// Queries about an automaton in an instance.
    #[must_use]
    pub fn new(model: &'a Model, universe: &'a Universe, automaton: AutomatonId) -> Self {
        Self {
            model,
            universe,
            automaton,
            expand_quantifiers: false,
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
        in_context(|| {
            let sorts = (0..self.model.sorts.len()).map(SortId::at);
            let size = Size::Finite(FiniteSize {
                sorts: sorts.map(|id| self.universe.size(id) as u32).collect(),
                meaning: Some(self.universe.clone()),
                expand: self.expand_quantifiers,
            });
            let mut logic = Logic::new(self.model, size);
            logic.declare_theories()?;
            self.ask(&logic, transition, &given)
        })
    }

    fn ask<'l>(
        &'l self,
        logic: &'l Logic<'l>,
        transition: TransitionId,
        given: &Given<'_>,
    ) -> Result<StepAnswer, Reason> {
        let taken = take(logic, self.automaton, transition, given)?;
        let variables = &self.model.automaton(self.automaton).variables;
        let mut terms: Vec<Dynamic> = taken.conditions().map(Dynamic::from).collect();
        let conditions = terms.len();
        for (value, variable) in taken.after.iter().zip(variables) {
            leaves(logic, value, &variable.ty, &mut terms)?;
        }
        let values = solve(logic, &terms)?;
        let (conditions, mut leaves) =
            (&values[..conditions], values[conditions..].iter().cloned());
        if conditions.iter().any(Option::is_none) {
            return Err(Reason::Incomplete("a condition could not be read".into()));
        }
        let types = variables.iter().map(|v| &v.ty);
        let after: Encoded<Vec<Value>> = types.map(|ty| assemble(logic, ty, &mut leaves)).collect();
        Ok(taken.answer(conditions, after?))
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
    demands: Vec<crate::encode::Demand>,
    after: State<'l>,
}

impl Taken<'_> {
    fn conditions(&self) -> impl Iterator<Item = &Bool> {
        let demands = self.demands.iter().map(|d| &d.condition);
        [&self.enabled, &self.ensured].into_iter().chain(demands)
    }

    fn answer(self, conditions: &[Option<Value>], after: Vec<Value>) -> StepAnswer {
        let yes = |i: usize| conditions[i] == Some(Value::Bool(true));
        let broken = |(i, demand): (usize, crate::encode::Demand)| (!yes(i + 2)).then_some(demand);
        let broken: Vec<_> = self
            .demands
            .into_iter()
            .enumerate()
            .filter_map(broken)
            .collect();
        let (choices, undefined): (Vec<_>, Vec<_>) = broken
            .into_iter()
            .partition(|d| d.lack == Lack::WrongChoice);
        StepAnswer {
            enabled: yes(0),
            choices_fit: choices.is_empty(),
            ensured: yes(1),
            undefined: undefined.iter().map(|d| (d.span, d.lack.text())).collect(),
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
        return outside("a clause that the automaton does not have");
    };
    let types = automaton.variables.iter().map(|v| &v.ty);
    let before: State<'l> = lift_all(logic, given.state, types)?.into();
    let mut env = Env::default()
        .with(Store::Pre, before.clone())
        .item(&clause.locals);
    let locals: Vec<LocalId> = clause
        .params
        .iter()
        .chain(&clause.hidden)
        .copied()
        .collect();
    let types = locals.iter().map(|l| &clause.locals[l.index()].ty);
    for (local, value) in locals.iter().zip(lift_all(logic, given.params, types)?) {
        env.set_local(*local, value);
    }
    let chosen = given.choices.iter().zip(choice_types(automaton, clause)?);
    let chosen: Encoded<Vec<Sym<'l>>> = chosen.map(|(v, ty)| logic.lift(v, ty)).collect();
    let mut run = Run::new(logic, env, Choices::Given(chosen?));
    let enabled = logic.run_clause(clause, &mut run)?;
    let mut after = match run.env.state(Store::Pre) {
        Some(state) => state.to_vec(),
        None => return outside("a clause without a state"),
    };
    let Choices::Given(rest) = &run.choices else {
        return outside("choices that are not given");
    };
    if rest.len() != clause.unconstrained.len() {
        return outside("a step with another number of choices than were given");
    }
    for (var, value) in clause.unconstrained.iter().zip(rest) {
        after[var.index()] = value.clone();
    }
    let after = State::new(after);
    run.env.set_state(Store::Pre, before);
    run.env.set_state(Store::Post, after.clone());
    run.demand(&clause.ensuring)?;
    let enabled: Vec<Bool> = enabled.into_iter().map(|piece| piece.formula).collect();
    Ok(Taken {
        enabled: and(&enabled),
        ensured: logic.holds(&clause.ensuring, &run.env)?,
        demands: run.demands,
        after,
    })
}

fn lift_all<'l>(
    logic: &'l Logic<'l>,
    values: &[Value],
    types: impl ExactSizeIterator<Item = &'l Type>,
) -> Encoded<Vec<Sym<'l>>> {
    if values.len() != types.len() {
        return outside("another number of values than are asked for");
    }
    values
        .iter()
        .zip(types)
        .map(|(value, ty)| logic.lift(value, ty))
        .collect()
}

/// The types of the `choose` statements of an effect, then those of the variables that `ensuring` alone decides.
fn choice_types<'l>(automaton: &'l Automaton, clause: &'l Transition) -> Encoded<Vec<&'l Type>> {
    let mut types = choices_of(&clause.effect, clause)?;
    let open = clause.unconstrained.iter();
    types.extend(open.map(|v| &automaton.variables[v.index()].ty));
    Ok(types)
}

/// The types of the `choose` statements that are met, which must be the same ones in each branch of an `if`.
fn choices_of<'l>(stmts: &'l [Stmt], clause: &'l Transition) -> Encoded<Vec<&'l Type>> {
    let mut types = Vec::new();
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Choose { binder, .. } => types.push(&clause.locals[binder.index()].ty),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                let last = choices_of(otherwise, clause)?;
                for (_, body) in branches {
                    if choices_of(body, clause)? != last {
                        return outside(
                            "branches with different `choose`s, whose values are given",
                        );
                    }
                }
                types.extend(last);
            }
            StmtKind::For { body, .. } => types.extend(choices_of(body, clause)?),
            StmtKind::Assign(..) | StmtKind::While(..) | StmtKind::Fire(_) => {}
        }
    }
    Ok(types)
}

/// The values of terms. The facts of the instance determine all of them but those that say nothing.
fn solve<'l>(logic: &'l Logic<'l>, terms: &[Dynamic]) -> Result<Vec<Option<Value>>, Reason> {
    let options = Options::default();
    let mut session = Session::new(&options);
    // In its incremental mode the solver keeps the named terms; otherwise it may solve for them, and leave a value of
    // theirs that is a formula with quantifiers.
    session.solver.push();
    for axiom in logic.axioms()? {
        session.solver.assert(axiom);
    }
    let mut named = Vec::new();
    for (i, term) in terms.iter().enumerate() {
        let constant = Dynamic::new_const(format!("asked!{i}"), &term.get_sort());
        session.solver.assert(constant.eq(term));
        named.push(constant);
    }
    for fact in logic.take_facts() {
        session.solver.assert(fact);
    }
    match session.check() {
        Answer::Sat => {}
        Answer::Unsat => return Err(Reason::Incomplete("the instance contradicts itself".into())),
        Answer::Unknown(reason) => return Err(reason),
    }
    let lost = || Reason::Incomplete("a value could not be read".into());
    let model = session.solver.get_model().ok_or_else(lost)?;
    Ok(named
        .iter()
        .map(|term| scalar_value(logic, &model, term))
        .collect())
}
