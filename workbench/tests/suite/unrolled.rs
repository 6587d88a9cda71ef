//! Bounded checks and k-induction from the command line: their verdicts, exit statuses, and what they refuse.

use std::time::{Duration, Instant};

use crate::sandbox::{Sandbox, refused};
use serde_json::Value as Json;

/// Doors of which the one that was opened last may be shut.
const DOORS: &str = "type Door
automaton Doors
  signature
    internal open(d: Door), shut(d: Door)
  states
    ajar: Set[Door] := {},
    last: Null[Door] := nil
  transitions
    internal open(d)
      eff ajar := insert(d, ajar); last := embed(d)
    internal shut(d)
      pre d \\in ajar
      eff ajar := delete(d, ajar)
invariant Last of Doors: ajar ~= {} => last ~= nil
invariant Ajar of Doors: last ~= nil => last.val \\in ajar
";

/// What is small after two more steps.
const PIPE: &str = "automaton Pipe
  signature internal flow
  states first: Int := 0, second: Int := 1, third: Int := 2
  transitions
    internal flow eff first := second; second := third; third := 2
invariant Small of Pipe: first <= 2
";

fn verdicts(document: &Json) -> Vec<(String, String, String)> {
    let text = |item: &Json, field: &str| item[field].as_str().unwrap_or_default().to_owned();
    let findings = document["results"].as_array().expect("results").iter();
    findings
        .map(|f| (text(f, "name"), text(f, "verdict"), text(f, "summary")))
        .collect()
}

fn asked(s: &Sandbox, args: &[&str]) -> (Option<i32>, Vec<(String, String, String)>) {
    let answer = s.ioa(&[&["prove"], args, &["--json"]].concat());
    (answer.code, verdicts(&answer.json()))
}

fn row(name: &str, verdict: &str, summary: &str) -> (String, String, String) {
    (name.into(), verdict.into(), summary.into())
}

#[test]
fn a_bound_is_a_verdict_of_its_own() {
    let s = Sandbox::new();
    s.write("doors.ioa", DOORS);
    let bounded = "holds for executions of at most 1 step, for every size";
    let expected = vec![
        row("Last", "bounded", bounded),
        row("Ajar", "bounded", bounded),
    ];
    assert_eq!(asked(&s, &["doors.ioa", "--bmc", "1"]), (Some(0), expected));
}

#[test]
fn a_violation_is_an_execution_that_the_executor_confirms() {
    let s = Sandbox::new();
    s.write("doors.ioa", DOORS);
    let args = ["doors.ioa", "--bmc", "4", "--only", "Ajar"];
    let expected = vec![row("Ajar", "violated", "violated after 2 steps")];
    assert_eq!(asked(&s, &args), (Some(1), expected));
    let told = s.ioa(&["prove", "doors.ioa", "--bmc", "4"]);
    for said in ["internal open(Door#0)", "internal shut(Door#0)", "Door=1"] {
        assert!(told.out.contains(said), "{said} in {}", told.out);
    }
    let replay = told.replay();
    let again = s.ioa(&replay.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
fn only_steps_enough_prove_by_k_induction() {
    let s = Sandbox::new();
    s.write("pipe.ioa", PIPE);
    let refuted = vec![row("Small", "refuted", "not 1-inductive")];
    assert_eq!(
        asked(&s, &["pipe.ioa", "--k-induction", "1"]),
        (Some(3), refuted)
    );
    let proved = vec![row("Small", "proved", "2-inductive")];
    assert_eq!(
        asked(&s, &["pipe.ioa", "--k-induction", "2"]),
        (Some(0), proved)
    );
    // In executions of no steps there is little to see, and it is not called a proof.
    let (code, found) = asked(&s, &["pipe.ioa", "--bmc", "0"]);
    assert_eq!((code, found[0].1.as_str()), (Some(0), "bounded"));
}

#[test]
fn an_invariant_of_a_study_is_not_proved_by_k_induction_where_it_is_false() {
    let s = Sandbox::new();
    s.write("doors.ioa", DOORS);
    let (code, found) = asked(&s, &["doors.ioa", "--k-induction", "2"]);
    assert_eq!(code, Some(1));
    assert_eq!(found[1], row("Ajar", "violated", "violated after 2 steps"));
    assert_eq!(found[0].1, "proved");
}

#[test]
fn a_study_may_ask_for_it() {
    let s = Sandbox::new();
    s.write("pipe.ioa", PIPE);
    let manifest = |prove: &str| {
        let study = "[study]\nname = \"pipe\"\nsources = [\"pipe.ioa\"]\n";
        s.write("ioa.toml", format!("{study}[prove]\n{prove}\n"));
    };
    let verified = || {
        let answer = s.ioa(&["verify", ".", "--json"]);
        (answer.code, verdicts(&answer.json()))
    };
    manifest("k-induction = 2");
    let (code, found) = verified();
    assert_eq!((code, found[0].1.as_str()), (Some(0), "proved"));
    manifest("bmc = 3");
    let (code, found) = verified();
    assert_eq!((code, found[0].1.as_str()), (Some(0), "bounded"));
    manifest("bmc = 3\nk-induction = 2");
    refused(&s.ioa(&["verify", "."]), "one of them is enough");
    manifest("bmc = 1000000");
    refused(&s.ioa(&["verify", "."]), "at most 1000 steps");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let s = Sandbox::new();
    s.write("pipe.ioa", PIPE);
    s.write(
        "bare.ioa",
        "automaton A\n  signature internal go\n  states n: Int := 0\n  transitions internal go eff n := 1\n",
    );
    let refuses = |args: &[&str], says: &str| refused(&s.ioa(&[&["prove"], args].concat()), says);
    refuses(
        &["pipe.ioa", "--bmc", "1", "--k-induction", "1"],
        "cannot be used with",
    );
    refuses(
        &["pipe.ioa", "--bmc", "1", "--cores"],
        "cannot be used with",
    );
    refuses(&["pipe.ioa", "--bmc", "1001"], "1001");
    refuses(&["bare.ioa", "--bmc", "1"], "is about invariants");
    refuses(
        &["pipe.ioa", "--bmc", "1", "--only", "Smal"],
        "did you mean Small",
    );
}

#[test]
fn a_check_ends_though_the_solver_does_not() {
    let s = Sandbox::new();
    let effect = ["n := n * m + 1; m := m * n + n"; 14].join("; ");
    s.write(
        "a.ioa",
        format!(
            "automaton A
  signature internal hard
  states n: Int := 1, m: Int := 1
  transitions internal hard eff {effect}
invariant Hard of A: n <= m * m
"
        ),
    );
    let started = Instant::now();
    let (code, found) = asked(&s, &["a.ioa", "--bmc", "3", "--timeout", "200"]);
    assert!(
        started.elapsed() < Duration::from_secs(60),
        "{:?}",
        started.elapsed()
    );
    let is_answered = code == Some(3) && found[0].1 == "unknown";
    let is_found = code == Some(1) && found[0].1 == "violated";
    assert!(is_answered || is_found, "{code:?} {found:?}");
}
