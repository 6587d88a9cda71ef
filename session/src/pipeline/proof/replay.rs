//! Whether a counterexample is an execution: the executor takes the same steps from the same start state.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;

use finite::{Interpretation, Universe};
use interpreter::{Executor, Firing, Instance, Shape, State};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Function, SortSize};
use prover_bridge::Counterexample;
use prover_bridge::counterexample::{ActionInstance, Execution, TheoryTable};

use crate::study::Study;

/// Of operators over types with more values than this, nothing is confirmed.
const MOST_VALUES: u64 = 1 << 12;

/// Whether the executor finds that what a counterexample shows is a start state in which an invariant is false. Where it
/// cannot tell, the answer is no.
pub(super) fn is_violated(study: &Study, invariant: usize, found: &Counterexample) -> bool {
    confirmed(study, invariant, found).unwrap_or(false)
}

fn confirmed(study: &Study, invariant: usize, found: &Counterexample) -> Option<bool> {
    let (None, Some(start)) = (&found.before, &found.after) else {
        return None;
    };
    let execution = Execution {
        sizes: found.sizes.clone(),
        theories: found.theories.clone(),
        automaton: start.automaton,
        first: start.state.clone(),
        steps: Vec::new(),
        failures: Vec::new(),
    };
    replayed(study, invariant, &execution)
}

/// Whether the executor finds that states and actions are an execution, and that an invariant is false in its last state.
/// Where it cannot tell, the answer is no.
pub(super) fn is_execution(study: &Study, invariant: usize, execution: &Execution) -> bool {
    replayed(study, invariant, execution).unwrap_or(false)
}

fn replayed(study: &Study, invariant: usize, execution: &Execution) -> Option<bool> {
    let universe = universe(
        study,
        &[execution.automaton],
        (&execution.sizes, &execution.theories),
    )?;
    let instance = Instance::new(Arc::clone(&study.model), universe);
    let mut executor = Executor::new(&instance, execution.automaton).ok()?;
    let layout = instance.layout(execution.automaton);
    let mut state = layout.state(&execution.first).ok()?;
    if !executor.is_start(&state).ok()? {
        return Some(false);
    }
    for (action, after) in &execution.steps {
        let after = layout.state(after).ok()?;
        if !is_step(study, &mut executor, (&state, action, &after))? {
            return Some(false);
        }
        state = after;
    }
    Some(!executor.holds(&state, invariant).ok()?)
}

/// Whether an action leads from one state to another, whatever its choices take.
fn is_step(
    study: &Study,
    executor: &mut Executor<'_>,
    (before, action, after): (&State, &ActionInstance, &State),
) -> Option<bool> {
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
    let mut is_found = false;
    let enumerated = executor.each_outcome(before, &firing, &mut |_, state| {
        is_found = state == after;
        match is_found {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    let _ = enumerated.ok()?;
    Some(is_found)
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
    let mut tables = BTreeMap::new();
    for (id, function) in universe.open_to_interpretation(model) {
        let shown = theories.iter().find(|table| table.function == id)?;
        tables.insert(id, results(study, &universe, function, shown)?);
    }
    universe.interpreted(model, Interpretation { tables }).ok()
}

/// The results of an operator for all its arguments, in the order of an interpretation's tables.
fn results(
    study: &Study,
    universe: &Universe,
    function: &Function,
    shown: &TheoryTable,
) -> Option<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for ty in &function.params {
        let values = universe.values(&study.model, ty, MOST_VALUES)?;
        let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
            let with = |value| [row.as_slice(), slice::from_ref(value)].concat();
            values.iter().map(with).collect()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    let result = |row: &Vec<Value>| {
        let entry = shown.entries.iter().find(|(arguments, _)| arguments == row);
        entry.map(|(_, value)| value.clone())
    };
    rows.iter().map(result).collect()
}
