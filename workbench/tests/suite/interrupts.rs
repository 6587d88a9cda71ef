//! Long commands that are stopped, by an interrupt or because their time is over: they say what they found so far.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::sandbox::{Answer, Sandbox};

/// Numbers that grow for ever, by two actions.
const ENDLESS: &str = "\
automaton Endless
  signature internal up(k: Nat), down
  states n: Int := 0, m: Int := 0
  transitions
    internal up(k) where k < 9 eff n := n + k + 1; m := m + 1
    internal down eff n := n - 1
invariant Known of Endless: m >= 0
";

/// More states than anybody visits.
const MANY: &str = "\
type Switch
automaton Many
  signature internal flip(s: Switch)
  states on: Array[Switch, Bool] := constant(false)
  transitions internal flip(s) eff on[s] := ~on[s]
";

/// Fourteen products of two numbers, each by the sum of those before it: the solver is long about them.
fn products() -> String {
    let effect = ["n := n * m + 1; m := m * n + n"; 14].join("; ");
    format!(
        "automaton A\n  signature internal hard\n  states n: Int := 1, m: Int := 1\n  \
         transitions internal hard eff {effect}\ninvariant Hard of A: n <= m * m\n"
    )
}

/// Twenty arrays of numbers, each of which follows the one before it: many relations hold, and for each the solver is asked whether the
/// others imply it.
fn followers() -> String {
    let all = |one: &dyn Fn(usize) -> String| -> Vec<String> { (0..20).map(one).collect() };
    let steps = all(&|n| format!("step{n}(p: P)")).join(", ");
    let states = all(&|n| format!("    a{n}: Array[P, Nat] := constant(0)")).join(",\n");
    let limit = |n: usize| match n.checked_sub(1) {
        Some(before) => format!("a{before}[p]"),
        None => "3".to_owned(),
    };
    let clause = |n: usize| {
        let limit = limit(n);
        format!("    internal step{n}(p) pre a{n}[p] < {limit} eff a{n}[p] := a{n}[p] + 1")
    };
    let clauses = all(&clause).join("\n");
    format!(
        "type P\nautomaton Followers\n  signature internal {steps}\n  states\n{states}\n  \
         transitions\n{clauses}\n"
    )
}

#[test]
fn candidates_are_compared_with_each_other_within_the_time() {
    let s = Sandbox::new();
    s.write("model.ioa", followers());
    let started = Instant::now();
    let answer = s.ioa(&["infer", "model.ioa", "--sort", "P=2", "--time", "20"]);
    let took = started.elapsed();
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert!(answer.out.contains("invariant Cand1"), "{answer:?}");
}

/// Runs a command and interrupts it after a while; it has to end soon.
fn interrupted(s: &Sandbox, args: &str) -> Answer {
    signalled(s, args, "-INT", 1)
}

/// Runs a command and sends it a signal after a while, so many times at once; it has to end soon.
fn signalled(s: &Sandbox, args: &str, signal: &str, times: usize) -> Answer {
    let child = s
        .command(&args.split_whitespace().collect::<Vec<_>>())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ioa runs");
    std::thread::sleep(Duration::from_millis(2500));
    let started = Instant::now();
    let process = child.id().to_string();
    let processes = vec![process; times];
    let sent = Command::new("kill").arg(signal).args(&processes).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("a status");
    let took = started.elapsed();
    assert!(took < Duration::from_secs(30), "{args}: {took:?}");
    let answer = Answer::of(&output);
    assert_eq!(answer.code, Some(130), "{args}: {answer:?}");
    assert!(answer.err.contains("interrupted"), "{args}: {answer:?}");
    answer
}

fn endless() -> Sandbox {
    let s = Sandbox::new();
    s.write("endless.ioa", ENDLESS);
    s
}

#[test]
fn a_request_to_terminate_is_an_interrupt() {
    let answer = signalled(&endless(), "explore endless.ioa", "-TERM", 1);
    assert!(answer.out.contains("Known"), "{answer:?}");
}

/// `timeout` of GNU sends a signal to the process that it has started, and then to its whole group.
#[test]
fn a_request_that_comes_twice_at_once_is_one() {
    let s = endless();
    for signal in ["-TERM", "-INT"] {
        let answer = signalled(&s, "explore endless.ioa", signal, 2);
        assert!(answer.out.contains("Known"), "{answer:?}");
    }
}

#[test]
fn runs_say_how_many_there_were() {
    for args in [
        "run endless.ioa --random --steps 1000000000000",
        "run endless.ioa --random --steps 1000 --runs 1000000000",
    ] {
        let answer = interrupted(&endless(), args);
        assert!(answer.out.contains("; interrupted"), "{answer:?}");
        assert!(answer.out.contains(" tested "), "{answer:?}");
    }
}

#[test]
fn an_exploration_says_what_it_visited_and_can_go_on() {
    let s = Sandbox::new();
    s.write("many.ioa", MANY);
    let explore = "explore many.ioa --sort Switch=40 --memory 8G";
    let answer = interrupted(&s, &format!("{explore} --checkpoint kept"));
    assert!(answer.out.contains("interrupted"), "{answer:?}");
    assert!(answer.out.contains(" unknown "), "{answer:?}");
    assert!(
        answer.out.contains("kept in kept: --resume kept goes on"),
        "{answer:?}"
    );
    let on = format!("{explore} --resume kept --time 1");
    let args: Vec<&str> = on.split_whitespace().collect();
    let resumed = s.ioa(&args);
    assert!(resumed.out.contains("went on from "), "{resumed:?}");
}

#[test]
fn a_proof_is_told_as_far_as_it_got_or_why_it_is_not() {
    let s = Sandbox::new();
    s.write("a.ioa", products());
    let answer = interrupted(&s, "prove a.ioa --timeout 600000");
    assert!(!answer.out.contains("proved"), "{answer:?}");
}

#[test]
fn all_of_a_study_is_answered_as_far_as_it_got() {
    let s = endless();
    s.write(
        "ioa.toml",
        "[study]\nname = \"endless\"\nsources = [\"endless.ioa\"]\n[[run]]\nautomaton = \"Endless\"\nrandom = true\n\
         runs = 1000000000\n[[explore]]\nautomaton = \"Endless\"\n[prove]\n",
    );
    let answer = interrupted(&s, "verify .");
    let rows = ["random: ", "all states are visited", "Known "];
    assert!(
        rows.iter().all(|row| answer.out.contains(row)),
        "{answer:?}"
    );
    assert!(
        answer
            .out
            .contains("Interrupted before everything was answered"),
        "{answer:?}"
    );
}

#[test]
fn candidates_found_so_far_are_shown() {
    let s = endless();
    let answer = interrupted(
        &s,
        "infer endless.ioa --random --runs 1000000000 --steps 100",
    );
    assert!(answer.out.contains("candidates"), "{answer:?}");
}

#[test]
fn a_command_may_be_given_so_much_time() {
    let s = endless();
    let timed = |args: &str| {
        let args: Vec<&str> = args.split_whitespace().collect();
        let started = Instant::now();
        let answer = s.ioa(&args);
        assert!(started.elapsed() < Duration::from_secs(30), "{args:?}");
        answer
    };
    let run = timed("run endless.ioa --random --runs 1000000000 --time 2 --json");
    assert_eq!(run.code, Some(0), "{run:?}");
    let finding = &run.json()["results"][0];
    assert_eq!(finding["verdict"], "tested", "{run:?}");
    assert_eq!(finding["bound"], "time", "{run:?}");
    s.write("a.ioa", products());
    let proof = timed("prove a.ioa --timeout 600000 --time 0.5");
    assert_eq!(proof.code, Some(3), "{proof:?}");
}
