//! Where a search begins: automata without a start state, with very many of them, and with steps that lead to very many
//! states.

use std::fs;
use std::time::{Duration, Instant};

use super::Sandbox;

/// Nothing satisfies the start condition; `High` is fine.
const NOWHERE: &str = "\
automaton Low
  signature
    internal go
  states
    n: Nat := 0
    so that n = 1
  transitions
    internal go
      eff n := div(1, 0)
automaton High
  signature
    internal go
  states
    n: Nat := 0
  transitions
    internal go
invariant Seven of Low: n = 7
";

const FORWARD: &str = "\
forward simulation from Low to High: Low.n = High.n
  proof
    for internal go ignore
";

const BACKWARD: &str = "backward simulation from Low to High: Low.n = High.n\n";

#[test]
fn an_automaton_without_a_start_state_is_no_success_whoever_is_asked() {
    let s = Sandbox::with("low.ioa", NOWHERE);
    for (command, count) in [
        ("explore low.ioa --automaton Low", 3),
        ("explore low.ioa --automaton Low --no-native", 3),
        (
            "explore low.ioa --automaton Low --keep-going --find n=0 --check n<9",
            3,
        ),
        ("run low.ioa --automaton Low --random", 1),
        ("infer low.ioa --automaton Low --random", 1),
    ] {
        let answer = s.run(command);
        answer.says(3, "no start state");
        assert_eq!(answer.out.matches("vacuous").count(), count, "{answer:?}");
        for word in ["explored", "tested", "violated", "holds in all"] {
            assert!(!answer.out.contains(word), "{word} {answer:?}");
        }
    }
    for (simulation, flags) in [(FORWARD, "--random"), (BACKWARD, "")] {
        let text = format!("{NOWHERE}{simulation}");
        fs::write(s.path("pair.ioa"), text).expect("a written file");
        s.run(&format!("pair pair.ioa {flags}")).says(3, "vacuous");
    }
}

#[test]
fn the_place_where_the_start_condition_stands_is_shown_with_the_command() {
    let s = Sandbox::with("low.ioa", NOWHERE);
    let answer = s.explore("low.ioa --automaton Low");
    for what in [
        "there is no start state: no state satisfies the start condition",
        "at low.ioa:6:13",
        "see it again: ioa explore low.ioa --automaton Low",
    ] {
        answer.says(3, what);
    }
}

#[test]
fn a_study_without_a_start_state_does_not_verify() {
    let s = Sandbox::new();
    let manifest = "\
[study]
name = \"low\"
sources = [\"low.ioa\"]
[[run]]
automaton = \"Low\"
random = true
[[explore]]
automaton = \"Low\"
[[pair]]
simulation = \"Low to High\"
random = true
[infer]
automaton = \"Low\"
";
    let text = format!("{NOWHERE}{FORWARD}");
    fs::write(s.path("low.ioa"), text).expect("a written file");
    fs::write(s.path("ioa.toml"), manifest).expect("a written file");
    let answer = s.run("verify .");
    answer.says(3, "vacuous");
    for word in ["explored", "tested", "violated"] {
        assert!(!answer.out.contains(word), "{word} {answer:?}");
    }
}

/// Each of very many sets with each of very many others, to begin with or after one step.
fn many(is_start: bool) -> String {
    let (variables, step) = match is_start {
        true => ("a: Set[Node], b: Set[Node]", "pre a = b"),
        false => (
            "a: Set[Node] := {}, b: Set[Node] := {}",
            "pre a = {} eff a := choose s where true; b := choose t where true",
        ),
    };
    format!(
        "\
type Node
automaton Many
  signature
    internal go, rest
  states
    {variables}
  transitions
    internal go
      {step}
    internal rest
invariant Small of Many: size(b) < 9
"
    )
}

#[test]
fn all_bounds_hold_among_start_states_and_among_the_steps_of_one_state() {
    for is_start in [true, false] {
        let s = Sandbox::with("many.ioa", &many(is_start));
        for flags in ["", "--no-native"] {
            for (bound, word) in [("--time 0.02", "time"), ("--memory 1M", "memory")] {
                let begun = Instant::now();
                let all = format!("many.ioa --sort Node=18 --only deadlock {bound} {flags}");
                let answer = s.explore(&all);
                let stopped = format!("stopped at the bound on {word}");
                assert!(answer.out.contains(&stopped), "{answer:?}");
                // On a slow machine the time may be over before there is a state.
                assert!(matches!(answer.code, Some(0 | 3)), "{answer:?}");
                assert!(!answer.out.contains("explored"), "{answer:?}");
                assert!(begun.elapsed() < Duration::from_secs(60), "{all}");
            }
        }
    }
    let s = Sandbox::with("many.ioa", &many(true));
    let answer = s.explore("many.ioa --sort Node=18 --only deadlock --states 100");
    answer.says(0, "100 states");
    answer.says(0, "stopped at the bound on states");
}

#[test]
fn what_is_found_among_the_start_states_that_were_visited_is_told() {
    let s = Sandbox::with("many.ioa", &many(true));
    let answer = s.explore("many.ioa --sort Node=12 --states 5000 --keep-going");
    answer.says(1, "invariant Small of Many is violated");
    answer.says(1, "stopped at the bound on states");
}

#[test]
fn a_search_that_was_stopped_among_start_states_can_be_taken_up_again() {
    let s = Sandbox::with("many.ioa", &many(true));
    let model = "many.ioa --sort Node=6";
    let whole = super::plain(s.json(model));
    let part = s.explore(&format!("{model} --states 100 --checkpoint kept"));
    part.says(0, "--resume kept goes on");
    assert_eq!(
        super::plain(s.json(&format!("{model} --resume kept"))),
        whole
    );
}
