//! Diagrams, pictures and pages.

use exporters::execution::{PARSER, Panel, diagram, log, picture, sketch, strict};
use serde_json::{Value as Json, json};

use crate::{lanes, names, number, read, ring, step, trace};

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
fn a_sequence_diagram_has_a_loop_for_what_is_repeated_forever() {
    let drawn = |repeats_after: Option<u64>| {
        let mut document: Json = serde_json::from_str(&ring()).expect("JSON");
        document["#meta"]["ioa"]["repeats_after"] = json!(repeats_after);
        diagram(&read(&document.to_string()), &[]).expect("a diagram")
    };
    assert!(!drawn(None).contains("loop"));
    let repeated = drawn(Some(1));
    let (before, cycle) = repeated
        .split_once("  loop again and again\n")
        .expect("a loop");
    assert!(
        before.ends_with("send(Node#35;0, Node#35;1)\n"),
        "{repeated}"
    );
    assert!(
        cycle.contains("P.idle") && cycle.ends_with("  end\n"),
        "{repeated}"
    );
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

/// The first states of a trace.
fn trace_of(text: &str, states: usize) -> String {
    let mut document: Json = serde_json::from_str(text).expect("JSON");
    let all = document["states"].as_array_mut().expect("states");
    all.truncate(states);
    document.to_string()
}
