//! Executions that violate an invariant, in finite instances.

use std::collections::BTreeMap;

use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Type};

use super::instances::{Search, first_found, instances};
use super::search::{small_model, unreadable};
use super::value::{Facts, bounded, leaves, read_value};
use super::{ActionInstance, Failure, TheoryTable, read};
use crate::logic::{Encoded, Logic, State, Sym};
use crate::obligations::{Background, Fired, Goal, Piece, Target, TransitionSystem, Unrolling};
use crate::options::{Allowance, Options};
use crate::reason::Reason;
use crate::solver::{Solver, denial, in_context_of};

/// Consecutive states of a finite instance with the actions between them; in the last state an invariant is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// The number of elements of each sort, by name. The elements of an ordered sort are numbered by the order.
    pub sizes: BTreeMap<String, u64>,
    /// What the theories' operators mean in this instance.
    pub theories: Vec<TheoryTable>,
    /// The automaton.
    pub automaton: AutomatonId,
    /// The first state, in the order of the automaton's variables.
    pub first: Vec<Value>,
    /// The actions, each with the state that it leads to.
    pub steps: Vec<(ActionInstance, Vec<Value>)>,
    /// The false conjuncts of the invariant, in source order.
    pub failures: Vec<Failure>,
}

/// Which states come before the one in which an invariant is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin<'o> {
    /// An execution: the first is a start state.
    Start,
    /// States in all of which these invariants hold, by position in the target; the first may be any.
    Invariants(&'o [usize]),
}

/// What to look for: an invariant that is false after so many steps.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'w> {
    pub(crate) invariant: usize,
    pub(crate) steps: u32,
    pub(crate) origin: Origin<'w>,
}

/// Looks for a small instance with consecutive states of which the last violates an invariant; `sizes` are those of the
/// solver's countermodel at any size, where there is one.
pub(crate) fn find_execution(
    target: &Target<'_>,
    wanted: Wanted<'_>,
    sizes: Option<&[u32]>,
    (options, allowance): (&Options<'_>, Allowance<'_>),
) -> Search<Execution> {
    let automaton = target.invariants[wanted.invariant].automaton;
    let sorts = Background::Start(automaton).sorts(target);
    let sizes = instances(&sorts, sizes, options.shrink);
    let nothing = "no finite execution was found";
    in_context_of(options, || {
        first_found((target, 0), &sizes, nothing, |target, logic| {
            let mut solver = Solver::new(options).allowed(&allowance);
            let found = attempt(target, logic, wanted, &mut solver);
            let found = found.unwrap_or_else(|unsupported| Err(Reason::from(unsupported)));
            (found, solver.queries())
        })
    })
}

/// Looks for such states in one instance.
fn attempt<'l>(
    target: &Target<'l>,
    logic: &'l Logic<'l>,
    wanted: Wanted<'_>,
    solver: &mut Solver<'_>,
) -> Encoded<Result<Option<Execution>, Reason>> {
    let system = TransitionSystem {
        target,
        logic,
        automaton: target.invariants[wanted.invariant].automaton,
    };
    let (mut unrolling, mut assume) = match wanted.origin {
        Origin::Start => system.start()?,
        Origin::Invariants(_) => system.anywhere()?,
    };
    for moment in 0..wanted.steps {
        if let Origin::Invariants(invariants) = wanted.origin {
            for invariant in invariants {
                assume.extend(unrolling.assumption(*invariant, moment as usize)?);
            }
        }
        assume.extend(unrolling.extend()?);
    }
    let (goals, facts) = unrolling.goals(wanted.invariant, wanted.steps as usize)?;
    assume.extend(facts);
    Violation {
        target,
        logic,
        unrolling: &unrolling,
        goals: &goals,
    }
    .solve(assume, solver)
}

/// An unrolling in which some goals are to fail at the end.
struct Violation<'s, 'l> {
    target: &'s Target<'l>,
    logic: &'l Logic<'l>,
    unrolling: &'s Unrolling<'s, 'l>,
    goals: &'s [Goal<'l>],
}

impl<'l> Violation<'_, 'l> {
    fn solve(
        &self,
        assume: Vec<Piece>,
        solver: &mut Solver<'_>,
    ) -> Encoded<Result<Option<Execution>, Reason>> {
        let mut formulas: Vec<_> = assume.into_iter().map(|piece| piece.formula).collect();
        formulas.push(denial(self.goals));
        let facts = Facts::of(self.logic);
        let mut first = Vec::new();
        for (moment, state) in self.unrolling.states.iter().enumerate() {
            for (value, ty) in self.values(state) {
                formulas.push(bounded(&facts, value, ty)?);
                if moment == 0 {
                    leaves(&facts, value, ty, &mut first)?;
                }
            }
        }
        for taken in self.unrolling.steps.iter().flatten() {
            for (value, ty) in self.parameters(&taken.action) {
                formulas.push(bounded(&facts, value, ty)?);
            }
        }
        formulas.extend(self.logic.take_facts());
        formulas.iter().for_each(|f| solver.assert(f.clone()));
        let model = match small_model(solver, self.logic, &formulas, first)? {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(Ok(None)),
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(self.read(&facts, &model)?.ok_or_else(unreadable).map(Some))
    }

    /// The execution that a model shows; nothing where it says about some moment that no clause is taken.
    fn read(&self, facts: &Facts<'l>, model: &z3::Model) -> Encoded<Option<Execution>> {
        let background = Background::Start(self.unrolling.system.automaton);
        let reader = read::Reader {
            target: self.target,
            facts,
            model,
            setting: background.setting(self.target),
            sorts: background.sorts(self.target),
        };
        let state = |state: &State<'l>| -> Encoded<Vec<Value>> {
            let values = self.values(state);
            values
                .map(|(value, ty)| read_value(facts, model, value, ty))
                .collect()
        };
        let mut steps = Vec::new();
        for (taken, after) in self.unrolling.steps.iter().zip(&self.unrolling.states[1..]) {
            let mut taken = taken.iter();
            let Some(taken) = taken.find(|taken| reader.is_true(&taken.literal)) else {
                return Ok(None);
            };
            steps.push((reader.action(&taken.action)?, state(after)?));
        }
        Ok(Some(Execution {
            sizes: reader.sizes(),
            theories: reader.theories()?,
            automaton: self.unrolling.system.automaton,
            first: state(&self.unrolling.states[0])?,
            steps,
            failures: reader.failures(self.goals)?,
        }))
    }

    /// The values of a state with their types.
    fn values<'s>(&self, state: &'s State<'l>) -> impl Iterator<Item = (&'s Sym<'l>, &'l Type)> {
        let automaton = self.target.model.automaton(self.unrolling.system.automaton);
        let types = automaton.variables.iter().map(|variable| &variable.ty);
        state.iter().zip(types)
    }

    /// The parameters of an action with their types.
    fn parameters<'s>(
        &self,
        action: &'s Fired<'l>,
    ) -> impl Iterator<Item = (&'s Sym<'l>, &'l Type)> {
        let types = read::param_types(self.target, action);
        action.params.iter().zip(types)
    }
}
