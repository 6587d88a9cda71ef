//! Messages in the collections of states: values with parts that a step puts into a set, a multiset or a sequence, so that a later
//! step can take them out, or have them among its parameters.
//!
//! Where nothing declares what a message is, one is recognised as follows: a record, a tuple or a tagged value that was not there
//! before. Elements of sorts, numbers and the like are none, for two of them that are equal need not have to do with each other.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::words::is_unit;

/// How often each message lies in the collections of some variables.
type Counts = BTreeMap<String, u64>;

/// What a step does to the messages that lie in a state.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Exchange {
    /// Those that it puts there, as often as it does.
    pub(super) put: Vec<String>,
    /// Those that it takes out, once each.
    pub(super) taken: Vec<String>,
}

impl Exchange {
    /// What the step between two states does.
    pub(super) fn between(before: &[(String, Json)], after: &[(String, Json)]) -> Self {
        let (mut old, mut new) = (Counts::new(), Counts::new());
        for ((_, before), (_, after)) in before.iter().zip(after) {
            if before != after {
                collect(before, &mut old);
                collect(after, &mut new);
            }
        }
        let mut exchange = Self::default();
        for (message, count) in &new {
            let more = count.saturating_sub(old.get(message).copied().unwrap_or(0));
            let times = usize::try_from(more.min(MOST_TIMES)).unwrap_or(0);
            exchange
                .put
                .extend(std::iter::repeat_n(message.clone(), times));
        }
        let is_less = |(message, count): &(&String, &u64)| new.get(*message) < Some(*count);
        let taken = old.iter().filter(is_less);
        exchange.taken = taken.map(|(message, _)| message.clone()).collect();
        exchange
    }
}

/// More copies of a message than this are not told apart.
const MOST_TIMES: u64 = 100;

/// What a message is known by.
pub(super) fn name(value: &Json) -> Option<String> {
    has_parts(value).then(|| value.to_string())
}

/// Whether a value is a record, a tuple, or tagged and not a mere tag.
fn has_parts(value: &Json) -> bool {
    let Json::Object(fields) = value else {
        return false;
    };
    let is_record = || fields.keys().all(|name| !name.starts_with('#'));
    match (fields.get("tag"), fields.get("value")) {
        (Some(_), Some(inner)) => !is_unit(inner),
        _ if fields.contains_key("#tup") => !is_unit(value),
        _ => is_record() && !fields.contains_key("default"),
    }
}

/// Counts the messages in the collections of a value.
fn collect(value: &Json, counts: &mut Counts) {
    match value {
        Json::Array(items) => elements(items, counts),
        Json::Object(fields) => {
            for (name, inner) in fields {
                match (&**name, inner) {
                    ("#set", Json::Array(items)) => elements(items, counts),
                    ("#map", Json::Array(pairs)) => {
                        pairs.iter().for_each(|pair| entry(pair, counts));
                    }
                    ("#tup", Json::Array(items)) => {
                        items.iter().for_each(|item| collect(item, counts));
                    }
                    _ => collect(inner, counts),
                }
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

fn elements(items: &[Json], counts: &mut Counts) {
    for item in items {
        match name(item) {
            Some(message) => *counts.entry(message).or_default() += 1,
            None => collect(item, counts),
        }
    }
}

/// An entry of an array or a map; in a multiset, the number of copies of an element.
fn entry(pair: &Json, counts: &mut Counts) {
    let (Some(key), Some(value)) = (pair.get(0), pair.get(1)) else {
        return;
    };
    let copies = value.get("#bigint").and_then(Json::as_str);
    match (
        name(key),
        copies.and_then(|copies| copies.parse::<u64>().ok()),
    ) {
        (Some(message), Some(copies)) => *counts.entry(message).or_default() += copies,
        _ => collect(value, counts),
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use serde_json::{Value as Json, json};

    use super::{Exchange, name};

    fn message(number: u64) -> Json {
        json!({ "from": "Node#0", "number": { "#bigint": number.to_string() } })
    }

    fn exchanged(before: &Json, after: &Json) -> Exchange {
        let state = |value: &Json| vec![("wire".to_owned(), value.clone())];
        Exchange::between(&state(before), &state(after))
    }

    fn names(messages: &[Json]) -> Vec<String> {
        messages.iter().filter_map(name).collect()
    }

    #[test]
    fn what_is_put_and_taken_is_found_in_every_kind_of_collection() {
        let (one, two) = (message(1), message(2));
        let entry = |value: Json| json!({ "#map": [["Node#0", value]] });
        let bag = |copies: u64| json!({ "#map": [[one, { "#bigint": copies.to_string() }]] });
        let cases = [
            (json!({ "#set": [] }), json!({ "#set": [one] })),
            (json!([]), json!([one])),
            (json!([one]), json!([one, one])),
            (entry(json!([])), entry(json!([one]))),
            (
                json!({ "in": [], "out": 3 }),
                json!({ "in": [one], "out": 3 }),
            ),
            (bag(1), bag(2)),
        ];
        for (before, after) in cases {
            let put = exchanged(&before, &after);
            assert_eq!(put.put, names(from_ref(&one)), "{after}");
            assert!(put.taken.is_empty(), "{after}");
            let taken = exchanged(&after, &before);
            assert_eq!(taken.taken, names(from_ref(&one)), "{after}");
            assert!(taken.put.is_empty(), "{after}");
        }
        let both = exchanged(&json!({ "#set": [one] }), &json!({ "#set": [two] }));
        assert_eq!(both.put, names(&[two]));
        assert_eq!(both.taken, names(&[one]));
    }

    #[test]
    fn what_has_no_parts_is_no_message() {
        for value in [
            json!("Node#0"),
            json!(true),
            json!({ "#bigint": "7" }),
            json!({ "#set": ["Node#0"] }),
            json!({ "#tup": [] }),
            json!({ "tag": "nil", "value": { "#tup": [] } }),
        ] {
            assert_eq!(name(&value), None, "{value}");
        }
        for value in [
            json!({ "#tup": ["Node#0", true] }),
            json!({ "tag": "ack", "value": "Node#0" }),
            message(1),
        ] {
            assert!(name(&value).is_some(), "{value}");
        }
    }
}
