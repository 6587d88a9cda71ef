//! `--ignore` takes states for one that differ in some variables alone: those that stand for others are really reached.

use std::fs;

use serde_json::Value as Json;

use super::{Sandbox, exploring};

/// A token goes round, and a history keeps what happened; both endings of a line belong to the history.
fn token(history: bool) -> Sandbox {
    let line = |text: &str| {
        if history {
            text.to_owned()
        } else {
            String::new()
        }
    };
    let text = format!(
        "type Node
automaton Token
  signature internal pass(n: Node, m: Node), enter(n: Node), leave(n: Node)
  states holder: Node, inside: Set[Node] := {{}}{}
  transitions
    internal pass(n, m) pre holder = n /\\ m ~= n eff holder := m{}
    internal enter(n) pre holder = n /\\ ~(n \\in inside) eff inside := insert(n, inside){}
    internal leave(n) pre n \\in inside eff inside := delete(n, inside){}
",
        line(", log: Seq[Node] := {}, late: Mset[Node] := {}, count: Nat := 0"),
        line("; log := log |- m; late := insert(n, late)"),
        line("; count := count + 1"),
        line("; count := count + 2"),
    );
    Sandbox::with("token.ioa", &text)
}

const IGNORING: &str = "--ignore log --ignore late --ignore count";

fn figures(document: &Json) -> &Json {
    &document["results"][0]["figures"]
}

#[test]
fn what_is_ignored_adds_no_states() {
    for size in 1..=3 {
        let at = format!("token.ioa --keep-going --allow-deadlock --sort Node={size}");
        let plain = token(false).json(&at);
        for more in ["", "--no-native", "--threads 2", "--memory 20M"] {
            let found = token(true).json(&format!("{at} {IGNORING} {more}"));
            for name in ["distinct_states", "generated_states", "depth"] {
                let expected = &figures(&plain)[name];
                assert!(expected.is_u64(), "{plain}");
                assert_eq!(&figures(&found)[name], expected, "{size} {more}: {name}");
            }
        }
    }
}

#[test]
fn nothing_is_called_explored_where_differences_are_ignored() {
    let s = token(true);
    let found = s.json(&format!(
        "token.ioa --sort Node=2 {IGNORING} --check count<9 --find len(log)=5"
    ));
    let results = found["results"].as_array().expect("results");
    assert_eq!(results.len(), 3, "{found}");
    for result in results {
        assert_eq!(result["verdict"], "unknown", "{result}");
        let summary = result["summary"].as_str().expect("a summary");
        assert!(summary.contains("(--ignore)"), "{summary}");
    }
}

#[test]
fn what_is_found_is_an_execution_of_the_model() {
    // Which way the history took is forgotten, and still every step of what is shown has to be one of the model.
    let text = "automaton Walk
  signature internal left, right, both
  states at: Nat := 0, odd: Nat := 0, last: Nat := 0
  transitions
    internal left pre at < 12 eff at := at + 1; odd := odd * 2 + 1; last := at
    internal right pre at < 12 eff at := at + 1; odd := odd * 2; last := odd
    internal both pre at < 11 eff at := at + 2; odd := odd * 4 + 2; last := 7
invariant Near of Walk: at < 12
";
    let s = Sandbox::with("walk.ioa", text);
    for ignoring in [
        "--ignore odd",
        "--ignore last",
        "--ignore odd --ignore last",
    ] {
        for engine in ["", "--no-native"] {
            let found = s.explore(&format!("walk.ioa --trace far.itf {ignoring} {engine}"));
            found.says(1, "6 steps from a start state");
            assert!(!found.out.contains("none is shorter"), "{found:?}");
            s.run("show far.itf walk.ioa").says(1, "at < 12");
            s.run("run walk.ioa --replay far.itf")
                .says(1, "invariant Near of Walk is violated");
            fs::remove_file(s.path("far.itf")).expect("a trace");
        }
    }
}

#[test]
fn what_cannot_be_ignored_is_refused() {
    let s = token(true);
    for (flags, message) in [
        ("--ignore lgo", "did you mean log?"),
        ("--ignore log --symmetry", "cannot be used with"),
        ("--ignore log --checkpoint c", "cannot be used with"),
        ("--ignore log --dpor", "cannot be used with"),
    ] {
        s.explore(&format!("token.ioa --sort Node=2 {flags}"))
            .says(2, message);
    }
    let study = |more: &str| {
        let more = format!("ignore = [\"log\", \"late\", \"count\"]\n{more}");
        exploring(("token.ioa", "Token"), "Node = 2", &more)
    };
    fs::write(s.path("ioa.toml"), study("distinct = 8")).expect("a written file");
    s.explore(".").says(0, "8 states, ");
    fs::write(s.path("ioa.toml"), study("distinct = 9")).expect("a written file");
    s.explore(".").says(3, "9 states were expected");
    fs::write(s.path("ioa.toml"), study("symmetry = true")).expect("a written file");
    s.explore(".").says(2, "log cannot be ignored here");
}
