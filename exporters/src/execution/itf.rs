//! A trace as the Informal Trace Format wants it (Apalache's ADR 015), for viewers and other tools.
//!
//! What this tool writes is ITF already, but for what that has no form for: fractions are written as
//! `#unserializable`, and numbers always as `#bigint`. The trace can still be replayed.

use serde_json::{Map, Value as Json, json};

use super::Unshowable;
use super::reading::{self, at};

/// The trace, in nothing but what the format has.
///
/// # Errors
/// Why it is no trace of this tool, or what in it the format has no form for.
pub fn strict(text: &str) -> Result<String, Unshowable> {
    let mut document = reading::document(text)?;
    // That it is one of ours, and whole.
    reading::Execution::of(&document)?;
    let variables = reading::variables(&document)?;
    let count = document["states"].as_array().map_or(0, Vec::len);
    if let Some(start) = document.get("loop")
        && start.as_u64().is_none_or(|start| start >= count as u64)
    {
        return Err(at("loop", "the number of a state"));
    }
    for (n, state) in (document["states"].as_array_mut().into_iter().flatten()).enumerate() {
        for name in &variables {
            let place = || format!("states.{n}.{name}");
            state[name] = value(&state[name], &place)?;
        }
        if let Some(picks) = state
            .get_mut("mbt::nondetPicks")
            .and_then(Json::as_object_mut)
        {
            for pick in picks.values_mut() {
                *pick = value(pick, &|| format!("states.{n}.mbt::nondetPicks"))?;
            }
        }
    }
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    Ok(text)
}

/// The forms of values that the format has, besides records.
const FORMS: [&str; 5] = ["#bigint", "#tup", "#set", "#map", "#unserializable"];

fn value(json: &Json, place: &dyn Fn() -> String) -> Result<Json, Unshowable> {
    Ok(match json {
        Json::Null => return Err(at(place(), "a value")),
        Json::Bool(_) | Json::String(_) => json.clone(),
        Json::Number(n) if n.is_f64() => return Err(at(place(), "a whole number")),
        Json::Number(n) => json!({ "#bigint": n.to_string() }),
        Json::Array(items) => items
            .iter()
            .map(|v| value(v, place))
            .collect::<Result<_, _>>()?,
        Json::Object(fields) => object(fields, place)?,
    })
}

fn object(fields: &Map<String, Json>, place: &dyn Fn() -> String) -> Result<Json, Unshowable> {
    if let Some(fraction) = fields.get("#real") {
        return Ok(json!({ "#unserializable": fraction }));
    }
    let special = fields.keys().find(|name| name.starts_with('#'));
    if let Some(name) = special
        && (!FORMS.contains(&&**name) || fields.len() > 1)
    {
        return Err(at(place(), "a value in one of the format's forms"));
    }
    let fields = fields.iter();
    let fields = fields.map(|(name, inner)| Ok((name.clone(), value(inner, place)?)));
    Ok(Json::Object(fields.collect::<Result<_, _>>()?))
}
