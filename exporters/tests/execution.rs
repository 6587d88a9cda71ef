//! Executions in the forms of other tools, and trace files that are none.

use std::collections::BTreeMap;

use exporters::execution::{
    Execution, PARSER, Panel, TraceError, diagram, log, picture, sketch, strict,
};
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

#[test]
fn a_sequence_diagram_has_an_arrow_for_what_is_learnt() {
    let mut steps: Json = serde_json::from_str(&ring()).expect("JSON");
    let put = step(
        "put",
        &["a:b;#c"],
        "input",
        &[json!({ "component": "P", "index": ["Node#0"], "kind": "input" })],
    );
    let get = step(
        "get",
        &[],
        "output",
        &[json!({ "component": "P", "index": ["Node#1"], "kind": "output" })],
    );
    let states = steps["states"].as_array_mut().expect("states");
    states.insert(1, put);
    states.push(get);
    number(&mut steps);
    let text = diagram(&read(&steps.to_string()), &[]).expect("a diagram");
    let expected = "\
%% Execution of Ring (a test)
sequenceDiagram
  actor env as environment
  participant h0 as P[Node#35;0]
  participant h1 as C[Node#35;0]
  participant h2 as P[Node#35;1]
  env->>h0: put(a#58;b#59;#35;c)
  h0->>h1: send(Node#35;0, Node#35;1)
  Note over h2: P.idle(Node#35;1)
  h1->>h2: receive(Node#35;0, Node#35;1)
  h2->>env: get
";
    assert_eq!(text, expected);
    let text = diagram(&read(&ring()), &names(&["P"])).expect("a diagram");
    assert!(text.contains("Note over h0: send"), "{text}");
    assert!(text.contains("h0->>h1: receive"), "{text}");
}

#[test]
fn states_are_drawn_where_there_are_no_hosts() {
    let flat = |action: &str, x: &str| {
        let mut step = step(action, &[], "internal", &[]);
        step["x"] = json!({ "#bigint": x });
        step
    };
    let text = trace(vec![
        flat("up", "1"),
        flat("down", "0"),
        flat("up", "1"),
        flat("leap", "1"),
    ]);
    let text = diagram(&read(&text), &[]).expect("a diagram");
    let expected = "\
%% Execution of Ring (a test)
stateDiagram-v2
  [*] --> s0
  s0 --> s1: up
  s1 --> s0: down
  s1 --> s1: leap
  note right of s0
    x = 0
  end note
  note right of s1
    x = 1
  end note
";
    assert_eq!(text, expected);
}

/// The lanes of a picture.
fn lanes(picture: &str) -> Vec<&str> {
    let hosts = picture.split("<text class=\"host\"").skip(1);
    let names = hosts.filter_map(|host| host.split('>').nth(1)?.split('<').next());
    names.collect()
}

#[test]
fn a_picture_has_lanes_for_the_sort_that_most_steps_are_about() {
    let drawn = |steps: &[(&str, &[&str])]| {
        let steps = steps.iter();
        let steps = steps.map(|(action, params)| step(action, params, "internal", &[]));
        picture(&read(&trace(steps.collect())), &[]).expect("a picture")
    };
    let vote: (&str, &[&str]) = ("vote", &["Value#1", "Node#0"]);
    let fail: (&str, &[&str]) = ("fail", &["Node#2"]);
    let choose: (&str, &[&str]) = ("choose", &["Value#0"]);
    assert_eq!(lanes(&drawn(&[vote, fail])), ["Node#0", "Node#2"]);
    assert_eq!(lanes(&drawn(&[vote, choose])), ["Value#1", "Value#0"]);
    let tied = drawn(&[fail, vote, choose]);
    assert_eq!(
        lanes(&tied),
        ["Node#2", "Node#0", "Ring"],
        "what comes first"
    );
    let neither: (&str, &[&str]) = ("tick", &["Nodes#1"]);
    assert_eq!(lanes(&drawn(&[neither])), ["Ring"]);
}

#[test]
fn a_panel_shows_what_is_repeated_forever() {
    let panel = |repeats_after: Option<u64>| {
        let mut document: Json = serde_json::from_str(&ring()).expect("JSON");
        document["#meta"]["ioa"]["repeats_after"] = json!(repeats_after);
        let execution = read(&document.to_string());
        let panel = Panel {
            execution: &execution,
            hosts: &[],
            is_alone: false,
        };
        panel.html().expect("a panel")
    };
    assert_eq!(panel(Some(1)).matches("class=\"again\"").count(), 1);
    for never in [None, Some(3)] {
        assert_eq!(panel(never).matches("class=\"again\"").count(), 0);
    }
    assert_eq!(panel(None).matches("data-at=").count(), 4);
    assert_eq!(lanes(&panel(None)), ["P[Node#0]", "C[Node#0]", "P[Node#1]"]);
}

#[test]
fn a_strict_trace_has_the_forms_of_the_format_alone() {
    let mut document: Json = serde_json::from_str(&ring()).expect("JSON");
    document["states"][0]["x"] = json!([{ "#real": "-1/3" }, 7, { "#set": [{ "a": true }] }]);
    let text = strict(&document.to_string()).expect("a trace");
    let found: Json = serde_json::from_str(&text).expect("JSON");
    let expected =
        json!([{ "#unserializable": "-1/3" }, { "#bigint": "7" }, { "#set": [{ "a": true }] }]);
    assert_eq!(found["states"][0]["x"], expected);
    assert_eq!(
        strict(&text).as_deref(),
        Ok(&*text),
        "nothing is left to do"
    );
    for wrong in [
        json!(0.5),
        json!(null),
        json!({ "#other": 1 }),
        json!({ "#set": [], "a": 1 }),
    ] {
        document["states"][2]["x"] = wrong;
        let error = strict(&document.to_string()).expect_err("not in the format");
        assert!(error.to_string().contains("states.2.x"), "{error}");
    }
    document["states"][2]["x"] = json!(true);
    document["loop"] = json!(9);
    assert!(strict(&document.to_string()).is_err());
}

#[test]
fn an_execution_without_steps_is_its_start_state() {
    let text = trace(Vec::new());
    let execution = read(&text);
    let expected = "\
%% Execution of Ring (a test)
stateDiagram-v2
  [*] --> s0
  note right of s0
    x = 0
  end note
";
    for hosts in [&[][..], &["P"], &["Node"]] {
        let hosts = names(hosts);
        assert_eq!(diagram(&execution, &hosts).as_deref(), Ok(expected));
        assert_eq!(log(&execution, &hosts), Ok(format!("{PARSER}\n\n")));
    }
    let strict: Json = serde_json::from_str(&strict(&text).expect("a trace")).expect("JSON");
    assert_eq!(strict["states"].as_array().map(Vec::len), Some(1));
}

#[test]
fn fields_stand_in_the_order_in_which_they_are_declared() {
    let mut document: Json = serde_json::from_str(&ring()).expect("JSON");
    document["states"][0]["x"] = json!({ "to": "Node#0", "from": "Node#1" });
    let text = document.to_string();
    let diagram = diagram(&read(&trace_of(&text, 1)), &[]).expect("a diagram");
    assert!(
        diagram.contains("x = [to#58; Node#35;0, from#58; Node#35;1]"),
        "{diagram}"
    );
    let strict = strict(&text).expect("a trace");
    assert!(strict.find("\"to\"") < strict.find("\"from\""), "{strict}");
}

/// The first states of a trace.
fn trace_of(text: &str, states: usize) -> String {
    let mut document: Json = serde_json::from_str(text).expect("JSON");
    let all = document["states"].as_array_mut().expect("states");
    all.truncate(states);
    document.to_string()
}

/// Whoever draws a trace has no model to ask, but what the file says twice must agree.
#[test]
fn a_trace_that_contradicts_itself_is_refused() {
    let good: Json = serde_json::from_str(&ring()).expect("JSON");
    let twice = {
        let mut document = good.clone();
        let again = document["states"][1].clone();
        document["states"]
            .as_array_mut()
            .expect("states")
            .push(again);
        number(&mut document);
        document
    };
    read(&twice.to_string());
    let cases = [
        ("/states/0/mbt::actionTaken", json!("send")),
        (
            "/states/0/mbt::nondetPicks/p0",
            json!({ "tag": "Some", "value": 1 }),
        ),
        ("/states/1/#meta/index", json!(2)),
        ("/states/1/#meta/kind", json!("input")),
        ("/states/1/#meta/kind", json!("other")),
        ("/states/1/#meta/label", json!("receive(Node#0, Node#1)")),
        ("/states/1/#meta/label", json!("sender")),
        ("/states/1/#meta/participants/0/kind", json!("input")),
        ("/states/1/#meta/participants/0/kind", json!("internal")),
        ("/states/1/#meta/participants/1/kind", json!("output")),
        (
            "/states/1/#meta/participants/1",
            good["states"][1]["#meta"]["participants"][0].clone(),
        ),
        ("/states/1/#meta/params/1", json!("Node#2")),
        ("/states/1/#meta/params", json!(["Node#0"])),
        ("/states/1/#meta/hidden", json!(["Node#0"])),
        ("/states/1/#meta/choices", json!([[0, "Node#0"]])),
        ("/states/1/mbt::nondetPicks/p0/value", json!("Node#2")),
        ("/states/1/mbt::nondetPicks/p0/tag", json!("None")),
        ("/states/2/mbt::actionTaken", json!("C.idle")),
        ("/states/2/#meta/participants/0/component", json!("C")),
        ("/states/2/#meta/participants/0/index", json!(["Node#2"])),
        ("/states/4/mbt::actionTaken", json!("receive")),
        ("/states/4/#meta/kind", json!("output")),
        ("/states/4/#meta/clause", json!(1)),
        (
            "/states/4/mbt::nondetPicks",
            json!({ "q": { "tag": "Some", "value": "Node#0" }, "p1": { "tag": "Some", "value": "Node#1" } }),
        ),
    ];
    for (path, other) in cases {
        let mut document = twice.clone();
        match document.pointer_mut(path) {
            Some(place) => *place = other.clone(),
            None => document["states"][0]["mbt::nondetPicks"]["p0"] = other.clone(),
        }
        let error = Execution::read(&document.to_string());
        assert!(
            matches!(error, Err(TraceError::Malformed { .. })),
            "{path} may be {other}"
        );
        assert!(
            strict(&document.to_string()).is_err(),
            "{path} may be {other}"
        );
    }
}

#[test]
fn what_is_no_trace_of_ours_is_refused() {
    let text = ring();
    for end in (0..text.len()).filter(|n| text.is_char_boundary(*n)) {
        assert_eq!(Execution::read(&text[..end]), Err(TraceError::Incomplete));
    }
    assert!(matches!(
        Execution::read("hello"),
        Err(TraceError::NotJson(_))
    ));
    let cases = [
        ("\"ioa\"", "\"quint\"", "not a trace that ioa wrote"),
        ("\"vars\"", "\"names\"", "has no vars"),
        ("\"states\"", "\"steps\"", "at states"),
        (
            "\"mbt::actionTaken\":\"P.idle\"",
            "\"a\":1",
            "states.2.mbt::actionTaken",
        ),
        (
            "\"participants\":[",
            "\"participants\":[7,",
            "#meta.participants",
        ),
        ("\"params\":[", "\"values\":[", "states.1.#meta.params"),
        ("\"label\":", "\"text\":", "states.1.#meta.label"),
        ("{\"#bigint\":\"0\"}", "null", ""),
    ];
    for (from, to, says) in cases {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        match (Execution::read(&broken), says) {
            (Err(error), says) => assert!(error.to_string().contains(says), "{error}"),
            (Ok(_), "") => assert!(strict(&broken).is_err()),
            (Ok(_), _) => panic!("{from} is missed"),
        }
    }
}

#[test]
fn lost_messages_and_crashes_stand_out_in_every_drawing() {
    let who = [json!({ "component": "Link", "kind": "internal", "index": [] })];
    let of = |action: &str| read(&trace(vec![step(action, &[], "internal", &who)]));
    for (action, class, character, text) in [
        ("Link.lose", Some("loss"), 'x', "✗ Link.lose"),
        ("Link.crash", Some("crash"), '!', "⚡ Link.crash"),
        ("Link.close", None, '*', "h0: Link.close"),
    ] {
        let execution = of(action);
        let drawn = picture(&execution, &[]).expect("a picture");
        let classes = ["loss", "crash"].map(|class| format!("<path class=\"{class}\""));
        let found: Vec<bool> = classes.iter().map(|class| drawn.contains(class)).collect();
        let expected = ["loss", "crash"].map(|known| Some(known) == class);
        assert_eq!(found, expected, "{action}");
        let sketched = sketch(&execution, &[]).expect("a sketch");
        let line = sketched.lines().nth(1).expect("a step");
        assert_eq!(line.trim_start().chars().nth(3), Some(character), "{line}");
        let mermaid = diagram(&execution, &[]).expect("a diagram");
        assert!(mermaid.contains(text), "{mermaid}");
    }
}
