//! Forward simulations, with the proof block as the witness.
//!
//! A proof entry is run symbolically, path by path: on each path the fired actions are known, so that the trace can be
//! compared, and what is left to show is that each of them is enabled where it is fired and that the relation holds at
//! the end.

use std::rc::Rc;

use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Place, Projection, Range, Stmt, StmtKind, Store, TransitionId,
};
use z3::ast::Bool;

use super::background::Ground;
use super::path::{Parts, Path, parts};
use super::step::{Step, state_of};
use super::{Case, Goal, Group, Kind, Moment, Part, Piece, Role, Target, View};
use crate::logic::{
    AtSpan, Choices, Encoded, Env, Logic, Run, State, Sym, and, implies, unsupported,
};

impl<'a> Logic<'a> {
    /// The definedness of a relation.
    pub(crate) fn relation_group(
        &'a self,
        target: &Target<'a>,
        ground: &Ground<'a>,
        number: usize,
    ) -> Encoded<Group<'a>> {
        let simulation = &target.model.simulations[number];
        let env = ground.env.item(&simulation.locals);
        let demands = self.demands(&simulation.relation, &env, &Bool::from_bool(true))?;
        let view = View {
            low: simulation.low,
            high: Some((simulation.high, number)),
            before: Some(snapshot(&env, Store::Low)),
            step: None,
            fired: Vec::new(),
            after: None,
        };
        let goals = demands.into_iter().map(Goal::defined).collect();
        let kind = Kind::Definedness(Part::Relation(number));
        Ok(Group {
            assume: self.facts(),
            members: vec![(kind, Ok(vec![self.case(goals, view)]))],
        })
    }

    /// The obligations of the start states.
    pub(crate) fn simulation_start_group(
        &'a self,
        target: &Target<'a>,
        number: usize,
        kinds: &[Kind],
    ) -> Encoded<Group<'a>> {
        let parts = parts(target, number)?;
        let low = self.start(target, parts.simulation.low, "")?;
        let high = self.start(target, parts.simulation.high, "!high")?;
        // The start of the high automaton is one possible start, of which the block may replace any variable; that it
        // satisfies `so that` is to be shown of the result, not to be assumed.
        let mut assume = [low.choices, vec![low.so_that], high.choices].concat();
        let blank = self.unknown_variables(&parts.proof.variables, "proof.", "!any")?;
        let env = Env::default()
            .with(Store::Low, state_of(&low.run.env, Store::Pre)?.clone())
            .with(Store::High, state_of(&high.run.env, Store::Pre)?.clone())
            .with(Store::Block, blank)
            .item(&parts.proof.initially.locals);
        let mut run = Run::new(self, env, Choices::Free("proof.initially.".into()));
        run.all(&parts.proof.initially.body)?;
        let goals = self.start_goals(parts, &run.env);
        assume.extend(self.facts());
        assume.extend(run.assumed.iter().map(|f| Piece::new("choice", f.clone())));
        let view = View {
            low: parts.simulation.low,
            high: Some((parts.simulation.high, number)),
            before: None,
            step: None,
            fired: Vec::new(),
            after: Some(snapshot(&run.env, Store::Low)),
        };
        let mut members = Vec::new();
        for kind in kinds {
            let goals = match kind {
                Kind::SimulationStart { .. } => goals.clone(),
                _ => Ok(run.demands.iter().cloned().map(Goal::defined).collect()),
            };
            members.push((
                *kind,
                goals.map(|goals| vec![self.case(goals, view.clone())]),
            ));
        }
        Ok(Group { assume, members })
    }

    /// The high state is a start state, and the relation holds.
    fn start_goals(&'a self, parts: Parts<'_, 'a>, env: &Env<'a>) -> Encoded<Vec<Goal<'a>>> {
        let made = state_of(env, Store::High)?;
        let mut goals = self.is_start(parts.target, parts.simulation.high, made)?;
        let related = env.item(&parts.simulation.locals);
        goals.extend(self.conjuncts(&parts.simulation.relation, &related, Role::Relation)?);
        Ok(goals)
    }

    /// That a state is a start state of the high automaton.
    pub(super) fn is_start(
        &'a self,
        target: &Target<'a>,
        high: AutomatonId,
        made: &State<'a>,
    ) -> Encoded<Vec<Goal<'a>>> {
        let high = target.model.automaton(high);
        let mut goals = Vec::new();
        let known = Env::default()
            .with(Store::Pre, made.clone())
            .item(&high.start.program.locals);
        for stmt in &high.start.program.body {
            goals.push(Goal {
                span: stmt.span,
                role: Role::HighStart,
                formula: self.starts(stmt, &known).at(stmt.span)?,
                source: None,
            });
        }
        let known = known.item(&high.start.locals);
        goals.extend(self.conjuncts(&high.start.so_that, &known, Role::HighStart)?);
        Ok(goals)
    }

    /// What a start program assigns has the value that it is given, or one that may be chosen: in a loop over the
    /// components, each of its elements.
    fn starts(&'a self, stmt: &'a Stmt, known: &Env<'a>) -> Encoded<Bool> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let value = self.eval(value, known)?;
                initialised(place, known)?.equal(&value, &place.ty, self)
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                ..
            } => {
                let chosen = initialised(place, known)?;
                self.holds(predicate, &known.bind(*binder, chosen))
            }
            StmtKind::For {
                binder,
                range: Range::Where(range),
                body,
            } => {
                let local = known.declared(*binder)?;
                self.forall(&local.name, &local.ty, |x| {
                    let turn = known.bind(*binder, x);
                    let each = body.iter().map(|stmt| self.starts(stmt, &turn));
                    let each = each.collect::<Encoded<Vec<Bool>>>()?;
                    Ok(implies(&self.holds(range, &turn)?, &and(&each)))
                })
            }
            _ => unsupported("a start program with more than assignments, choices and loops"),
        }
    }

    /// The obligations of one low clause.
    pub(crate) fn simulation_step_groups(
        &'a self,
        target: &Target<'a>,
        ground: &Ground<'a>,
        (number, transition): (usize, TransitionId),
        kinds: &[Kind],
    ) -> Encoded<Vec<Group<'a>>> {
        let parts = parts(target, number)?;
        let low = parts.simulation.low;
        let before = state_of(&ground.env, Store::Low)?;
        let step = self.step(target, (low, transition), before, "")?;
        let clause = &target.model.automaton(low).transitions[transition.index()];
        let Some(entry) = parts.proof.entries.get(clause.action.index()) else {
            return unsupported("an action without an entry in the proof block");
        };
        let paths = self.paths(parts, entry, &step, &ground.env)?;
        let mut assume = self.facts();
        assume.extend(step.assume.iter().cloned());
        let mut members = Vec::new();
        for kind in kinds {
            let definedness = matches!(kind, Kind::Definedness(_));
            let case = |path: &Path<'a>| self.path_case(parts, &step, ground, path, definedness);
            members.push((*kind, paths.iter().map(case).collect()));
        }
        Ok(vec![Group { assume, members }])
    }

    fn path_case(
        &'a self,
        parts: Parts<'_, 'a>,
        step: &Step<'a>,
        ground: &Ground<'a>,
        path: &Path<'a>,
        definedness: bool,
    ) -> Encoded<Case<'a>> {
        let mut after = path.run.env.clone();
        after.set_state(Store::Low, step.after.clone());
        let view = View {
            low: parts.simulation.low,
            high: Some((parts.simulation.high, parts.number)),
            before: Some(snapshot(&ground.env, Store::Low)),
            step: Some(step.action.clone()),
            fired: path.fired.clone(),
            after: (!definedness).then(|| snapshot(&after, Store::Low)),
        };
        let goals = if definedness {
            path.run
                .demands
                .iter()
                .cloned()
                .map(Goal::defined)
                .collect()
        } else {
            let mut goals = path.goals.clone();
            let related = after.item(&parts.simulation.locals);
            goals.extend(self.conjuncts(&parts.simulation.relation, &related, Role::Relation)?);
            goals
        };
        let mut case = self.case(goals, view);
        // What a demand on the path rests on stands in its own premise.
        if !definedness {
            case.assume.extend(path.assumptions());
            case.defined = step.defined();
        }
        Ok(case)
    }
}

/// The value of a variable, or of one of its elements: those are told apart by the loops that they are initialised in.
fn initialised<'a>(place: &'a Place, known: &Env<'a>) -> Encoded<Sym<'a>> {
    let whole = known.read(place.root)?;
    place.path.iter().try_fold(whole, |part, step| match step {
        Projection::Index(Expr {
            kind: ExprKind::Local(index),
            ..
        }) => part.select(&known.local(*index)?),
        _ => unsupported("a start program that initialises a part of a variable"),
    })
}

pub(super) fn snapshot<'a>(env: &Env<'a>, low: Store) -> Rc<Moment<'a>> {
    Rc::new(Moment {
        low: env.state(low).cloned(),
        high: env.state(Store::High).cloned(),
        block: env.state(Store::Block).cloned(),
    })
}
