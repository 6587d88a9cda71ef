//! Initiation, consecution, and the definedness of automata and invariants.

use std::rc::Rc;

use ioa_lang::core::{AutomatonId, Expr, Store, TransitionId};

use z3::ast::Bool;

use super::background::Ground;
use super::step::{Step, state_of};
use super::{Case, Goal, Group, Kind, Moment, Part, Piece, Role, Source, Target, View};
use crate::logic::{Choices, Encoded, Env, Logic, Run, State};

/// A start program run from anything.
pub(crate) struct StartRun<'a> {
    pub(crate) run: Run<'a>,
    /// What its choices satisfy.
    pub(crate) choices: Vec<Piece>,
    /// What a start state satisfies besides.
    pub(crate) so_that: Piece,
}

impl<'a> Logic<'a> {
    /// The conjuncts of a formula as goals.
    pub(crate) fn conjuncts(
        &'a self,
        formula: &'a Expr,
        env: &Env<'a>,
        role: Role,
    ) -> Encoded<Vec<Goal<'a>>> {
        let conjuncts = formula.conjuncts().into_iter();
        let goal = |formula: &'a Expr| {
            Ok(Goal {
                span: formula.span,
                role,
                formula: self.holds(formula, env)?,
                source: Some(Source {
                    formula,
                    env: env.clone(),
                }),
            })
        };
        conjuncts.map(goal).collect()
    }

    /// The obligations of the start states of an automaton: their definedness, which may not assume that choices have
    /// a value, and initiation.
    pub(crate) fn start_groups(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        kinds: &[Kind],
    ) -> Encoded<Vec<Group<'a>>> {
        let StartRun {
            run,
            choices,
            so_that,
        } = self.start(target, id, "")?;
        let after = state_of(&run.env, Store::Pre)?.clone();
        let types = self.facts();
        let view = View {
            low: id,
            high: None,
            before: None,
            step: None,
            fired: Vec::new(),
            after: Some(moment(&after)),
        };
        let (mut defined, mut initial) = (Vec::new(), Vec::new());
        for kind in kinds {
            if let Kind::Initiation { invariant } = kind {
                let goals = self.invariant_goals(target, *invariant, &after);
                let case = goals.map(|goals| vec![self.case(goals, view.clone())]);
                initial.push((*kind, case));
            } else {
                let goals = run.demands.iter().cloned().map(Goal::defined).collect();
                defined.push((*kind, Ok(vec![self.case(goals, view.clone())])));
            }
        }
        // A demand bears what it rests on: that a choice was possible is not to be assumed where it is to be shown.
        let defined = Group {
            assume: types.clone(),
            members: defined,
        };
        let initial = Group {
            assume: types.into_iter().chain(choices).chain([so_that]).collect(),
            members: initial,
        };
        Ok(vec![defined, initial])
    }

    /// A start state of an automaton: the start program run from anything, and what is known about its result.
    pub(crate) fn start(
        &'a self,
        target: &Target<'a>,
        id: AutomatonId,
        mark: &str,
    ) -> Encoded<StartRun<'a>> {
        let automaton = target.model.automaton(id);
        let start = &automaton.start;
        let anything = self.unknown_state(target, id, &format!("{mark}!any"))?;
        let env = Env::default()
            .with(Store::Pre, anything)
            .item(&start.program.locals);
        let prefix = format!("{}{mark}.start.", automaton.name);
        let mut run = Run::new(self, env, Choices::Free(prefix.as_str().into()));
        run.all(&start.program.body)?;
        run.env = run.env.item(&start.locals);
        run.demand(&start.so_that)?;
        let so_that = self.holds(&start.so_that, &run.env)?;
        let choice = |f: &Bool| Piece::new("choice", f.clone());
        Ok(StartRun {
            choices: run.assumed.iter().map(choice).collect(),
            so_that: Piece::new("so that", so_that),
            run,
        })
    }

    /// The obligations of one clause: its definedness, which may not assume its precondition, and consecution.
    pub(crate) fn step_groups(
        &'a self,
        target: &Target<'a>,
        ground: &Ground<'a>,
        (id, transition): (AutomatonId, TransitionId),
        kinds: &[Kind],
        assumable: &[bool],
    ) -> Encoded<Vec<Group<'a>>> {
        let before = state_of(&ground.env, Store::Pre)?;
        let step = self.step(target, (id, transition), before, "")?;
        let types = self.facts();
        let view = View {
            low: id,
            high: None,
            before: Some(moment(before)),
            step: Some(step.action.clone()),
            fired: Vec::new(),
            after: Some(moment(&step.after)),
        };
        let (mut defined, mut preserved) = (Vec::new(), Vec::new());
        for kind in kinds {
            if let Kind::Consecution { invariant, .. } = kind {
                let case = self.preservation(target, *invariant, before, &step, &view, assumable);
                preserved.push((*kind, case.map(|case| vec![case])));
            } else {
                let view = View {
                    after: None,
                    ..view.clone()
                };
                let demands = self.outcome(target, &step, before).map(|outcome| {
                    let demands = step.demands.iter().cloned().chain(outcome);
                    vec![self.case(demands.map(Goal::defined).collect(), view)]
                });
                defined.push((*kind, demands));
            }
        }
        let defined = Group {
            assume: types.clone(),
            members: defined,
        };
        let preserved = Group {
            assume: types.into_iter().chain(step.assume).collect(),
            members: preserved,
        };
        Ok(vec![defined, preserved])
    }

    /// An invariant is preserved. It may be assumed before the step even where it is not established: that is what
    /// being preserved means.
    fn preservation(
        &'a self,
        target: &Target<'a>,
        invariant: usize,
        before: &State<'a>,
        step: &Step<'a>,
        view: &View<'a>,
        assumable: &[bool],
    ) -> Encoded<Case<'a>> {
        let withdrawn = !assumable[invariant];
        // It comes first, so that the facts about the sizes in it are assumed with it.
        let hypothesis = withdrawn.then(|| self.invariant_before(target, invariant, before));
        let hypothesis = hypothesis.transpose()?;
        let goals = self.invariant_goals(target, invariant, &step.after)?;
        let mut case = self.case(goals, view.clone());
        case.assume.extend(hypothesis);
        case.defined = step.defined();
        Ok(case)
    }

    /// A case with these goals, and with the facts that stating them brought up.
    pub(crate) fn case(&'a self, goals: Vec<Goal<'a>>, view: View<'a>) -> Case<'a> {
        Case {
            assume: self.facts(),
            defined: Vec::new(),
            goals,
            view,
        }
    }

    /// The conjuncts of an invariant in a state, as goals.
    pub(crate) fn invariant_goals(
        &'a self,
        target: &Target<'a>,
        invariant: usize,
        state: &State<'a>,
    ) -> Encoded<Vec<Goal<'a>>> {
        let stated = target.invariants[invariant];
        let env = Env::default()
            .with(Store::Pre, state.clone())
            .item(&stated.locals);
        self.conjuncts(&stated.formula, &env, Role::Invariant)
    }

    /// The assumable invariants of the same automaton before this one, in a state.
    pub(crate) fn earlier(
        &'a self,
        target: &Target<'a>,
        invariant: usize,
        state: &State<'a>,
        assumable: &[bool],
    ) -> Vec<Piece> {
        let automaton = target.invariants[invariant].automaton;
        let before = target.invariants[..invariant].iter().enumerate();
        let before = before.filter(|(i, stated)| assumable[*i] && stated.automaton == automaton);
        before
            .filter_map(|(i, _)| self.invariant_before(target, i, state).ok())
            .collect()
    }

    /// The definedness of an invariant, where those before it hold.
    pub(crate) fn defined_group(
        &'a self,
        target: &Target<'a>,
        invariant: usize,
        assumable: &[bool],
    ) -> Encoded<Group<'a>> {
        let stated = target.invariants[invariant];
        let state = self.unknown_state(target, stated.automaton, "")?;
        let mut assume = self.earlier(target, invariant, &state, assumable);
        let env = Env::default()
            .with(Store::Pre, state.clone())
            .item(&stated.locals);
        let demands = self.demands(&stated.formula, &env, &Bool::from_bool(true))?;
        assume.extend(self.facts());
        let view = View {
            low: stated.automaton,
            high: None,
            before: Some(moment(&state)),
            step: None,
            fired: Vec::new(),
            after: None,
        };
        let goals = demands.into_iter().map(Goal::defined).collect();
        let kind = Kind::Definedness(Part::Invariant(invariant));
        let members = vec![(kind, Ok(vec![self.case(goals, view)]))];
        Ok(Group { assume, members })
    }
}

pub(crate) fn moment<'a>(state: &State<'a>) -> Rc<Moment<'a>> {
    Rc::new(Moment {
        low: Some(state.clone()),
        ..Moment::default()
    })
}
