//! How a trace is read back.

use std::collections::BTreeMap;

use finite::{Interpretation, Universe};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Function, LocalId, Model, TransitionId};
use serde_json::Value as Json;

use super::super::claims;
use super::super::json::{self as itf, Mismatch};
use super::super::{Step, Trace};
use super::locals::Locals;
use super::write::{self, write_interpretation};
use super::{About, Origin, REPEATS_AFTER, TraceError};
use crate::instance::Instance;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::transition::{Choice, Firing, Label};

/// The automaton of a trace, which determines the setting of the instance.
///
/// # Errors
/// The text is not a trace, or the model does not have its automaton.
pub fn automaton_of(model: &Model, text: &str) -> Result<AutomatonId, TraceError> {
    let document = parse(text)?;
    let (_, ioa) = heading(&document)?;
    let name = text_of(ioa, "automaton")?;
    let automaton = model.automaton_named(name);
    automaton.ok_or_else(|| TraceError::UnknownAutomaton(name.into()))
}

/// Where the model of a trace is, according to the trace, and at which sizes it was run.
///
/// # Errors
/// The text is not a trace.
pub fn origin(text: &str) -> Result<Origin, TraceError> {
    let document = parse(text)?;
    let (_, ioa) = heading(&document)?;
    Ok(Origin {
        inputs: inputs(ioa),
        sizes: sizes(ioa),
        repeats_after: repeats_after(ioa),
    })
}

/// The meaning that the operators of a universe had where a trace was made; whether it satisfies any axioms is not said.
///
/// # Errors
/// The text is not a trace, or says so of other operators.
pub fn interpretation(
    (model, universe): (&Model, &Universe),
    text: &str,
) -> Result<Interpretation, TraceError> {
    let document = parse(text)?;
    let (_, ioa) = heading(&document)?;
    let open: Vec<_> = universe.open_to_interpretation(model).collect();
    let read = || -> Result<Interpretation, Mismatch> {
        let found = get(ioa, "interpretation")?.as_array();
        let found = found.filter(|tables| tables.len() == open.len());
        let found = found.ok_or_else(|| {
            Mismatch::new(format!("a list of {} operators", open.len())).within("interpretation")
        })?;
        let mut interpretation = Interpretation::default();
        for (n, ((id, function), json)) in open.iter().zip(found).enumerate() {
            let table = read_table((model, function), json);
            let table = table.map_err(|m| m.within(n).within("interpretation"))?;
            interpretation.tables.insert(*id, table);
        }
        Ok(interpretation)
    };
    Ok(read().map_err(|m| m.within("ioa").within("#meta"))?)
}

/// The results of an operator in the order of its arguments.
fn read_table((model, function): (&Model, &Function), json: &Json) -> Result<Vec<Value>, Mismatch> {
    if get(json, "operator")?.as_str() != Some(&*function.name) {
        let expected = format!("the operator {}", function.name);
        return Err(Mismatch::new(expected).within("operator"));
    }
    let results = get(json, "results")?.as_array();
    let results = results.ok_or_else(|| Mismatch::new("a list of values").within("results"))?;
    let read = |json: &Json| itf::decode(json, &function.result, model);
    let results: Result<_, Mismatch> = results.iter().map(read).collect();
    results.map_err(|m| m.within("results"))
}

/// After how many steps the others are repeated forever, if the trace says so.
fn repeats_after(ioa: &Json) -> Option<usize> {
    let steps = ioa.get(REPEATS_AFTER)?.as_u64()?;
    usize::try_from(steps).ok()
}

/// The texts in a list of inputs.
fn inputs(ioa: &Json) -> Vec<String> {
    let listed = ioa.get("inputs").and_then(Json::as_array).into_iter();
    let texts = listed.flatten().filter_map(Json::as_str);
    texts.map(str::to_owned).collect()
}

/// The sizes by sort.
fn sizes(ioa: &Json) -> BTreeMap<String, u64> {
    let sizes = ioa.get("sizes").and_then(Json::as_object).into_iter();
    let each = sizes.flatten();
    each.filter_map(|(sort, n)| Some((sort.clone(), n.as_u64()?)))
        .collect()
}

fn parse(text: &str) -> Result<Json, TraceError> {
    serde_json::from_str(text).map_err(|e| match e.is_eof() {
        true => TraceError::Incomplete,
        false => TraceError::NotJson(e.to_string()),
    })
}

/// What a trace says about itself, and the part of it that this program defines.
fn heading(document: &Json) -> Result<(&Json, &Json), TraceError> {
    let meta = document.get("#meta").ok_or(TraceError::NotOurs)?;
    let ioa = meta.get("ioa").ok_or(TraceError::NotOurs)?;
    Ok((meta, ioa))
}

/// A text among what is ours.
fn text_of<'j>(ioa: &'j Json, name: &str) -> Result<&'j str, Mismatch> {
    let within = |m: Mismatch| m.within("ioa").within("#meta");
    let json = get(ioa, name).map_err(within)?;
    json.as_str()
        .ok_or_else(|| within(Mismatch::new("a text").within(name)))
}

/// Reads a trace from ITF JSON, if it belongs to this instance and is consistent. Whether it is an execution is checked by
/// [`replay`](crate::run::replay).
///
/// # Errors
/// The first reason why it is not such a trace.
pub fn read(instance: &Instance, text: &str) -> Result<(Trace, About), TraceError> {
    let document = parse(text)?;
    let (meta, ioa) = heading(&document)?;
    let automaton = read_origin(instance, ioa)?;
    let states = get(&document, "states")?;
    let states = states.as_array().filter(|s| !s.is_empty());
    let states = states.ok_or_else(|| Mismatch::new("a list of states").within("states"))?;
    let at = |n: usize| move |m: Mismatch| m.within(n).within("states");
    let start = read_state(instance, automaton, &states[0]).map_err(at(0))?;
    let steps = states.iter().enumerate().skip(1);
    let steps = steps.map(|(n, json)| read_step(instance, automaton, json).map_err(at(n)));
    let steps = steps.collect::<Result<_, _>>()?;
    let about = About {
        description: meta
            .get("description")
            .and_then(Json::as_str)
            .unwrap_or("")
            .into(),
        seed: ioa.get("seed").and_then(Json::as_u64),
        inputs: inputs(ioa),
        repeats_after: repeats_after(ioa),
    };
    let trace = Trace {
        automaton,
        start,
        steps,
    };
    if let Some(after) = about.repeats_after
        && trace.state(after) != trace.state(trace.steps.len())
    {
        let number = Mismatch::new("the number of steps to a state that is also the last one");
        return Err(number
            .within(REPEATS_AFTER)
            .within("ioa")
            .within("#meta")
            .into());
    }
    // For people and other tools, the file says most things more than once. All of it is compared with the file that we
    // would write, so that no part of it is overlooked.
    match claims::untrue(&document, &write::document(instance, &trace, &about)) {
        Some(claim) => Err(TraceError::Untrue(claim)),
        None => Ok((trace, about)),
    }
}

fn get<'j>(json: &'j Json, name: &str) -> Result<&'j Json, Mismatch> {
    json.get(name)
        .ok_or_else(|| Mismatch::new("a value, and there is none").within(name))
}

/// The automaton of the trace, if it is the one in this instance.
fn read_origin(instance: &Instance, ioa: &Json) -> Result<AutomatonId, TraceError> {
    let name = text_of(ioa, "automaton")?;
    let model = instance.model();
    let automaton = model.automaton_named(name);
    let automaton = automaton.ok_or_else(|| TraceError::UnknownAutomaton(name.into()))?;
    let found = text_of(ioa, "fingerprint")?;
    let expected = instance.fingerprint(automaton);
    if found == expected.to_string() {
        return Ok(automaton);
    }
    let differing = differing_sizes(instance, &sizes(ioa));
    if !differing.is_empty() {
        return Err(TraceError::OtherSizes(differing));
    }
    let interpretation = ioa.get("interpretation");
    if interpretation.is_some_and(|tables| *tables != write_interpretation(instance)) {
        return Err(TraceError::OtherInterpretation);
    }
    Err(TraceError::OtherModel {
        automaton: name.into(),
        found: found.into(),
        expected,
    })
}

fn differing_sizes(
    instance: &Instance,
    then: &BTreeMap<String, u64>,
) -> Vec<(String, Option<u64>, Option<u64>)> {
    if then.is_empty() {
        return Vec::new();
    }
    let now = instance.universe().sizes(instance.model());
    let mut sorts: Vec<&String> = then.keys().chain(now.keys()).collect();
    sorts.sort();
    sorts.dedup();
    let sorts = sorts
        .into_iter()
        .map(|s| (s.clone(), then.get(s).copied(), now.get(s).copied()));
    sorts.filter(|(_, then, now)| then != now).collect()
}

fn read_state(instance: &Instance, automaton: AutomatonId, json: &Json) -> Result<State, Mismatch> {
    let model = instance.model();
    let object = json.as_object().ok_or_else(|| Mismatch::new("a state"))?;
    let variables = &model.automaton(automaton).variables;
    let values = variables
        .iter()
        .map(|v| itf::field(object, &v.name, &v.ty, model));
    let values: Vec<_> = values.collect::<Result<_, _>>()?;
    instance
        .layout(automaton)
        .state(&values)
        .map_err(|name| Mismatch::new("a value that its type has at these sizes").within(name))
}

fn read_step(instance: &Instance, automaton: AutomatonId, json: &Json) -> Result<Step, Mismatch> {
    let state = read_state(instance, automaton, json)?;
    let meta = get(json, "#meta")?;
    let label = read_label(instance, automaton, meta).map_err(|m| m.within("#meta"))?;
    Ok(Step { label, state })
}

fn read_label(instance: &Instance, automaton: AutomatonId, meta: &Json) -> Result<Label, Mismatch> {
    let clauses = instance.model().automaton(automaton).transitions.len();
    let clause = get(meta, "clause")?
        .as_u64()
        .filter(|n| *n < clauses as u64);
    let unknown = || Mismatch::new("the number of a transition clause").within("clause");
    let transition = TransitionId::at(clause.ok_or_else(unknown)? as usize);
    let locals = Locals::of(instance, automaton, transition);
    let list = |name: &'static str| -> Result<&Vec<Json>, Mismatch> {
        let json = get(meta, name)?;
        json.as_array()
            .ok_or_else(|| Mismatch::new("a list").within(name))
    };
    let all = |name: &'static str, wanted: &[LocalId]| -> Result<Vec<Cell>, Mismatch> {
        let given = list(name)?;
        if given.len() != wanted.len() {
            return Err(Mismatch::new(format!("{} values", wanted.len())).within(name));
        }
        let cells = wanted
            .iter()
            .zip(given)
            .map(|(local, json)| locals.read(*local, json));
        cells
            .collect::<Result<_, _>>()
            .map_err(|m: Mismatch| m.within(name))
    };
    let firing = Firing {
        transition,
        params: all("params", locals.params)?,
        hidden: all("hidden", locals.hidden)?,
    };
    let choices = list("choices")?
        .iter()
        .map(|json| read_choice(&locals, json));
    let choices = choices
        .collect::<Result<_, _>>()
        .map_err(|m: Mismatch| m.within("choices"))?;
    Ok(Label { firing, choices })
}

fn read_choice(locals: &Locals<'_>, json: &Json) -> Result<Choice, Mismatch> {
    let pair = json.as_array().map(Vec::as_slice);
    let Some([local, value]) = pair else {
        return Err(Mismatch::new("a bound variable with its value"));
    };
    let local = local.as_u64().and_then(|n| u32::try_from(n).ok());
    let local = local.ok_or_else(|| Mismatch::new("the number of a bound variable"))?;
    Ok(Choice {
        local,
        value: locals.read(LocalId(local), value)?,
    })
}
