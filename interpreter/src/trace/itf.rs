//! Traces in the Informal Trace Format (ITF JSON).
//!
//! What people and other tools read is where ITF and Quint put it: the variables of each state, the action that led to it,
//! and its parameters. What a replay needs in addition (the clause and the choices) is in each state's `#meta`, together
//! with the participants of a step of a composition. The trace's `#meta` names the model that it belongs to.

use std::collections::BTreeMap;
use std::fmt;

use finite::{Interpretation, Universe};
use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Fingerprint, Function, LocalId, Model, TransitionId, Type};
use serde_json::{Map, Value as Json, json};

use super::claims::{self, Claim};
use super::json::{self as itf, Mismatch};
use super::{Step, Trace};
use crate::instance::Instance;
use crate::instance::participants::Participants;
use crate::state::cell::{Cell, Shape};
use crate::state::layout::State;
use crate::transition::{Choice, Firing, Label};

const ACTION: &str = "mbt::actionTaken";
const PICKS: &str = "mbt::nondetPicks";
const REPEATS_AFTER: &str = "repeats_after";

/// What a trace file says about its origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// For people: how the trace was made, and how its run ended.
    pub description: String,
    /// The seed of the run.
    pub seed: Option<u64>,
    /// The files or the folder with the model, as the user named them; none if they were not named.
    pub inputs: Vec<String>,
    /// If the execution is infinite: the number of steps after which the others are repeated for ever. If there are no others,
    /// it stays in its last state.
    pub repeats_after: Option<usize>,
}

/// What a trace file says about its model, before the model is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The files or the folder with the model; none if the trace names none.
    pub inputs: Vec<String>,
    /// The sizes of the sorts by name, the derived ones included.
    pub sizes: BTreeMap<String, u64>,
    /// What [`About::repeats_after`] is.
    pub repeats_after: Option<usize>,
}

/// Why a text is not a trace of this instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// It ends too early, like a truncated file.
    Incomplete,
    /// It is not JSON.
    NotJson(String),
    /// It is not a trace as this tool writes them, or holds a value of the wrong type.
    Malformed {
        /// The path to the place, such as `states.3.val`.
        path: String,
        /// What was expected there.
        expected: String,
    },
    /// It is of an automaton that the model does not have.
    UnknownAutomaton(String),
    /// It was made with other sizes: for each sort that differs, the size then and now.
    OtherSizes(Vec<(String, Option<u64>, Option<u64>)>),
    /// The uninterpreted operators had other values.
    OtherInterpretation,
    /// It says something about the execution that is not true.
    Untrue(Claim),
    /// It is of another model, or the model has changed since.
    OtherModel {
        /// The automaton.
        automaton: String,
        /// The fingerprint in the trace.
        found: String,
        /// The model's.
        expected: Fingerprint,
    },
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incomplete => write!(f, "the trace is incomplete: the file ends too early"),
            Self::NotJson(why) => write!(f, "this is not JSON: {why}"),
            Self::Malformed { path, expected } => write!(f, "at {path}: expected {expected}"),
            Self::UnknownAutomaton(name) => {
                write!(
                    f,
                    "the trace is of an automaton {name}, which the model does not have"
                )
            }
            Self::OtherSizes(sizes) => {
                let size = |n: &Option<u64>| n.map_or("no size".to_owned(), |n| n.to_string());
                let sizes = sizes.iter();
                let sizes = sizes
                    .map(|(sort, then, now)| format!("{sort} {} (now {})", size(then), size(now)));
                let sizes: Vec<String> = sizes.collect();
                write!(
                    f,
                    "the trace was made with other sizes: {}",
                    sizes.join(", ")
                )
            }
            Self::OtherInterpretation => write!(
                f,
                "the trace was made with another interpretation of the model's theories"
            ),
            Self::Untrue(claim) => write!(f, "{claim}"),
            Self::OtherModel {
                automaton,
                found,
                expected,
            } => write!(
                f,
                "the trace is of another model, or {automaton} has changed since it was made \
                 (its fingerprint is {found}, the model's is {expected})"
            ),
        }
    }
}

impl std::error::Error for TraceError {}

impl From<Mismatch> for TraceError {
    fn from(mismatch: Mismatch) -> Self {
        let path = if mismatch.path.is_empty() {
            "the top".into()
        } else {
            mismatch.path.join(".")
        };
        Self::Malformed {
            path,
            expected: mismatch.expected,
        }
    }
}

/// A trace as ITF JSON. Equal traces give equal texts.
#[must_use]
pub fn write(instance: &Instance, trace: &Trace, about: &About) -> String {
    let document = document(instance, trace, about);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn document(instance: &Instance, trace: &Trace, about: &About) -> Json {
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
fn write_interpretation(instance: &Instance) -> Json {
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

/// The bound variables of a clause, those of its open variables included.
struct Locals<'i> {
    instance: &'i Instance,
    params: &'i [LocalId],
    hidden: &'i [LocalId],
    declared: Vec<(String, Type)>,
}

impl<'i> Locals<'i> {
    fn of(instance: &'i Instance, automaton: AutomatonId, transition: TransitionId) -> Self {
        let automaton = instance.model().automaton(automaton);
        let clause = &automaton.transitions[transition.index()];
        let bound = clause
            .locals
            .iter()
            .map(|l| (l.name.to_string(), l.ty.clone()));
        let open = clause.unconstrained.iter().map(|v| {
            let variable = &automaton.variables[v.index()];
            (format!("{}'", variable.name), variable.ty.clone())
        });
        let declared = bound.chain(open).collect();
        Self {
            instance,
            params: &clause.params,
            hidden: &clause.hidden,
            declared,
        }
    }

    fn name(&self, local: LocalId) -> String {
        self.declared[local.index()].0.clone()
    }

    fn shape(&self, local: LocalId) -> std::sync::Arc<Shape> {
        let ty = &self.declared[local.index()].1;
        Shape::of(self.instance.model(), self.instance.universe(), ty)
    }

    /// A value of a bound variable.
    fn read(&self, local: LocalId, json: &Json) -> Result<Cell, Mismatch> {
        let Some((_, ty)) = self.declared.get(local.index()) else {
            return Err(Mismatch::new("a bound variable of the clause"));
        };
        read_cell(self.instance, json, ty)
    }
}

fn read_cell(instance: &Instance, json: &Json, ty: &Type) -> Result<Cell, Mismatch> {
    let model = instance.model();
    let value = itf::decode(json, ty, model)?;
    let shape = Shape::of(model, instance.universe(), ty);
    shape.encode(&value).ok_or_else(|| {
        let written = model.type_name(ty);
        Mismatch::new(format!("a value that {written} has at these sizes"))
    })
}

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

/// After how many steps the others are repeated for ever, if the trace says so.
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
fn heading(document: &Json) -> Result<(&Json, &Json), Mismatch> {
    let meta = get(document, "#meta")?;
    let ioa = get(meta, "ioa").map_err(|m| m.within("#meta"))?;
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
    match claims::untrue(&document, &self::document(instance, &trace, &about)) {
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
