//! Initiation, consecution, and the definedness of automata and invariants.

use std::rc::Rc;

use ioa_lang::core::{Automaton, AutomatonId, Expr, Store, Transition, TransitionId};

use z3::ast::Bool;

use super::background::Ground;
use super::{Case, Fired, Goal, Group, Kind, Moment, Part, Piece, Role, Source, Target, View};
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
        let (env, params) = self.unknown_params(target, (id, transition), before, mark)?;
        let mut run = Run::new(self, env, Choices::Free(prefix.into()));
        let mut assume = self.run_clause(clause, &mut run)?;
        let after = self.state_after(target, (id, clause), &run.env, mark)?;
        run.env.set_state(Store::Pre, before.clone());
        run.env.set_state(Store::Post, after.clone());
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

    /// A clause's items in the state `before`, and its parameters, which are unknown.
    pub(crate) fn unknown_params(
        &'a self,
        target: &Target<'a>,
        (id, transition): (AutomatonId, TransitionId),
        before: &State<'a>,
        mark: &str,
    ) -> Encoded<(Env<'a>, Vec<Sym<'a>>)> {
        let automaton = target.model.automaton(id);
        let clause = &automaton.transitions[transition.index()];
        let prefix = prefix(automaton, transition, mark);
        let mut env = Env::default()
            .with(Store::Pre, before.clone())
            .item(&clause.locals);
        let mut params = Vec::new();
        for local in clause.params.iter().chain(&clause.hidden) {
            let declared = env.declared(*local)?;
            let name = format!("{prefix}{}!{}", declared.name, local.index());
            let value = self.unknown(&name, &declared.ty)?;
            env.set_local(*local, value.clone());
            params.push(value);
        }
        Ok((env, params))
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

    /// The state that an effect led to, with what `ensuring` alone decides left unknown.
    fn state_after(
        &'a self,
        target: &Target<'a>,
        (id, clause): (AutomatonId, &'a Transition),
        env: &Env<'a>,
        mark: &str,
    ) -> Encoded<State<'a>> {
        let automaton = target.model.automaton(id);
        let mut after = state_of(env, Store::Pre)?.to_vec();
        for var in &clause.unconstrained {
            let variable = &automaton.variables[var.index()];
            let name = format!("{}.{}!after{mark}", automaton.name, variable.name);
            after[var.index()] = self.unknown(&name, &variable.ty)?;
        }
        Ok(Rc::new(after))
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

    /// A start state of an automaton: the start program run from anything, and what is known of its result.
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

/// What the names of the symbols of a clause begin with.
fn prefix(automaton: &Automaton, transition: TransitionId, mark: &str) -> String {
    let action = &automaton.action_of(transition).name;
    format!("{}.{action}{mark}.", automaton.name)
}

pub(crate) fn moment<'a>(state: &State<'a>) -> Rc<Moment<'a>> {
    Rc::new(Moment {
        low: Some(state.clone()),
        ..Moment::default()
    })
}

pub(crate) fn state_of<'e, 'a>(env: &'e Env<'a>, store: Store) -> Encoded<&'e State<'a>> {
    match env.state(store) {
        Some(state) => Ok(state),
        None => unsupported("a state is asked for where there is none"),
    }
}
