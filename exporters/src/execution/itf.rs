//! A trace as the Informal Trace Format wants it (Apalache's ADR 015), for viewers and other tools.
//!
//! What this tool writes is ITF already, but for what that has no form for: fractions are written as
//! `#unserializable`, and numbers always as `#bigint`. The trace can still be replayed.

use serde_json::{Map, Value as Json, json};

use super::reading;
use super::trace_error::TraceError;

/// The trace, in nothing but what the format has.
///
/// # Errors
/// Why it is no trace of this tool, or what in it the format has no form for.
pub fn strict(text: &str) -> Result<String, TraceError> {
    let mut document = reading::document(text)?;
    // That it is one of ours, and whole.
    reading::Execution::of(&document)?;
    let variables = reading::variables(&document)?;
    let count = document["states"].as_array().map_or(0, Vec::len);
    if let Some(start) = document.get("loop")
        && start.as_u64().is_none_or(|start| start >= count as u64)
    {
        return Err(TraceError::at("loop", "the number of a state"));
    }
    for (n, state) in (document["states"].as_array_mut().into_iter().flatten()).enumerate() {
        for name in &variables {
            let place = || format!("states.{n}.{name}");
            state[name] = value(&state[name], &place)?;
        }
        for (part, inner) in told_twice(state) {
            *inner = value(inner, &|| format!("states.{n}.{part}"))?;
        }
    }
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    Ok(text)
}

/// The values that a step had, wherever they are told, with their places: what is said twice is to stay the same.
fn told_twice(state: &mut Json) -> Vec<(&'static str, &mut Json)> {
    let Some(state) = state.as_object_mut() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (name, part) in state.iter_mut() {
        match (&**name, part) {
            ("mbt::nondetPicks", Json::Object(picks)) => {
                found.extend(picks.values_mut().map(|pick| ("mbt::nondetPicks", pick)));
            }
            ("#meta", Json::Object(meta)) => found.extend(told_of_step(meta)),
            _ => {}
        }
    }
    found
}

fn told_of_step(meta: &mut Map<String, Json>) -> Vec<(&'static str, &mut Json)> {
    let mut found = Vec::new();
    for (name, part) in meta.iter_mut() {
        let items = part.as_array_mut().into_iter().flatten();
        match &**name {
            "params" => found.extend(items.map(|value| ("#meta.params", value))),
            "hidden" => found.extend(items.map(|value| ("#meta.hidden", value))),
            "choices" => {
                let values = items.filter_map(|choice| choice.get_mut(1));
                found.extend(values.map(|value| ("#meta.choices", value)));
            }
            "participants" => {
                let indices = items.filter_map(|one| one.get_mut("index")?.as_array_mut());
                found.extend(indices.flatten().map(|value| ("#meta.participants", value)));
            }
            _ => {}
        }
    }
    found
}

/// The forms of values that the format has, besides records.
const FORMS: [&str; 5] = ["#bigint", "#tup", "#set", "#map", "#unserializable"];

fn value(json: &Json, place: &dyn Fn() -> String) -> Result<Json, TraceError> {
    Ok(match json {
        Json::Null => return Err(TraceError::at(place(), "a value")),
        Json::Bool(_) | Json::String(_) => json.clone(),
        Json::Number(n) if n.is_f64() => return Err(TraceError::at(place(), "a whole number")),
        Json::Number(n) => json!({ "#bigint": n.to_string() }),
        Json::Array(items) => items
            .iter()
            .map(|v| value(v, place))
            .collect::<Result<_, _>>()?,
        Json::Object(fields) => object(fields, place)?,
    })
}

fn object(fields: &Map<String, Json>, place: &dyn Fn() -> String) -> Result<Json, TraceError> {
    if let Some(fraction) = fields.get("#real") {
        return Ok(json!({ "#unserializable": fraction }));
    }
    let special = fields.keys().find(|name| name.starts_with('#'));
    if let Some(name) = special
        && (!FORMS.contains(&&**name) || fields.len() > 1)
    {
        return Err(TraceError::at(
            place(),
            "a value in one of the format's forms",
        ));
    }
    let fields = fields.iter();
    let fields = fields.map(|(name, inner)| Ok((name.clone(), value(inner, place)?)));
    Ok(Json::Object(fields.collect::<Result<_, _>>()?))
}
