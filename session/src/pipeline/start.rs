//! Whether a counterexample is an execution: one of no steps, whose start state the executor confirms.

use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;

use finite::{Interpretation, Universe};
use interpreter::{Executor, Instance};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Function, SortSize};
use prover_bridge::Counterexample;
use prover_bridge::counterexample::TheoryTable;

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
    let universe = universe(study, start.automaton, found)?;
    let instance = Instance::new(Arc::clone(&study.model), universe);
    let mut executor = Executor::new(&instance, start.automaton).ok()?;
    let state = instance.layout(start.automaton).state(&start.state).ok()?;
    let is_start = executor.is_start(&state).ok()?;
    Some(is_start && !executor.holds(&state, invariant).ok()?)
}

/// The finite instance that a counterexample is of.
fn universe(study: &Study, automaton: AutomatonId, found: &Counterexample) -> Option<Universe> {
    let model = &study.model;
    let is_given = |name: &str| {
        let sort = model.sort_named(name);
        sort.is_some_and(|id| model.sorts[id.index()].size == SortSize::Given)
    };
    let sizes = found.sizes.clone().into_iter();
    let sizes = sizes.filter(|(name, _)| is_given(name)).collect();
    let universe = Universe::sized(model, model.setting([automaton]), &sizes).ok()?;
    let mut tables = BTreeMap::new();
    for (id, function) in universe.open_to_interpretation(model) {
        let shown = found.theories.iter().find(|table| table.function == id)?;
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
