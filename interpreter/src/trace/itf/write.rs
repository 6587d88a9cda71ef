//! How a trace is written.

use ioa_lang::core::{AutomatonId, LocalId};
use serde_json::{Map, Value as Json, json};

use super::super::json as itf;
use super::super::{Step, Trace};
use super::called::called;
use super::locals::Locals;
use super::{ACTION, About, PICKS, REPEATS_AFTER};
use crate::instance::Instance;
use crate::instance::participants::Participants;
use crate::state::cell::Cell;
use crate::state::layout::State;

/// A trace as ITF JSON. Equal traces give equal texts.
#[must_use]
pub fn write(instance: &Instance, trace: &Trace, about: &About) -> String {
    let document = document(instance, trace, about);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

pub(super) fn document(instance: &Instance, trace: &Trace, about: &About) -> Json {
    let model = instance.model();
    let automaton = model.automaton(trace.automaton);
    let types = automaton.variables.iter();
    let types: Map<String, Json> = types
        .map(|v| (v.name.to_string(), json!(itf::type_name(&v.ty, model))))
        .collect();
    let mut vars: Vec<&str> = automaton.variables.iter().map(|v| &*v.name).collect();
    vars.extend([ACTION, PICKS]);
    let actions = automaton.actions.iter().map(|action| {
        let universe = instance.universe();
        Participants::of((model, universe), action)
    });
    let actions: Vec<_> = actions.collect();
    let first = write_state(instance, trace, 0, &trace.start, None);
    let later = trace.steps.iter().zip(1..);
    let later = later.map(|(step, n)| {
        let who = &actions[automaton.transitions[step.label.firing.transition.index()]
            .action
            .index()];
        write_state(instance, trace, n, &step.state, Some((step, who)))
    });
    let states: Vec<Json> = std::iter::once(first).chain(later).collect();
    let mut document = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": about.description,
            "varTypes": types,
            "ioa": {
                "automaton": &*automaton.name,
                "fingerprint": instance.fingerprint(trace.automaton).to_string(),
                "sizes": instance.universe().sizes(model),
                "interpretation": write_interpretation(instance),
                "seed": about.seed,
                "inputs": about.inputs,
            },
        },
        "vars": vars,
        "states": states,
    });
    if let Some(after) = about.repeats_after {
        // The format says which state follows the last one, which in a cycle is the state in which it begins once more.
        let stays = after == trace.steps.len();
        document["loop"] = json!(after + usize::from(!stays));
        document["#meta"]["ioa"][REPEATS_AFTER] = json!(after);
    }
    document
}

/// For each uninterpreted operator, its results in the order of its arguments.
pub(super) fn write_interpretation(instance: &Instance) -> Json {
    let model = instance.model();
    let tables = instance.universe().interpretation().tables.iter();
    let tables = tables.map(|(f, table)| {
        let name = &model.functions[f.index()].name;
        let results: Json = table
            .iter()
            .map(|value| itf::encode(value, model))
            .collect();
        json!({ "operator": &**name, "results": results })
    });
    tables.collect()
}

fn write_state(
    instance: &Instance,
    trace: &Trace,
    index: usize,
    state: &State,
    step: Option<(&Step, &Participants)>,
) -> Json {
    let model = instance.model();
    let values = instance.layout(trace.automaton).values(state);
    let mut object: Map<String, Json> = values
        .map(|(name, value)| (name.to_string(), itf::encode(&value, model)))
        .collect();
    let (meta, action, picks) = match step {
        None => (json!({ "index": index }), "init".to_owned(), Map::new()),
        Some(step) => write_step(instance, trace.automaton, index, step),
    };
    object.insert("#meta".into(), meta);
    object.insert(ACTION.into(), json!(action));
    object.insert(PICKS.into(), Json::Object(picks));
    Json::Object(object)
}

/// Who takes part in a step by an action with these parameters.
fn write_participants(
    instance: &Instance,
    automaton: AutomatonId,
    who: &Participants,
    params: &[Cell],
) -> Json {
    let model = instance.model();
    let components = &model.automaton(automaton).components;
    let parts = who.taking_part(params).map(|part| {
        let component = &*components[part.component.index()].path;
        let index: Json = part.index.iter().map(|v| itf::encode(v, model)).collect();
        json!({ "component": component, "kind": part.kind.keyword(), "index": index })
    });
    parts.collect()
}

/// The `#meta`, the action and the picks of a step.
fn write_step(
    instance: &Instance,
    automaton: AutomatonId,
    index: usize,
    (step, who): (&Step, &Participants),
) -> (Json, String, Map<String, Json>) {
    let model = instance.model();
    let clause = Locals::of(instance, automaton, step.label.firing.transition);
    let action = model
        .automaton(automaton)
        .action_of(step.label.firing.transition);
    let write = |local: LocalId, cell: &Cell| itf::encode(&clause.shape(local).decode(cell), model);
    let all = |locals: &[LocalId], cells: &[Cell]| -> Vec<Json> {
        locals
            .iter()
            .zip(cells)
            .map(|(local, cell)| write(*local, cell))
            .collect()
    };
    let params = all(clause.params, &step.label.firing.params);
    let hidden = all(clause.hidden, &step.label.firing.hidden);
    let choices = step.label.choices.iter();
    let choices: Vec<(u32, Json)> = choices
        .map(|c| (c.local, write(LocalId(c.local), &c.value)))
        .collect();

    let mut picks = Map::new();
    let names = action.params.iter().map(|(name, _)| name.to_string());
    let hidden_names = clause.hidden.iter().map(|l| clause.name(*l));
    let chosen_names = choices
        .iter()
        .map(|(local, _)| clause.name(LocalId(*local)));
    let values = params
        .iter()
        .chain(&hidden)
        .chain(choices.iter().map(|(_, value)| value));
    for (name, value) in names.chain(hidden_names).chain(chosen_names).zip(values) {
        picks.insert(unused(name, &picks), itf::variant("Some", value));
    }
    let meta = json!({
        "index": index,
        "clause": step.label.firing.transition.0,
        "kind": action.kind.keyword(),
        "label": called(instance, automaton, &step.label),
        "participants": write_participants(instance, automaton, who, &step.label.firing.params),
        "params": params,
        "hidden": hidden,
        "choices": choices,
    });
    (meta, action.name.to_string(), picks)
}

/// The name, with a number appended if it is already in use.
fn unused(name: String, taken: &Map<String, Json>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !taken.contains_key(name)).unwrap_or(name)
}
