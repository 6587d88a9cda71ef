//! Liveness on the command line and through a study: what is said of it, and with which exit status.

use std::fs;

use crate::sandbox::Sandbox;

/// People wait in front of a door, which lets in one at a time, whom it likes.
const DOOR: &str = "\
type Guest

automaton Door
  signature
    input    come(g: Guest)
    output   admit(g: Guest)
    internal leave
  states
    waiting: Set[Guest] := {},
    inside: Null[Guest] := nil
  transitions
    input come(g)
      eff if inside ~= embed(g) then waiting := insert(g, waiting) fi
    output admit(g)
      pre g \\in waiting /\\ inside = nil
      eff waiting := delete(g, waiting);
          inside := embed(g)
    internal leave
      pre inside ~= nil
      eff inside := nil
  tasks
    FAIR{admit(g)} for g: Guest;
    {leave}

liveness Admitted of Door: g \\in waiting leads to inside = embed(g) for g: Guest
liveness Emptied of Door: always eventually inside = nil
";

/// Verifies a study of the door, whose fairness and whose rest of the manifest are given.
fn verify(s: &Sandbox, fairness: &str, rest: &str) -> crate::sandbox::Answer {
    s.write("door.ioa", DOOR.replace("FAIR", fairness));
    let sizes = "[sizes]\nGuest = 2\n[[explore]]\nautomaton = \"Door\"\n";
    let study = "[study]\nname = \"door\"\nsources = [\"door.ioa\"]\n";
    s.write("ioa.toml", format!("{study}{sizes}{rest}"));
    s.ioa(&["verify", "."])
}

/// Asserts the exit status, and that this is a part of what is said.
fn says(answer: &crate::sandbox::Answer, code: i32, part: &str) {
    assert_eq!(answer.code, Some(code), "{answer:?}");
    assert!(answer.out.contains(part), "{answer:?}");
}

#[test]
fn a_study_is_violated_by_a_lasso_and_holds_where_fairness_is_strong() {
    let s = Sandbox::new();
    let unfair = verify(&s, "", "");
    says(
        &unfair,
        1,
        "Admitted (all states): violated: 1 step, and then a cycle of 3 steps",
    );
    says(&unfair, 1, "then, again and again:");
    says(
        &unfair,
        1,
        "note: fair: disabled after step 3: {admit(Guest#0)}",
    );
    let document = fs::read_to_string(s.path("ioa-report/report.json")).expect("a report");
    assert!(document.contains("\"cycle\""), "{document}");
    let fair = verify(&s, "strong ", "");
    says(&fair, 0, "Admitted    ┆ explored");
    says(&fair, 0, "Everything asked for holds in");
}

#[test]
fn a_bounded_search_leaves_liveness_open() {
    let s = Sandbox::new();
    for bound in ["depth = 2", "states = 2", "within = ['waiting = {}']"] {
        let answer = verify(&s, "strong ", &format!("{bound}\n"));
        says(&answer, 3, "Emptied     ┆ unknown");
        says(&answer, 3, "Not everything asked for is established");
    }
}

#[test]
fn an_expectation_that_is_not_met_is_said() {
    let s = Sandbox::new();
    let expect = "[expect]\nAdmitted = \"violated\"\n";
    says(&verify(&s, "", expect), 0, "Everything asked for holds");
    let fair = verify(&s, "strong ", expect);
    says(&fair, 3, "Admitted is explored, but violated is expected");
}

const LIVE: &str = "automaton Clock
  signature output tick
  states ticks: Nat := 0
  transitions
    output tick
      pre ticks < 3
      eff ticks := ticks + 1
  tasks {tick}
invariant Few of Clock: ticks <= 3
liveness Done of Clock: always eventually ticks = 3
";

/// An exploration decides a liveness property; nothing else that could seem to is silent about it.
#[test]
fn what_is_not_decided_is_said() {
    let s = Sandbox::new();
    s.write("live.ioa", LIVE);
    let checked = s.ioa(&["check", "live.ioa"]);
    assert!(
        checked
            .out
            .contains("(Clock), 1 invariant, 1 liveness property")
    );
    let expected = [
        (&["prove"][..], 3, "not decided"),
        (
            &["explore", "--allow-deadlock"],
            0,
            "on all fair executions",
        ),
        (
            &["explore", "--allow-deadlock", "--states", "2"],
            3,
            "not decided: stopped at the bound",
        ),
        (&["explore", "--allow-deadlock", "--only", "Few"], 0, "Few"),
        (
            &["explore", "--allow-deadlock", "--only", "Dome"],
            2,
            "did you mean Done?",
        ),
        (&["explore"], 1, "not decided: stopped at the first finding"),
    ];
    for (command, code, said) in expected {
        let answer = s.ioa(&[command, &["live.ioa"]].concat());
        assert_eq!(answer.code, Some(code), "{}", answer.out);
        let all = format!("{}{}", answer.out, answer.err);
        assert!(all.contains(said), "{all}");
    }
    s.write(
        "ioa.toml",
        "[study]\nname = \"live\"\nsources = [\"live.ioa\"]\n[prove]\n",
    );
    let verified = s.ioa(&["verify", "."]);
    assert_eq!(verified.code, Some(3), "{}", verified.out);
    assert!(verified.out.contains("not decided"), "{}", verified.out);
    let named = s.ioa(&["prove", "live.ioa", "--only", "Done"]);
    assert_eq!(named.code, Some(3), "{}", named.out);
    let other = s.ioa(&["prove", "live.ioa", "--only", "Few"]);
    assert_eq!(other.code, Some(0), "{}", other.out);
}

/// What stays possible is told apart from what happens in all fair executions.
#[test]
fn what_stays_possible_is_told_with_a_way_to_where_it_does_not() {
    let s = Sandbox::new();
    s.write("live.ioa", LIVE);
    let asked = |formula: &str| {
        s.ioa(&[
            "explore",
            "live.ioa",
            "--allow-deadlock",
            "--possible",
            formula,
        ])
    };
    let stays = asked("ticks = 3");
    assert_eq!(stays.code, Some(0), "{}", stays.out);
    assert!(
        stays
            .out
            .contains("possible from all 4 states, by at most 3 steps")
    );
    let passes = asked("ticks = 1");
    assert_eq!(passes.code, Some(1), "{}", passes.out);
    assert!(
        passes
            .out
            .contains("impossible after 2 steps; none is shorter; 2 dead states")
    );
    // From the state before, the formula holds at once.
    let (_, way) = passes
        .out
        .split_once("ticks = 1 holds in the state before step 2\n")
        .expect("a way");
    assert!(
        way.starts_with("  0: the state before step 2\n"),
        "{}",
        passes.out
    );
    let never = asked("ticks = 9");
    assert!(
        never.out.contains("impossible after 0 steps"),
        "{}",
        never.out
    );
    assert!(!never.out.contains("the state before"), "{}", never.out);
    let unknown = asked("tocks = 1");
    assert_eq!(unknown.code, Some(2), "{}", unknown.err);
    assert!(unknown.err.contains("tocks"), "{}", unknown.err);
}

/// Ten coins, of which two can be lost; three are needed.
const COINS: &str = "\
automaton Coins
  signature internal spend, earn, lose
  states coins: Nat := 4, lost: Nat := 0
  transitions
    internal spend pre coins > 0 eff coins := coins - 1
    internal earn pre coins + lost < 4 eff coins := coins + 1
    internal lose pre coins > 0 /\\ lost < LOST eff coins := coins - 1; lost := lost + 1
";

#[test]
fn the_farthest_state_is_shown_with_a_way_out_if_that_is_asked() {
    let s = Sandbox::new();
    let asked = |lost: &str, formula: &str, more: &[&str]| {
        s.write("coins.ioa", COINS.replace("LOST", lost));
        let flags = ["explore", "coins.ioa", "--possible", formula];
        s.ioa(&[&flags[..], more].concat())
    };
    let way = |answer: &crate::sandbox::Answer| {
        let told = answer
            .out
            .split_once("no state that is not dead needs more\n");
        let steps = told.map(|(_, told)| {
            told.lines()
                .filter(|line| line.contains(": internal"))
                .count()
        });
        (answer.code, steps)
    };
    // All coins are spent or lost, and three are earned again.
    let stays = asked("1", "coins >= 3", &["--farthest"]);
    assert!(
        stays
            .out
            .contains("from the state after 4 steps, 3 steps lead to coins >= 3;"),
        "{}",
        stays.out
    );
    assert_eq!(way(&stays), (Some(0), Some(7)));
    let again = stays.out.contains("see it again");
    assert!(!again, "what holds needs no command: {}", stays.out);
    let quiet = asked("1", "coins >= 3", &[]);
    assert_eq!(way(&quiet), (Some(0), None));
    // With two lost, there is a dead state. Those that are not dead are as far away as before.
    let dies = asked("2", "coins >= 3", &["--farthest"]);
    assert!(
        dies.out
            .contains("coins >= 3 holds in the state before step 2"),
        "{}",
        dies.out
    );
    assert_eq!(way(&dies), (Some(1), Some(7)));
    // Where it holds everywhere, none is far.
    let always = asked("0", "coins >= 0", &["--farthest"]);
    assert_eq!(way(&always), (Some(0), None));
    // It is written where nothing is wrong; else what is wrong is.
    let written = |lost: &str, more: &[&str]| {
        let flags = [&["--trace", "far.itf.json"], more].concat();
        let answer = asked(lost, "coins >= 3", &flags);
        let line = answer
            .out
            .lines()
            .find(|line| line.contains("far.itf.json"));
        line.unwrap_or(&answer.out).to_owned()
    };
    assert!(written("1", &["--farthest"]).contains("wrote 7 steps"));
    assert!(written("2", &["--farthest"]).contains("wrote 2 steps"));
    assert!(written("1", &[]).contains("no trace is written"));
    let alone = s.ioa(&["explore", "coins.ioa", "--farthest"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
}

/// A lasso can be kept and repeated like any execution.
#[test]
fn a_fair_execution_is_written_and_repeated() {
    let s = Sandbox::new();
    let never = LIVE.replace("eventually ticks = 3", "eventually ticks = 2");
    s.write("live.ioa", &never);
    let asked = [
        "explore",
        "live.ioa",
        "--allow-deadlock",
        "--trace",
        "lasso.json",
    ];
    let explored = s.ioa(&asked);
    assert_eq!(explored.code, Some(1), "{}", explored.out);
    assert!(explored.out.contains("then nothing happens any more"));
    assert!(
        explored
            .out
            .contains("3 steps, and nothing happens any more; none is shorter")
    );
    assert!(explored.out.contains("wrote 3 steps to lasso.json"));
    let repeated = s.ioa(&["run", "live.ioa", "--replay", "lasso.json"]);
    assert_eq!(repeated.code, Some(0), "{}", repeated.out);
    s.write("empty.txt", "");
    for opened in [
        &["show", "lasso.json", "live.ioa"][..],
        &[
            "debug",
            "live.ioa",
            "--replay",
            "lasso.json",
            "--script",
            "empty.txt",
        ],
    ] {
        let opened = s.ioa(opened);
        let said = "after its last step nothing happens any more";
        assert!(opened.out.contains(said), "{opened:?}");
    }
    let unfair = never.replace("  tasks {tick}\n", "");
    s.write("unfair.ioa", &unfair);
    let unfair = s.ioa(&["explore", "unfair.ioa", "--allow-deadlock"]);
    assert_eq!(unfair.code, Some(1), "{}", unfair.out);
    assert!(unfair.out.contains("Clock has no tasks"), "{}", unfair.out);
    assert!(unfair.out.contains("nothing happens in it from the start"));
}

/// Numbers are counted and told one after the other; there is a task for each number.
const TELLER: &str = "\
automaton Teller
  signature internal count output tell(k: Nat, all: Set[Nat])
  states n: Nat := 0, told: Nat := 0, all: Set[Nat] := {}
  transitions
    internal count pre n < 3 eff n := n + 1; all := insert(n, all)
    output tell(k, s) pre k = told /\\ told < n /\\ s = all eff told := k + 1
  tasks
    {tell(k, s)} for k: Nat, s: Set[Nat]
liveness Told of Teller: told < n leads to told = n
liveness Counts of Teller: always eventually n = 3
";

#[test]
fn tasks_with_infinitely_many_values_are_those_of_the_steps_that_there_are() {
    let s = Sandbox::new();
    s.write("teller.ioa", TELLER);
    let explore = |flags: &str| {
        let all = format!("explore teller.ioa --allow-deadlock {flags}");
        s.ioa(&all.split_whitespace().collect::<Vec<_>>())
    };
    let told = explore("--only Told");
    assert_eq!(told.code, Some(0), "{told:?}");
    // Nothing makes anybody count.
    let counts = explore("--only Counts");
    assert_eq!(counts.code, Some(1), "{counts:?}");
    // Without the task, nothing makes anybody tell.
    let lazy = TELLER.replace("  tasks\n    {tell(k, s)} for k: Nat, s: Set[Nat]\n", "");
    assert_ne!(lazy, TELLER);
    s.write("teller.ioa", &lazy);
    assert_eq!(explore("--only Told").code, Some(1));
    // A step does not say to which of these tasks it belongs.
    let mixed = TELLER.replace("{tell(k, s)} for", "{tell(k + k, s)} for");
    s.write("teller.ioa", &mixed);
    let unknown = explore("--only Told");
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    assert!(unknown.out.contains("infinitely"), "{unknown:?}");
}

/// Sequences of one Boolean at most, which a formula appends to each other: what it builds has no packed form.
const RELAY: &str = "\
automaton Relay
  signature internal first, second
  states a: Seq[Bool] := {} |- true, b: Seq[Bool] := {}, c: Seq[Bool] := {}, d: Seq[Bool] := {}
  transitions
    internal first pre a ~= {} eff b := a; c := a; a := {}
    internal second pre b ~= {} /\\ c ~= {} eff d := b; b := {}; c := {}
  tasks
    {first}; {second}
liveness Arrives of Relay: eventually always b || c = {} |- true |- true
liveness Ends of Relay: eventually always b || c = {}
liveness Heads of Relay: always eventually head(b || c || b)
";

/// A process counts to one, so that a two has no packed form.
const FEW: &str = "\
type P
automaton Few
  signature internal up(p: P)
  states v: Array[P, Nat] := constant(0)
  transitions internal up(p) pre v[p] = 0 eff v[p] := 1
  tasks {up(p)} for p: P
liveness Twos of Few: always eventually v = constant(2)
liveness Ones of Few: always eventually v = constant(1)
";

#[test]
fn what_a_formula_builds_may_be_larger_than_what_the_states_have() {
    let s = Sandbox::new();
    s.write("relay.ioa", RELAY);
    s.write("few.ioa", FEW);
    for native in ["", "--no-native"] {
        let explore = |args: &str| {
            let all = format!("explore {args} --allow-deadlock {native}");
            s.ioa(&all.split_whitespace().collect::<Vec<_>>())
        };
        assert_eq!(explore("relay.ioa --only Arrives").code, Some(1));
        assert_eq!(explore("relay.ioa --only Ends").code, Some(0));
        assert_eq!(explore("few.ioa --sort P=2 --only Twos").code, Some(1));
        assert_eq!(explore("few.ioa --sort P=2 --only Ones").code, Some(0));
        // The first element of nothing has no value, and the state is told as it is in the graph.
        let heads = explore("relay.ioa --only Heads");
        assert_eq!(heads.code, Some(1), "{heads:?}");
        assert!(heads.out.contains("the sequence is empty"), "{heads:?}");
        assert!(heads.out.contains("a = <<true>>"), "{heads:?}");
    }
    let both = "b || c = {} |- true |- true";
    let possible = s.ioa(&[
        "explore",
        "relay.ioa",
        "--allow-deadlock",
        "--only",
        "Ends",
        "--possible",
        both,
    ]);
    assert_eq!(possible.code, Some(1), "{possible:?}");
    assert!(possible.out.contains("1 dead state"), "{possible:?}");
}

#[test]
fn what_a_search_cannot_decide_is_answered_and_not_left_out() {
    let s = Sandbox::new();
    s.write("relay.ioa", RELAY);
    for how in ["--dpor", "--por", "--swarm 2"] {
        let all = format!("explore relay.ioa --allow-deadlock {how} --only Ends");
        let all = all.replace("--allow-deadlock --dpor", "--dpor");
        let answer = s.ioa(&all.split_whitespace().collect::<Vec<_>>());
        assert_eq!(answer.code, Some(3), "{how}: {answer:?}");
        assert!(
            answer.out.contains("decides no liveness properties"),
            "{answer:?}"
        );
    }
}

#[test]
fn the_execution_to_a_dead_state_is_written() {
    let s = Sandbox::new();
    s.write("my relay.ioa", RELAY);
    let explore = [
        "explore",
        "my relay.ioa",
        "--allow-deadlock",
        "--only",
        "Ends",
    ];
    let more = ["--possible", "a ~= {}", "--trace", "dead.itf.json"];
    let answer = s.ioa(&[&explore[..], &more].concat());
    assert!(
        answer.out.contains("wrote 1 step to dead.itf.json"),
        "{answer:?}"
    );
    // A file's name is one word of the command.
    assert!(
        answer.out.contains("ioa explore 'my relay.ioa'"),
        "{answer:?}"
    );
    let shown = s.ioa(&["show", "dead.itf.json", "my relay.ioa"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.out.contains("1: internal first"), "{shown:?}");
}

/// A lamp that is plugged in once, and then goes on and off for ever.
const LAMP: &str = "\
automaton Lamp
  signature internal plug, on, off
  states plugged: Bool := false, lit: Bool := false
  transitions
    internal plug pre ~plugged eff plugged := true
    internal on pre plugged /\\ ~lit eff lit := true
    internal off pre plugged /\\ lit eff lit := false
  tasks {plug} {on, off}
liveness Unplugged of Lamp: always eventually ~plugged
";

#[test]
fn the_debugger_shows_the_cycle_of_a_lasso_until_it_is_left() {
    let s = Sandbox::new();
    s.write("lamp.ioa", LAMP);
    let explored = s.ioa(&["explore", "lamp.ioa", "--trace", "lasso.json"]);
    says(&explored, 1, "wrote 3 steps to lasso.json");
    let debug = |script: &str| {
        s.write("session.txt", script);
        s.ioa(&["debug", "--replay", "lasso.json", "--script", "session.txt"])
    };
    let cycle = "\
   1  *      plug
   2: *      on
   3: *      off
    : these steps are repeated for ever
";
    let drawn = debug("graph\nend\nsave again.json\nfire on\ngraph\n");
    says(&drawn, 0, cycle);
    assert_eq!(drawn.out.matches("for ever").count(), 2, "{drawn:?}");
    let again = s.ioa(&["export", "svg", "again.json"]);
    says(&again, 0, "class=\"again\"");
    for forward in ["end\nforward\n", "end\ncontinue\n"] {
        let forward = debug(forward);
        assert_eq!(forward.code, Some(2), "{forward:?}");
        let said = "only 3 steps are recorded: after them, those from step 2 on are repeated for ever; `go 1` is the same state";
        assert!(forward.err.contains(said), "{forward:?}");
    }
}

#[test]
fn each_execution_says_why_it_is_fair() {
    let s = Sandbox::new();
    let text = "\
automaton Two
  signature internal first, second
  states a: Bool := false, b: Bool := false
  transitions
    internal first pre ~a eff a := true
    internal second pre ~b eff b := true
  tasks {first}
liveness Seconds of Two: always eventually b
liveness Both of Two: always eventually a /\\ b
";
    s.write("two.ioa", text);
    let answer = s.ioa(&["explore", "two.ioa", "--allow-deadlock", "--keep-going"]);
    let fair = answer
        .out
        .matches("note: fair: never enabled in what is repeated: {first}");
    assert_eq!(fair.count(), 2, "{answer:?}");
    // What is true of the model is said once.
    let free = answer
        .out
        .matches("in no task, so that it never has to happen: second");
    assert_eq!(free.count(), 1, "{answer:?}");
}
