//! `ioa explore --simulation`: a simulation on all states.

use std::fs;

use serde_json::Value as Json;

use super::Sandbox;

/// A buffer that is filled and emptied in steps, and what is seen of it.
const BUFFER: &str = "\
type Item
automaton Spec
  signature input put(x: Item) output get(x: Item)
  states held: Set[Item] := {}
  transitions
    input put(x) eff held := insert(x, held)
    output get(x) pre x \\in held eff held := delete(x, held)
automaton Impl
  signature input put(x: Item) internal move(x: Item) output get(x: Item)
  states inbox: Set[Item] := {}, outbox: Set[Item] := {}
  transitions
    input put(x) eff inbox := insert(x, inbox)
    internal move(x) pre x \\in inbox eff inbox := delete(x, inbox); outbox := insert(x, outbox)
    output get(x) pre x \\in outbox eff outbox := delete(x, outbox)
";

const BLOCK: &str = "
  proof
    initially Spec.held := {}
    for input put(x: Item) do fire input put(x) od
    for internal move(x: Item) ignore
    for output get(x: Item) do fire output get(x) od
";

/// An item that is put again while it waits in the outbox is held twice: a forward simulation cannot hide that.
#[test]
fn a_shortest_execution_that_cannot_be_followed_is_shown() {
    let s = Sandbox::with("buffer.ioa", BUFFER);
    let relation = "forward simulation from Impl to Spec: Spec.held = Impl.inbox \\U Impl.outbox";
    for (block, said) in [
        (
            BLOCK,
            "the relation between Impl and Spec does not hold afterwards",
        ),
        (
            "",
            "no steps of Spec answer get(Item#0) from a related state",
        ),
    ] {
        fs::write(s.path("claim.ioa"), format!("{relation}{block}\n")).expect("a written file");
        let mut command = s.ioa("explore buffer.ioa claim.ioa --sort Item=2 --full --simulation");
        command.arg("Impl to Spec");
        let answer = super::Answer::of(&command.output().expect("ioa runs"));
        answer.says(1, said);
        answer.says(1, "see it again: ioa explore buffer.ioa claim.ioa --sort Item=2 --simulation \"Impl to Spec\"");
        if !block.is_empty() {
            // Put, move, put again, get.
            for step in [
                "1: Impl takes input put(Item#",
                "2: ",
                "3: ",
                "4: Impl takes output get(Item#",
            ] {
                answer.says(1, step);
            }
            assert!(!answer.out.contains("\n  5: "), "{answer:?}");
        }
    }
}

#[test]
fn a_study_follows_a_simulation_that_holds_along_all_executions() {
    let s = Sandbox::with("buffer.ioa", BUFFER);
    // What is there already is not taken in again.
    let mended = BUFFER.replace(
        "input put(x) eff inbox := insert(x, inbox)",
        "input put(x) eff if x \\notin outbox then inbox := insert(x, inbox) fi",
    );
    fs::write(s.path("buffer.ioa"), mended).expect("a written file");
    let claim = format!(
        "forward simulation from Impl to Spec: Spec.held = Impl.inbox \\U Impl.outbox{BLOCK}"
    );
    fs::write(s.path("claim.ioa"), claim).expect("a written file");
    let study = |how: &str| {
        let text = format!(
            "[study]\nname = \"buffer\"\nsources = [\"buffer.ioa\", \"claim.ioa\"]\n[sizes]\nItem = 2\n\
             [[pair]]\nsimulation = \"Impl to Spec\"\n{how}\n"
        );
        fs::write(s.path("ioa.toml"), text).expect("a written file");
        s.run("verify .")
    };
    let answer = study("exhaustive = true");
    answer.says(0, "explored");
    s.run("pair .").says(0, "all executions: 9 pairs of states");
    study("exhaustive = true\nrandom = true").says(2, "a [[pair]] has one of");
    study("").says(2, "a [[pair]] has one of");
}

#[test]
fn what_makes_no_sense_with_a_simulation_is_refused() {
    let s = Sandbox::with("buffer.ioa", BUFFER);
    s.explore("buffer.ioa --sort Item=2 --simulation Impl --symmetry")
        .says(2, "--symmetry");
    s.explore("buffer.ioa --sort Item=2 --simulation Impl")
        .says(2, "Impl");
}

/// A pair of counters without end, which differ from the fifth step on.
const COUNTERS: &str = "\
automaton Low signature output up, internal reset states n: Nat := 0
  transitions
    output up eff n := n + 1
    internal reset pre n > 6 eff n := 0
automaton High signature output up states n: Nat := 0
  transitions output up eff n := n + 1
forward simulation from Low to High: High.n = Low.n
  proof
    initially High.n := 0
    for output up do fire output up od
    for internal reset ignore
";

#[test]
fn a_simulation_of_a_model_without_end_is_followed_within_a_formula() {
    let s = Sandbox::with("counters.ioa", COUNTERS);
    let explore = |more: &[&str]| {
        let mut command = s.ioa("explore counters.ioa --simulation");
        command.arg("Low to High").args(more);
        super::Answer::of(&command.output().expect("ioa runs"))
    };
    let inside = explore(&["--within", "n < 5"]);
    inside.says(0, "6 pairs of states, 5 low and 5 high steps, depth 5");
    inside.says(0, "what follows states outside of --within is not visited");
    assert!(!inside.out.contains("explored"), "{inside:?}");
    let restricted = explore(&["--within", "n < 9", "--when", "reset: false"]);
    restricted.says(0, "10 pairs of states");
    let wrong = explore(&["--within", "n < 9"]);
    wrong.says(
        1,
        "at step 8: the relation between Low and High does not hold",
    );
    wrong.says(1, "--simulation \"Low to High\" --within 'n < 9'");
    explore(&["--within", "m < 9"]).says(2, "unknown name `m`");
    explore(&["--within", ""]).says(2, "--within wants a formula");
}

/// A definition is checked on all states there are: a bound that it would not keep is refused.
#[test]
fn a_simulation_that_is_not_followed_has_no_bounds() {
    let end = COUNTERS.find("  proof").expect("a block");
    let s = Sandbox::with("counters.ioa", &COUNTERS[..end]);
    for bound in ["--within", "--when"] {
        let mut command = s.ioa("explore counters.ioa --simulation");
        let text = if bound == "--when" {
            "up: n < 3"
        } else {
            "n < 3"
        };
        command.args(["Low to High", bound, text]);
        let answer = super::Answer::of(&command.output().expect("ioa runs"));
        answer.says(2, "Low to High is not followed along executions");
    }
}

#[test]
fn a_study_bounds_the_pairs_that_it_follows() {
    let s = Sandbox::with("counters.ioa", COUNTERS);
    let verify = |pair: &str| {
        let text = format!(
            "[study]\nname = \"counters\"\nsources = [\"counters.ioa\"]\n[[pair]]\nsimulation = \"Low to High\"\n{pair}\n"
        );
        fs::write(s.path("ioa.toml"), text).expect("a written file");
        s.run("pair .")
    };
    verify("exhaustive = true\nstates = 4").says(0, "stopped at the bound on states");
    verify("exhaustive = true\nwithin = \"n < 5\"").says(0, "6 pairs of states");
    verify("exhaustive = true\nwithin = [\"n < 5\", \"n < 3\"]").says(0, "4 pairs of states");
    verify("exhaustive = true\nwhen = [\"up: n < 2\"]").says(0, "3 pairs of states");
    verify("exhaustive = true\nwithin = 5").says(2, "expected a text, or a list of texts");
    for bound in [
        "states = 4",
        "within = [\"n < 5\"]",
        "when = [\"up: n < 2\"]",
    ] {
        verify(&format!("random = true\n{bound}")).says(2, "that exhaustive = true asks for");
    }
}

/// So many pairs as a bound allows are all of them.
#[test]
fn a_bound_on_pairs_that_is_reached_and_not_passed_bounds_nothing() {
    let s = Sandbox::new();
    let study = super::study("two-phase-commit");
    for engine in ["--threads=2", "--no-native"] {
        let explore = |states: &str| {
            let mut command = s.ioa(&format!(
                "explore {study} --sort RM=3 {engine} --states {states} --simulation"
            ));
            command.arg("TwoPhase to TCommit");
            super::Answer::of(&command.output().expect("ioa runs"))
        };
        explore("288").says(0, "all executions: 288 pairs of states");
        explore("287").says(0, "stopped at the bound on states");
    }
}

/// Both automata as one, in machine code, show what the interpreter shows when it runs them side by side.
#[test]
fn machine_code_finds_what_the_interpreter_finds() {
    let s = Sandbox::with("counters.ioa", COUNTERS);
    let relation = "forward simulation from Impl to Spec: Spec.held = Impl.inbox \\U Impl.outbox";
    fs::write(s.path("buffer.ioa"), BUFFER).expect("a written file");
    fs::write(s.path("claim.ioa"), format!("{relation}{BLOCK}\n")).expect("a written file");
    let study = |name: &str| super::study(name);
    let cases = [
        ("counters.ioa --within", "n < 5", "Low to High", true),
        ("counters.ioa --within", "n < 9", "Low to High", false),
        (
            "claim.ioa buffer.ioa --sort",
            "Item=2",
            "Impl to Spec",
            false,
        ),
        (
            &study("two-phase-commit"),
            "--sort=RM=3",
            "TwoPhase to TCommit",
            true,
        ),
        (
            &study("paxos"),
            "--sort=Ballot=1,Node=2,Value=1",
            "Global1 to Cons",
            true,
        ),
        (
            &study("lamport-paxos"),
            "--sort=Ballot=2,Acceptor=2,Value=2",
            "Paxos to Consensus",
            true,
        ),
        (
            &study("migrating-table"),
            "--sort=Client=1",
            "MigratingTable to Table",
            true,
        ),
    ];
    for (files, more, simulation, holds) in cases {
        let found = |engine: &str| {
            let mut command = s.ioa(&format!("explore {files}"));
            command.args([more, "--json", "--simulation", simulation]);
            let output = command.arg(engine).output().expect("ioa runs");
            let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
            let document: Json = serde_json::from_str(&text).expect("a document");
            let mut finding = super::plain(document["results"][0].clone());
            let replay = finding["replay"].take();
            assert_eq!(
                replay
                    .as_str()
                    .is_some_and(|line| line.ends_with(" --no-native")),
                !holds && engine == "--no-native",
                "{replay}"
            );
            if !holds {
                // Of the last level, not all need to be visited, and there are several shortest executions.
                finding["figures"].take();
                let mut stories = finding["stories"].take();
                finding["headline"] = stories[0]["headline"].take();
                assert!(finding["headline"].is_string(), "{finding}");
            }
            finding
        };
        let machine = found("--threads=2");
        assert_eq!(machine, found("--no-native"), "{files} {more}");
        let verdict = machine["verdict"].as_str();
        assert_eq!(verdict == Some("violated"), !holds, "{machine}");
    }
}
