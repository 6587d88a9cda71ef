//! Counterexamples as executions of the executor: whether it takes the same steps, and from which state.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use finite::{Interpretation, Universe};
use interpreter::trace::{Step, Trace};
use interpreter::{Executor, Firing, Instance, Label, Shape, State};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Function, Meaning, SortSize};
use prover_bridge::Counterexample;
use prover_bridge::counterexample::{ActionInstance, Execution, TheoryTable};

use crate::study::Study;

/// Of operators with longer tables than this, nothing is confirmed.
const MOST_ROWS: u64 = 1 << 18;

/// Consecutive states that the solver found, as the executor goes through them. The first need not be a start state.
#[derive(Debug)]
pub struct Replayed {
    /// The instance that they were found in.
    pub instance: Instance,
    /// The states, with the steps between them.
    pub trace: Trace,
}

impl Replayed {
    /// What the executor makes of consecutive states that the solver found; nothing where it takes no such steps or cannot
    /// represent the states.
    #[must_use]
    pub fn of(study: &Study, found: &Execution) -> Option<Self> {
        let tables = (&found.sizes, found.theories.as_slice());
        let universe = universe(study, &[found.automaton], tables)?;
        let instance = Instance::new(Arc::clone(&study.model), universe);
        let trace = trace(study, &instance, found)?;
        Some(Self { instance, trace })
    }
}

/// The states of a counterexample with the step between them, those of the low automaton if it is about a simulation. Where
/// something is undefined there is no state after the step. Nothing, if it is about the theories alone.
pub(super) fn states(found: &Counterexample) -> Option<Execution> {
    let (first, after) = match (&found.before, &found.after) {
        (Some(before), after) => (before, after.as_ref()),
        (None, Some(start)) => (start, None),
        (None, None) => return None,
    };
    let step = found.action.clone().zip(after);
    Some(Execution {
        sizes: found.sizes.clone(),
        theories: found.theories.clone(),
        automaton: first.automaton,
        first: first.state.clone(),
        steps: step
            .map(|(action, after)| (action, after.state.clone()))
            .into_iter()
            .collect(),
        failures: found.failures.clone(),
    })
}

/// Whether the executor finds that what a counterexample shows is an execution, of one step or of none, after which an invariant is
/// false. Where it cannot tell, the answer is no.
pub(super) fn is_violated(study: &Study, invariant: usize, found: &Counterexample) -> bool {
    states(found).is_some_and(|states| is_execution(study, invariant, &states))
}

/// Whether the executor finds that the state before the step of a counterexample is a start state. Where it cannot tell, and in a
/// simulation, whose two states have to be reached together, the answer is no.
pub(super) fn begins_at_start(study: &Study, found: &Counterexample) -> bool {
    let Some(before) = found.before.as_ref().filter(|before| before.high.is_none()) else {
        return false;
    };
    let first = Execution {
        sizes: found.sizes.clone(),
        theories: found.theories.clone(),
        automaton: before.automaton,
        first: before.state.clone(),
        steps: Vec::new(),
        failures: Vec::new(),
    };
    let Some(Replayed { instance, trace }) = Replayed::of(study, &first) else {
        return false;
    };
    let executor = Executor::new(&instance, trace.automaton);
    executor.is_ok_and(|mut executor| executor.is_start(&trace.start) == Ok(true))
}

/// Whether the executor finds that states and actions are an execution, and that an invariant is false in its last state.
/// Where it cannot tell, the answer is no.
pub(super) fn is_execution(study: &Study, invariant: usize, found: &Execution) -> bool {
    let Some(Replayed { instance, trace }) = Replayed::of(study, found) else {
        return false;
    };
    let Ok(mut executor) = Executor::new(&instance, trace.automaton) else {
        return false;
    };
    executor.is_start(&trace.start) == Ok(true)
        && executor.holds(trace.last(), invariant) == Ok(false)
}

/// The steps between the states, with what their choices took.
fn trace(study: &Study, instance: &Instance, found: &Execution) -> Option<Trace> {
    let mut executor = Executor::new(instance, found.automaton).ok()?;
    let layout = instance.layout(found.automaton);
    let mut trace = Trace {
        automaton: found.automaton,
        start: layout.state(&found.first).ok()?,
        steps: Vec::new(),
    };
    for (action, after) in &found.steps {
        let state = layout.state(after).ok()?;
        let label = label(study, &mut executor, (trace.last(), action, &state))?;
        trace.steps.push(Step { label, state });
    }
    Some(trace)
}

/// The label with which an action leads from one state to another, whatever its choices take; none if it does not.
fn label(
    study: &Study,
    executor: &mut Executor<'_>,
    (before, action, after): (&State, &ActionInstance, &State),
) -> Option<Label> {
    let (model, universe) = (&study.model, executor.instance().universe());
    let clause = &model.automaton(action.automaton).transitions[action.transition.index()];
    let parameters = clause.params.iter().chain(&clause.hidden);
    let cells = parameters.zip(&action.params).map(|(local, value)| {
        let ty = &clause.locals[local.index()].ty;
        Shape::of(model, universe, ty).encode(value)
    });
    let mut params = cells.collect::<Option<Vec<_>>>()?;
    let hidden = params.split_off(clause.params.len().min(params.len()));
    let firing = Firing {
        transition: action.transition,
        params,
        hidden,
    };
    let mut taken = None;
    let enumerated = executor.each_outcome(before, &firing, &mut |choices, state| {
        if state != after {
            return ControlFlow::Continue(());
        }
        taken = Some(choices.to_vec());
        ControlFlow::Break(())
    });
    let _ = enumerated.ok()?;
    let choices = taken?;
    Some(Label { firing, choices })
}

/// The finite instance that the solver found something in, as one of some automata.
pub(super) fn universe(
    study: &Study,
    automata: &[AutomatonId],
    (sizes, theories): (&BTreeMap<String, u64>, &[TheoryTable]),
) -> Option<Universe> {
    let model = &study.model;
    let is_given = |name: &str| {
        let sort = model.sort_named(name);
        sort.is_some_and(|id| model.sorts[id.index()].size == SortSize::Given)
    };
    let sizes = sizes.clone().into_iter();
    let sizes = sizes.filter(|(name, _)| is_given(name)).collect();
    let universe = Universe::sized(model, model.setting(automata.iter().copied()), &sizes).ok()?;
    let universe = with_groups(study, universe, theories)?;
    let mut tables = BTreeMap::new();
    for (id, function) in universe.open_to_interpretation(model) {
        let shown = theories.iter().find(|table| table.function == id)?;
        tables.insert(id, results(study, &universe, function, shown)?);
    }
    universe.interpreted(model, Interpretation { tables }).ok()
}

/// The instance with the groups that the solver found, such as quorums that are no majorities.
fn with_groups(study: &Study, universe: Universe, theories: &[TheoryTable]) -> Option<Universe> {
    theories.iter().try_fold(universe, |universe, table| {
        let function = &study.model.functions[table.function.index()];
        let (Meaning::InGroup { group, .. }, Some(groups)) =
            (function.meaning, table.quorums(&study.model))
        else {
            return Some(universe);
        };
        let mask = |members: &Value| {
            let Value::Set(members) = members else {
                return None;
            };
            members.iter().try_fold(0_u64, |mask, member| match member {
                Value::Element(_, at) => Some(mask | 1_u64.checked_shl(*at)?),
                _ => None,
            })
        };
        let masks = groups.values().map(mask).collect::<Option<Vec<u64>>>()?;
        Some(universe.with_groups(group, masks))
    })
}

/// The results of an operator for all its arguments, in the order of an interpretation's tables.
fn results(
    study: &Study,
    universe: &Universe,
    function: &Function,
    shown: &TheoryTable,
) -> Option<Vec<Value>> {
    let rows = universe.rows(&study.model, &function.params, MOST_ROWS)?;
    let result = |row: &Vec<Value>| {
        let entry = shown.entries.iter().find(|(arguments, _)| arguments == row);
        entry.map(|(_, value)| value.clone())
    };
    rows.iter().map(result).collect()
}
