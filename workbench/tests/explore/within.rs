//! `--within`: a search that stays where a formula holds.

use std::fs;

use super::Sandbox;

/// Numbers without end, and a state behind the border that is wrong.
const GROW: &str = "\
type P
automaton Grow
  signature internal up(p: P), reset
  states n: Array[P, Int] := constant(0)
  transitions
    internal up(p) eff n[p] := n[p] + 1
    internal reset pre \\A p: P (n[p] > 4) eff n := constant(0 - 1)
invariant Positive of Grow: \\A p: P (n[p] >= 0)
invariant Small of Grow: \\A p: P (n[p] <= 4)
";

#[test]
fn an_infinite_model_is_visited_as_far_as_the_formula_reaches() {
    let s = Sandbox::with("grow.ioa", GROW);
    for more in ["", "--no-native", "--symmetry", "--threads 1"] {
        let mut command = s.ioa("explore grow.ioa");
        command.args([
            "--sort",
            "P=2",
            "--only",
            "Positive",
            "--within",
            "\\A p: P (n[p] < 3)",
        ]);
        command.args(more.split_whitespace());
        let answer = super::Answer::of(&command.output().expect("ioa runs"));
        // Three values for each number, and those from which one of them has left.
        let (states, outside) = match more {
            "--symmetry" => (9, 3),
            _ => (15, 6),
        };
        answer.says(0, &format!("{states} states, "));
        answer.says(0, "what follows states outside of --within is not visited");
        answer.says(0, &format!(": {outside} states"));
        assert!(!answer.out.contains("explored"), "{answer:?}");
    }
}

/// A state just outside is checked like any other; what only follows it is not seen, and so nothing is called explored.
#[test]
fn what_is_wrong_at_the_border_is_found_and_what_is_behind_it_is_not() {
    let s = Sandbox::with("grow.ioa", GROW);
    let at_border = s.explore("grow.ioa --sort P=1 --within n[P#0]<5 --only Small");
    at_border.says(1, "invariant Small of Grow is violated");
    at_border.says(1, "--within 'n[P#0]<5'");
    let behind = s.explore("grow.ioa --sort P=1 --within n[P#0]<5 --only Positive");
    behind.says(0, "6 states");
    behind.says(0, "unknown");
    let further = s.explore("grow.ioa --sort P=1 --within n[P#0]<6 --only Positive");
    further.says(1, "invariant Positive of Grow is violated");
}

#[test]
fn a_formula_that_always_holds_leaves_nothing_out() {
    let s = Sandbox::with("counter.ioa", super::COUNTER);
    let whole = s.explore("counter.ioa --keep-going");
    let within = s.explore("counter.ioa --keep-going --within count<=6");
    for answer in [&whole, &within] {
        answer.says(1, "7 states, ");
        answer.says(1, "no action is enabled");
    }
    // The end of the counter is no deadlock where it is outside.
    let before = s.explore("counter.ioa --within count<6 --only deadlock");
    before.says(0, "7 states, ");
    before.says(0, ": 1 state");
}

#[test]
fn a_checkpoint_of_another_border_is_refused() {
    let s = Sandbox::with("grow.ioa", GROW);
    let model = "grow.ioa --sort P=2 --only Positive";
    s.explore(&format!(
        "{model} --states 20 --within n[P#0]<30 --checkpoint a.checkpoint"
    ))
    .says(0, "kept in a.checkpoint");
    s.explore(&format!("{model} --within n[P#0]<31 --resume a.checkpoint"))
        .says(2, "a.checkpoint");
    let on = format!("{model} --within n[P#0]<30 --within n[P#1]<2 --resume a.checkpoint");
    s.explore(&on).says(2, "a.checkpoint");
    s.explore(&format!(
        "{model} --states 40 --within n[P#0]<30 --resume a.checkpoint"
    ))
    .says(0, "went on from");
}

#[test]
fn a_study_states_its_border_and_its_count() {
    let s = Sandbox::with("grow.ioa", GROW);
    let study = |within: &str, distinct: u64| {
        let text = format!(
            "[study]\nname = \"grow\"\nsources = [\"grow.ioa\"]\n[sizes]\nP = 2\n\
             [[explore]]\nautomaton = \"Grow\"\nwithin = ['{within}']\ndistinct = {distinct}\n"
        );
        fs::write(s.path("ioa.toml"), text).expect("a written file");
        s.run("verify .")
    };
    let answer = study("\\A p: P (n[p] < 3)", 15);
    answer.says(0, "15 states at P=2, not all");
    answer.says(
        0,
        "Everything asked for holds within the bounds that were set",
    );
    study("\\A p: P (n[p] < 3)", 14).says(3, "14 states were expected");
    study("\\A p: P (m[p] < 3)", 15).says(2, "m");
}

#[test]
fn a_study_says_how_far_its_searches_go() {
    let s = Sandbox::with("grow.ioa", GROW);
    let study = |bounds: &str| {
        let text = format!(
            "[study]\nname = \"grow\"\nsources = [\"grow.ioa\"]\n[sizes]\nP = 2\n\
             [[explore]]\nautomaton = \"Grow\"\n{bounds}\n"
        );
        fs::write(s.path("ioa.toml"), text).expect("a written file");
    };
    // Two numbers whose sum is at most 3, and with symmetry their unordered pairs.
    for (symmetry, states) in [("false", 10), ("true", 6)] {
        study(&format!("depth = 3\nsymmetry = {symmetry}"));
        let verified = s.run("verify .");
        verified.says(0, &format!("{states} states at P=2, not all"));
        verified.says(
            0,
            "Everything asked for holds within the bounds that were set",
        );
    }
    // The command line goes further, or less far.
    s.run("explore . --depth 2").says(0, "4 states, ");
    s.run("explore . --depth 6").says(1, "Small");
    study("states = 20\ntime = 60");
    s.run("explore . --only Positive").says(0, "stopped");
    // So little is enough for no search of this automaton, which never ends.
    study("memory = \"8K\"");
    s.run("explore . --only Positive")
        .says(0, "stopped at the bound on memory");
    study("memory = \"20 bytes\"");
    s.run("verify .")
        .says(2, "expected a size such as 500M or 2G");
    study("depth = 3\ndistinct = 10");
    s.run("verify .")
        .says(2, "it cannot say with `distinct` how many states");
    study("depth = 0");
    s.run("verify .").says(2, "depth");
}
