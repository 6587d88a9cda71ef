//! A trace file, as far as exporters need it.

use std::cmp::Reverse;
use std::ops::Range;

use serde_json::{Map, Value as Json};

use super::agreement::{self, Agreement};
use super::trace_error::TraceError;
use super::words;

/// An execution, as a trace file tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// The automaton's name.
    pub automaton: String,
    /// Where it comes from, for people.
    pub description: String,
    /// The names of the model's sorts.
    pub(super) sorts: Vec<String>,
    /// The states, the start state first: the variables' values by name.
    pub(super) states: Vec<Vec<(String, Json)>>,
    /// The steps between them.
    pub(super) steps: Vec<Step>,
    /// Of an infinite execution: the number of steps after which the others are repeated forever.
    pub(super) repeats_after: Option<usize>,
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// The action's name.
    pub(super) action: String,
    /// The action with its parameters and choices, as the language writes them: `send(Node#0, Node#1) with n = 1`.
    pub(super) label: String,
    /// Its parameters.
    pub(super) params: Vec<Json>,
    /// The other values that it had: of hidden parameters, and of its choices.
    pub(super) others: Vec<Json>,
    /// Whether the environment controls the action.
    pub(super) is_input: bool,
    /// Whether the environment sees it.
    pub(super) is_output: bool,
    /// The participants, the one that controls it first; nobody if there are no components.
    pub(super) participants: Vec<Participant>,
}

/// A component that takes part in a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Participant {
    /// The component's name without its index: `P`.
    pub(super) component: String,
    /// With it: `P[Node#0]`.
    pub(super) name: String,
    /// Whether it receives the action, which another component or the environment controls.
    pub(super) receives: bool,
}

impl Step {
    /// The texts among its parameters, and in tuples there, in their order: elements of sorts are such texts.
    pub(super) fn elements(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.params
            .iter()
            .for_each(|param| collect(param, &mut found));
        found
    }
}

/// Adds the texts in a value, or in the fields of a tuple. Those in collections are not who a step is about.
fn collect<'j>(value: &'j Json, found: &mut Vec<&'j str>) {
    match value {
        Json::String(text) => found.push(text),
        Json::Object(fields) => fields.values().for_each(|field| collect(field, found)),
        _ => {}
    }
}

impl Execution {
    /// The execution that a trace file holds.
    ///
    /// # Errors
    /// Why it is no trace of this tool.
    pub fn read(text: &str) -> Result<Self, TraceError> {
        Self::of(&document(text)?)
    }

    /// The execution that a trace, read as JSON, tells.
    pub(super) fn of(document: &Json) -> Result<Self, TraceError> {
        let meta = document.get("#meta");
        let ioa = meta.and_then(|m| m.get("ioa"));
        let ioa = ioa.ok_or(TraceError::NotOurs("#meta.ioa"))?;
        let automaton =
            string(ioa, "automaton").ok_or_else(|| TraceError::at("#meta.ioa.automaton", TEXT))?;
        let sizes = ioa.get("sizes").and_then(Json::as_object);
        let variables = variables(document)?;
        let states = document.get("states").and_then(Json::as_array);
        let states = states.filter(|s| !s.is_empty());
        let states = states.ok_or_else(|| TraceError::at("states", "a list of states"))?;
        let steps: Vec<(usize, &Json)> = states.iter().enumerate().skip(1).collect();
        agreement::start(&states[0])?;
        let mut agreement = Agreement::default();
        for (n, state) in &steps {
            agreement.step(*n, state)?;
        }
        Ok(Self {
            automaton: automaton.to_owned(),
            description: meta
                .and_then(|m| string(m, "description"))
                .unwrap_or_default()
                .to_owned(),
            sorts: sizes.map_or_else(Vec::new, |sizes| sizes.keys().cloned().collect()),
            states: (states.iter().enumerate())
                .map(|(n, state)| valuation(n, state, &variables))
                .collect::<Result<_, _>>()?,
            steps: (steps.into_iter())
                .map(|(n, state)| step(n, state))
                .collect::<Result<_, _>>()?,
            repeats_after: ioa
                .get("repeats_after")
                .and_then(Json::as_u64)
                .and_then(|steps| usize::try_from(steps).ok()),
        })
    }
}

impl Execution {
    /// How many steps it has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps.len()
    }

    /// The steps that are repeated forever, by position.
    pub(super) fn cycle(&self) -> Range<usize> {
        let steps = self.steps.len();
        self.repeats_after.unwrap_or(steps)..steps
    }

    /// The sort of which most steps have an element among their parameters; of several such, the one that stands first.
    pub(super) fn busiest_sort(&self) -> Option<String> {
        let occurs = |step: &Step, sort: &str| {
            let is_element = |text: &&str| {
                let rest = text.strip_prefix(sort);
                rest.is_some_and(|rest| rest.starts_with('#'))
            };
            step.elements().iter().position(is_element)
        };
        let rated = self.sorts.iter().filter_map(|sort| {
            let mut places = self.steps.iter().enumerate();
            let first = places.find_map(|(n, step)| Some((n, occurs(step, sort)?)))?;
            let steps = self
                .steps
                .iter()
                .filter(|step| occurs(step, sort).is_some());
            Some((Reverse(steps.count()), first, sort))
        });
        rated.min().map(|(.., sort)| sort.clone())
    }
}

const TEXT: &str = "a text";

/// A text as JSON.
pub(super) fn document(text: &str) -> Result<Json, TraceError> {
    serde_json::from_str(text).map_err(|error| match error.is_eof() {
        true => TraceError::Incomplete,
        false => TraceError::NotJson(error.to_string()),
    })
}

fn string<'j>(json: &'j Json, name: &str) -> Option<&'j str> {
    json.get(name)?.as_str()
}

/// The names of the variables, without the fields that describe steps.
pub(super) fn variables(document: &Json) -> Result<Vec<String>, TraceError> {
    let names = document.get("vars").and_then(Json::as_array);
    let names = names.ok_or(TraceError::NotOurs("vars"))?;
    let names: Option<Vec<&str>> = names.iter().map(Json::as_str).collect();
    let names = names.ok_or_else(|| TraceError::at("vars", "names"))?;
    let own = names.into_iter().filter(|name| !name.starts_with("mbt::"));
    Ok(own.map(str::to_owned).collect())
}

fn valuation(
    n: usize,
    state: &Json,
    variables: &[String],
) -> Result<Vec<(String, Json)>, TraceError> {
    let values = variables.iter().map(|name| {
        let value = state.get(name);
        let value = value.ok_or_else(|| TraceError::at(format!("states.{n}.{name}"), "a value"))?;
        Ok((name.clone(), value.clone()))
    });
    values.collect()
}

fn step(n: usize, state: &Json) -> Result<Step, TraceError> {
    let path = |what: &str| format!("states.{n}.{what}");
    let action = string(state, "mbt::actionTaken");
    let action =
        action.ok_or_else(|| TraceError::at(path("mbt::actionTaken"), "the name of an action"))?;
    let meta = state.get("#meta").and_then(Json::as_object);
    let meta = meta.ok_or_else(|| TraceError::at(path("#meta"), "what tells of the step"))?;
    let params = meta.get("params").and_then(Json::as_array);
    let params = params.ok_or_else(|| TraceError::at(path("#meta.params"), "a list of values"))?;
    let kind = meta.get("kind").and_then(Json::as_str);
    let label = meta.get("label").and_then(Json::as_str);
    let label =
        label.ok_or_else(|| TraceError::at(path("#meta.label"), "what the step is called"))?;
    Ok(Step {
        action: action.to_owned(),
        label: label.to_owned(),
        params: params.clone(),
        others: others(meta),
        is_input: kind == Some("input"),
        is_output: kind == Some("output"),
        participants: participants(meta)
            .ok_or_else(|| TraceError::at(path("#meta.participants"), "components"))?,
    })
}

/// The values of hidden parameters and of choices, if there are any.
fn others(meta: &Map<String, Json>) -> Vec<Json> {
    let list = |name: &str| {
        meta.get(name)
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
    };
    let chosen = list("choices").filter_map(|choice| choice.get(1));
    list("hidden").chain(chosen).cloned().collect()
}

/// Who takes part.
fn participants(meta: &Map<String, Json>) -> Option<Vec<Participant>> {
    let list = meta.get("participants")?.as_array()?;
    list.iter().map(participant).collect()
}

fn participant(json: &Json) -> Option<Participant> {
    let component = string(json, "component")?;
    let index = json.get("index")?.as_array()?.iter();
    let index: String = index.map(|i| format!("[{}]", words::value(i))).collect();
    Some(Participant {
        component: component.to_owned(),
        name: format!("{component}{index}"),
        receives: string(json, "kind")? == "input",
    })
}
