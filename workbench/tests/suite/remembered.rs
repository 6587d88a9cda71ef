//! Proofs that are remembered from one command to the next.

use std::collections::BTreeMap;
use std::fs;

use crate::lock::LOCK;
use crate::sandbox::{Answer, Sandbox};
use serde_json::Value as Json;

/// The same lock, which can be taken while it is held.
fn broken() -> String {
    LOCK.replace("pre ~held", "pre taken < 5")
}

fn sandbox(text: &str) -> Sandbox {
    let s = Sandbox::new();
    s.write("lock.ioa", text);
    s
}

/// What `ioa prove` says with a memory in a folder of the sandbox.
fn prove(s: &Sandbox, more: &[&str]) -> Answer {
    let args = [&["prove", "lock.ioa"], more].concat();
    let mut command = s.command(&args);
    command.env("IOA_CACHE", s.path("memory"));
    Answer::of(&command.output().expect("ioa runs"))
}

/// How many obligations there are, how many of them are proved, and how many were proved before.
fn counts(s: &Sandbox, more: &[&str]) -> [u64; 3] {
    let document = prove(s, &[&["--json"], more].concat()).json();
    let results = document["results"].as_array().expect("results");
    ["obligations", "proved", "recalled"].map(|what| {
        let counts = results.iter().map(|r| r["figures"][what].as_u64());
        counts.map(Option::unwrap_or_default).sum()
    })
}

#[test]
fn nothing_is_proved_twice() {
    let s = sandbox(LOCK);
    let [all, proved, before] = counts(&s, &[]);
    assert_eq!((proved, before), (all, 0));
    assert_eq!(counts(&s, &[]), [all, all, all]);
    let said = prove(&s, &[]).out;
    let closing = format!("{all} of {all} obligations were proved before (--fresh");
    assert!(said.contains(&closing), "{said}");
    // What is asked for anew is.
    assert_eq!(counts(&s, &["--fresh"]), [all, all, 0]);
    assert_eq!(counts(&s, &["--repeat", "2"])[2], 0);
}

#[test]
fn what_a_proof_needs_is_found_out_where_it_was_not() {
    let s = sandbox(LOCK);
    let [all, ..] = counts(&s, &[]);
    let known = |before: u64| (1..all).contains(&before) || before == 0;
    assert!(known(counts(&s, &["--cores"])[2]));
    assert_eq!(counts(&s, &["--cores"]), [all, all, all]);
    let of = |text: String| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("needs"));
        lines
            .filter_map(|line| line.split('┆').nth(2).map(str::to_owned))
            .collect()
    };
    let recalled = of(prove(&s, &["--cores"]).out);
    assert!(recalled.iter().any(|line| line.contains("Held")));
    assert_eq!(recalled, of(prove(&s, &["--cores", "--fresh"]).out));
}

#[test]
fn what_changes_is_proved_again_and_nothing_else() {
    let s = sandbox(LOCK);
    let [all, ..] = counts(&s, &[]);
    // A remark and another layout change no obligation.
    s.write("lock.ioa", format!("% a remark\n\n{LOCK}"));
    assert_eq!(counts(&s, &[]), [all, all, all]);
    // A clause changes its own obligations.
    s.write(
        "lock.ioa",
        LOCK.replace("inside := inside - 1", "inside := 0"),
    );
    let document = prove(&s, &["--json"]).json();
    let findings = document["results"].as_array().expect("results");
    let items = findings
        .iter()
        .flat_map(|f| f["items"].as_array())
        .flatten();
    let (give, other): (Vec<_>, Vec<_>) =
        items.partition(|item| item["name"].as_str().expect("a name").contains("give"));
    let is_recalled = |item: &&Json| item["figures"]["recalled"] == 1;
    assert!(
        !give.is_empty() && !give.iter().any(is_recalled),
        "{give:?}"
    );
    assert!(
        !other.is_empty() && other.iter().all(is_recalled),
        "{other:?}"
    );
}

#[test]
fn a_broken_model_is_not_proved_by_what_is_remembered() {
    let s = sandbox(LOCK);
    counts(&s, &[]);
    s.write("lock.ioa", broken());
    let remembering = prove(&s, &[]);
    let forgetful = prove(&s, &["--fresh"]);
    assert_eq!(
        (remembering.code, forgetful.code),
        (Some(1), Some(1)),
        "{remembering:?}"
    );
    // Nor is the right one refuted by it.
    s.write("lock.ioa", LOCK);
    assert_eq!(prove(&s, &[]).code, Some(0));
}

#[test]
fn a_file_that_is_damaged_or_of_something_else_changes_no_verdict() {
    let s = sandbox(LOCK);
    let [all, ..] = counts(&s, &[]);
    let path = s.path("memory/proofs.jsonl");
    let bytes = fs::read(&path).expect("the memory");
    fs::write(&path, &bytes[..bytes.len() / 2 + 7]).expect("a file");
    let [_, proved, before] = counts(&s, &[]);
    assert!(proved == all && (1..all).contains(&before), "{before}");
    assert_eq!(counts(&s, &[]), [all, all, all]);
    fs::write(&path, [0xff; 5000]).expect("a file");
    assert_eq!(counts(&s, &[]), [all, all, 0]);
    // Where nothing can be written, that is said.
    fs::remove_dir_all(s.path("memory")).expect("a folder");
    s.write("memory", "a file");
    let answer = prove(&s, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        answer.err.contains("proofs are not remembered"),
        "{answer:?}"
    );
}

/// A lock whose goal needs a lemma.
fn alone() -> String {
    LOCK.replace("invariant Held of Lock: held <=> inside = 1\n", "")
}

/// The last line about lemmas in a document.
fn about_lemmas(answer: &Answer) -> String {
    let document = answer.json();
    let results = document["results"].as_array().expect("results");
    let of_lemmas = results.iter().find(|r| r["kind"] == "lemmas");
    let summary = &of_lemmas.expect("a line about lemmas")["summary"];
    summary.as_str().expect("text").to_owned()
}

#[test]
fn lemmas_are_looked_for_once() {
    let s = sandbox(&alone());
    let search = |more: &[&str]| prove(&s, &[&["--auto", "--json"], more].concat());
    let first = search(&[]);
    assert_eq!(first.code, Some(0), "{first:?}");
    let found = about_lemmas(&first);
    assert!(found.starts_with("2 lemmas: "), "{found}");
    assert!(!found.contains("before"), "{found}");
    let again = search(&[]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(
        about_lemmas(&again),
        "2 lemmas: found before (--fresh looks for them again)"
    );
    assert_eq!(about_lemmas(&search(&["--fresh"])), found);
    // Another text is another question: of the broken lock nothing is proved with them.
    s.write("lock.ioa", alone().replace("pre ~held", "pre taken < 5"));
    assert_eq!(search(&[]).code, Some(1));
}

#[test]
fn lemmas_that_somebody_made_up_change_no_verdict() {
    let s = sandbox(&alone());
    let search = || prove(&s, &["--auto", "--json"]);
    let found = about_lemmas(&search());
    let path = s.path("memory/proofs.jsonl");
    let memory = fs::read_to_string(&path).expect("the memory");
    let question = memory.lines().find(|line| line.contains("question"));
    let question: Json = serde_json::from_str(question.expect("a search")).expect("JSON");
    let made_up = [
        "inside = 7",
        "true",
        "no such /\\ formula (",
        "\\A x: Nowhere (x = x)",
    ];
    for formula in made_up {
        let mut record = question.clone();
        record["lemmas"][0]["formula"] = formula.into();
        fs::write(&path, format!("{record}\n")).expect("a file");
        let answer = search();
        assert_eq!(answer.code, Some(0), "{formula}: {answer:?}");
        assert_eq!(about_lemmas(&answer), found, "{formula}");
    }
    let mut record = question;
    record["lemmas"][0]["automaton"] = "Nobody".into();
    fs::write(&path, format!("{record}\n")).expect("a file");
    assert_eq!(about_lemmas(&search()), found);
}

#[test]
fn a_full_disk_costs_no_proof() {
    let s = sandbox(LOCK);
    let ioa = env!("CARGO_BIN_EXE_ioa");
    // What goes beyond is an error of the writing, not the end of the process.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {ioa} prove lock.ioa --json");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]).current_dir(s.path(""));
    command.env("IOA_CACHE", s.path("memory"));
    let cramped = Answer::of(&command.output().expect("a shell"));
    assert_eq!(cramped.code, Some(0), "{cramped:?}");
    assert!(
        cramped.err.contains("proofs are not remembered"),
        "{cramped:?}"
    );
    let [all, proved, before] = counts(&s, &[]);
    assert!(proved == all && (1..all).contains(&before), "{before}");
}

const PAXOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../case-studies/paxos");

/// Of each obligation of Paxos, by name, its verdict and the work that it took.
fn costs(s: &Sandbox, more: &[&str]) -> BTreeMap<String, (String, u64)> {
    let args = [&["prove", PAXOS, "--json", "--obligations"], more].concat();
    let mut command = s.command(&args);
    command.env("IOA_CACHE", s.path("memory"));
    let document = Answer::of(&command.output().expect("ioa runs")).json();
    let results = document["results"].as_array().expect("results");
    let items = results
        .iter()
        .flat_map(|r| r["items"].as_array().expect("items"));
    let cost = |item: &Json| {
        let text = |field: &str| item[field].as_str().expect(field).to_owned();
        let work = item["figures"]["resources"].as_u64().expect("its work");
        (text("name"), (text("verdict"), work))
    };
    items.map(cost).collect()
}

#[test]
fn within_a_limit_nothing_depends_on_what_else_is_asked_or_known() {
    let limited = |s: &Sandbox, more: &[&str]| costs(s, &[&["--rlimit", "20000"], more].concat());
    let s = Sandbox::new();
    let anew = limited(&s, &["--fresh"]);
    let proved = anew
        .values()
        .filter(|(verdict, _)| verdict == "proved")
        .count();
    assert!(
        proved > 50 && proved < anew.len(),
        "{proved} of {}",
        anew.len()
    );
    // A memory of what was proved within another limit says nothing about this one.
    let s = Sandbox::new();
    let mut command = s.command(&["prove", PAXOS]);
    command.env("IOA_CACHE", s.path("memory"));
    command.output().expect("ioa runs");
    for more in [
        &[][..],
        &[],
        &["--only", "Inv2"],
        &["--fresh", "--only", "Inv3"],
    ] {
        let found = limited(&s, more);
        assert!(found.len() >= 10, "{more:?}");
        for (name, cost) in found {
            assert_eq!(cost, anew[&name], "{name} {more:?}");
        }
    }
}

#[test]
fn what_is_not_decided_soon_costs_the_same_in_any_company() {
    let s = Sandbox::new();
    let together = costs(&s, &["--fresh"]);
    let mut long = 0;
    for more in [
        &["--only", "Inv3"][..],
        &["--only", "Inv4"],
        &["--only", "Global1 to Cons"],
        &["--threads", "1"],
    ] {
        let found = costs(&s, &[&["--fresh"], more].concat());
        let found = found.into_iter();
        for (name, cost) in found.filter(|(_, (_, work))| *work > 20_000) {
            long += 1;
            assert_eq!(cost, together[&name], "{name} {more:?}");
        }
    }
    assert!(long >= 4, "only {long} are long");
}

#[test]
fn a_memory_that_is_no_folder_is_named() {
    let s = sandbox(LOCK);
    s.write("memory", "not a folder");
    let answer = prove(&s, &[]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        answer.err.contains("memory is a file, not a folder"),
        "{answer:?}"
    );
}
