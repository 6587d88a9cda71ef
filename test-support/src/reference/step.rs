//! Start states, and the steps from a state.

use std::collections::BTreeSet;

use ioa_lang::Value;
use ioa_lang::core::{
    ActionId, ActionKind, Automaton, AutomatonId, LocalId, Transition, TransitionId, Type, Variable,
};

use super::statement::{Moment, check_count};
use super::{Fault, Scope, State, Stop, World, result_or_fault};

/// A clause with values for all its parameters that is enabled in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The clause.
    pub clause: TransitionId,
    /// The values of the action's parameters, then of the hidden ones.
    pub params: Vec<Value>,
    /// The state after it, for each way to make its choices that has one.
    pub after: Vec<State>,
}

/// What a state leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// The steps that have results.
    pub steps: Vec<Step>,
    /// The faults of those that have none, and of the ways to make choices that lead to none.
    pub faults: BTreeSet<Fault>,
}

impl Expansion {
    /// Adds a result, or records why there is none.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub(super) fn note<T>(&mut self, result: Result<T, Stop>) -> Result<Option<T>, Stop> {
        result_or_fault(result, &mut self.faults)
    }
}

impl World<'_> {
    /// The start states, once for each way to make the choices.
    ///
    /// # Errors
    /// Some way has no result.
    pub fn starts(&self, automaton: AutomatonId) -> Result<Vec<State>, Stop> {
        let automaton = self.automaton(automaton);
        let start = &automaton.start;
        let blank: Result<State, Stop> = (automaton.variables.iter())
            .map(|variable| self.blank(&variable.ty))
            .collect();
        let moment = Moment {
            locals: &start.program.locals,
            state: blank?,
            bound: vec![None; start.program.locals.len()],
        };
        let mut found = Vec::new();
        let mut faults = BTreeSet::new();
        let moments = self.run(&start.program.body, moment, &mut faults)?;
        if let Some(fault) = faults.first() {
            return Err((*fault).into());
        }
        for moment in moments {
            let mut scope = Scope::new(&start.locals, &moment.state);
            if self.truth(&start.so_that, &mut scope)? {
                found.push(moment.state);
            }
        }
        Ok(found)
    }

    /// The value of a variable before it is initialised, so that parts of it can be assigned.
    fn blank(&self, ty: &Type) -> Result<Value, Stop> {
        match ty {
            Type::Array(index, element) => {
                let blank = self.blank(element)?;
                let indices = self.finite(index)?;
                let entries = indices.iter().map(|i| (i.clone(), blank.clone()));
                Ok(Value::Array {
                    entries: entries.collect(),
                    default: None,
                })
            }
            _ => Ok(Value::Null(None)),
        }
    }

    /// The steps from a state: for each clause, for all values of its parameters for which it is enabled.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub fn expand(&self, automaton: AutomatonId, state: &State) -> Result<Expansion, Stop> {
        let automaton = self.automaton(automaton);
        let mut found = Expansion::default();
        found.faults.extend(self.refused_inputs(automaton)?);
        for (clause, transition) in (0..).map(TransitionId).zip(&automaton.transitions) {
            for params in self.parameters(transition)? {
                let enabled = self.is_enabled(transition, &params, state);
                if found.note(enabled)? != Some(true) {
                    continue;
                }
                let at = (automaton, transition);
                let after = self.outcomes(at, &params, state, &mut found.faults)?;
                if !after.is_empty() {
                    found.steps.push(Step {
                        clause,
                        params,
                        after,
                    });
                }
            }
        }
        self.check_integers(state)?;
        Ok(found)
    }

    /// The faults of the inputs in any state: for some values no clause applies, or it is undefined whether one does.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub(super) fn refused_inputs(&self, automaton: &Automaton) -> Result<BTreeSet<Fault>, Stop> {
        let mut faults = BTreeSet::new();
        for (id, action) in (0..).map(ActionId).zip(&automaton.actions) {
            if action.kind != ActionKind::Input {
                continue;
            }
            let types: Vec<&Type> = action.params.iter().map(|(_, ty)| ty).collect();
            for values in self.lists(&types)? {
                result_or_fault(self.is_taken((automaton, id), &values), &mut faults)?;
            }
        }
        Ok(faults)
    }

    /// Some clause of an input applies to these values, if it is an input for them.
    fn is_taken(
        &self,
        (automaton, input): (&Automaton, ActionId),
        values: &[Value],
    ) -> Result<(), Stop> {
        let action = &automaton.actions[input.index()];
        let mut scope = Scope::new(&action.locals, &[]);
        (0..).zip(values).for_each(|(n, value)| {
            scope.bind(LocalId(n), value.clone());
        });
        if !self.truth(&action.predicate, &mut scope)? {
            return Ok(());
        }
        let mut taken = false;
        for (_, clause) in automaton.clauses(input) {
            let mut scope = with(clause, values, &[]);
            taken |= self.truth(&clause.applies, &mut scope)?;
        }
        match taken {
            true => Ok(()),
            false => Err(Fault::Refused.into()),
        }
    }

    /// All values of a clause's parameters, the action's and the hidden ones.
    pub(super) fn parameters(&self, clause: &Transition) -> Result<Vec<Vec<Value>>, Stop> {
        let locals = clause.params.iter().chain(&clause.hidden);
        let types = locals.map(|local| &clause.locals[local.index()].ty);
        self.lists(&types.collect::<Vec<_>>())
    }

    /// Whether a clause applies to its parameters and its precondition holds.
    pub(super) fn is_enabled(
        &self,
        clause: &Transition,
        params: &[Value],
        state: &[Value],
    ) -> Result<bool, Stop> {
        let mut scope = with(clause, params, state);
        let enabled =
            self.truth(&clause.applies, &mut scope)? && self.truth(&clause.pre, &mut scope)?;
        if enabled {
            let mut params = params.iter();
            params.try_for_each(|value| self.must_be_inside(value))?;
        }
        Ok(enabled)
    }

    /// The states that an enabled clause leads to; records the faults of the ways to make its choices that lead to none.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub(super) fn outcomes(
        &self,
        (automaton, clause): (&Automaton, &Transition),
        params: &[Value],
        before: &State,
        faults: &mut BTreeSet<Fault>,
    ) -> Result<Vec<State>, Stop> {
        let moment = Moment {
            locals: &clause.locals,
            state: before.clone(),
            bound: with(clause, params, before).bound,
        };
        let (mut found, mut own) = (Vec::new(), BTreeSet::new());
        for moment in self.run(&clause.effect, moment, &mut own)? {
            let scope = with(clause, params, before);
            let after = self.ensured((&automaton.variables, clause), &scope, moment.state);
            found.extend(result_or_fault(after, &mut own)?.unwrap_or_default());
        }
        if found.is_empty() && own.is_empty() {
            own.insert(match &clause.refused {
                Some(_) => Fault::Refused,
                None => Fault::NoOutcome,
            });
        }
        faults.extend(own);
        Ok(found)
    }

    /// The states that `ensuring` allows after the effect, each with values for the variables that it leaves open.
    fn ensured(
        &self,
        (variables, clause): (&[Variable], &Transition),
        before: &Scope<'_>,
        after: State,
    ) -> Result<Vec<State>, Stop> {
        let mut found = Vec::new();
        for after in self.with_open((variables, clause), after)? {
            let mut scope = Scope {
                post: &after,
                ..before.clone()
            };
            if self.truth(&clause.ensuring, &mut scope)? {
                found.push(after);
            }
        }
        Ok(found)
    }

    /// The states in which the variables that a clause leaves open have any values.
    fn with_open(
        &self,
        (variables, clause): (&[Variable], &Transition),
        state: State,
    ) -> Result<Vec<State>, Stop> {
        let mut states = vec![state];
        for variable in &clause.unconstrained {
            let values = self.values(&variables[variable.index()].ty)?;
            check_count(states.len() * values.len())?;
            let each = |state: &State| {
                let with = |value: &Value| {
                    let mut state = state.clone();
                    state[variable.index()] = value.clone();
                    state
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            states = states.iter().flat_map(each).collect();
        }
        Ok(states)
    }
}

/// A clause in a state, with values for its parameters: the action's, then the hidden ones as far as they are given.
fn with<'s>(clause: &'s Transition, params: &[Value], state: &'s [Value]) -> Scope<'s> {
    let mut scope = Scope::new(&clause.locals, state);
    let locals = clause.params.iter().chain(&clause.hidden);
    for (local, value) in locals.zip(params) {
        scope.bind(*local, value.clone());
    }
    scope
}
