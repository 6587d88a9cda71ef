//! The library of environments: how studies and single files use its parts, and what is said where they cannot.

use std::fs;

use crate::sandbox::{Sandbox, refused};
use sha2::{Digest, Sha256};

/// One sends numbers to the other, over a channel that is not declared here.
const MODEL: &str = "\
type End = enumeration of here, there

automaton Source
  signature
    output   send(const here, const there, m: Nat)
  states
    next: Nat := 0
  transitions
    output send(i, j, m)
      pre m = next /\\ next < 3
      eff next := next + 1

automaton Sink
  signature
    input    receive(const here, const there, m: Nat)
  states
    last: Nat := 0
  transitions
    input receive(i, j, m)
      eff last := m

automaton System
  components
    A: Source;
    C: Fifo(Nat, End, here, there);
    B: Sink

invariant Behind of System: B.last <= A.next
";

const MANIFEST: &str = "\
[study]
name = \"numbers\"
sources = [\"model.ioa\", \"library:channels\"]

[[explore]]
automaton = \"System\"
allow_deadlock = true
distinct = 10

[prove]
";

/// A folder `study` that uses the channels.
fn study() -> Sandbox {
    let s = Sandbox::new();
    fs::create_dir(s.path("study")).expect("a folder");
    s.write("study/model.ioa", MODEL);
    s.write("study/ioa.toml", MANIFEST);
    s
}

#[test]
fn a_study_and_a_single_file_compose_with_a_channel() {
    let s = study();
    let verified = s.ioa(&["verify", "study", "--report", "report"]);
    assert!(verified.out.contains("Behind"), "{verified:?}");
    let page = fs::read_to_string(s.path("report/report.html")).expect("the report");
    assert!(
        page.contains("library:channels"),
        "the report shows what it rests on"
    );
    for inputs in [&["study"][..], &["study/model.ioa", "library:channels"]] {
        let mut args = vec!["explore", "--automaton", "System", "--allow-deadlock"];
        args.extend(inputs);
        let explored = s.ioa(&args);
        assert_eq!(explored.code, Some(0), "{explored:?}");
        assert!(explored.out.contains("10 states"), "{explored:?}");
    }
}

/// A text of the library as the program prints it.
fn part(s: &Sandbox, name: &str) -> String {
    let printed = s.ioa(&["library", name]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    printed.out
}

#[test]
fn the_report_has_the_text_of_a_part_with_its_hash() {
    let s = study();
    s.ioa(&["verify", "study", "--report", "report"]);
    let page = fs::read_to_string(s.path("report/report.html")).expect("the report");
    for (name, text) in [
        ("library:channels", part(&s, "channels")),
        ("study/model.ioa", MODEL.to_owned()),
    ] {
        let digest = Sha256::digest(text.as_bytes());
        let digits: String = digest.iter().take(8).map(|b| format!("{b:02x}")).collect();
        let (_, rest) = page
            .split_once(&format!("{name}</code>"))
            .expect("the source");
        let (summary, _) = rest.split_once("</summary>").expect("its summary");
        assert!(
            summary.contains(&format!("SHA-256 {digits}")),
            "{name}: {summary}"
        );
    }
    // A part that is not used is not among the sources.
    assert!(!page.contains("library:failures"));
}

#[test]
fn a_module_for_tlc_has_what_the_model_takes_from_a_part_and_no_more() {
    let s = study();
    let exported = s.ioa(&[
        "export",
        "tla",
        "study",
        "--automaton",
        "System",
        "--out",
        "modules",
    ]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let module = fs::read_to_string(s.path("modules/System.tla")).expect("a module");
    for wanted in ["C_queue", "Append(", "Head(", "Behind"] {
        assert!(module.contains(wanted), "{wanted}: {module}");
    }
    // The other channels of the part leave nothing behind.
    for other in ["Lossy", "bag", "arrived", "capacity"] {
        assert!(!module.contains(other), "{other}: {module}");
    }
    let unused = s.ioa(&[
        "export",
        "tla",
        "study",
        "--automaton",
        "Wild",
        "--out",
        "others",
    ]);
    refused(&unused, "Wild");
    assert!(!s.path("others").exists());
}

#[test]
fn only_what_is_needed_of_a_part_belongs_to_the_model() {
    let s = study();
    let checked = s.ioa(&["check", "study"]);
    assert!(
        checked
            .out
            .contains("4 automata (Source, Sink, System, Fifo)"),
        "{checked:?}"
    );
    // A part alone is a model of its own.
    let alone = s.ioa(&["check", "library:channels"]);
    assert!(alone.out.contains("5 automata"), "{alone:?}");
}

#[test]
fn what_the_library_does_not_have_is_refused() {
    let s = study();
    refused(
        &s.ioa(&["check", "study/model.ioa", "library:chanels"]),
        "did you mean library:channels?",
    );
    refused(
        &s.ioa(&[
            "check",
            "study/model.ioa",
            "library:../environments/bits.ioa",
        ]),
        "the library has no part `../environments/bits.ioa`",
    );
    refused(
        &s.ioa(&["check", "study", "library:channels"]),
        "library:channels is named twice",
    );
    refused(
        &s.ioa(&["library", "chanel"]),
        "did you mean library:channels?",
    );
    s.replace("study/model.ioa", "Fifo(", "Fifoo(");
    refused(&s.ioa(&["check", "study"]), "did you mean `Fifo`?");
    s.replace("study/ioa.toml", "library:channels", "library:chanels");
    let answer = s.ioa(&["verify", "study"]);
    refused(&answer, "did you mean library:channels?");
    assert!(
        answer.err.contains("ioa.toml:3:25"),
        "a place in the manifest: {answer:?}"
    );
}

#[test]
fn a_clash_of_names_and_a_wrong_use_point_into_the_library() {
    let s = study();
    s.write(
        "study/more.ioa",
        "automaton Fifo\n  signature\n    output tick\n  transitions\n    output tick\n",
    );
    s.replace(
        "study/ioa.toml",
        "\"model.ioa\"",
        "\"model.ioa\", \"more.ioa\"",
    );
    refused(&s.ioa(&["check", "study"]), "library:channels:");
    s.replace(
        "study/ioa.toml",
        "\"model.ioa\", \"more.ioa\"",
        "\"model.ioa\"",
    );
    s.replace(
        "study/model.ioa",
        "Fifo(Nat, End, here, there)",
        "Fifo(Nat, End, here)",
    );
    refused(&s.ioa(&["check", "study"]), "Fifo");
}

#[test]
fn a_part_is_not_formatted_and_can_be_read() {
    let s = study();
    let formatted = s.ioa(&["fmt", "--check", "study"]);
    assert_eq!(formatted.code, Some(0), "{formatted:?}");
    let part = s.ioa(&["library", "channels"]);
    assert!(
        part.out
            .contains("automaton Wild(M: type, N: type, i, j: N)")
    );
    let listed = s.ioa(&["library"]);
    assert!(
        listed
            .out
            .contains("library:failures\n  Connection(M: type, N: type, i, j: N)\n")
    );
}
