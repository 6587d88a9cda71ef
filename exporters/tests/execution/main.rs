//! Executions in the forms of other tools, and trace files that are none.

mod drawings;
mod files;
mod hosts;

use std::collections::BTreeMap;

use exporters::execution::{Execution, PARSER};
use serde_json::{Value as Json, json};

/// A step of a composition: who takes part, and how.
fn joint(action: &str, params: &[&str], who: &[(&str, &str, &str)]) -> Json {
    let who = who.iter().map(
        |(component, index, kind)| json!({ "component": component, "index": [index], "kind": kind }),
    );
    step(action, params, "internal", &who.collect::<Vec<_>>())
}

fn step(action: &str, params: &[&str], kind: &str, participants: &[Json]) -> Json {
    let picks = params.iter().enumerate();
    let picks: serde_json::Map<String, Json> = picks
        .map(|(n, value)| (format!("p{n}"), json!({ "tag": "Some", "value": value })))
        .collect();
    json!({
        "x": { "#bigint": "1" },
        "mbt::actionTaken": action,
        "mbt::nondetPicks": picks,
        "#meta": {
            "kind": kind,
            "label": match params.is_empty() {
                true => action.to_owned(),
                false => format!("{action}({})", params.join(", ")),
            },
            "participants": participants,
            "params": params,
            "hidden": [],
            "choices": [],
        },
    })
}

fn trace(steps: Vec<Json>) -> String {
    let start = json!({
        "x": { "#bigint": "0" },
        "mbt::actionTaken": "init",
        "mbt::nondetPicks": {},
        "#meta": {},
    });
    let states: Vec<Json> = std::iter::once(start).chain(steps).collect();
    let ioa = json!({ "automaton": "Ring", "sizes": { "Node": 3, "Value": 2 } });
    let mut document = json!({
        "#meta": { "format": "ITF", "description": "a test", "ioa": ioa },
        "vars": ["x", "mbt::actionTaken"],
        "states": states,
    });
    number(&mut document);
    document.to_string()
}

/// Gives each state its number, and steps by the same action and kind the same clause.
fn number(document: &mut Json) {
    let states = document["states"].as_array_mut().expect("states");
    let mut clauses: Vec<String> = Vec::new();
    for (n, state) in states.iter_mut().enumerate() {
        state["#meta"]["index"] = json!(n);
        if n > 0 {
            let clause = format!("{} {}", state["mbt::actionTaken"], state["#meta"]["kind"]);
            let known = clauses.iter().position(|known| *known == clause);
            state["#meta"]["clause"] = json!(known.unwrap_or(clauses.len()));
            clauses.push(clause);
        }
    }
}

/// `P[0]` sends to the channel `C[0]`, which hands it to `P[1]`.
fn ring() -> String {
    let node = ["Node#0", "Node#1"];
    let [sends, receives] = ["output", "input"];
    trace(vec![
        joint(
            "send",
            &node,
            &[("P", node[0], sends), ("C", node[0], receives)],
        ),
        joint("P.idle", &[node[1]], &[("P", node[1], "internal")]),
        joint(
            "receive",
            &node,
            &[("C", node[0], sends), ("P", node[1], receives)],
        ),
    ])
}

fn read(text: &str) -> Execution {
    Execution::read(text).expect("a trace")
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

/// The events of a log: host, event, clock.
fn events(log: &str) -> Vec<(String, String, BTreeMap<String, u64>)> {
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some(PARSER));
    assert_eq!(lines.next(), Some(""));
    let mut events = Vec::new();
    while let (Some(event), Some(line)) = (lines.next(), lines.next()) {
        let (host, clock) = line.split_once(' ').expect("a host and its clock");
        let clock = serde_json::from_str(clock).expect("a clock in JSON");
        events.push((host.to_owned(), event.to_owned(), clock));
    }
    events
}

fn clock(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
    counts.iter().map(|(h, n)| ((*h).to_owned(), *n)).collect()
}

/// The lanes of a picture.
fn lanes(picture: &str) -> Vec<&str> {
    let hosts = picture.split("<text class=\"host\"").skip(1);
    let names = hosts.filter_map(|host| host.split('>').nth(1)?.split('<').next());
    names.collect()
}
