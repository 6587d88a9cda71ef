//! Whether a trace file agrees with itself.
//!
//! A file says most of what was done in a step more than once: for this tool, for people, and for other tools. Exporters have
//! no model to ask which is right, so they refuse a file that contradicts itself; `ioa run --replay` compares everything
//! with the model.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::trace_error::TraceError;

/// What the steps so far say about each clause.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    clauses: BTreeMap<u64, Clause>,
}

/// What all steps by one clause have in common.
#[derive(Debug)]
struct Clause {
    action: String,
    kind: String,
    /// The names of its parameters and hidden parameters.
    names: Vec<String>,
}

/// A state, with the fields that describe the step to it.
struct Told<'j> {
    state: &'j Json,
    meta: &'j Map<String, Json>,
    position: usize,
}

type Checked<T = ()> = Result<T, TraceError>;

/// Whether the fields of the start state describe no step.
pub(super) fn start(state: &Json) -> Checked {
    let told = Told::of(0, state)?;
    told.at_its_place()?;
    if told.action()? != "init" {
        return Err(told.at("mbt::actionTaken", "init, before the first step"));
    }
    match told.picks() {
        Some(picks) if picks.is_empty() => Ok(()),
        _ => Err(told.at("mbt::nondetPicks", "no picks before the first step")),
    }
}

impl Agreement {
    /// Whether the fields that describe a step, by its number, agree with each other and with the steps before.
    pub(super) fn step(&mut self, position: usize, state: &Json) -> Checked {
        let told = Told::of(position, state)?;
        told.at_its_place()?;
        let action = told.action()?;
        let kind = told.kind()?;
        let names = told.names()?;
        told.is_called_after(action)?;
        told.agrees_with_participants(kind)?;
        let number = told.meta.get("clause").and_then(Json::as_u64);
        let number = number.ok_or_else(|| told.at("#meta.clause", "the number of a clause"))?;
        let clause = self.clauses.entry(number).or_insert_with(|| Clause {
            action: action.to_owned(),
            kind: kind.to_owned(),
            names: names.clone(),
        });
        if clause.action != action {
            return Err(told.at("mbt::actionTaken", "the action that this clause had before"));
        }
        if clause.kind != kind {
            return Err(told.at("#meta.kind", "the kind that this clause had before"));
        }
        match clause.names == names {
            true => Ok(()),
            false => Err(told.at("mbt::nondetPicks", "the names that this clause had before")),
        }
    }
}

impl<'j> Told<'j> {
    fn of(position: usize, state: &'j Json) -> Checked<Self> {
        let meta = state.get("#meta").and_then(Json::as_object);
        let path = || format!("states.{position}.#meta");
        let meta = meta.ok_or_else(|| TraceError::at(path(), "what tells of the step"))?;
        Ok(Self {
            state,
            meta,
            position,
        })
    }

    fn at(&self, what: &str, expected: &'static str) -> TraceError {
        TraceError::at(format!("states.{}.{what}", self.position), expected)
    }

    fn at_its_place(&self) -> Checked {
        let index = self.meta.get("index").and_then(number);
        match index == u64::try_from(self.position).ok() {
            true => Ok(()),
            false => Err(self.at("#meta.index", "the number of the state")),
        }
    }

    fn action(&self) -> Checked<&'j str> {
        let action = self.state.get("mbt::actionTaken").and_then(Json::as_str);
        action.ok_or_else(|| self.at("mbt::actionTaken", "the name of an action"))
    }

    fn kind(&self) -> Checked<&'j str> {
        let kind = self.meta.get("kind").and_then(Json::as_str);
        let kind = kind.filter(|kind| ["input", "output", "internal"].contains(kind));
        kind.ok_or_else(|| self.at("#meta.kind", "input, output or internal"))
    }

    /// What the step is called begins with its action.
    fn is_called_after(&self, action: &str) -> Checked {
        let label = self.meta.get("label").and_then(Json::as_str);
        let rest = label.and_then(|label| label.strip_prefix(action));
        match rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', ' '])) {
            true => Ok(()),
            false => Err(self.at("#meta.label", "what the step is called, the action first")),
        }
    }

    fn picks(&self) -> Option<&'j Map<String, Json>> {
        self.state.get("mbt::nondetPicks")?.as_object()
    }

    fn list(&self, name: &str) -> Checked<&'j Vec<Json>> {
        let list = self.meta.get(name).and_then(Json::as_array);
        list.ok_or_else(|| self.at(&format!("#meta.{name}"), "a list of values"))
    }

    /// The names of the parameters, hidden ones included, whose values and those of the choices must be the picks.
    fn names(&self) -> Checked<Vec<String>> {
        let (params, hidden) = (self.list("params")?, self.list("hidden")?);
        let choices = self.list("choices")?.iter().map(|choice| choice.get(1));
        let choices: Option<Vec<&Json>> = choices.collect();
        let choices =
            choices.ok_or_else(|| self.at("#meta.choices", "bound variables with their values"))?;
        let values: Vec<&Json> = params.iter().chain(hidden).chain(choices).collect();
        let wrong = || self.at("mbt::nondetPicks", "the values of #meta in their order");
        let picks = self.picks().ok_or_else(wrong)?;
        let some = |pick: &'j Json| {
            let is_some = pick.get("tag").and_then(Json::as_str) == Some("Some");
            pick.get("value").filter(|_| is_some)
        };
        let picked: Option<Vec<&Json>> = picks.values().map(some).collect();
        match picked == Some(values) {
            true => Ok(picks
                .keys()
                .take(params.len() + hidden.len())
                .cloned()
                .collect()),
            false => Err(wrong()),
        }
    }

    /// One component at most controls a step, and comes first; that of a private action takes part alone.
    fn agrees_with_participants(&self, kind: &str) -> Checked {
        let participants = self.list("participants")?;
        let wrong = |expected| self.at("#meta.participants", expected);
        let of = |one: &'j Json| one.get("kind").and_then(Json::as_str);
        let kinds: Vec<Option<&str>> = participants.iter().map(of).collect();
        let (first, others) = match &kinds[..] {
            [] => return Ok(()),
            [first, others @ ..] => (*first, others),
        };
        if others.iter().any(|kind| *kind != Some("input")) {
            return Err(wrong("components that receive, behind the first"));
        }
        let fits = match first {
            Some("input") => kind == "input",
            Some("output") => kind != "input",
            Some("internal") => kind == "internal" && others.is_empty(),
            _ => false,
        };
        if !fits {
            return Err(wrong("first who controls an action of this kind"));
        }
        let names = participants.iter();
        let names: BTreeSet<_> = names
            .map(|one| (one["component"].to_string(), one["index"].to_string()))
            .collect();
        if names.len() < participants.len() {
            return Err(wrong("each component once"));
        }
        match first == Some("internal") && !self.is_private_to(&participants[0]) {
            true => Err(wrong("the component that the action is private to")),
            false => Ok(()),
        }
    }

    /// Whether the action's name begins with the component's, and its parameters with the component's indices.
    fn is_private_to(&self, component: &Json) -> bool {
        let name = component.get("component").and_then(Json::as_str);
        let own = self.action().ok().zip(name);
        let own = own.and_then(|(action, name)| action.strip_prefix(name)?.strip_prefix('.'));
        let index = component.get("index").and_then(Json::as_array);
        let params = self.meta.get("params").and_then(Json::as_array);
        let begins = index
            .zip(params)
            .is_some_and(|(index, params)| params.starts_with(index));
        begins && own.is_some_and(|own| !own.contains('.'))
    }
}

/// A number, in either of the forms that ITF has for one.
fn number(json: &Json) -> Option<u64> {
    let text = json.get("#bigint").and_then(Json::as_str);
    json.as_u64().or_else(|| text?.parse().ok())
}
