//! Monitors from the command line: their temperatures in runs, and the same monitor explored, proved, exported and driven.

use crate::sandbox::{Answer, Sandbox};

/// A tank that is filled, that may leak and that is emptied, and monitors of it.
const TANK: &str = "\
automaton Tank
  signature
    input    open
    internal fill, leak
    output   drain(full: Bool)
  states
    level: Nat := 0,
    closed: Bool := true
  transitions
    input open
      eff closed := false
    internal fill
      pre level < 2
      eff level := level + 1
    internal leak
      pre level = 1
      eff level := 0
    output drain(full)
      pre level > 0 /\\ full = (level = 2)
      eff level := 0
  tasks
    {fill};
    {drain(b)} for b: Bool

monitor Drains of Tank
  signature
    input fill, drain(full: Bool)
  states
    wet: Nat := 0
  transitions
    input fill
      eff wet := min(wet + 1, 2)
    input drain(full) where HOW
      eff wet := 0
  hot  wet = 2
  cold COLD

invariant Level of Drains: level <= 2
";

fn written(how: &str, cold: &str) -> Sandbox {
    let s = Sandbox::new();
    s.write("tank.ioa", TANK.replace("HOW", how).replace("COLD", cold));
    s
}

fn ioa(s: &Sandbox, line: &str) -> Answer {
    s.ioa(&line.split_whitespace().collect::<Vec<_>>())
}

fn heat(s: &Sandbox, more: &str) -> Answer {
    ioa(
        s,
        &format!("run tank.ioa --automaton Drains --random --steps 2000 {more}"),
    )
}

/// A number in the JSON form of an answer.
fn figure(answer: &Answer, name: &str) -> Option<u64> {
    let (_, rest) = answer.out.split_once(&format!("\"{name}\":"))?;
    let digits: String = rest
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

#[test]
fn a_monitor_that_never_cools_down_reaches_any_temperature_and_that_is_no_violation() {
    let s = written("false", "false");
    let hot = heat(&s, "--temperature 300 --json");
    assert_eq!(hot.code, Some(3), "{hot:?}");
    assert!(hot.out.contains("\"unknown\""), "{hot:?}");
    assert!(!hot.out.contains("\"violated\""), "{hot:?}");
    assert_eq!(figure(&hot, "hottest"), Some(300), "{hot:?}");
    assert!(hot.out.contains("heuristic: "), "{hot:?}");
}

#[test]
fn the_run_that_is_written_is_the_one_that_got_hot() {
    let s = written("full", "wet = 0");
    let hot = heat(&s, "--temperature 3 --trace hot.itf.json");
    let (_, steps) = hot
        .out
        .split_once("3 degrees hot after ")
        .expect("a hot run");
    let (steps, _) = steps.split_once(" step").expect("a number of steps");
    assert!(
        hot.out.contains(&format!("wrote {steps} steps of ")),
        "{hot:?}"
    );
    let shown = ioa(&s, "show hot.itf.json tank.ioa");
    assert!(shown.out.contains(&format!("{steps} steps")), "{shown:?}");
}

#[test]
fn a_monitor_that_is_cold_again_and_again_stays_below_a_temperature_that_is_high_enough() {
    let s = written("full \\/ ~full", "wet = 0");
    let cool = heat(&s, "--runs 20 --temperature 2000 --json");
    assert_eq!(cool.code, Some(0), "{cool:?}");
    let hottest = figure(&cool, "hottest").expect("a figure");
    assert!((1..2000).contains(&hottest), "{cool:?}");
    // The least temperature that no run reaches is one above.
    let reached = heat(&s, &format!("--runs 20 --temperature {hottest} --json"));
    assert_eq!(reached.code, Some(3), "{reached:?}");
    let missed = heat(
        &s,
        &format!("--runs 20 --temperature {} --json", hottest + 1),
    );
    assert_eq!(missed.code, Some(0), "{missed:?}");
}

#[test]
fn what_is_hot_and_cold_at_once_is_cold() {
    let s = written("full", "wet >= 0");
    let cold = heat(&s, "--runs 5 --temperature 1 --json");
    assert_eq!(cold.code, Some(0), "{cold:?}");
    assert_eq!(figure(&cold, "hottest"), Some(0), "{cold:?}");
}

#[test]
fn the_command_that_is_printed_gets_as_hot_after_as_many_steps() {
    let s = written("full", "wet = 0");
    for strategy in [
        "",
        "--strategy pct --depth 3",
        "--strategy portfolio --runs 9",
        "--strategy depth-first --depth 3",
    ] {
        let hot = heat(&s, &format!("--temperature 12 --seed 7 {strategy}"));
        assert_eq!(hot.code, Some(3), "{hot:?}");
        let line = |answer: &Answer| {
            let (_, line) = answer.out.split_once("12 degrees hot after")?;
            Some(
                line.lines()
                    .next()?
                    .trim_end_matches([' ', '│', '┆'])
                    .to_owned(),
            )
        };
        let (_, command) = hot.out.split_once("see it again: ioa ").expect("a command");
        let again = ioa(&s, command.lines().next().expect("a line"));
        assert_eq!(again.code, Some(3), "{again:?}");
        assert!(
            line(&hot).is_some_and(|line| line.contains(" steps of ")),
            "{hot:?}"
        );
        assert_eq!(line(&hot), line(&again), "{again:?}");
    }
}

/// Nothing is enabled after the drain is closed. Whether it closes where the monitor is hot depends on the level.
#[test]
fn a_run_that_ends_where_a_monitor_is_hot_violates_it_and_one_that_ends_elsewhere_does_not() {
    for (level, code) in [("2", 1), ("0", 0)] {
        let s = Sandbox::new();
        let text = "\
automaton Tank
  signature internal fill, drain
  states level: Nat := 0, closed: Bool := false
  transitions
    internal fill pre ~closed /\\ level < 3 eff level := level + 1; closed := level = LEVEL
    internal drain pre ~closed /\\ level > 0 eff level := level - 1; closed := level = LEVEL
monitor Dries of Tank
  signature input fill, drain
  states level_: Nat := 0
  transitions
    input fill eff level_ := level_ + 1
    input drain eff level_ := level_ - 1
  hot level_ > 0
  cold level_ = 0
";
        s.write("tank.ioa", text.replace("LEVEL", level));
        let run = "run tank.ioa --automaton Dries --random --runs 9 --temperature 9999";
        let ended = ioa(&s, run);
        assert_eq!(ended.code, Some(code), "{ended:?}");
        let stays = ended
            .out
            .contains("Dries stays hot, for nothing is enabled any more");
        assert_eq!(stays, code == 1, "{ended:?}");
        let explored = ioa(
            &s,
            "explore tank.ioa --automaton Dries --allow-deadlock --only Dries",
        );
        assert!(code == 0 || explored.code == Some(code), "{explored:?}");
    }
}

#[test]
fn a_temperature_is_refused_where_nothing_has_one() {
    let s = written("full", "wet = 0");
    let none = ioa(&s, "run tank.ioa --automaton Tank --random --temperature 5");
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.err.contains("Tank has no temperature"), "{none:?}");
    for wrong in [
        "--temperature 0",
        "--temperature x",
        "--temperature 5 --live true",
    ] {
        assert_eq!(heat(&s, wrong).code, Some(2), "{wrong}");
    }
}

#[test]
fn a_formula_without_a_value_is_a_fault_that_is_told_with_its_run() {
    let s = written("full", "div(4, wet) = 4");
    let fault = heat(&s, "--temperature 5");
    assert_eq!(fault.code, Some(1), "{fault:?}");
    assert!(
        fault
            .out
            .contains("a formula in it has no value after 0 steps"),
        "{fault:?}"
    );
    assert!(fault.out.contains("see it again: ioa run"), "{fault:?}");
}

#[test]
fn an_invariant_that_is_false_before_is_told_and_not_the_temperature() {
    let s = written("full", "wet = 0");
    s.write("more.ioa", "invariant Dry of Drains: level = 0\n");
    let wet = ioa(
        &s,
        "run tank.ioa more.ioa --automaton Drains --random --temperature 50 --json",
    );
    assert_eq!(wet.code, Some(1), "{wet:?}");
    assert!(figure(&wet, "hottest") < Some(50), "{wet:?}");
}

#[test]
fn a_study_says_what_temperature_is_infinite() {
    let s = written("full", "wet = 0");
    let manifest = |more: &str, expect: &str| {
        format!(
            "[study]\nname = \"tank\"\nsources = [\"tank.ioa\"]\n\n[[run]]\nrandom = true\nautomaton = \"Drains\"\n{more}\n[expect]\n{expect}"
        )
    };
    for (more, expect, code) in [
        ("temperature = 40\n", "", 3),
        ("temperature = 40\n", "Drains = \"unknown\"\n", 0),
        ("temperature = 40\n", "Drains = \"violated\"\n", 3),
        ("temperature = 0\n", "", 2),
    ] {
        s.write("ioa.toml", manifest(more, expect));
        let verified = ioa(&s, "verify .");
        assert_eq!(verified.code, Some(code), "{more}{expect}{verified:?}");
    }
}

/// What a monitor changes nothing of: the reachable states of the system, its deadlocks, its fair executions.
#[test]
fn other_commands_read_a_monitor_like_any_automaton() {
    let s = written("full", "wet = 0");
    let explored = ioa(&s, "explore tank.ioa --automaton Drains");
    assert_eq!(explored.code, Some(1), "{explored:?}");
    assert!(
        explored
            .out
            .contains("a fair execution of Drains violates Drains"),
        "{explored:?}"
    );
    assert!(
        explored.out.contains("false: hot wet = 2 cold wet = 0"),
        "{explored:?}"
    );
    let proved = ioa(&s, "prove tank.ioa --only Level");
    assert_eq!(proved.code, Some(0), "{proved:?}");
    let driven = ioa(
        &s,
        "run tank.ioa --automaton Drains --random --steps 20 --trace drains.itf.json",
    );
    assert_eq!(driven.code, Some(0), "{driven:?}");
    let replayed = ioa(&s, "run tank.ioa --replay drains.itf.json");
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    let exported = ioa(&s, "export tla tank.ioa --automaton Drains --out modules");
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let module = std::fs::read_to_string(s.path("modules/Drains.tla")).expect("a module");
    assert!(module.contains("wet'"), "{module}");
    assert!(
        module.contains("=> []<>") || module.contains("=> ([]<>"),
        "{module}"
    );
}

#[test]
fn a_run_that_ends_where_a_monitor_is_hot_is_wrong_without_a_temperature() {
    let s = Sandbox::new();
    let desk = |refuses: &str| {
        s.write(
            "desk.ioa",
            format!(
                "automaton Desk
  signature output ask, answer
  states asked: Bool := false, answered: Bool := false
  transitions
    output ask pre ~asked eff asked := true
    output answer pre asked /\\ ~answered /\\ {refuses} eff answered := true
monitor Answers of Desk
  signature input ask, answer
  states open: Bool := false
  transitions
    input ask eff open := true
    input answer eff open := false
  hot open
  cold ~open
"
            ),
        );
        s.ioa(&["run", "desk.ioa", "--automaton", "Answers", "--random"])
    };
    let stuck = desk("false");
    assert_eq!(stuck.code, Some(1), "{stuck:?}");
    assert!(
        stuck
            .out
            .contains("Answers stays hot, for nothing is enabled any more"),
        "{stuck:?}"
    );
    let fine = desk("true");
    assert_eq!(fine.code, Some(0), "{fine:?}");
    assert!(!fine.out.contains("liveness"), "{fine:?}");
}

/// After the step, an input comes again and again, and a spindle turns, which changes nothing.
const SPINDLE: &str = "\
automaton Spindle
  signature input go internal step, spin
  states n: Nat := 0
  transitions
    input go eff if n = 0 then n := 1 fi
    internal step pre n = 1 eff n := 2
    internal spin pre n = 2 eff n := LAST
monitor Stays of Spindle
  signature input step, spin
  states hot: Bool := false
  transitions
    input step eff hot := true
    input spin eff COOLS
  hot hot
";

#[test]
fn a_run_that_stays_where_nothing_changes_is_as_wrong_as_one_that_ends() {
    let run = |last: &str, cools: &str, flags: &str| {
        let s = Sandbox::new();
        s.write(
            "spindle.ioa",
            SPINDLE.replace("LAST", last).replace("COOLS", cools),
        );
        let args = format!("run spindle.ioa --automaton Stays --random --runs 5 {flags}");
        s.ioa(&args.split_whitespace().collect::<Vec<_>>())
    };
    for flags in ["", "--temperature 5", "--strategy pct"] {
        let stays = run("2", "hot := true", flags);
        assert_eq!(stays.code, Some(1), "{flags}: {stays:?}");
        let said = "Stays stays hot, for no step of the system itself changes anything any more";
        assert!(stays.out.contains(said), "{flags}: {stays:?}");
        let cools = run("2", "hot := false", flags);
        assert_eq!(cools.code, Some(0), "{flags}: {cools:?}");
    }
    // What changes something may cool it down later.
    let goes_on = run("0", "hot := true", "--steps 50");
    assert_eq!(goes_on.code, Some(0), "{goes_on:?}");
}
