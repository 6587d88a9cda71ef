//! Theories leave open what their operators mean: every interpretation is tried, or it is said that others are not.

use super::{Answer, Sandbox};
use serde_json::Value as Json;

/// A token that goes where `next` leads; nothing is known of `next`. The first interpretation is the least degenerate one, a
/// ring.
const TOKEN: &str = "type Node
vocabulary Next operators next: Node -> Node end
imports Next
automaton Token
  signature internal pass
  states at: Node, passes: Int := 0
  transitions internal pass pre passes < 3 eff at := next(at); passes := passes + 1
";

/// True where `next` leads from every node to another one, as in a ring.
const MOVES: &str = "invariant Moves of Token: next(at) ~= at\n";

/// True in every interpretation.
const COUNTS: &str = "invariant Counts of Token: passes <= 3\n";

fn token(invariant: &str) -> Sandbox {
    Sandbox::with("token.ioa", &format!("{TOKEN}{invariant}"))
}

fn figure(document: &Json, name: &str) -> u64 {
    document["results"][0]["figures"][name]
        .as_u64()
        .expect("a figure")
}

/// Runs the command that a finding prints.
fn replayed(s: &Sandbox, document: &Json, finding: usize) -> Answer {
    let command = document["results"][finding]["replay"].as_str();
    let command = command.expect("a command that shows it again");
    s.run(command.strip_prefix("ioa ").expect("a command of ioa"))
}

#[test]
fn what_holds_in_the_first_interpretation_alone_is_violated() {
    let s = token(MOVES);
    let all = "token.ioa --allow-deadlock --sort Node=2";
    let found = s.json(all);
    assert_eq!(found["results"][1]["verdict"], "violated", "{found}");
    replayed(&s, &found, 1).says(1, "invariant Moves of Token is violated");
    // In the first one by itself it holds, and that is not called explored.
    let first = s.explore(&format!("{all} --interpretation 1"));
    first.says(0, "other interpretations are not tried");
    assert!(!first.out.contains(" explored "), "{first:?}");
}

#[test]
fn a_ring_is_the_first_interpretation_of_a_function_and_is_shown() {
    let s = token(COUNTS);
    for size in 2..=5 {
        let at = format!("--sort Node={size}");
        let shown = s.run(&format!("check token.ioa {at} --interpret"));
        shown.says(0, "interpretation 1 of ");
        let ring: Vec<String> = (0..size)
            .map(|n| format!("next(Node#{n}) = Node#{}", (n + 1) % size))
            .collect();
        for step in &ring {
            assert!(shown.out.contains(step), "{shown:?}");
        }
        let first = format!("token.ioa --allow-deadlock {at} --interpretation 1");
        let summary = s.json(&first)["results"][0]["summary"].to_string();
        let values = format!("in one interpretation, where {}", ring.join(", "));
        assert!(summary.contains(&values), "{summary}");
    }
    let other = s.run("check token.ioa --sort Node=3 --interpret --interpretation 7");
    other.says(0, "interpretation 7 of the theories");
}

#[test]
fn states_are_counted_in_all_interpretations_together() {
    let s = token(COUNTS);
    // Of the functions on two elements, three differ in more than names: one leads to one element, one to the same
    // element, one to the other. On three elements there are seven.
    for (size, count) in [(2, 3), (3, 7)] {
        let all = format!("token.ioa --allow-deadlock --sort Node={size}");
        let together = s.explore(&all);
        together.says(0, &format!("in all {count} interpretations of next"));
        assert!(together.out.contains(" explored "), "{together:?}");
        let alone = (1..=count).map(|n| {
            figure(
                &s.json(&format!("{all} --interpretation {n}")),
                "distinct_states",
            )
        });
        assert_eq!(figure(&s.json(&all), "distinct_states"), alone.sum::<u64>());
        let beyond = format!("{all} --interpretation {}", count + 1);
        s.explore(&beyond).says(2, "there is no interpretation");
    }
}

#[test]
fn of_too_many_interpretations_nothing_is_called_explored() {
    let related = TOKEN.replace(
        "next: Node -> Node",
        "next: Node -> Node, near: Node, Node -> Bool",
    );
    let related = related.replace("pre passes < 3", "pre passes < 3 /\\ near(at, at)");
    let s = Sandbox::with("token.ioa", &format!("{related}{COUNTS}"));
    let found = s.explore("token.ioa --allow-deadlock --sort Node=4");
    found.says(3, "there are too many interpretations to try all");
    assert!(!found.out.contains(" explored "), "{found:?}");
}

#[test]
fn a_search_that_goes_into_a_file_is_one_of_one_interpretation() {
    let s = token(COUNTS);
    let found = s.explore("token.ioa --allow-deadlock --sort Node=2 --dot graph.dot");
    found.says(0, "where the search or its graph goes into a file");
    assert!(!found.out.contains(" explored "), "{found:?}");
    // A theory with a single interpretation leaves nothing out.
    let s = Sandbox::with("token.ioa", &format!("{TOKEN}{COUNTS}"));
    s.explore("token.ioa --allow-deadlock --sort Node=1 --dot graph.dot")
        .says(0, "holds in all 4 states");
}

#[test]
fn runs_take_turns_at_the_interpretations() {
    let s = token(MOVES);
    let runs = "run token.ioa --random --sort Node=2";
    let found = s.run(&format!("{runs} --json"));
    let found: Json = serde_json::from_str(&found.out).expect("a document");
    assert_eq!(found["results"][1]["verdict"], "violated", "{found}");
    replayed(&s, &found, 1).says(1, "invariant Moves of Token is violated");
    let s = token(COUNTS);
    s.run(runs).says(0, "in all 3 interpretations of next");
    let two = s.run(&format!("{runs} --runs 2"));
    two.says(0, "in 2 interpretations of next, of which there are more");
    s.run(&format!("{runs} --interpretation 2 --runs 5"))
        .says(0, "in one interpretation, where next(Node#0) = ");
}

#[test]
fn a_backward_simulation_is_checked_in_every_interpretation() {
    // The high automaton knows where the token will be; that this is where it is holds if `next` leads nowhere else.
    let text = "type Node
vocabulary Next operators next: Node -> Node end
imports Next
automaton Low
  signature output go(n: Node)
  states at: Node, went: Bool := false
  transitions output go(n) pre ~went /\\ n = next(at) eff went := true
automaton High
  signature output go(n: Node)
  states at: Node, went: Bool := false
  transitions output go(n) pre ~went /\\ n = at eff went := true
backward simulation from Low to High: High.went = Low.went /\\ High.at = next(Low.at)
";
    let s = Sandbox::with("late.ioa", text);
    s.run("pair late.ioa --sort Node=2")
        .says(0, "in all 3 interpretations of next");
    let wrong = text.replace("High.at = next(Low.at)", "High.at = Low.at");
    let s = Sandbox::with("late.ioa", &wrong);
    s.run("pair late.ioa --sort Node=2")
        .says(1, "--interpretation");
    s.run("pair late.ioa --sort Node=2 --interpretation 1")
        .says(1, "go(");
}
