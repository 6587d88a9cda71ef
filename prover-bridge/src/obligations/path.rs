//! Paths through an entry of a proof block: what is fired on each, and under which conditions.

use ioa_lang::Span;
use ioa_lang::core::{
    Action, AutomatonId, Expr, Fire, ProofBlock, ProofEntry, Simulation, Stmt, StmtKind, Store,
    Transition, TransitionId,
};
use z3::ast::Bool;

use super::step::{Step, arrive, clause_env, state_of};
use super::{Fired, Goal, Piece, Role, Target};
use crate::logic::{
    AtSpan, Choices, Encoded, Env, Logic, Run, State, Sym, UndefinedCause, and, or, unsupported,
};

/// A proof entry with more paths than this is not proved.
const MAX_PATHS: usize = 256;

/// The parts of a simulation that its obligations speak of.
#[derive(Clone, Copy)]
pub(super) struct Parts<'t, 'a> {
    pub(super) target: &'t Target<'a>,
    pub(super) simulation: &'a Simulation,
    pub(super) number: usize,
    pub(super) proof: &'a ProofBlock,
}

pub(super) fn parts<'t, 'a>(target: &'t Target<'a>, number: usize) -> Encoded<Parts<'t, 'a>> {
    let simulation = &target.model.simulations[number];
    match &simulation.proof {
        Some(proof) => Ok(Parts {
            target,
            simulation,
            number,
            proof,
        }),
        None => unsupported(
            "a simulation without a proof block, which would be its witness; `ioa pair --suggest` proposes one",
        ),
    }
}

/// One path through a proof entry.
#[derive(Clone)]
pub(super) struct Path<'a> {
    pub(super) run: Run<'a>,
    /// What makes the entry take this path.
    conditions: Vec<Bool>,
    pub(super) goals: Vec<Goal<'a>>,
    pub(super) fired: Vec<Fired<'a>>,
    /// The high state where the first action was fired, or where the entry ended if none was.
    pub(super) first: Option<State<'a>>,
}

impl<'a> Logic<'a> {
    /// All paths through an entry, each with its goals but for those about the states.
    pub(super) fn paths(
        &'a self,
        parts: Parts<'_, 'a>,
        entry: &'a ProofEntry,
        step: &Step<'a>,
        env: &Env<'a>,
    ) -> Encoded<Vec<Path<'a>>> {
        let mut env = env.item(&entry.program.locals);
        for (local, value) in entry.params.iter().zip(&step.action.params) {
            env.set_local(*local, value.clone());
        }
        let start = Path {
            run: Run::new(self, env, Choices::Given(Vec::new())),
            conditions: Vec::new(),
            goals: Vec::new(),
            fired: Vec::new(),
            first: None,
        };
        let mut paths = walk(parts, vec![start], &entry.program.body)?;
        for path in &mut paths {
            let goals = self.trace_goals(parts, step, &path.fired, entry.span)?;
            path.goals.extend(goals);
            path.arrive()?;
        }
        Ok(paths)
    }

    /// The external actions among the fired ones are the low action if that is external, and none otherwise.
    fn trace_goals(
        &'a self,
        parts: Parts<'_, 'a>,
        step: &Step<'a>,
        fired: &[Fired<'a>],
        span: Span,
    ) -> Encoded<Vec<Goal<'a>>> {
        let model = parts.target.model;
        let action = |f: &Fired<'a>| model.automaton(f.automaton).action_of(f.transition);
        let low = action(&step.action);
        let goal = |formula| Goal {
            span,
            role: Role::Trace,
            formula,
            source: None,
        };
        let seen: Vec<&Fired<'a>> = fired
            .iter()
            .filter(|f| action(f).kind.is_external())
            .collect();
        match seen.as_slice() {
            [] if !low.kind.is_external() => Ok(Vec::new()),
            [one] if low.kind.is_external() && action(one).name == low.name => {
                let same = self.same_action(low, step, action(one), one)?;
                Ok(vec![goal(same)])
            }
            _ => Ok(vec![goal(Bool::from_bool(false))]),
        }
    }

    /// An external action of the low automaton and the one of the same name that was fired have equal parameters. Their
    /// signatures agree in every simulation that was checked.
    fn same_action(
        &'a self,
        low: &'a Action,
        step: &Step<'a>,
        high: &'a Action,
        fired: &Fired<'a>,
    ) -> Encoded<Bool> {
        let types = |action: &'a Action| action.params.iter().map(|(_, ty)| ty);
        if low.kind != high.kind || !types(low).eq(types(high)) {
            return unsupported(format!("two external actions `{}` that differ", low.name));
        }
        let pairs = types(low).zip(&step.action.params).zip(&fired.params);
        let equal = pairs.map(|((ty, a), b)| a.equal(b, ty, self));
        Ok(and(&equal.collect::<Encoded<Vec<Bool>>>()?))
    }
}

/// Runs statements on all paths, splitting them at each `if`.
fn walk<'a>(
    parts: Parts<'_, 'a>,
    paths: Vec<Path<'a>>,
    stmts: &'a [Stmt],
) -> Encoded<Vec<Path<'a>>> {
    stmts.iter().try_fold(paths, |paths, stmt| {
        let mut next = Vec::new();
        for path in paths {
            next.extend(walk_one(parts, path, stmt).at(stmt.span)?);
        }
        if next.len() > MAX_PATHS {
            return unsupported(format!("a proof entry with more than {MAX_PATHS} paths"))
                .at(stmt.span);
        }
        Ok(next)
    })
}

fn walk_one<'a>(
    parts: Parts<'_, 'a>,
    mut path: Path<'a>,
    stmt: &'a Stmt,
) -> Encoded<Vec<Path<'a>>> {
    match &stmt.kind {
        StmtKind::If {
            branches,
            otherwise,
        } => branch(parts, path, branches, otherwise),
        StmtKind::Fire(fire) => fire_on(parts, path, fire, stmt.span),
        _ => {
            path.run.all(std::slice::from_ref(stmt))?;
            Ok(vec![path])
        }
    }
}

fn branch<'a>(
    parts: Parts<'_, 'a>,
    mut path: Path<'a>,
    branches: &'a [(Expr, Vec<Stmt>)],
    otherwise: &'a [Stmt],
) -> Encoded<Vec<Path<'a>>> {
    let Some(((condition, then), rest)) = branches.split_first() else {
        return walk(parts, vec![path], otherwise);
    };
    path.run.demand(condition)?;
    let holds = path.run.logic.holds(condition, &path.run.env)?;
    let mut taken = path.clone();
    taken.suppose(holds.clone());
    path.suppose(holds.not());
    let mut paths = walk(parts, vec![taken], then)?;
    paths.extend(branch(parts, path, rest, otherwise)?);
    Ok(paths)
}

impl<'a> Path<'a> {
    /// What a goal on the path may assume.
    pub(super) fn assumptions(&self) -> impl Iterator<Item = Piece> {
        let conditions = self.conditions.iter().chain(&self.run.assumed);
        conditions.map(|c| Piece::new("path", c.clone()))
    }

    /// Keeps the high state as that before the fragment, unless an action was fired before.
    fn arrive(&mut self) -> Encoded<()> {
        if self.first.is_none() {
            self.first = Some(state_of(&self.run.env, Store::High)?.clone());
        }
        Ok(())
    }

    fn suppose(&mut self, condition: Bool) {
        self.run.guard = and(&[self.run.guard.clone(), condition.clone()]);
        self.conditions.push(condition);
    }
}

/// Fires a high action: by its one clause, which must be enabled, or by the first enabled one of several.
fn fire_on<'a>(
    parts: Parts<'_, 'a>,
    mut path: Path<'a>,
    fire: &'a Fire,
    span: Span,
) -> Encoded<Vec<Path<'a>>> {
    let model = parts.target.model;
    let high = parts.simulation.high;
    path.arrive()?;
    for term in fire.args.iter().chain(&fire.using) {
        path.run.demand(term)?;
    }
    let logic = path.run.logic;
    let eval = |terms: &'a [Expr]| -> Encoded<Vec<Sym<'a>>> {
        terms
            .iter()
            .map(|term| logic.eval(term, &path.run.env))
            .collect()
    };
    let (args, using) = (eval(&fire.args)?, eval(&fire.using)?);
    let clauses: Vec<_> = model.automaton(high).clauses(fire.action).collect();
    if let [(id, clause)] = clauses.as_slice() {
        fire_clause(&mut path, (high, *id, clause), &args, &using, true)?;
        return Ok(vec![path]);
    }
    let (mut paths, mut enabled) = (Vec::new(), Vec::new());
    for (id, clause) in clauses {
        let mut taken = path.clone();
        let condition = fire_clause(&mut taken, (high, id, clause), &args, &using, false)?;
        for earlier in &enabled {
            taken.suppose(Bool::not(earlier));
        }
        taken.suppose(condition.clone());
        enabled.push(condition);
        paths.push(taken);
    }
    // What is left is that no clause is enabled, which is to be impossible.
    enabled
        .iter()
        .for_each(|condition| path.suppose(condition.not()));
    path.goals.push(Goal {
        span,
        role: Role::HighEnabled,
        formula: or(&enabled),
        source: None,
    });
    paths.push(path);
    Ok(paths)
}

/// Runs a clause of the high automaton on a path; returns when it is enabled, and states that as goals if asked to.
fn fire_clause<'a>(
    path: &mut Path<'a>,
    (high, transition, clause): (AutomatonId, TransitionId, &'a Transition),
    args: &[Sym<'a>],
    using: &[Sym<'a>],
    state_goals: bool,
) -> Encoded<Bool> {
    let logic = path.run.logic;
    let before = state_of(&path.run.env, Store::High)?.clone();
    if using.len() < clause.hidden.len() {
        return unsupported("a hidden parameter for which no value is given with `using`");
    }
    if !clause.unconstrained.is_empty() {
        return unsupported("a fired action whose `ensuring` leaves part of the new state open");
    }
    let (hidden, chosen) = using.split_at(clause.hidden.len());
    let params: Vec<Sym<'a>> = args.iter().chain(hidden).cloned().collect();
    let env = clause_env(clause, &before, &params);
    let mut goals = logic.conjuncts(&clause.applies, &env, Role::HighEnabled)?;
    goals.extend(logic.conjuncts(&clause.pre, &env, Role::HighEnabled)?);
    let enabled = and(&goals.iter().map(|g| g.formula.clone()).collect::<Vec<_>>());
    let mut run = Run::new(logic, env, Choices::Given(chosen.to_vec()));
    run.all(&clause.effect)?;
    let after = arrive(&mut run, clause, &before, &[])?;
    // What else the clause demands is shown of the high automaton by itself.
    let wrong = UndefinedCause::WrongChoice.text();
    let demands = run.demands.iter().cloned().map(Goal::defined);
    let mut rest: Vec<_> = demands.filter(|g| g.role == Role::Defined(wrong)).collect();
    rest.extend(logic.conjuncts(&clause.ensuring, &run.env, Role::HighEnabled)?);
    if state_goals {
        path.goals.extend(goals);
    }
    path.goals.extend(rest);
    path.run.env.set_state(Store::High, after);
    path.fired.push(Fired {
        automaton: high,
        transition,
        params,
    });
    Ok(enabled)
}
