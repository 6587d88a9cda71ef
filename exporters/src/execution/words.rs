//! The values of a trace file in IOA's notation, as far as they tell it.

use serde_json::{Map, Value as Json};

/// A value as people read it.
pub(super) fn value(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Array(items) => list("<<", items, ">>"),
        Json::Object(fields) => object(fields),
        Json::Null | Json::Bool(_) | Json::Number(_) => json.to_string(),
    }
}

fn object(fields: &Map<String, Json>) -> String {
    let items = |name: &str| fields.get(name).and_then(Json::as_array);
    let text = |name: &str| fields.get(name).and_then(Json::as_str);
    if let Some(number) = ["#bigint", "#real", "#unserializable"]
        .iter()
        .find_map(|n| text(n))
    {
        number.to_owned()
    } else if let Some(items) = items("#set") {
        list("{", items, "}")
    } else if let Some(items) = items("#tup") {
        list("[", items, "]")
    } else if let Some(pairs) = items("#map") {
        format!("[{}]", entries(pairs))
    } else if let (Some(tag), Some(inner)) = (text("tag"), fields.get("value")) {
        match is_unit(inner) {
            true => tag.to_owned(),
            false => format!("{tag}({})", value(inner)),
        }
    } else if let (Some(default), Some(except)) = (fields.get("default"), fields.get("except")) {
        let pairs = except.get("#map").and_then(Json::as_array);
        let pairs = pairs.map(|pairs| entries(pairs)).unwrap_or_default();
        let separator = if pairs.is_empty() { "" } else { ", " };
        format!("[{pairs}{separator}_ -> {}]", value(default))
    } else {
        let fields = fields.iter();
        let fields: Vec<String> = fields.map(|(n, v)| format!("{n}: {}", value(v))).collect();
        format!("[{}]", fields.join(", "))
    }
}

/// Whether a value is the empty tuple: what a tag has that carries nothing.
pub(super) fn is_unit(json: &Json) -> bool {
    json.get("#tup")
        .and_then(Json::as_array)
        .is_some_and(Vec::is_empty)
}

fn list(open: &str, items: &[Json], close: &str) -> String {
    let items: Vec<String> = items.iter().map(value).collect();
    format!("{open}{}{close}", items.join(", "))
}

fn entries(pairs: &[Json]) -> String {
    let pair = |pair: &Json| match pair.as_array().map(Vec::as_slice) {
        Some([key, element]) => format!("{} -> {}", value(key), value(element)),
        _ => value(pair),
    };
    let pairs: Vec<String> = pairs.iter().map(pair).collect();
    pairs.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_read_as_in_the_language() {
        let nil = json!({ "tag": "nil", "value": { "#tup": [] } });
        let cases = [
            (json!({ "#bigint": "-7" }), "-7"),
            (json!("Node#2"), "Node#2"),
            (json!({ "#set": ["Node#0", "Node#1"] }), "{Node#0, Node#1}"),
            (nil.clone(), "nil"),
            (json!({ "tag": "embed", "value": true }), "embed(true)"),
            (json!({ "#map": [["Node#0", nil]] }), "[Node#0 -> nil]"),
            (
                json!({ "to": "Node#0", "text": [] }),
                "[to: Node#0, text: <<>>]",
            ),
            (
                json!({ "default": { "#bigint": "0" }, "except": { "#map": [["a", true]] } }),
                "[a -> true, _ -> 0]",
            ),
        ];
        for (json, text) in cases {
            assert_eq!(value(&json), text);
        }
    }
}
