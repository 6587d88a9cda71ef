//! `ioa debug --script` and `ioa repl`, as their users meet them.

use std::io::Write;
use std::process::Stdio;

use crate::sandbox::{Answer, Sandbox, refused};

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

/// Parameters with infinitely many values, which conjuncts after the first determine.
const NUMBERS: &str = "\
type S
automaton Numbers
  signature
    internal get(m: Nat), three(m: Int), first(m: Nat)
  states
    x: Nat := 7, q: Seq[Nat] := {}, s: S
  transitions
    internal get(m)
      pre x > 0 /\\ m = x /\\ s = s
    internal three(m)
      pre 0 < x /\\ m = 3 /\\ x > 9
    internal first(m)
      pre q ~= {} /\\ m = head(q) /\\ m > x
";

#[test]
fn what_keeps_an_action_disabled_does_not_depend_on_values_that_cannot_be_enumerated_yet() {
    let s = Sandbox::new();
    s.write("numbers.ioa", NUMBERS);
    s.write("why.txt", "why get\nwhy three\nwhy first\n");
    let model = ["numbers.ioa", "--sort", "S=1"];
    let answer = s.ioa(&[&["debug"], &model[..], &["--script", "why.txt"]].concat());
    assert_eq!(answer.code, Some(0), "{answer:?}");
    for says in [
        "get is enabled here for some values",
        "false: x > 9\n",
        "for all values of the parameters that satisfy what stands before it",
        "false: q ~= {}\n",
    ] {
        assert!(answer.out.contains(says), "{says}: {}", answer.out);
    }
    assert!(!answer.out.contains("false: 0 < x"), "{}", answer.out);
    let explored = s.ioa(
        &[
            &["explore"],
            &model[..],
            &["--coverage", "--allow-deadlock"],
        ]
        .concat(),
    );
    let unseen = "never fired: x > 9 (numbers.ioa:11:29) was never true";
    assert!(explored.out.contains(unseen), "{}", explored.out);
    let checked = s.ioa(&[&["check"], &model[..]].concat());
    let label = "11 |       pre 0 < x /\\ m = 3 /\\ x > 9\n   |                             ^^^^^ never true there";
    assert!(
        checked.err.contains(label) || checked.out.contains(label),
        "{checked:?}"
    );
}

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
fn what_a_script_holds_beside_commands_does_no_harm() {
    let s = tray();
    let marked = script(&s, "\u{feff}fire feed(Printer#0)\n");
    assert_eq!(marked.code, Some(0), "{marked:?}");
    assert!(
        marked.out.starts_with("> fire feed(Printer#0)\n"),
        "{marked:?}"
    );
    for controls in [
        "enabled \u{1b}[31m\n",
        "\u{1b}[1mrandom\n",
        "eval \u{7}sheets\n",
    ] {
        let controls = script(&s, controls);
        assert_eq!(controls.code, Some(2), "{controls:?}");
        assert!(
            controls.err.contains("has no control character \\u{"),
            "{controls:?}"
        );
        assert!(!controls.err.contains(['\u{1b}', '\u{7}']), "{controls:?}");
    }
    let commented = script(&s, "% \u{1b}[2J\nhere\n");
    assert!(commented.out.starts_with("> here\n"), "{commented:?}");
    let empty = script(&s, "graph\n");
    assert_eq!(empty.out, "> graph\nthe run has no steps to be drawn\n");
    let lost = script(&s, "save nowhere/run.itf.json\n");
    assert_eq!(lost.code, Some(2), "{lost:?}");
    assert!(lost.err.contains("its folder is not there"), "{lost:?}");
    assert!(!s.path("nowhere").exists());
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
    let state = "{\"#meta\": {\"index\": 0}, \"sheets\": 2}";
    let foreign = format!("{{\"#meta\": {{}}, \"vars\": [\"sheets\"], \"states\": [{state}]}}");
    s.write("foreign.json", foreign);
    for opened in [
        open("foreign.json"),
        s.ioa(&["show", "foreign.json"]),
        s.ioa(&["run", "tray.ioa", "--replay", "foreign.json"]),
        s.ioa(&["export", "svg", "foreign.json"]),
    ] {
        let said =
            "foreign.json: this is not a trace that ioa wrote: it has no #meta.ioa; `ioa run`";
        refused(&opened, said);
    }
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

/// Lamps in a circle, of which the next one is lit; and a theory of which there are several interpretations.
const LAMPS: &str = "\
type Lamp
vocabulary Circuit
  operators
    follows: Lamp -> Lamp
  axioms with a, b: Lamp
    follows(a) ~= a;
    follows(a) = follows(b) => a = b
end
imports Circuit
automaton Lamps
  signature internal light(l: Lamp), pass(l: Lamp)
  states lit: Array[Lamp, Bool] := constant(false), last: Null[Lamp] := nil
  transitions
    internal light(l)
      pre last = nil
      eff lit[l] := true; last := embed(l)
    internal pass(l)
      pre last = embed(l)
      eff lit[l] := false; lit[follows(l)] := true; last := embed(follows(l))
invariant One of Lamps: \\A a: Lamp \\A b: Lamp (lit[a] /\\ lit[b] => a = b)
";

fn lamps() -> Sandbox {
    let s = Sandbox::new();
    s.write("lamps.ioa", LAMPS);
    s
}

#[test]
fn a_counterexample_to_induction_is_opened_though_its_first_state_is_no_start_state() {
    let s = lamps();
    let proof = s.ioa(&["prove", "lamps.ioa", "--trace", "why.itf.json"]);
    assert!(
        proof.out.contains(
            "wrote a counterexample to induction: Lamps.One / light is not established to why.itf.json"
        ),
        "{proof:?}"
    );
    s.write("session.txt", "eval last = nil\nforward\ngraph\n");
    let args = [
        "debug",
        "--replay",
        "why.itf.json",
        "--script",
        "session.txt",
    ];
    let answer = s.ioa(&args);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let says = |text: &str| assert!(answer.out.contains(text), "{text}: {answer:?}");
    says("the first state is no start state: what follows need not be reachable");
    says("> eval last = nil\ntrue\n");
    says("  1: internal light(");
    says("violated: invariant One");
    for other in [
        &["show", "why.itf.json"][..],
        &["run", "lamps.ioa", "--replay", "why.itf.json"],
    ] {
        let answer = s.ioa(other);
        refused(&answer, "is not a start state; `ioa debug --replay` opens");
    }
}

#[test]
fn a_trace_in_which_the_theories_mean_something_impossible_is_refused() {
    let s = lamps();
    s.ioa(&["prove", "lamps.ioa", "--trace", "why.itf.json"]);
    let text = std::fs::read_to_string(s.path("why.itf.json")).expect("a trace");
    let from = text.find("\"results\": [").expect("a table");
    let (head, table) = text.split_at(from);
    let (table, rest) = table.split_once(']').expect("its end");
    // Now every lamp follows itself.
    let lamps = table.matches("Lamp#").count();
    let own: Vec<String> = (0..lamps).map(|lamp| format!("\"Lamp#{lamp}\"")).collect();
    let tampered = format!("{head}\"results\": [{}]{rest}", own.join(", "));
    s.write("why.itf.json", tampered);
    s.write("session.txt", "forward\n");
    let answer = s.ioa(&[
        "debug",
        "--replay",
        "why.itf.json",
        "--script",
        "session.txt",
    ]);
    refused(
        &answer,
        "interpretation.0.results.0: \"Lamp#0\"; the model says",
    );
}

#[test]
fn a_proof_without_a_counterexample_writes_no_trace() {
    let s = Sandbox::new();
    s.write(
        "sure.ioa",
        TRAY.replace("Filled of Tray: sheets > 0", "Few of Tray: sheets <= 2"),
    );
    let proof = s.ioa(&["prove", "sure.ioa", "--trace", "none.itf.json"]);
    assert_eq!(proof.code, Some(0), "{proof:?}");
    assert!(proof.out.contains("no trace is written"), "{proof:?}");
    assert!(!s.path("none.itf.json").exists());
}

#[test]
fn an_execution_that_a_bounded_check_finds_is_opened_too() {
    let s = tray();
    let found = s.ioa(&[
        "prove",
        "tray.ioa",
        "--bmc",
        "3",
        "--trace",
        "found.itf.json",
    ]);
    assert!(
        found
            .out
            .contains("wrote an execution that violates Filled, found by the solver to"),
        "{found:?}"
    );
    let again = s.ioa(&["run", "tray.ioa", "--replay", "found.itf.json"]);
    assert_eq!(again.code, Some(1), "{again:?}");
}

/// A counter that slips, and another that does not.
pub(crate) const SLIPPING: &str = "\
automaton Low
  signature output up internal idle(k: Nat) where k < 5, slip
  states n: Nat := 0, last: Nat := 0
  transitions
    output up eff n := n + 1
    internal idle(k) eff last := k
    internal slip pre n = 2 eff n := 0
automaton High
  signature output up
  states n: Nat := 0
  transitions output up eff n := n + 1
forward simulation from Low to High: High.n = Low.n
  proof
    initially High.n := 0
    for output up do fire output up od
    for internal idle(k: Nat) ignore
    for internal slip ignore
";

#[test]
fn what_the_low_automaton_did_before_a_simulation_failed_is_written_and_opened() {
    let s = Sandbox::new();
    s.write("slip.ioa", SLIPPING);
    s.write("session.txt", "end\n");
    let asked: [&[&str]; 3] = [
        &["pair", "slip.ioa", "--random", "--runs", "10"],
        &["explore", "slip.ioa", "--simulation", "Low to High"],
        &[
            "explore",
            "slip.ioa",
            "--simulation",
            "Low to High",
            "--when",
            "idle(k): k = 0",
        ],
    ];
    for asked in asked {
        let failed = s.ioa(&[asked, &["--trace", "low.itf.json"]].concat());
        assert_eq!(failed.code, Some(1), "{failed:?}");
        let written = "wrote 3 steps of Low to low.itf.json";
        assert!(failed.out.contains(written), "{failed:?}");
        let again = s.ioa(&["pair", "slip.ioa", "--replay", "low.itf.json"]);
        assert_eq!(again.code, Some(1), "{again:?}");
        assert!(again.out.contains("at step 3: the relation"), "{again:?}");
        let opened = s.ioa(&[
            "debug",
            "--replay",
            "low.itf.json",
            "--script",
            "session.txt",
        ]);
        assert!(opened.out.contains("  3: internal slip"), "{opened:?}");
        let drawn = s.ioa(&["export", "svg", "low.itf.json"]);
        assert_eq!(drawn.code, Some(0), "{drawn:?}");
        assert!(drawn.out.contains(">slip</text>"), "{drawn:?}");
        std::fs::remove_file(s.path("low.itf.json")).expect("a trace");
    }
}

#[test]
fn a_simulation_that_does_not_fail_writes_no_trace() {
    let s = Sandbox::new();
    s.write("sound.ioa", SLIPPING.replace("eff n := 0", "eff n := 2"));
    for asked in [
        &["pair", "sound.ioa", "--random", "--steps", "50"][..],
        &[
            "explore",
            "sound.ioa",
            "--simulation",
            "Low to High",
            "--states",
            "50",
        ],
    ] {
        let passed = s.ioa(&[asked, &["--trace", "none.itf.json"]].concat());
        assert_eq!(passed.code, Some(0), "{passed:?}");
        let said = "no trace is written: no execution was found on which the simulation fails";
        assert!(passed.out.contains(said), "{passed:?}");
        assert!(!s.path("none.itf.json").exists());
    }
    let again = ["pair", "sound.ioa", "--replay", "x.json", "--trace", "y"];
    refused(&s.ioa(&again), "the run is in a trace file already");
}
