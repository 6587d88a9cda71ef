//! `ioa debug --script` and `ioa repl`, as their users meet them.

mod sandbox;

use std::io::Write;
use std::process::Stdio;

use sandbox::{Answer, Sandbox, refused};

/// Two printers share a tray of paper.
const TRAY: &str = "\
type Printer
automaton Tray
  signature
    internal feed(p: Printer), jam(p: Printer), refill
  states
    sheets: Nat := 2,
    jammed: Set[Printer] := {}
  transitions
    internal feed(p)
      pre sheets > 0 /\\ p \\notin jammed
      eff sheets := sheets - 1
    internal jam(p)
      pre p \\notin jammed
      eff jammed := insert(p, jammed)
    internal refill
      pre sheets = 0
      eff sheets := 2
invariant Filled of Tray: sheets > 0
";

fn tray() -> Sandbox {
    let s = Sandbox::new();
    s.write("tray.ioa", TRAY);
    s
}

const MODEL: [&str; 3] = ["tray.ioa", "--sort", "Printer=2"];

fn script(s: &Sandbox, text: &str) -> Answer {
    s.write("session.txt", text);
    let args = [&["debug"], &MODEL[..], &["--script", "session.txt"]].concat();
    s.ioa(&args)
}

#[test]
fn a_script_is_answered_line_by_line() {
    let s = tray();
    let answer = script(
        &s,
        "% the tray is emptied\nfire feed(Printer#0)\n\nfire feed(Printer#1)\nwhy feed(Printer#0)\nquit\nnonsense\n",
    );
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let expected = "\
> fire feed(Printer#0)
  1: internal feed(Printer#0)
       sheets = 1   (was 2)
> fire feed(Printer#1)
  2: internal feed(Printer#1)
       sheets = 0   (was 1)
  violated: invariant Filled
> why feed(Printer#0)
feed(Printer#0) is not enabled
  false: sheets > 0
         at tray.ioa:10:11
         with p = Printer#0, sheets = 0
         since step 2: internal feed(Printer#1)
> quit
";
    assert_eq!(answer.out, expected, "what stands after `quit` is not read");
    assert_eq!(
        script(&s, "random 50\npath\n").out,
        script(&s, "random 50\npath\n").out
    );
}

#[test]
fn a_script_stops_at_its_first_mistake_and_says_where() {
    let s = tray();
    for (text, says) in [
        ("forward 1\n", "there is no step 1: the run has 0 steps"),
        ("go 1000000000\n", "there is no step 1000000000"),
        ("eval ink > 0\n", "unknown name `ink`"),
        ("forwards\n", "did you mean `forward`?"),
    ] {
        let answer = script(&s, &format!("state\nstate\n\n{text}state\n"));
        assert_eq!(answer.code, Some(2), "{answer:?}");
        assert!(answer.err.contains(says), "{answer:?}");
        assert!(
            answer.err.contains("the script stops at session.txt:4"),
            "{answer:?}"
        );
        assert!(!answer.err.contains("panicked"), "{answer:?}");
    }
    refused(
        &s.ioa(&[
            "debug",
            "tray.ioa",
            "--sort",
            "Printer=2",
            "--script",
            "none.txt",
        ]),
        "none.txt",
    );
}

#[test]
fn a_run_that_is_saved_is_opened_again() {
    let s = tray();
    let answer = script(&s, "random 5\nsave run.itf.json\n");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        answer.out.contains("wrote 5 steps to run.itf.json"),
        "{answer:?}"
    );
    let shown = s.ioa(&["show", "run.itf.json"]);
    assert!(
        shown.out.contains("the run of run.itf.json") && shown.out.contains("  2: internal"),
        "{shown:?}"
    );
    s.write("again.txt", "end\n");
    let again = s.ioa(&["debug", "--replay", "run.itf.json", "--script", "again.txt"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.contains("  5: internal"), "{again:?}");
    let refused_ = script(&s, "save tray.ioa\n");
    assert_eq!(
        refused_.code,
        Some(2),
        "a model is not written over: {refused_:?}"
    );
    s.replace("tray.ioa", "sheets := sheets - 1", "sheets := 0");
    refused(
        &s.ioa(&["debug", "--replay", "run.itf.json", "--script", "again.txt"]),
        "of another model",
    );
}

#[test]
fn traces_that_are_none_have_their_own_messages() {
    let s = tray();
    assert_eq!(script(&s, "random 5\nsave run.itf.json\n").code, Some(0));
    let whole = std::fs::read_to_string(s.path("run.itf.json")).expect("the trace");
    s.write("cut.json", &whole[..whole.len() / 2]);
    s.write(
        "lie.json",
        whole
            .replacen("\"jam\"", "\"feed\"", 1)
            .replacen("\"feed\"", "\"jam\"", 1),
    );
    s.write("empty.txt", "");
    let open = |trace: &str| {
        s.ioa(&[
            "debug",
            "tray.ioa",
            "--replay",
            trace,
            "--script",
            "empty.txt",
        ])
    };
    refused(
        &open("cut.json"),
        "cut.json: the trace is incomplete: the file ends too early",
    );
    refused(&open("lie.json"), "lie.json");
    refused(&open("tray.ioa"), "tray.ioa: this is not JSON");
    refused(&open("missing.json"), "missing.json");
    assert_eq!(open("run.itf.json").code, Some(0));
    refused(&s.ioa(&["debug"]), "required");
}

#[test]
fn a_mistake_ends_no_conversation() {
    let s = tray();
    let mut ioa = s
        .command(&["repl", "tray.ioa", "--sort", "Printer=2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ioa runs");
    let mut input = ioa.stdin.take().expect("a pipe");
    input
        .write_all(b"eval sheets + 1\neval sheet\n\xff\xfe\nfire refill\neval jammed\n")
        .expect("commands");
    drop(input);
    let answer = Answer::of(&ioa.wait_with_output().expect("it ends with its input"));
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert_eq!(answer.out, "3\n{}\n");
    for says in [
        "did you mean `sheets`?",
        "no command is named",
        "refill is not enabled here",
    ] {
        assert!(answer.err.contains(says), "{says}: {answer:?}");
    }
}
