//! Whose events are whose, and which came before which.

use std::collections::BTreeMap;

use exporters::execution::{Execution, diagram, log, picture};
use serde_json::{Value as Json, json};

use crate::{clock, events, lanes, names, read, ring, step, trace};

#[test]
fn what_a_component_receives_comes_after_what_another_does() {
    let text = log(&read(&ring()), &[]).expect("a log");
    let [p0, p1, c0] = ["P[Node#0]", "P[Node#1]", "C[Node#0]"];
    let found = events(&text);
    let expected = [
        (p0, "send(Node#0, Node#1)", clock(&[(p0, 1)])),
        (c0, "send(Node#0, Node#1)", clock(&[(p0, 1), (c0, 1)])),
        (p1, "P.idle(Node#1)", clock(&[(p1, 1)])),
        (c0, "receive(Node#0, Node#1)", clock(&[(p0, 1), (c0, 2)])),
        (
            p1,
            "receive(Node#0, Node#1)",
            clock(&[(p0, 1), (c0, 2), (p1, 2)]),
        ),
    ];
    let expected = expected.map(|(h, e, c)| (h.to_owned(), e.to_owned(), c));
    assert_eq!(found, expected);
}

#[test]
fn hosts_that_are_not_shown_still_carry_messages() {
    let text = log(&read(&ring()), &names(&["P"])).expect("a log");
    let [p0, p1] = ["P[Node#0]", "P[Node#1]"];
    let last = events(&text).pop().expect("an event");
    assert_eq!(last.2, clock(&[(p0, 1), (p1, 2)]));
    assert!(!text.contains("C["));
}

#[test]
fn elements_of_a_sort_are_hosts_where_there_are_no_components() {
    let flat = |action, params: &[&str]| step(action, params, "internal", &[]);
    let (m, node) = ("Value#0", ["Node#0", "Node#1", "Node#2"]);
    let text = trace(vec![
        flat("send", &[m, node[0], node[1]]),
        flat("vote", &[node[1]]),
        flat("send", &[m, node[0], node[1]]),
        flat("receive", &[m, node[0], node[1]]),
        flat("decide", &[]),
        flat("receive", &[m, node[0], node[1]]),
        flat("receive", &[m, node[0], node[1]]),
        flat("receive", &[m, node[0], node[2]]),
    ]);
    let execution = read(&text);
    let hosts: Vec<_> = events(&log(&execution, &names(&["Node"])).expect("a log"));
    let clocks: Vec<(&str, &BTreeMap<String, u64>)> = hosts
        .iter()
        .map(|(host, _, clock)| (&**host, clock))
        .collect();
    let [a, b, _] = node;
    assert_eq!(clocks[0], (a, &clock(&[(a, 1)])));
    assert_eq!(clocks[1], (b, &clock(&[(b, 1)])));
    assert_eq!(clocks[3], (b, &clock(&[(a, 1), (b, 2)])));
    assert_eq!(clocks[4], ("Ring", &clock(&[("Ring", 1)])));
    assert_eq!(clocks[5], (b, &clock(&[(a, 2), (b, 3)])));
    // It is received once more than it was sent: the last one again.
    assert_eq!(clocks[6], (b, &clock(&[(a, 2), (b, 4)])));
    // Nobody has sent this: its first action is taken for the sending.
    assert_eq!(clocks[7], (a, &clock(&[(a, 3)])));
}

/// One component whose actions are about nodes, some of them in a tuple.
fn alone() -> String {
    let own = |action: &str, params: Json| {
        let who = [json!({ "component": "T", "kind": "internal", "index": [] })];
        let mut step = step(action, &[], "internal", &who);
        let params = params.as_array().expect("a list").iter();
        let picks: serde_json::Map<String, Json> = (0..)
            .zip(params.clone())
            .map(|(n, value)| (format!("p{n}"), json!({ "tag": "Some", "value": value })))
            .collect();
        step["mbt::nondetPicks"] = json!(picks);
        step["#meta"]["params"] = json!(params.collect::<Vec<_>>());
        step
    };
    let request = json!({ "of": "Node#1", "at": "Node#0" });
    trace(vec![
        own("T.join", json!(["Node#1"])),
        own("T.accept", json!([request])),
        own("T.leave", json!(["Node#2"])),
        own("T.tick", json!([{ "#set": ["Node#0"] }])),
    ])
}

#[test]
fn a_component_alone_has_lanes_for_the_elements_of_a_sort() {
    let alone = read(&alone());
    let nodes = ["Node#1", "Node#2", "Ring"];
    assert_eq!(lanes(&picture(&alone, &[]).expect("a picture")), nodes);
    let asked = picture(&alone, &names(&["Node"])).expect("a picture");
    assert_eq!(lanes(&asked), nodes);
    let component = picture(&alone, &names(&["T"])).expect("a picture");
    assert_eq!(lanes(&component), ["T"]);
    let diagram = diagram(&alone, &names(&["Node"])).expect("a diagram");
    assert!(diagram.contains("participant h0 as Node#35;1"), "{diagram}");
    let events = events(&log(&alone, &names(&["Node"])).expect("a log"));
    let hosts: Vec<&str> = events.iter().map(|(host, ..)| &**host).collect();
    assert_eq!(hosts, ["Node#1", "Node#1", "Node#2", "Ring"]);
    let several = picture(&read(&ring()), &[]).expect("a picture");
    assert_eq!(lanes(&several), ["P[Node#0]", "C[Node#0]", "P[Node#1]"]);
    let asked = picture(&read(&ring()), &names(&["Node"])).expect("a picture");
    assert_eq!(lanes(&asked), ["Node#0", "Node#1"]);
}

#[test]
fn hosts_have_to_be_there() {
    let flat = read(&trace(vec![step("go", &["Node#0"], "output", &[])]));
    let refused = |execution: &Execution, hosts: &[&str]| {
        let error = log(execution, &names(hosts)).expect_err("no such hosts");
        error.to_string()
    };
    assert!(refused(&flat, &[]).contains("there is Node, Value"));
    assert!(refused(&flat, &["P"]).contains("no sort is named P"));
    assert!(refused(&flat, &["Node", "Value"]).contains("say --host once"));
    let said = refused(&read(&ring()), &["Q"]);
    assert!(said.contains("there is C, P, Node, Value"), "{said}");
    assert!(refused(&read(&ring()), &["P", "Q"]).contains("there is C, P"));
    let sorted = "\"sizes\":{\"Node\":3,\"Value\":2}";
    let sortless = ring().replace(sorted, "\"sizes\":{}");
    let said = refused(&read(&sortless), &["Q"]);
    assert_eq!(said, "no component with a step is named Q; there is C, P");
    assert!(diagram(&read(&ring()), &names(&["Q"])).is_err());
}

/// A trace of an automaton whose variable `x` holds messages, after the start state, in which there are none: an action, its
/// parameter, and the messages afterwards.
fn wire(steps: &[(&str, Json, &[&Json])]) -> String {
    let told = steps.iter().map(|(action, param, after)| {
        let mut told = step(action, &[], "internal", &[]);
        told["#meta"]["params"] = json!([param]);
        told["mbt::nondetPicks"] = json!({ "p0": { "tag": "Some", "value": param } });
        told["x"] = json!({ "#set": after });
        told
    });
    let mut document: Json = serde_json::from_str(&trace(told.collect())).expect("JSON");
    document["states"][0]["x"] = json!({ "#set": [] });
    document.to_string()
}

#[test]
fn a_message_in_a_collection_is_an_arrow_to_whoever_takes_it_out() {
    let message = |from: &str, to: &str| json!({ "from": from, "to": to });
    let [zero, one, two] = ["Node#0", "Node#1", "Node#2"];
    let (first, second) = (message(zero, one), message(zero, two));
    let element = |node: &str| json!(node);
    let text = wire(&[
        ("send", element(zero), &[&first]),
        ("send", element(zero), &[&first, &second]),
        ("tick", element(one), &[&first, &second]),
        ("read", first.clone(), &[&first, &second]),
        ("take", first.clone(), &[&second]),
        ("lose", second.clone(), &[]),
        ("read", first.clone(), &[]),
    ]);
    let diagram = diagram(&read(&text), &names(&["Node"])).expect("a diagram");
    let arrows: Vec<&str> = diagram
        .lines()
        .filter(|line| line.contains("->>"))
        .collect();
    // What lies there is read by another one than its sender, whom the message names first; it is taken out once.
    assert_eq!(arrows, ["  h0->>h1: read", "  h0->>h2: ✗ lose"]);
    let notes: Vec<&str> = diagram
        .lines()
        .filter(|line| line.contains("Note"))
        .collect();
    let expected = [
        "  Note over h0: send",
        "  Note over h0: send",
        "  Note over h1: tick",
        "  Note over h1: take",
        "  Note over h0: read",
    ];
    assert_eq!(notes, expected);
}
