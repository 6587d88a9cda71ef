//! Options that would be without effect, and values out of bounds, are refused with the reason.

use crate::sandbox::{Sandbox, refused};

#[test]
fn what_is_about_instances_is_refused_where_there_are_none() {
    let s = Sandbox::new();
    let cases = [
        (
            "check . --threads 2",
            "--threads has no effect on `check`: a plain check only reads the texts",
        ),
        ("check . --time 3", "--time has no effect on `check`"),
        (
            "prove . --interpretation 2",
            "--interpretation has no effect on `prove`",
        ),
        (
            "explore . --automaton Cons --interpretation 2",
            "there is no interpretation 2: no operator of these texts",
        ),
    ];
    for (args, says) in cases {
        let args: Vec<&str> = args.split_whitespace().collect();
        refused(&s.ioa(&args), says);
    }
}

#[test]
fn what_would_have_no_effect_is_refused_with_the_reason() {
    let s = Sandbox::new();
    let cases = [
        (
            "check . --seed 3",
            "--seed has no effect on `check`: nothing is drawn",
        ),
        (
            "check . --automaton Cons",
            "--automaton has no effect on `check`",
        ),
        ("fmt . --sort Node=2", "--sort has no effect on `fmt`"),
        (
            "run . --schedule Normal --whole",
            "--whole has no effect on `run` beside --schedule",
        ),
        (
            "run . --schedule Normal --depth 3",
            "--depth has no effect on `run`",
        ),
        (
            "run . --schedule Normal --automaton Cons",
            "schedule Normal runs Global1, not Cons",
        ),
        (
            "explore . --automaton Cons --seed 2",
            "--seed has no effect on `explore`",
        ),
        (
            "explore . --automaton Cons --dpor --checkpoint-every 3",
            "--checkpoint-every",
        ),
        (
            "prove . --bmc 2 --budget 5",
            "--budget has no effect on `prove`",
        ),
        (
            "prove . --bmc 2 --second-timeout 5",
            "--second-timeout has no effect on `prove`",
        ),
        ("prove . --sort Nodes=3", "no sort is named Nodes"),
        (
            "pair . --automaton Cons",
            "simulation Global1 to Cons runs Global1, not Cons",
        ),
        (
            "verify . --automaton Cons",
            "--automaton has no effect on `verify`",
        ),
        (
            "export tla . --junit out.xml",
            "--junit has no effect on `tla`",
        ),
    ];
    for (args, says) in cases {
        let args: Vec<&str> = args.split_whitespace().collect();
        refused(&s.ioa(&args), says);
    }
    // What has an effect is not refused, and what never has any is not offered.
    let deep = s.ioa(&["check", ".", "--deep", "--automaton", "Cons"]);
    assert_eq!(deep.code, Some(0), "{deep:?}");
    let pair = s.ioa(&[
        "pair",
        ".",
        "--random",
        "--automaton",
        "Global1",
        "--steps",
        "3",
    ]);
    assert_eq!(pair.code, Some(0), "{pair:?}");
    let help = |command: &str| s.ioa(&[command, "--help"]).out;
    assert!(help("run").contains("--seed") && !help("check").contains("--seed"));
}

#[test]
fn a_bound_says_why_it_is_there() {
    let s = Sandbox::new();
    let cases = [
        (
            "run . --runs 99999999999999999999999",
            "at most 1000000000: a larger number is taken for a slip",
        ),
        ("run . --runs 0", "expected at least 1"),
        (
            "run . --runs many",
            "expected a number from 1 to 1000000000, found many",
        ),
        (
            "prove . --bmc 5000",
            "each step is one more copy of the model",
        ),
        (
            "prove . --threads 257",
            "more threads only get in each other's way",
        ),
        (
            "run . --interpretation 1001",
            "the solver has to find all those before it",
        ),
        ("run . --sort Node=5000", "too much room"),
    ];
    for (args, says) in cases {
        let args: Vec<&str> = args.split_whitespace().collect();
        refused(&s.ioa(&args), says);
    }
}
