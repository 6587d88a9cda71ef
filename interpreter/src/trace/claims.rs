//! Compares what a trace file says with what the file of its trace should say.

use std::fmt;

use serde_json::{Map, Value as Json, json};

/// A place where a file differs from what it should say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The path to the place, outermost step first.
    path: Vec<String>,
    /// What the file says there, if anything.
    found: Option<String>,
    /// What it should say, if anything.
    meant: Option<String>,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (who, rest) = match &self.path[..] {
            [states, first, rest @ ..] if states == "states" && first == "0" => {
                ("the start state of the trace".to_owned(), rest)
            }
            [states, step, rest @ ..] if states == "states" => {
                (format!("step {step} of the trace"), rest)
            }
            rest => ("the trace".to_owned(), rest),
        };
        // The parts of a number are not places of their own.
        let rest: Vec<&str> = rest.iter().map(|step| &**step).collect();
        let rest = rest.strip_suffix(&["#bigint"]).unwrap_or(&rest);
        let place = match rest {
            [] => "itself".to_owned(),
            rest => rest.join("."),
        };
        let nothing = || "nothing".to_owned();
        let [found, meant] =
            [&self.found, &self.meant].map(|it| it.clone().unwrap_or_else(nothing));
        write!(f, "{who} says of {place}: {found}; the model says: {meant}")
    }
}

/// The first difference between a file and what it should say: something different, missing or superfluous.
pub(super) fn untrue(found: &Json, meant: &Json) -> Option<Claim> {
    different(&normal(found), &normal(meant), &mut Vec::new())
}

fn different(found: &Json, meant: &Json, path: &mut Vec<String>) -> Option<Claim> {
    let claim = |path: &[String], found: Option<&Json>, meant: Option<&Json>| {
        let (path, found, meant) = (path.to_vec(), found.map(shown), meant.map(shown));
        Some(Claim { path, found, meant })
    };
    match (found, meant) {
        (Json::Object(one), Json::Object(other)) => {
            let keys = other
                .keys()
                .chain(one.keys().filter(|key| !other.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                path.push(key.clone());
                let claim = match (one.get(key), other.get(key)) {
                    (Some(one), Some(other)) => different(one, other, path),
                    (one, other) => claim(path, one, other),
                };
                path.pop();
                claim
            })
        }
        (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(n, (one, other))| {
                path.push(n.to_string());
                let claim = different(one, other, path);
                path.pop();
                claim
            })
        }
        (one, other) if one == other => None,
        (one, other) => claim(path, Some(one), Some(other)),
    }
}

/// Maximum length of a value in a message.
const SHOWN: usize = 80;

fn shown(json: &Json) -> String {
    let text = json.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}..", &text[..end]),
    }
}

/// The canonical form of what ITF allows in several forms: whole numbers, fractions, the order of a set and of a map.
fn normal(json: &Json) -> Json {
    match json {
        Json::Number(n) => json!({ "#bigint": n.to_string() }),
        Json::Array(items) => items.iter().map(normal).collect(),
        Json::Object(fields) => Json::Object(fields.iter().map(field).collect::<Map<_, _>>()),
        other => other.clone(),
    }
}

fn field((name, value): (&String, &Json)) -> (String, Json) {
    let value = normal(value);
    match (&**name, value) {
        ("#unserializable", value) => ("#real".to_owned(), value),
        ("#set" | "#map", Json::Array(mut items)) => {
            items.sort_by_cached_key(Json::to_string);
            (name.clone(), Json::Array(items))
        }
        (_, value) => (name.clone(), value),
    }
}
