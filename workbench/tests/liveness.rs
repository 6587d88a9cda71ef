//! Liveness through a study: what `ioa verify` says of it, and with which exit status.

mod sandbox;

use std::fs;

use sandbox::Sandbox;

/// People wait in front of a door, which lets in one at a time, whom it likes.
const DOOR: &str = "\
type Guest

automaton Door
  signature
    input    come(g: Guest)
    output   admit(g: Guest)
    internal leave
  states
    waiting: Set[Guest] := {},
    inside: Null[Guest] := nil
  transitions
    input come(g)
      eff if inside ~= embed(g) then waiting := insert(g, waiting) fi
    output admit(g)
      pre g \\in waiting /\\ inside = nil
      eff waiting := delete(g, waiting);
          inside := embed(g)
    internal leave
      pre inside ~= nil
      eff inside := nil
  tasks
    FAIR{admit(g)} for g: Guest;
    {leave}

liveness Admitted of Door: g \\in waiting leads to inside = embed(g) for g: Guest
liveness Emptied of Door: always eventually inside = nil
";

/// Verifies a study of the door, whose fairness and whose rest of the manifest are given.
fn verify(s: &Sandbox, fairness: &str, rest: &str) -> sandbox::Answer {
    s.write("door.ioa", DOOR.replace("FAIR", fairness));
    let sizes = "[sizes]\nGuest = 2\n[[explore]]\nautomaton = \"Door\"\n";
    let study = "[study]\nname = \"door\"\nsources = [\"door.ioa\"]\n";
    s.write("ioa.toml", format!("{study}{sizes}{rest}"));
    s.ioa(&["verify", "."])
}

/// Asserts the exit status, and that this is a part of what is said.
fn says(answer: &sandbox::Answer, code: i32, part: &str) {
    assert_eq!(answer.code, Some(code), "{answer:?}");
    assert!(answer.out.contains(part), "{answer:?}");
}

#[test]
fn a_study_is_violated_by_a_lasso_and_holds_where_fairness_is_strong() {
    let s = Sandbox::new();
    let unfair = verify(&s, "", "");
    says(
        &unfair,
        1,
        "Admitted (all states): violated: 1 step, and then a cycle of 3 steps",
    );
    says(&unfair, 1, "then, again and again:");
    says(
        &unfair,
        1,
        "note: fair: disabled after step 3: {admit(Guest#0)}",
    );
    let document = fs::read_to_string(s.path("ioa-report/report.json")).expect("a report");
    assert!(document.contains("\"cycle\""), "{document}");
    let fair = verify(&s, "strong ", "");
    says(&fair, 0, "Admitted    ┆ explored");
    says(&fair, 0, "Everything asked for holds in");
}

#[test]
fn a_bounded_search_leaves_liveness_open() {
    let s = Sandbox::new();
    for bound in ["depth = 2", "states = 2", "within = ['waiting = {}']"] {
        let answer = verify(&s, "strong ", &format!("{bound}\n"));
        says(&answer, 3, "Emptied     ┆ unknown");
        says(&answer, 3, "Not everything asked for is established");
    }
}

#[test]
fn an_expectation_that_is_not_met_is_said() {
    let s = Sandbox::new();
    let expect = "[expect]\nAdmitted = \"violated\"\n";
    says(&verify(&s, "", expect), 0, "Everything asked for holds");
    let fair = verify(&s, "strong ", expect);
    says(&fair, 3, "Admitted is explored, but violated is expected");
}
