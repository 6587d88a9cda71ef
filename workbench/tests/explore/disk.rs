//! Searches that keep their states in files: they find what a search in memory finds, and no file is taken for more than it is.

use std::fs;

use super::{Answer, Sandbox};

/// Six counters: 262,144 states, far more than fit in 600 KiB.
const GRID: &str = "\
type I
automaton Grid
  signature
    internal up(i: I), down(i: I)
  states
    c: Array[I, Nat] := constant(0)
  transitions
    internal up(i)
      pre c[i] < 7
      eff c[i] := c[i] + 1
    internal down(i)
      pre c[i] = 7 /\\ \\E j: I (c[j] < 7)
      eff c[i] := 0
invariant Unfinished of Grid: \\E i: I (c[i] < 7)
invariant Low of Grid: \\A i: I (c[i] < 8)
";

const IN_MEMORY: &str = "grid.ioa --sort I=6 --threads 1 --no-symmetry";

/// The same search with little memory, in a folder.
fn on_disk(more: &str) -> String {
    format!("{IN_MEMORY} --memory 600K --disk states {more}")
}

/// What must not depend on where states are kept: the states and steps, and for each claim its verdict and how far it was
/// tried.
fn essence(s: &Sandbox, args: &str) -> Vec<String> {
    let document = s.json(args);
    let results = document["results"].as_array().expect("results");
    let each = results.iter().map(|result| {
        let figures = &result["figures"];
        let counted = ["distinct_states", "generated_states"].map(|name| figures[name].as_u64());
        format!(
            "{} {} {counted:?} {}",
            result["name"], result["verdict"], result["story"]["states"]
        )
    });
    each.collect()
}

#[test]
fn a_search_on_disk_finds_what_one_in_memory_finds() {
    let s = Sandbox::with("grid.ioa", GRID);
    for asked in [
        "--only Low --allow-deadlock",
        "--only Unfinished",
        "--keep-going",
    ] {
        let expected = essence(&s, &format!("{IN_MEMORY} {asked}"));
        assert_eq!(essence(&s, &on_disk(asked)), expected, "{asked}");
        // What was found is told again, and a search that is complete leaves nothing behind.
        let is_complete = asked != "--only Unfinished";
        assert_eq!(!s.path("states").exists(), is_complete, "{asked}");
        if !is_complete {
            fs::remove_dir_all(s.path("states")).expect("a folder");
        }
    }
    let shown = s.explore(&on_disk("--only Unfinished"));
    assert_eq!(shown.code, Some(1), "{shown:?}");
    assert!(
        shown
            .out
            .contains("42 steps from a start state; none is shorter"),
        "{shown:?}"
    );
}

/// A folder with a search that was stopped.
fn stopped() -> Sandbox {
    let s = Sandbox::with("grid.ioa", GRID);
    let answer = s.explore(&on_disk("--only Low --allow-deadlock --states 100000"));
    assert!(
        answer.out.contains("stopped at the bound on states"),
        "{answer:?}"
    );
    assert!(s.path("states/search").exists());
    s
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let s = stopped();
    let answer = s.explore(&on_disk("--only Low --allow-deadlock"));
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains("262,144 states"), "{answer:?}");
}

/// Says that a search in the folder was refused, and why.
fn refused(answer: &Answer, says: &str) {
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains(says), "{answer:?}");
}

#[test]
fn a_folder_with_anything_else_is_refused_and_left_alone() {
    let s = stopped();
    let args = on_disk("--only Low --allow-deadlock").replace("I=6", "I=5");
    refused(&s.explore(&args), "holds a search of something else");
    let names = |s: &Sandbox| fs::read_dir(s.path("states")).expect("a folder").count();
    let before = names(&s);
    let search = fs::read(s.path("states/search")).expect("a file");
    fs::write(s.path("states/search"), &search[..search.len() / 2]).expect("a file");
    refused(
        &s.explore(&on_disk("--only Low --allow-deadlock")),
        "is damaged",
    );
    assert_eq!(names(&s), before);
    let s = Sandbox::with("grid.ioa", GRID);
    fs::create_dir(s.path("states")).expect("a folder");
    fs::write(s.path("states/letter"), "dear").expect("a file");
    refused(&s.explore(&on_disk("")), "holds no search");
    assert_eq!(
        fs::read(s.path("states/letter")).ok().as_deref(),
        Some(&b"dear"[..])
    );
    fs::remove_dir_all(s.path("states")).expect("a folder");
    fs::write(s.path("states"), "a file").expect("a file");
    refused(&s.explore(&on_disk("")), "states");
}
