//! What others' pipelines read: JUnit XML, SARIF, completions and manual pages.

use std::fs;

use crate::sandbox::{Sandbox, answered_but, refused};
use serde_json::Value as Json;

const BROKEN: &str = "\
type Node
automaton Lock
  signature internal take(n: Node)
  states holders: Set[Node] := {}
  transitions internal take(n) eff holders := insert(n, holders)
invariant One of Lock: \\A n, m: Node (n \\in holders /\\ m \\in holders => n = m)
invariant Known of Lock: holders \\subseteq holders
";

const STUDY: &str = "\
[study]
name = \"a & b\"
sources = [\"lock.ioa\"]
[sizes]
Node = 2
[[explore]]
automaton = \"Lock\"
";

fn study(expect: &str) -> Sandbox {
    let s = Sandbox::new();
    fs::create_dir(s.path("lock")).expect("a folder");
    s.write("lock/lock.ioa", BROKEN);
    s.write("lock/ioa.toml", format!("{STUDY}{expect}"));
    s
}

#[test]
fn a_violation_is_a_failed_case_with_its_execution() {
    let s = study("");
    let answer = s.ioa(&["verify", "lock", "--junit", "out/report.xml"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let xml = fs::read_to_string(s.path("out/report.xml")).expect("a report");
    for part in [
        "<testsuite name=\"a &amp; b\"",
        "name=\"invariant One (all states, Node=2)\"",
        "classname=\"Lock\"",
        "type=\"violated\"",
        "2: internal take(Node#",
        "failures=\"1\"",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    // A text with a mistake is no empty suite, and one without is none either.
    let mistake = study("");
    mistake.replace("lock/lock.ioa", "holders \\subseteq", "holder \\subseteq");
    for (command, cases) in [("check", "errors=\"1\""), ("verify", "errors=\"1\"")] {
        mistake.ioa(&[command, "lock", "--junit", "mistake.xml"]);
        let xml = fs::read_to_string(mistake.path("mistake.xml")).expect("a report");
        assert!(
            xml.contains(cases) && xml.contains("lock.ioa:7:26"),
            "{xml}"
        );
    }
    s.ioa(&["check", "lock", "--junit", "right.xml"]);
    let xml = fs::read_to_string(s.path("right.xml")).expect("a report");
    assert!(
        xml.contains("tests=\"1\"") && xml.contains("errors=\"0\""),
        "{xml}"
    );
    // Where the study expects it, it is no failure; the other way round it is one.
    let expected = study("[expect]\nOne = \"violated\"\n");
    expected.ioa(&["verify", "lock", "--junit", "report.xml"]);
    let xml = fs::read_to_string(expected.path("report.xml")).expect("a report");
    assert!(xml.contains("failures=\"0\""), "{xml}");
    assert_eq!(
        sarif(&expected, &["verify", "lock"]),
        Json::Array(Vec::new())
    );
    let unmet = study("[expect]\nOne = \"violated\"\nKnown = \"violated\"\n");
    unmet.ioa(&["verify", "lock", "--junit", "report.xml"]);
    let xml = fs::read_to_string(unmet.path("report.xml")).expect("a report");
    assert!(xml.contains("failures=\"1\""), "{xml}");
}

fn sarif(s: &Sandbox, args: &[&str]) -> Json {
    s.ioa(&[args, &["--sarif", "found.sarif"]].concat());
    let text = fs::read_to_string(s.path("found.sarif")).expect("a document");
    let document: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["version"], "2.1.0");
    document["runs"][0]["results"].clone()
}

#[test]
fn mistakes_and_violations_stand_beside_the_source() {
    let s = study("");
    let found = sarif(&s, &["verify", "lock"]);
    let violated = found.as_array().expect("results").iter();
    let violated: Vec<&Json> = violated.filter(|r| r["ruleId"] == "violated").collect();
    assert_eq!(violated.len(), 1, "{found}");
    let place = &violated[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "lock/lock.ioa");
    assert_eq!(place["region"]["startLine"], 6);
    let message = violated[0]["message"]["text"].as_str().expect("a text");
    assert!(message.contains("see it again: ioa explore"), "{message}");
    s.write("lock/lock.ioa", BROKEN.replace("Set[Node]", "Set[Nod]"));
    let found = sarif(&s, &["check", "lock"]);
    assert_eq!(found[0]["level"], "error", "{found}");
    assert_eq!(
        found[0]["locations"][0]["physicalLocation"]["region"]["startLine"],
        4
    );
    s.write("lock/lock.ioa", BROKEN);
    assert_eq!(
        sarif(&s, &["check", "lock"]).as_array().map(Vec::len),
        Some(0)
    );
}

#[test]
fn what_is_not_ours_is_not_written_over() {
    let s = study("");
    s.write("precious.xml", "<precious/>");
    for flag in ["--junit", "--sarif"] {
        // What was found is still said.
        let answer = s.ioa(&["check", "lock", flag, "precious.xml"]);
        assert_eq!(answer.code, Some(2), "{answer:?}");
        assert!(
            answer.err.contains("precious.xml is there already"),
            "{answer:?}"
        );
        assert!(answer.out.contains("1 automaton (Lock)"), "{answer:?}");
    }
    let kept = fs::read_to_string(s.path("precious.xml")).expect("it is there");
    assert_eq!(kept, "<precious/>");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let s = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = s.ioa(&["completions", shell]);
        assert_eq!(script.code, Some(0), "{script:?}");
        for word in ["explore", "--within", "completions"] {
            let word = match shell {
                "fish" => word.trim_start_matches('-'),
                _ => word,
            };
            assert!(script.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(s.ioa(&["man", "pages"]).code, Some(0));
    let page = fs::read_to_string(s.path("pages/ioa-explore.1")).expect("a page");
    assert!(page.contains("within"), "{page}");
    refused(&s.ioa(&["completions", "tcsh"]), "tcsh");
}

#[test]
fn the_document_names_each_file_that_was_written() {
    let s = study("");
    let written = |args: &[&str]| {
        let document = s.ioa(&[args, &["--json"]].concat()).json();
        let paths = document["written"].as_array().expect("a list").clone();
        let paths = paths.iter().map(|path| path.as_str().expect("a path"));
        let paths: Vec<String> = paths.map(str::to_owned).collect();
        assert!(
            paths.iter().all(|path| s.path(path).is_file()),
            "{document}"
        );
        paths
    };
    let modules = written(&["export", "tla", "lock", "--out", "modules"]);
    assert_eq!(modules, ["modules/Lock.tla", "modules/Lock.cfg"]);
    let explored = &[
        "explore",
        "lock",
        "--trace",
        "run.json",
        "--dot",
        "graph.dot",
    ];
    assert_eq!(written(explored), ["graph.dot", "run.json"]);
    let run = &["run", "lock", "--random", "--trace", "random.json"];
    assert_eq!(written(run), ["random.json"]);
    let proved = written(&[
        "prove",
        "lock",
        "--smt-dir",
        "smt",
        "--graph",
        "proof.dot",
        "--fresh",
    ]);
    assert_eq!(proved[0], "proof.dot");
    assert!(proved[1..].iter().all(|path| path.starts_with("smt/")));
    assert!(proved.len() > 2, "{proved:?}");
    let check = s.ioa(&["check", "lock", "--json"]).json();
    assert_eq!(check.get("written"), None);
}

#[test]
fn warnings_are_shown_by_a_check_and_counted_by_what_is_asked_afterwards() {
    let s = study("");
    s.write("lock/spare.ioa", "type Spare\n");
    s.replace(
        "lock/ioa.toml",
        "\"lock.ioa\"",
        "\"lock.ioa\", \"spare.ioa\"",
    );
    let check = s.ioa(&["check", "lock"]);
    assert!(check.err.contains("spare.ioa:1:6"), "{check:?}");
    let explore = s.ioa(&["explore", "lock"]);
    assert_eq!(
        explore.err,
        "1 warning about the texts (W101): ioa check shows it\n"
    );
    let document = s.ioa(&["explore", "lock", "--json"]).json();
    assert_eq!(document["diagnostics"][0]["code"], "W101", "{document}");
}

#[test]
fn an_answer_is_given_although_a_file_cannot_be_written() {
    let s = study("");
    for (command, found) in [
        ("prove lock --graph lock/ioa.toml/g.dot", "is violated"),
        ("prove lock --smt-dir lock/ioa.toml/smt", "is violated"),
        (
            "prove lock --auto --graph lock/ioa.toml/g.dot",
            "is violated",
        ),
        ("explore lock --dot lock/ioa.toml/g.dot", "is violated"),
        ("explore lock --trace lock/ioa.toml/t.trace", "is violated"),
        ("verify lock --report lock/ioa.toml/r", "Node=2"),
    ] {
        let answer = s.ioa(&command.split_whitespace().collect::<Vec<_>>());
        answered_but(&answer, found, "cannot write");
    }
}
