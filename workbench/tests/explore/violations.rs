//! What an exploration finds: each violation once, the shortest first, the same for any number of threads.

use std::fs;

use super::{Sandbox, plain, two_phase};

/// A counter that goes too far several times over, and then stands still.
const STEPS: &str = "\
automaton Stairs
  signature
    internal up, leap
  states
    height: Nat := 0
  transitions
    internal up
      pre height < 9
      eff height := height + 1
    internal leap
      pre height < 6
      eff height := height + 3
invariant Seven of Stairs: height < 7
invariant Two of Stairs: height < 2
invariant Hundred of Stairs: height < 100
invariant Five of Stairs: height ~= 5
";

/// Beside formulas, only what is named is asked about.
const ONLY: &str = "--only Seven --only Two --only Hundred --only Five --only deadlock";

#[test]
fn every_violation_is_shown_once_and_the_shortest_first() {
    let s = Sandbox::with("stairs.ioa", STEPS);
    let mut seen = Vec::new();
    for threads in ["1", "2", "5"] {
        let flags = format!(
            "stairs.ioa --keep-going {ONLY} --check height<4 --find height=8 --threads {threads}"
        );
        let answer = s.explore(&flags);
        assert_eq!(answer.code, Some(1), "{answer:?}");
        let place = |what: &str| {
            assert_eq!(answer.out.matches(what).count(), 1, "{what} {answer:?}");
            answer.out.find(what)
        };
        let places = [
            place("invariant Two of Stairs is violated"),
            place("height<4 of Stairs is violated"),
            place("invariant Seven of Stairs is violated"),
            place("invariant Five of Stairs is violated"),
        ];
        assert!(places.is_sorted(), "{answer:?}");
        place("Stairs cannot go on");
        place("a state of Stairs with height=8");
        assert!(!answer.out.contains("Hundred of Stairs"), "it holds");
        answer.says(1, "holds in all 10 states");
        seen.push(plain(s.json(&flags)));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn only_the_invariants_that_are_named_are_checked() {
    let s = Sandbox::with("stairs.ioa", STEPS);
    let flags = "stairs.ioa --allow-deadlock --keep-going --only Hundred --only Five";
    let answer = s.explore(flags);
    answer.says(1, "invariant Five of Stairs is violated");
    answer.says(1, "holds in all 10 states");
    assert!(!answer.out.contains("Two"), "{answer:?}");
    assert!(
        answer.out.contains("--only Hundred --only Five"),
        "{answer:?}"
    );
    let answer = s.explore("stairs.ioa --only Fife");
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains(
        "no invariant or liveness property of the automaton is named Fife; did you mean Five?"
    ));
}

#[test]
fn only_whether_it_gets_stuck_can_be_asked() {
    let s = Sandbox::with("stairs.ioa", STEPS);
    let answer = s.explore("stairs.ioa --keep-going --only deadlock");
    answer.says(1, "Stairs cannot go on");
    assert!(!answer.out.contains("Five"), "{answer:?}");
    assert!(answer.out.contains("--only deadlock"), "{answer:?}");
    let answer = s.explore("stairs.ioa --allow-deadlock --only deadlock");
    assert_eq!(answer.code, Some(2), "{answer:?}");
    assert!(answer.err.contains("nothing to ask by --only deadlock"));
}

/// Who falls off the pier goes nowhere, long before anyone comes to its end.
const PIER: &str = "\
automaton Pier
  signature
    internal walk, fall
  states
    place: Nat := 0,
    fallen: Bool := false
  transitions
    internal walk
      pre ~fallen /\\ place < 5
      eff place := place + 1
    internal fall
      pre ~fallen /\\ place = 1
      eff fallen := true
invariant Near of Pier: place < 4
invariant There of Pier: place < 6
";

#[test]
fn a_search_for_one_invariant_goes_past_deadlocks_unless_they_are_asked_for_too() {
    let s = Sandbox::with("pier.ioa", PIER);
    for engine in ["", "--no-native", "--threads 1", "--dpor"] {
        let near = s.explore(&format!("pier.ioa --only Near {engine}"));
        near.says(1, "invariant Near of Pier is violated");
        assert!(!near.out.contains("deadlock"), "{engine} {near:?}");
        assert!(!near.out.contains("cannot go on"), "{engine} {near:?}");
    }
    s.explore("pier.ioa --only There")
        .says(0, "holds in all 7 states");
    let both = s.explore("pier.ioa --only Near --only deadlock");
    both.says(1, "Pier cannot go on");
    assert!(!both.out.contains("Near of Pier is violated"), "{both:?}");
    both.says(1, "--only Near --only deadlock");
}

#[test]
fn formulas_are_native_code_and_say_what_they_say_without_it() {
    let s = Sandbox::with("stairs.ioa", STEPS);
    // A string is no word.
    let general = STEPS
        .replace(
            "height: Nat := 0",
            "height: Nat := 0, path: Mset[String] := {}",
        )
        .replace("height + 1", "height + 1; path := insert(\"up\", path)");
    std::fs::write(s.path("general.ioa"), general).expect("a written file");
    let model = two_phase(3);
    let everything = ["--check", "--find"].map(|flag| {
        format!("{model} --keep-going {flag} tmState=done/\\sentPrepared~={{}} {flag} rmState=constant(committed)")
    });
    for all in &everything {
        let answer = s.explore(&format!("{all} --coverage"));
        assert!(!answer.out.contains("interpreted:"), "{answer:?}");
        assert_eq!(
            plain(s.json(all)),
            plain(s.json(&format!("{all} --no-native")))
        );
    }
    for flags in [
        "--check height<4",
        "--find height=8",
        "--check div(9,height)>1",
        "--find div(9,height)=1",
    ] {
        for (file, is_native) in [("stairs.ioa", true), ("general.ioa", false)] {
            let all = format!("{file} --keep-going --allow-deadlock {flags}");
            let answer = s.explore(&format!("{all} --coverage"));
            let interpreted = format!("interpreted in part: internal up ({file}:");
            assert_eq!(answer.out.contains(&interpreted), !is_native, "{answer:?}");
            // What has no place in words is named.
            let unfit = r#": insert("up", path) (general.ioa:"#;
            assert_eq!(answer.out.contains(unfit), !is_native, "{answer:?}");
            let native = plain(s.json(&all));
            assert_eq!(
                native,
                plain(s.json(&format!("{all} --no-native"))),
                "{all}"
            );
        }
    }
}

/// Two components that take an action, each for a number of its own.
const MAILBOXES: &str = "\
automaton Mailbox(i: Nat)
  signature
    input put(const i)
    output got(const i)
  states full: Bool := false
  transitions
    input put(i)
      eff full := true
    output got(i)
      pre full
      eff full := false
automaton Two
  components A: Mailbox(3); B: Mailbox(7)
";

#[test]
fn a_parameter_takes_the_values_that_the_components_name() {
    let s = Sandbox::with("mail.ioa", MAILBOXES);
    for flags in ["", "--no-native"] {
        let all = format!("mail.ioa --automaton Two --allow-deadlock {flags}");
        let answer = s.explore(&all);
        // From each of the four states there are two steps that put, and a step for each full box.
        answer.says(0, "4 states, 13 generated");
    }
}

/// After two steps, `leap` is enabled and no outcome of it is allowed.
const LEAPS: &str = "\
automaton Leaps
  signature
    internal up, leap(n: Nat)
  states
    height: Nat := 0
  transitions
    internal up
      pre height < 2
      eff height := height + 1
    internal leap(n)
      pre height = 2 /\\ n < 2
      eff height := choose k where k < 4
      ensuring height' > height + n + 5
invariant Low of Leaps: height < 5
";

#[test]
fn a_step_of_which_no_outcome_is_allowed_is_a_fault_and_a_dead_end() {
    let s = Sandbox::with("leaps.ioa", LEAPS);
    let mut seen = Vec::new();
    for flags in ["", "--no-native", "--threads 3", "--keep-going"] {
        let all = format!("leaps.ioa {flags}");
        let answer = s.explore(&all);
        for what in [
            "no state after the effect satisfies the ensuring clause",
            "2 steps from a start state; none is shorter",
            "with n = 0",
            "at leaps.ioa:10:5",
            "Leaps cannot go on: no action that is enabled has a result",
            "see it again: ioa explore leaps.ioa --automaton Leaps",
        ] {
            answer.says(1, what);
        }
        assert!(!answer.out.contains("explored"), "{answer:?}");
        if !flags.contains("keep") {
            seen.push(plain(s.json(&all)));
        }
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    // As long as something else can happen, it is a fault alone.
    let text = LEAPS.replace("pre height < 2", "pre height < 3");
    std::fs::write(s.path("leaps.ioa"), text).expect("a written file");
    for flags in ["", "--no-native"] {
        let answer = s.explore(&format!("leaps.ioa {flags}"));
        answer.says(1, "no state after the effect satisfies the ensuring clause");
        assert!(!answer.out.contains("cannot go on"), "{answer:?}");
    }
}

#[test]
fn deadlocks_may_be_allowed_where_faults_are_not() {
    let s = Sandbox::with("leaps.ioa", LEAPS);
    let answer = s.explore("leaps.ioa --allow-deadlock --keep-going");
    answer.says(1, "no state after the effect satisfies the ensuring clause");
    assert!(!answer.out.contains("cannot go on"), "{answer:?}");
    assert!(!answer.out.contains("explored"), "{answer:?}");
}

/// A shop that is at rest while nobody has come.
const SHOP: &str = "type Client
automaton Shop
  signature
    input  come(c: Client)
    output serve(c: Client)
  states
    waiting: Set[Client] := {}
  transitions
    input come(c)
      eff waiting := insert(c, waiting)
    output serve(c)
      pre c \\in waiting
      eff waiting := delete(c, waiting)
";

#[test]
fn a_state_that_waits_for_an_input_is_quiescent_and_not_stuck() {
    let s = Sandbox::with("shop.ioa", SHOP);
    for flags in [
        "",
        "--no-native",
        "--symmetry",
        "--only deadlock",
        "--threads 3",
    ] {
        let answer = s.explore(&format!("shop.ioa --sort Client=3 {flags}"));
        answer.says(0, "quiescent, with inputs alone enabled: 1 state");
    }
    let closed = SHOP
        .replace("input  come", "internal come")
        .replace("input come", "internal come");
    let closed = closed.replace(
        "eff waiting := insert",
        "pre c \\notin waiting\n      eff waiting := insert",
    );
    let closed = closed.replace(
        "pre c \\in waiting",
        "pre c \\in waiting /\\ size(waiting) < 2",
    );
    std::fs::write(s.path("shop.ioa"), closed).expect("a written file");
    let answer = s.explore("shop.ioa --sort Client=3");
    answer.says(1, "Shop cannot go on: no action is enabled");
    assert!(!answer.out.contains("quiescent"), "{answer:?}");
}

#[test]
fn a_checkpoint_keeps_how_many_states_are_quiescent() {
    let s = Sandbox::with("shop.ioa", SHOP);
    let shop = "shop.ioa --sort Client=6";
    s.explore(&format!("{shop} --states 4 --checkpoint kept"));
    let answer = s.explore(&format!("{shop} --resume kept"));
    answer.says(0, "quiescent, with inputs alone enabled: 1 state");
}

#[test]
fn a_study_may_expect_several_violations_of_one_automaton() {
    let model = "automaton Count\n  signature internal up\n  states n: Nat := 0\n  transitions\n    internal up pre n < 9 eff n := n + 1\n\
                 invariant Low of Count: n < 2\ninvariant High of Count: n < 5\n";
    let study = |more: &str| {
        format!(
            "[study]\nname = \"count\"\nsources = [\"count.ioa\"]\n[[explore]]\nautomaton = \"Count\"\nallow_deadlock = true\n{more}\
             [expect]\nLow = \"violated\"\nHigh = \"violated\"\n"
        )
    };
    for (more, code) in [("keep_going = true\n", 0), ("", 3)] {
        let s = Sandbox::with("count.ioa", model);
        fs::write(s.path("ioa.toml"), study(more)).expect("a written file");
        let answer = s.ioa("verify .").output().expect("ioa runs");
        assert_eq!(answer.status.code(), Some(code), "{more}: {answer:?}");
    }
}

/// A term that stands in a formula more than once has one value there, which is told once.
#[test]
fn the_value_of_a_term_is_told_once() {
    let model =
        format!("{STEPS}invariant Odd of Stairs: height + height < 8 \\/ height * height > 90\n");
    let s = Sandbox::with("stairs.ioa", &model);
    let answer = s.explore("stairs.ioa --only Odd");
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let with = answer
        .out
        .lines()
        .find(|line| line.trim().starts_with("with "));
    let with = with.unwrap_or_else(|| panic!("{answer:?}"));
    assert_eq!(with.matches("height = ").count(), 1, "{with}");
}

/// Three variables have nothing to do with what goes wrong.
const CROWDED: &str = "\
automaton Crowded
  signature
    internal up, color, shape, weigh
  states
    height: Nat := 0, red: Bool := false, round: Bool := false, heavy: Bool := false
  transitions
    internal up
      pre height < 3
      eff height := height + 1
    internal color
      eff red := ~red
    internal shape
      eff round := ~round
    internal weigh
      eff heavy := ~heavy
invariant Low of Crowded: height < 2
";

#[test]
fn what_neither_the_failure_nor_the_steps_read_is_put_aside() {
    let s = Sandbox::with("crowded.ioa", CROWDED);
    let answer = s.explore("crowded.ioa");
    let start = "  0: a start state of Crowded\n       height = 0\n       (3 more variables, which neither the \
                 steps nor what failed read: --full)\n";
    answer.says(1, start);
    let full = s.explore("crowded.ioa --full");
    full.says(1, "       heavy  = false\n");
    assert!(!full.out.contains("more variables"), "{full:?}");
    // Programs get everything.
    let json = s.explore("crowded.ioa --json");
    json.says(1, "\"name\": \"heavy\"");
}
