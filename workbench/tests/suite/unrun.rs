//! Models that can be proved, but not run: what is said of the stages that would run them.

use crate::sandbox::{Sandbox, refused};

/// Whoever takes a ticket takes any that is greater than all others, of which there are infinitely many.
const TICKETS: &str = "\
type Proc
automaton Tickets
  signature
    internal take(p: Proc, n: Nat)
  states
    ticket: Array[Proc, Nat] := constant(0)
  transitions
    internal take(p, n)
      pre ticket[p] = 0 /\\ \\A q: Proc (ticket[q] < n)
      eff ticket[p] := n
invariant Apart of Tickets: \\A p, q: Proc (p ~= q /\\ ticket[p] = ticket[q] => ticket[p] = 0)
";

const STUDY: &str = "\
[study]
name = \"tickets\"
sources = [\"tickets.ioa\"]
[sizes]
Proc = 2
[[run]]
automaton = \"Tickets\"
random = true
[[explore]]
automaton = \"Tickets\"
[infer]
automaton = \"Tickets\"
[prove]
";

fn tickets() -> Sandbox {
    let s = Sandbox::new();
    s.write("tickets/tickets.ioa", TICKETS);
    s.write("tickets/ioa.toml", STUDY);
    s
}

#[test]
fn what_cannot_be_run_is_proved_all_the_same() {
    let s = tickets();
    let document = s.ioa(&["verify", "tickets", "--json"]).json();
    assert_eq!(document["exit"], 3, "{document}");
    let results = document["results"].as_array().expect("results");
    let verdict = |kind: &str| {
        let found = results.iter().find(|result| result["kind"] == kind);
        found.map(|result| &result["verdict"])
    };
    for kind in ["run", "exploration", "infer"] {
        assert_eq!(
            verdict(kind).and_then(|v| v.as_str()),
            Some("unknown"),
            "{document}"
        );
    }
    assert_eq!(
        verdict("invariant").and_then(|v| v.as_str()),
        Some("proved")
    );
    let shown = s.ioa(&["verify", "tickets"]);
    let says = "not run: n ranges over all of Nat, which cannot be enumerated";
    let words: Vec<&str> = shown.out.split_whitespace().collect();
    assert!(words.join(" ").contains(says), "{shown:?}");
    // Asked for alone, it is a refusal.
    refused(&s.ioa(&["explore", "tickets"]), "n ranges over all of Nat");
}

#[test]
fn a_check_says_early_what_cannot_be_run() {
    let s = tickets();
    let says = "Tickets cannot be run: n ranges over all of Nat";
    let deep = s.ioa(&["check", "tickets", "--deep"]);
    assert!(deep.code == Some(0) && deep.err.contains(says), "{deep:?}");
    let bounded = TICKETS.replace("pre ticket", "pre n < 9 /\\ ticket");
    s.write("tickets/tickets.ioa", bounded);
    let deep = s.ioa(&["check", "tickets", "--deep"]);
    assert!(
        deep.code == Some(0) && !deep.err.contains("cannot be run"),
        "{deep:?}"
    );
    assert_eq!(
        s.ioa(&["explore", "tickets", "--allow-deadlock"]).code,
        Some(0)
    );
}

#[test]
fn a_study_without_sizes_is_still_refused() {
    let s = tickets();
    s.write("tickets/ioa.toml", STUDY.replace("Proc = 2\n", ""));
    refused(&s.ioa(&["verify", "tickets"]), "has no size");
}
