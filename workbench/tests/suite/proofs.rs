//! Proofs from the command line: their limits, what ends them, and a second solver's opinion.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::{Sandbox, refused};
use serde_json::Value as Json;

/// An automaton with one clause of this effect, and one more that is easy; the invariants hold at the start.
fn automaton(states: &str, effect: &str, stated: &str) -> String {
    format!(
        "type Color = enumeration of red, green
automaton A
  signature
    internal hard, easy
  states
    {states},
    lit: Bool := false
  transitions
    internal hard
      eff {effect}
    internal easy
      eff lit := ~lit
invariant Any of A: lit = lit
invariant Hard of A: {stated}
"
    )
}

/// Fourteen products of two numbers, each by the sum of those before it: the solver is long about them, and looks at no
/// limit meanwhile.
fn products() -> String {
    let effect = ["n := n * m + 1; m := m * n + n"; 14].join("; ");
    automaton("n: Int := 1, m: Int := 1", &effect, "n <= m * m")
}

/// A generous margin beside the limits: the machine may be busy.
const MARGIN: Duration = Duration::from_secs(60);

#[test]
fn a_question_ends_though_the_solver_does_not() {
    let s = Sandbox::new();
    s.write("a.ioa", products());
    let started = Instant::now();
    let answer = s.ioa(&["prove", "a.ioa", "--timeout", "200", "--json"]);
    assert!(started.elapsed() < MARGIN, "{:?}", started.elapsed());
    assert_eq!(answer.code, Some(3), "{answer:?}");
    let verdicts = obligations(&answer.json());
    let of = |name: &str| {
        verdicts
            .iter()
            .find(|(item, _)| item == name)
            .map(|(_, v)| v.as_str())
    };
    assert_eq!(of("A.Hard / hard"), Some("unknown"));
    // What was not too hard is proved all the same.
    assert_eq!(of("A.Hard / start"), Some("proved"));
    assert_eq!(of("A.Any / easy"), Some("proved"));
    // Nothing was said twice, for all that the process began again.
    assert_eq!(answer.err.matches("warning[").count(), 0, "{}", answer.err);
}

#[test]
fn a_script_of_what_grows_fast_is_written_all_the_same() {
    let s = Sandbox::new();
    s.write("a.ioa", products());
    let started = Instant::now();
    let answer = s.ioa(&["prove", "a.ioa", "--timeout", "200", "--smt-dir", "scripts"]);
    assert!(started.elapsed() < MARGIN, "{:?}", started.elapsed());
    assert!(answer.out.contains("wrote 6 obligations"), "{answer:?}");
}

/// The obligations of all findings with their verdicts.
fn obligations(document: &Json) -> Vec<(String, String)> {
    let text = |item: &Json, field: &str| item[field].as_str().unwrap_or_default().to_owned();
    let findings = document["results"].as_array().expect("results").iter();
    let items =
        findings.flat_map(|finding| finding["items"].as_array().cloned().unwrap_or_default());
    items
        .map(|item| (text(&item, "name"), text(&item, "verdict")))
        .collect()
}

#[test]
fn a_verdict_that_luck_decides_wavers_and_is_not_called_proved() {
    let s = Sandbox::new();
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/../case-studies/paxos");
    let wavering = |limit: u32| {
        let limit = limit.to_string();
        let flags = ["--repeat", "6", "--rlimit", &limit, "--json"];
        let verdicts = s.ioa(&[&["prove", study], &flags[..]].concat()).json();
        let findings = verdicts["results"].as_array().cloned().unwrap_or_default();
        findings.iter().any(|finding| {
            let items = finding["items"].as_array().cloned().unwrap_or_default();
            let wavers = |item: &Json| item["text"].to_string().contains("wavers: proved");
            let found = items.iter().any(wavers);
            assert!(!found || finding["verdict"] != "proved", "{finding}");
            found
        })
    };
    // Somewhere between the least and the most work that a proof takes, luck decides.
    assert!(
        [90_000, 60_000, 110_000, 40_000, 30_000, 150_000]
            .into_iter()
            .any(wavering)
    );
    // Without a limit no verdict here wavers.
    let answer = s.ioa(&["prove", study, "--repeat", "3"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains("no verdict wavers"), "{answer:?}");
}

/// The opinions of all findings, as text.
fn opinions(document: &Json) -> Vec<String> {
    let findings = document["results"].as_array().expect("results").iter();
    let items =
        findings.flat_map(|finding| finding["items"].as_array().cloned().unwrap_or_default());
    let text = |item: Json| {
        item["opinion"]["text"]
            .as_str()
            .unwrap_or("none")
            .to_owned()
    };
    items.map(text).collect()
}

/// A sandbox with a small automaton, and a stand-in for a solver that does this.
fn with_solver(script: &str) -> Sandbox {
    let s = Sandbox::new();
    s.write(
        "light.ioa",
        automaton("n: Nat := 0", "n := n + 1", "n >= 0"),
    );
    s.write(
        "solver.sh",
        format!("#!/bin/sh\n[ \"$1\" = --version ] && exit\n{script}\n"),
    );
    let path = s.path("solver.sh");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
    s
}

const ASK: [&str; 6] = [
    "prove",
    "light.ioa",
    "--json",
    "--second-opinion",
    "--second-solver",
    "./solver.sh",
];

#[test]
fn a_second_solver_that_agrees_is_named() {
    // It reads the question: nothing else has what only a script has.
    let s = with_solver("grep -q '^(check-sat)' \"$1\" && echo unsat");
    let answer = s.ioa(&ASK);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let said = opinions(&answer.json());
    assert_eq!(said, vec!["solver agrees"; 6]);
    let table = s.ioa(&[&ASK[..2], &ASK[3..]].concat());
    assert!(table.out.contains("second opinion"), "{}", table.out);
    assert!(
        table.out.contains("3 obligations; solver agrees"),
        "{}",
        table.out
    );
}

#[test]
fn a_second_solver_that_denies_a_proof_is_an_error() {
    let s = with_solver("grep -q 'A.Hard / hard' \"$1\" && echo sat || echo unsat");
    let answer = s.ioa(&[&ASK[..], &["--smt-dir", "smt"]].concat());
    assert_eq!(answer.code, Some(2), "{answer:?}");
    let document = answer.json();
    let said = opinions(&document);
    assert_eq!(
        said.iter()
            .filter(|o| *o == "solver DISAGREES: sat")
            .count(),
        1,
        "{said:?}"
    );
    let findings = document["results"].as_array().expect("results");
    let dispute = findings
        .iter()
        .find(|f| f["kind"] == "opinion")
        .expect("a finding");
    assert_eq!(dispute["verdict"], "error");
    let notes = dispute["stories"][0]["notes"].to_string();
    for word in [
        "ioa, with Z3: proved",
        "solver: sat",
        "smt/004-A.Hard-hard.smt2",
    ] {
        assert!(notes.contains(word), "{word} in {notes}");
    }
    assert!(s.path("smt/004-A.Hard-hard.smt2").exists());
    // What one solver denies is not established.
    let denied = findings
        .iter()
        .find(|f| f["name"] == "Hard")
        .expect("a finding");
    assert_eq!(denied["verdict"], "unknown");
}

#[test]
fn a_second_opinion_leaves_no_files_behind() {
    let s = with_solver("grep -q 'A.Hard / hard' \"$1\" && echo sat || echo unsat");
    s.write("long.ioa", products());
    fs::create_dir(s.path("temporary")).expect("a folder");
    let again = vec!["prove", "long.ioa", "--timeout", "200"];
    let table = [&ASK[..2], &ASK[3..]].concat();
    for (args, said) in [
        (table, "the question, as"),
        (again, "in all: what was given up"),
    ] {
        let output = s
            .command(&args)
            .env("TMPDIR", s.path("temporary"))
            .output()
            .expect("ioa runs");
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(out.contains(said), "{said} in {out}");
        let mut left = fs::read_dir(s.path("temporary")).expect("the folder");
        assert!(left.next().is_none(), "{args:?}");
    }
}

#[test]
fn a_second_solver_has_a_limit_of_its_own_and_may_say_nothing() {
    let s = with_solver("exec sleep 60");
    let started = Instant::now();
    let answer = s.ioa(&[&ASK[..], &["--second-timeout", "300"]].concat());
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let said = opinions(&answer.json());
    assert_eq!(said, vec!["solver: no answer within 300.0 ms"; 6]);
    let s = with_solver("echo '(error \"no such thing\")'");
    let said = opinions(&s.ioa(&ASK).json());
    assert_eq!(
        said,
        vec![
            "solver gave an answer that is none of sat, unsat and unknown: (error \"no such thing\")";
            6
        ]
    );
    let s = with_solver("echo unknown");
    assert_eq!(opinions(&s.ioa(&ASK).json()), vec!["solver: unknown"; 6]);
}

#[test]
fn a_second_solver_that_is_not_there_is_bad_usage() {
    let s = Sandbox::new();
    let ask = [
        "prove",
        "cons.ioa",
        "--second-opinion",
        "--second-solver",
        "no-such-solver",
    ];
    refused(&s.ioa(&ask), "cannot run the second solver no-such-solver");
    refused(
        &s.ioa(&["prove", "cons.ioa", "--second-solver", "cvc5"]),
        "--second-opinion",
    );
}

#[test]
fn cvc5_agrees_where_it_is_installed() {
    let installed = Command::new("cvc5")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !installed.is_ok_and(|status| status.success()) {
        println!("skipped: cvc5 is not installed");
        return;
    }
    let s = Sandbox::new();
    let answer = s.ioa(&["prove", ".", "--json", "--second-opinion"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let said = opinions(&answer.json());
    let agreed = said.iter().filter(|o| *o == "cvc5 agrees").count();
    assert!(
        10 * agreed >= 9 * said.len(),
        "{agreed} of {}: {said:?}",
        said.len()
    );
}

#[test]
fn a_script_says_what_was_found_and_what_answers_would_mean() {
    let s = Sandbox::new();
    s.write("light.ioa", automaton("n: Nat := 0", "n := n + 1", "n < 5"));
    s.ioa(&["prove", "light.ioa", "--smt-dir", "smt"]);
    let read = |name: &str| fs::read_to_string(s.path("smt").join(name)).expect("a script");
    let refuted = read("004-A.Hard-hard.smt2");
    assert!(
        refuted.contains(
            "; What ioa prove found: refuted (the answer is sat, with a counterexample)\n"
        ),
        "{refuted}"
    );
    let proved = read("002-A.Hard-start.smt2");
    assert!(
        proved.contains("; What ioa prove found: proved (the answer is unsat)\n"),
        "{proved}"
    );
    for script in [refuted, proved] {
        assert!(
            script.contains("; What the answers would mean:\n"),
            "{script}"
        );
        assert!(!script.contains("unsat: proved"), "{script}");
    }
}

#[test]
fn theories_that_nothing_finite_satisfies_are_told_of() {
    let s = Sandbox::new();
    let theories = "type P
vocabulary V
  operators
    next: P -> P,
    first: -> P
  axioms
    with x: P, y: P
    next(x) ~= first;
    next(x) = next(y) => x = y;
end
imports V
";
    s.write(
        "a.ioa",
        theories.to_owned() + &automaton("at: P := first", "at := next(at)", "next(at) ~= first"),
    );
    let answer = s.ioa(&["prove", "a.ioa"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let warning = "warning: no finite instance of A was found: V.1, V.2 cannot hold with up to 3 elements of each sort, \
                   so nothing can be run (at a.ioa:8:5 and a.ioa:9:5)";
    assert!(answer.out.contains(warning), "{}", answer.out);
    let refuted = s.ioa(&["run", "a.ioa", "--random", "--sort", "P=3"]);
    assert_eq!(refuted.code, Some(2), "{refuted:?}");
}

#[test]
fn what_is_inductive_is_a_part_of_the_time_that_candidates_take() {
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/../case-studies/paxos");
    let args = ["infer", study, "--inductive", "--json"];
    let document = Sandbox::new().ioa(&args).json();
    let (row, all) = (&document["results"][0]["seconds"], &document["seconds"]);
    let (row, all) = (row.as_f64().expect("a row"), all.as_f64().expect("a total"));
    assert!(2.0 * row > all, "{row} of {all}");
}

/// A text with an invariant that is false at the start, as far as one can tell.
fn started(declared: &str, state: &str, stated: &str) -> String {
    format!(
        "{declared}
automaton A
  signature
    internal rest
  states
    {state}
  transitions
    internal rest
invariant Stated of A: {stated}
"
    )
}

#[test]
fn a_start_state_that_violates_an_invariant_is_an_execution() {
    let named = "type P
vocabulary Names
  operators name: P -> Nat
  axioms \\A p: P (name(p) > 7)
end
imports Names";
    let texts = [
        started("", "n: Nat := 0", "n > 5"),
        started(
            "type P",
            "s: Set[P] := choose t where t ~= {}",
            "size(s) ~= 1",
        ),
        started(
            named,
            "a: Array[P, Nat] := constant(3)",
            "\\A p: P (a[p] > name(p))",
        ),
    ];
    for text in texts {
        let s = Sandbox::new();
        s.write("a.ioa", &text);
        let answer = s.ioa(&["prove", "a.ioa", "--only", "Stated"]);
        assert_eq!(answer.code, Some(1), "{text}{answer:?}");
        assert!(
            answer.out.contains("invariant Stated of A is violated"),
            "{answer:?}"
        );
        assert!(!answer.out.contains("note: this"), "{answer:?}");
    }
}

#[test]
fn a_start_state_that_nobody_can_compute_refutes_and_violates_nothing() {
    let s = Sandbox::new();
    s.write("a.ioa", started("", "n: Int := div(1, 0)", "n > 5"));
    let answer = s.ioa(&["prove", "a.ioa", "--only", "Stated"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(
        answer.out.contains("the executor does not confirm"),
        "{answer:?}"
    );
}

#[test]
fn what_is_lost_with_a_false_invariant_is_shown_where_it_breaks() {
    let s = Sandbox::new();
    let text = started("", "n: Nat := 0", "n > 5");
    let text = text.replace(
        "internal rest\ninv",
        "internal rest\n      eff n := n * 2\ninv",
    );
    s.write("a.ioa", format!("{text}invariant Small of A: n < 3\n"));
    let answer = s.ioa(&["prove", "a.ioa"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let (_, lost) = answer
        .out
        .split_once("A.Small / rest is not established: its proof needs Stated, which is violated")
        .expect("it is told");
    for shown in ["n = 2", "n = 4   (was 2)", "false: n < 3"] {
        assert!(lost.contains(shown), "{shown} in {lost}");
    }
}

#[test]
fn the_values_that_decide_a_false_conjunct_are_shown() {
    let s = Sandbox::new();
    s.write(
        "turns.ioa",
        "type P
automaton Turns
  signature
    internal next(p: P)
  states
    number: Array[P, Nat] := constant(0)
  transitions
    internal next(p)
      eff number[p] := number[p] + 1
invariant Even of Turns: true /\\ \\A p: P \\A q: P (number[p] = number[q])
",
    );
    for method in [vec![], vec!["--k-induction", "1"]] {
        let command = [vec!["prove", "turns.ioa"], method].concat();
        let out = s.ioa(&command).out;
        assert!(out.contains("false: number[p] = number[q]\n"), "{out}");
        assert!(out.contains("number[p] = "), "{out}");
        assert!(out.contains("number[q] = "), "{out}");
    }
}

#[test]
fn what_is_not_shown_of_many_counterexamples_is_counted_and_named() {
    let s = Sandbox::new();
    let clauses = ["a", "b", "c", "d", "e"];
    let of = |line: fn(&str) -> String| clauses.map(line).concat();
    let text = format!(
        "automaton A\n  signature\n    internal {}\n  states\n    n: Int := 0\n  transitions\n{}invariant NotThree of A: n ~= 3\n",
        clauses.join(", "),
        of(|clause| format!("    internal {clause}\n      eff n := n - 2\n")),
    );
    s.write("a.ioa", text);
    let short = s.ioa(&["prove", "a.ioa"]).out;
    assert!(
        short.contains("a, b, c, d and e break it (5 of 6 obligations)"),
        "{short}"
    );
    assert_eq!(
        short.matches("is not established\n  a state").count(),
        3,
        "{short}"
    );
    let rest = "2 more counterexamples, shown by --full:\n    A.NotThree / d is not established\n    A.NotThree / e is not established\n";
    assert!(short.contains(rest), "{short}");
    assert_eq!(short.matches("note: ").count(), 1, "{short}");
    let full = s.ioa(&["prove", "a.ioa", "--full"]).out;
    assert_eq!(
        full.matches("is not established\n  a state").count(),
        5,
        "{full}"
    );
    assert!(!full.contains("shown by --full"), "{full}");
    let json = s.ioa(&["prove", "a.ioa", "--json"]).out;
    assert_eq!(json.matches("\"headline\"").count(), 5, "{json}");
}

/// A lock that is granted to one client at a time, and what is promised of it.
const LOCK: &str = "type Client
automaton Locks
  signature
    internal grant(c: Client), take(c: Client), release(c: Client)
  states
    free: Bool := true,
    granted: Set[Client] := {},
    holds: Set[Client] := {}
  transitions
    internal grant(c)
      pre free
      eff free := false; granted := insert(c, granted)
    internal take(c)
      pre c \\in granted
      eff granted := delete(c, granted); holds := insert(c, holds)
    internal release(c)
      pre c \\in holds
      eff holds := delete(c, holds); free := true
invariant Mutex of Locks: \\A c: Client \\A d: Client (c \\in holds /\\ d \\in holds => c = d)
";

#[test]
fn a_state_that_no_execution_reaches_is_excluded_by_candidates_that_can_be_pasted() {
    let s = Sandbox::new();
    s.write("lock.ioa", LOCK);
    let answer = s.ioa(&["prove", "lock.ioa"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    let unreached =
        "no execution reaches the first state (all reachable states at Client=2 were visited)";
    assert!(answer.out.contains(unreached), "{}", answer.out);
    let is_candidate = |line: &&str| line.trim_start().starts_with("invariant Lemma");
    let candidates: Vec<&str> = answer.out.lines().filter(is_candidate).collect();
    assert!(!candidates.is_empty(), "{}", answer.out);
    // They are true, and the obligation that failed is proved with their help.
    s.write("lock.ioa", format!("{LOCK}{}\n", candidates.join("\n")));
    let explored = s.ioa(&["explore", "lock.ioa", "--sort", "Client=3"]);
    assert_eq!(explored.code, Some(0), "{explored:?}");
    let again = s.ioa(&["prove", "lock.ioa", "--only", "Mutex"]);
    assert!(
        !again.out.contains("Locks.Mutex / take is not established"),
        "{}",
        again.out
    );
}

#[test]
fn a_state_that_an_execution_reaches_makes_the_verdict_a_violation() {
    let s = Sandbox::new();
    let broken = LOCK.replace("free := false; ", "");
    s.write(
        "lock.ioa",
        format!("{broken}invariant Some of Locks: size(granted) < 2\n"),
    );
    let answer = s.ioa(&["prove", "lock.ioa"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    for name in ["Mutex", "Some"] {
        let told = format!("invariant {name} of Locks is violated");
        assert!(answer.out.contains(&told), "{}", answer.out);
    }
    assert!(
        answer
            .out
            .contains("4 steps from a start state; none is shorter"),
        "{}",
        answer.out
    );
    assert!(
        !answer.out.contains("counterexample to induction"),
        "{}",
        answer.out
    );
}

#[test]
fn nothing_is_said_of_reachability_where_not_all_states_are_visited() {
    let s = Sandbox::new();
    s.write(
        "count.ioa",
        "automaton Count
  signature
    internal up, add
  states
    n: Nat := 0,
    m: Nat := 0
  transitions
    internal up
      eff n := n + 2
    internal add
      eff m := m + n
invariant Even of Count: mod(m, 2) = 0
",
    );
    let answer = s.ioa(&["prove", "count.ioa"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(
        answer
            .out
            .contains("no execution need reach the first state"),
        "{}",
        answer.out
    );
    assert!(!answer.out.contains("were visited)"), "{}", answer.out);
}

#[test]
fn a_failed_simulation_says_which_automaton_is_in_a_state_that_is_not_reached() {
    let s = Sandbox::new();
    s.write(
        "queue.ioa",
        "type Val
automaton Cell
  signature
    input put(v: Val)
    output got(v: Val)
  states
    val: Null[Val] := nil
  transitions
    input put(v)
      eff if val = nil then val := embed(v) fi
    output got(v)
      pre val = embed(v)
automaton Queue
  signature
    input put(v: Val)
    output got(v: Val)
  states
    q: Seq[Val] := {},
    out: Null[Val] := nil
  transitions
    input put(v)
      eff if q = {} then q := q |- v; out := embed(v) fi
    output got(v)
      pre out = embed(v)
forward simulation from Queue to Cell:
  (Cell.val = nil) <=> (Queue.q = {})
  proof
    for input put(v: Val) do fire input put(v) od
    for output got(v: Val) do fire output got(v) od
",
    );
    let answer = s.ioa(&["prove", "queue.ioa"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    let unreached = "no execution reaches the first state of Queue (all reachable states at Val=1";
    assert!(answer.out.contains(unreached), "{}", answer.out);
    assert!(
        answer.out.contains("invariant Lemma1 of Queue: "),
        "{}",
        answer.out
    );
}

#[test]
fn a_proof_block_that_an_execution_refutes_makes_the_verdict_a_violation() {
    let s = Sandbox::new();
    s.write(
        "count.ioa",
        "automaton Up
  signature
    output tick
  states
    n: Nat := 0
  transitions
    output tick
      eff n := n + 1
automaton Few
  signature
    output tick
  states
    left: Nat := 3
  transitions
    output tick
      pre left > 0
      eff left := left - 1
forward simulation from Up to Few:
  Up.n + Few.left >= 3
  proof
    for output tick do fire output tick od
",
    );
    let answer = s.ioa(&["prove", "count.ioa"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.out.contains("false: left > 0"), "{}", answer.out);
    assert!(
        answer.out.contains("--simulation \"Up to Few\""),
        "{}",
        answer.out
    );
}

/// A start with one holder, whoever that is. Z3 instantiates no quantifier over sets reliably, so the set that the predicate names is
/// looked at instead.
#[test]
fn a_choice_of_what_its_predicate_determines_takes_little_work() {
    let model = |predicate: &str| {
        format!(
            "type Host
automaton Locks
  signature internal pass(g, h: Host)
  states holders: Set[Host] := choose s where {predicate}
  transitions
    internal pass(g, h)
      pre g \\in holders
      eff holders := insert(h, delete(g, holders))
invariant One of Locks: \\A g, h: Host (g \\in holders /\\ h \\in holders => g = h)
"
        )
    };
    let s = Sandbox::new();
    let code = |predicate: &str| {
        s.write("model.ioa", model(predicate));
        s.ioa(&["prove", "model.ioa", "--rlimit", "2000"]).code
    };
    assert_eq!(code("\\E h: Host (s = {h})"), Some(0));
    assert_eq!(code("\\E g, h: Host (g = h /\\ {h} = s)"), Some(0));
    assert_eq!(code("\\E h: Host (s = {h} /\\ h \\notin s)"), Some(3));
}
