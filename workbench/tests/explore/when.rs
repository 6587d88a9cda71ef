//! `--when` restricts the steps of an action: what is then found are executions of the model, and nothing is called explored.

use std::fs;

use serde_json::Value as Json;

use super::{Answer, Sandbox, exploring};

/// Clients take numbers and are served in turn; a number that is lost is never served.
const TICKETS: &str = r"type Client
automaton Tickets
  signature internal take(c: Client), serve(c: Client), lose(c: Client)
  states next: Nat := 0, serving: Nat := 0, mine: Array[Client, Int] := constant(-1)
  transitions
    internal take(c) pre mine[c] = -1 eff mine[c] := next; next := next + 1
    internal serve(c) pre mine[c] = serving eff mine[c] := -1; serving := serving + 1
    internal lose(c) pre mine[c] > -1 eff mine[c] := -1
invariant Different of Tickets: \A a, b: Client (a ~= b /\ mine[a] > -1 => mine[a] ~= mine[b])
invariant Few of Tickets: next <= serving + 2
liveness Served of Tickets: always eventually next = serving
";

/// The same model with a condition as a part of a precondition.
fn written_out(precondition: &str, condition: &str) -> String {
    let whole = format!("{precondition} /\\ {condition}");
    assert!(TICKETS.contains(precondition));
    TICKETS.replace(precondition, &whole)
}

fn tickets(text: &str) -> Sandbox {
    Sandbox::with("tickets.ioa", text)
}

/// Explores the model with two clients under some conditions.
fn explore(s: &Sandbox, conditions: &[&str], more: &str) -> Answer {
    let mut command = s.command("tickets.ioa --sort Client=2");
    command.args(more.split_whitespace());
    for condition in conditions {
        command.args(["--when", condition]);
    }
    Answer::of(&command.output().expect("ioa runs"))
}

/// The same, as a document.
fn document(s: &Sandbox, conditions: &[&str], more: &str) -> Json {
    let answer = explore(s, conditions, &format!("{more} --json"));
    serde_json::from_str(&answer.out).unwrap_or_else(|e| panic!("{e}: {answer:?}"))
}

fn distinct(found: &Json) -> u64 {
    let figure = &found["results"][0]["figures"]["distinct_states"];
    figure.as_u64().expect("a figure")
}

#[test]
fn the_states_are_those_of_a_model_with_the_condition_written_out() {
    let cases = [
        ("take(c): next < 4", "pre mine[c] = -1", "next < 4"),
        ("take: next < 4", "pre mine[c] = -1", "next < 4"),
        (
            "take(d): next < 3 \\/ \\E e: Client (e ~= d /\\ mine[e] = serving /\\ next < 5)",
            "pre mine[c] = -1",
            "(next < 3 \\/ \\E e: Client (e ~= c /\\ mine[e] = serving /\\ next < 5))",
        ),
    ];
    for (when, precondition, condition) in cases {
        let plain = tickets(&written_out(precondition, condition));
        let expected = document(&plain, &[], "--keep-going --allow-deadlock");
        let expected = &expected["results"][0]["figures"];
        let s = tickets(TICKETS);
        for engine in ["", "--no-native"] {
            let found = document(&s, &[when], &format!("--keep-going {engine}"));
            let figures = &found["results"][0]["figures"];
            for name in ["distinct_states", "generated_states", "depth"] {
                assert!(expected[name].is_u64(), "{expected}");
                assert_eq!(figures[name], expected[name], "{when} {engine}: {name}");
            }
        }
    }
}

#[test]
fn nothing_is_called_explored_where_steps_are_left_out() {
    let s = tickets(TICKETS);
    // Without lost numbers both invariants hold, and liveness would: but numbers are lost.
    let conditions = ["lose: false", "take(c): next < 4"];
    let found = document(&s, &conditions, "--possible next=serving");
    let results = found["results"].as_array().expect("results");
    assert_eq!(results.len(), 5, "{found}");
    for result in results {
        assert_eq!(result["verdict"], "unknown", "{result}");
        let summary = result["summary"].as_str().expect("a summary");
        assert!(
            summary.contains("some steps are not taken (--when)"),
            "{result}"
        );
    }
    // A state from which no step may be taken is no deadlock, and cannot be asked about as one.
    let asked = explore(&s, &["take: false"], "--only deadlock");
    asked.says(2, "nothing to ask by --only deadlock");
    let unasked = explore(&s, &["take: false"], "");
    assert!(!unasked.out.contains("deadlock"), "{unasked:?}");
}

#[test]
fn what_is_found_is_an_execution_of_the_model() {
    let s = tickets(TICKETS);
    let found = document(&s, &["lose(c): c = Client#1"], "--trace found.itf");
    let violated = &found["results"][1];
    assert_eq!(violated["verdict"], "violated", "{found}");
    assert_eq!(violated["summary"], "4 steps from a start state");
    let again = violated["replay"].as_str().expect("a command");
    assert!(again.contains("--when"), "{again}");
    // The trace is one of the model as it stands in the file.
    s.run("show found.itf tickets.ioa")
        .says(1, "internal lose(Client#1)");
}

#[test]
fn elements_that_a_condition_names_are_not_interchangeable() {
    let s = tickets(TICKETS);
    let counts = |condition: &str| {
        let reduced = document(&s, &[condition], "--keep-going --symmetry");
        let visited = reduced["results"][0]["figures"]["representatives"].as_u64();
        let all = distinct(&document(&s, &[condition], "--keep-going"));
        // However many are visited, all are counted.
        assert_eq!(distinct(&reduced), all);
        (all, visited.expect("a figure"))
    };
    let (all, visited) = counts("take: next < 3");
    assert!(visited < all);
    let (all, visited) = counts("take(c): c = Client#0 /\\ next < 3");
    assert_eq!(visited, all);
}

#[test]
fn mistakes_in_a_condition_are_shown_where_they_are() {
    let s = tickets(TICKETS);
    for (when, message) in [
        ("tak(c): true", "did you mean `take`?"),
        ("take(c, d): true", "takes 1 parameter, 2 given"),
        (
            "take(c): c",
            "this is of type Client, but Bool is expected here",
        ),
        ("take(c): nxt < 3", "--when:1:10"),
        ("take(next): true", "`next` has a meaning here already"),
        (
            "take(1): true",
            "a new name for the parameter should stand here",
        ),
        (
            "take(c)",
            "an action, a colon and a formula should stand here",
        ),
        (
            ": true",
            "an action, a colon and a formula should stand here",
        ),
        (
            "take(c): ",
            "an action, a colon and a formula should stand here",
        ),
        ("take(c): % nothing", "there is nothing here"),
        (
            "take + 1: true",
            "an action with names for its parameters should stand here",
        ),
        ("take(c : true", "this `(` has no `)`"),
    ] {
        explore(&s, &[when], "").says(2, message);
    }
}

#[test]
fn a_study_may_restrict_steps_and_count_what_is_left() {
    let s = tickets(TICKETS);
    let distinct = distinct(&document(&s, &["take: next < 3"], "--keep-going"));
    let study = |distinct: u64| {
        let more = format!("keep_going = true\nwhen = [\"take: next < 3\"]\ndistinct = {distinct}");
        exploring(("tickets.ioa", "Tickets"), "Client = 2", &more)
    };
    fs::write(s.path("ioa.toml"), study(distinct)).expect("a written file");
    let as_expected = s.explore(". --only Different");
    assert!(
        !as_expected.out.contains("were expected"),
        "{as_expected:?}"
    );
    fs::write(s.path("ioa.toml"), study(distinct + 1)).expect("a written file");
    s.explore(". --only Different").says(3, "were expected");
}
