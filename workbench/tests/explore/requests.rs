//! Requests that cannot be met: bounds that are reached at once, sizes that are none, disks that are full.

use std::fs;
use std::process::Command;

use super::{Answer, Sandbox, study, two_phase};

#[test]
fn bounds_that_leave_nothing_to_do_stop_at_once() {
    let s = Sandbox::new();
    let model = two_phase(4);
    for (bound, word) in [
        ("--depth 0", "depth"),
        ("--states 1", "states"),
        ("--time 0.000001", "time"),
        ("--memory 1", "memory"),
        ("--memory 1 --depth 0", "depth"),
        (
            "--depth 3 --states 1000000 --memory 1T --time 3000000000",
            "depth",
        ),
    ] {
        let answer = s.explore(&format!("{model} {bound}"));
        answer.says(0, &format!("stopped at the bound on {word}"));
        assert!(!answer.out.contains("explored"), "{bound} {answer:?}");
        let document = s.json(&format!("{model} {bound}"));
        assert_eq!(document["exit"], 0);
        assert_eq!(document["results"][0]["bound"], word, "{document}");
        assert!(
            document["distinct_states"].as_u64() >= Some(1),
            "{document}"
        );
    }
}

#[test]
fn a_search_that_has_gone_further_stops_at_a_nearer_bound() {
    let s = Sandbox::new();
    let model = two_phase(4);
    s.explore(&format!("{model} --depth 6 --checkpoint kept"))
        .says(0, "kept in kept");
    for (bound, word) in [
        ("--depth 3", "depth"),
        ("--states 2", "states"),
        ("--memory 1", "memory"),
    ] {
        let answer = s.explore(&format!("{model} --resume kept {bound}"));
        answer.says(0, &format!("stopped at the bound on {word}"));
        answer.says(0, "went on from");
    }
}

#[test]
fn sizes_that_are_none_are_refused() {
    let s = Sandbox::new();
    let model = format!("{} --automaton TwoPhase", study("two-phase-commit"));
    for (size, says) in [
        ("RM", "NAME=SIZE"),
        ("RM=", "a number"),
        ("RM=-1", "a number"),
        ("RM=3.5", "a number"),
        ("RM=99999999999999999999999", "no instance with so many"),
        ("RM=0", "RM"),
        ("RM=18446744073709551615", "RM"),
        ("RN=3", "RN"),
    ] {
        s.explore(&format!("{model} --sort {size}")).says(2, says);
    }
    s.explore(&format!("{model} --sort RM=3 --sort RM=4"))
        .says(2, "sort RM cannot have size 3 and size 4");
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let s = Sandbox::new();
    let model = two_phase(3);
    for formula in [
        "",
        " % nothing",
        "tmState",
        "tmState=",
        "1=true",
        "\\A",
        "tmState'=done",
        "r\\intmPrepared",
    ] {
        let mut command = s.command(&model);
        for flag in ["--find", "--check"] {
            let output = command.args([flag, formula]).output();
            let answer = Answer::of(&output.expect("ioa runs"));
            assert_eq!(answer.code, Some(2), "{flag} {formula} {answer:?}");
            assert!(!answer.err.contains("panicked") && answer.out.is_empty());
        }
    }
}

/// Runs `ioa explore` where files can have no more than so many blocks of 512 bytes.
fn cramped(sandbox: &Sandbox, blocks: u64, args: &str) -> Answer {
    let ioa = env!("CARGO_BIN_EXE_ioa");
    // What goes beyond is an error of the writing, not the end of the process.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {ioa} explore {args}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(sandbox.path(""));
    Answer::of(&command.env("COLUMNS", "400").output().expect("a shell"))
}

#[test]
fn a_full_disk_costs_nothing_that_was_saved() {
    let s = Sandbox::new();
    let model = two_phase(6);
    let first = format!("{model} --depth 4 --checkpoint kept");
    s.explore(&first).says(0, "kept in kept");
    let kept = fs::read(s.path("kept")).expect("a checkpoint");
    let further = format!("{model} --depth 12 --checkpoint kept --resume kept");
    let answer = cramped(&s, kept.len() as u64 / 512 + 1, &further);
    answer.says(0, "the search is not kept: cannot write kept");
    assert_eq!(fs::read(s.path("kept")).expect("a checkpoint"), kept);
    assert!(!s.path(".kept.new").exists(), "nothing is left behind");
    s.explore(&further).says(0, "kept in kept");
    for flag in [
        "--dot graph.dot",
        "--trace run.itf.json --find tmState=done",
    ] {
        let answer = cramped(&s, 0, &format!("{} {flag}", two_phase(2)));
        answer.says(2, "cannot write");
    }
}

#[test]
fn an_answer_that_cannot_be_printed_is_no_success() {
    let s = Sandbox::new();
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    for flags in ["", "--json"] {
        let mut command = s.command(&format!("{} {flags}", two_phase(2)));
        let output = command.stdout(full.try_clone().expect("a file")).output();
        let answer = Answer::of(&output.expect("ioa runs"));
        assert_eq!(answer.code, Some(2), "{answer:?}");
        assert!(
            answer.err.contains("error:") && !answer.err.contains("panicked"),
            "{answer:?}"
        );
    }
    s.explore(&format!("{} --checkpoint /dev/full", two_phase(2)))
        .says(2, "is there already");
}

#[test]
fn what_keeps_growing_is_named_where_a_search_comes_to_no_end() {
    let model = |pre: &str| {
        format!(
            "type Switch\nautomaton Count\n  signature internal up, send, flip(s: Switch)\n  \
             states n: Nat := 0, sent: Seq[Bool] := {{}}, on: Set[Switch] := {{}}\n  transitions\n    \
             internal up {pre} eff n := n + 1\n    internal send pre len(sent) < 2 eff sent := sent |- true\n    \
             internal flip(s) eff on := insert(s, on)\n"
        )
    };
    let s = Sandbox::with("count.ioa", &model(""));
    let explore = "count.ioa --sort Switch=3 --states 20000";
    let grows = "for this keeps growing: n; a precondition";
    let answer = s.explore(explore);
    assert!(answer.out.contains(grows), "{answer:?}");
    let s = Sandbox::with("count.ioa", &model("pre n < 9"));
    let finite = s.explore(explore);
    assert!(!finite.out.contains("keeps growing"), "{finite:?}");
    // Nearly all states are far from the start, where many things can happen in each of them.
    let channel = "type Msg\nautomaton Channel\n  signature input send(m: Msg), output recv(m: Msg)\n  \
                   states q: Seq[Msg] := {}, last: Null[Msg] := nil\n  transitions\n    \
                   input send(m) eff q := q |- m\n    \
                   output recv(m) pre q ~= {} /\\ m = head(q) eff q := tail(q); last := embed(m)\n";
    let channel = Sandbox::with("channel.ioa", channel);
    let answer = channel.explore("channel.ioa --sort Msg=2 --states 200000");
    assert!(
        answer.out.contains("for this keeps growing: q;"),
        "{answer:?}"
    );
    // What is finite and merely large does not grow for ever.
    let large = s.explore("count.ioa --sort Switch=40 --states 20000");
    assert!(!large.out.contains("keeps growing"), "{large:?}");
}
