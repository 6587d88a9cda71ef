//! `ioa run --live`: runs that end in dead states, and their critical transitions.

use crate::sandbox::{Answer, Sandbox};

/// Tokens are borrowed and given back, and some leak. Two of them are needed at once.
const TOKENS: &str = "\
automaton Tokens
  signature internal borrow, return, leak, tick
  states tokens: Nat := 4, busy: Bool := false, even: Bool := true, ticks: Nat := 0
  transitions
    internal borrow pre tokens > 0 /\\ ~busy eff tokens := tokens - 1; busy := true
    internal return pre busy eff tokens := tokens + 1; busy := false
    internal leak pre busy /\\ LEAK eff busy := false
    internal tick eff even := ~even; TICKS
";

/// All states of the tokens are few.
const STANDS: &str = "ticks := 0";
/// There are infinitely many.
const COUNTS: &str = "ticks := ticks + 1";

fn live(leak: &str, ticks: &str, formula: &str, more: &str) -> Answer {
    let s = Sandbox::new();
    let text = TOKENS.replace("LEAK", leak).replace("TICKS", ticks);
    s.write("tokens.ioa", text);
    let flags = format!("run tokens.ioa --random --steps 200 {more} --live");
    let mut args: Vec<&str> = flags.split_whitespace().collect();
    args.push(formula);
    s.ioa(&args)
}

const TWO: &str = "tokens >= 2";

/// Number of the critical step, as the finding says it.
fn step(answer: &Answer) -> u64 {
    let (_, rest) = answer.out.split_once("\"critical_step\":").expect("a step");
    let digits: String = rest
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().expect("a number")
}

#[test]
fn the_run_and_its_live_sibling_are_written_and_differ_in_their_last_common_state_alone() {
    let s = Sandbox::new();
    let text = TOKENS.replace("LEAK", "true").replace("TICKS", STANDS);
    s.write("tokens.ioa", text);
    let args = "run tokens.ioa --random --steps 200 --trace dead.itf.json --live";
    let mut args: Vec<&str> = args.split_whitespace().collect();
    args.push(TWO);
    let found = s.ioa(&args);
    assert!(
        found.out.contains("wrote a run to a dead state, "),
        "{found:?}"
    );
    assert!(found.out.contains("wrote its live sibling, "), "{found:?}");
    let states = |file: &str| {
        let trace: serde_json::Value = {
            let text = std::fs::read_to_string(s.path(file)).expect("a file");
            serde_json::from_str(&text).expect("a trace")
        };
        trace["states"].as_array().expect("states").clone()
    };
    let (dead, live) = (states("dead.itf.json"), states("dead.live.itf.json"));
    let before = dead.len() - 1;
    assert_eq!(dead[..before], live[..before]);
    assert_ne!(dead[before], live[before]);
    for file in ["dead.itf.json", "dead.live.itf.json"] {
        let again = s.ioa(&["run", "tokens.ioa", "--replay", file]);
        assert_eq!(again.code, Some(0), "{again:?}");
    }
    let none = s.ioa(&[&args[..args.len() - 1], &["tokens >= 0"]].concat());
    assert!(none.out.contains("no trace is written"), "{none:?}");
}

#[test]
fn the_step_is_the_one_that_loses_what_is_needed() {
    let found = live("true", STANDS, TWO, "--full");
    assert_eq!(found.code, Some(1), "{found:?}");
    let story = found
        .out
        .split_once("makes tokens >= 2 impossible")
        .expect("a story")
        .1;
    let (dead, way) = story
        .split_once("from the state before step")
        .expect("a way out");
    let last = dead.lines().rfind(|line| line.contains(": internal "));
    assert!(
        last.is_some_and(|line| line.ends_with("internal leak")),
        "{found:?}"
    );
    assert!(
        dead.contains("all states that can follow were visited"),
        "{found:?}"
    );
    let back = way.lines().filter(|line| line.contains(": internal "));
    let back: Vec<&str> = back.collect();
    assert!(
        matches!(back[..], [only] if only.ends_with("internal return")),
        "{found:?}"
    );
}

#[test]
fn nothing_is_found_where_nothing_is_lost_for_good() {
    for (leak, ticks) in [("false", STANDS), ("false", COUNTS), ("tokens > 1", STANDS)] {
        for more in ["", "--states 0", "--strategy portfolio"] {
            let none = live(leak, ticks, TWO, more);
            assert_eq!(none.code, Some(0), "{leak}, {ticks}, {more}: {none:?}");
            assert!(
                none.out.contains("none ended in a state that seems dead"),
                "{none:?}"
            );
        }
    }
}

#[test]
fn walks_find_the_step_that_is_known_where_all_states_can_be_visited() {
    let mut dead = 0;
    for seed in 1..=20 {
        let run = format!("--seed {seed} --runs 1 --json");
        let exact = live("true", STANDS, TWO, &run);
        let walks = live("true", STANDS, TWO, &format!("{run} --states 0"));
        if exact.code == Some(0) {
            assert_eq!(walks.code, Some(0), "seed {seed}: {walks:?}");
            continue;
        }
        dead += 1;
        assert_eq!(exact.code, Some(1), "{exact:?}");
        assert_eq!(walks.code, Some(3), "{walks:?}");
        assert_eq!(step(&exact), step(&walks), "seed {seed}");
    }
    assert!(dead >= 5, "{dead} of 20 runs end in a dead state");
}

#[test]
fn what_is_believed_is_not_called_a_violation() {
    let believed = live("true", COUNTS, TWO, "--states 100");
    assert_eq!(believed.code, Some(3), "{believed:?}");
    assert!(
        believed.out.contains("believed to be impossible after"),
        "{believed:?}"
    );
    assert!(
        believed
            .out
            .contains("heuristic: 60 walks of at most 200 steps"),
        "{believed:?}"
    );
}

#[test]
fn all_beginnings_are_tried_and_walks_go_on_from_there() {
    let flags = "--strategy depth-first --depth 4";
    let found = live("true", STANDS, TWO, flags);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.contains(" of run "), "{found:?}");
    let none = live("false", STANDS, TWO, &format!("{flags} --runs 1000"));
    assert_eq!(none.code, Some(0), "{none:?}");
    assert!(
        none.out
            .contains("beginnings of at most 4 steps were tried"),
        "{none:?}"
    );
    let counts = live("true", COUNTS, TWO, &format!("{flags} --states 0"));
    assert_eq!(counts.code, Some(3), "{counts:?}");
    // The first run borrows and then ticks. To leak three tokens it would have to diverge more than once.
    let few = live(
        "true",
        STANDS,
        TWO,
        "--strategy divergences --depth 1 --runs 1000",
    );
    assert_eq!(few.code, Some(0), "{few:?}");
    assert!(few.out.contains("at most 1 divergence"), "{few:?}");
}

#[test]
fn the_command_shows_it_again() {
    for strategy in ["portfolio", "depth-first"] {
        is_shown_again(strategy);
    }
}

fn is_shown_again(strategy: &str) {
    let s = Sandbox::new();
    let text = TOKENS.replace("LEAK", "true").replace("TICKS", STANDS);
    s.write("tokens.ioa", text);
    let live = ["--live", "tokens>=2"];
    let flags = [
        "run",
        "tokens.ioa",
        "--strategy",
        strategy,
        "--steps",
        "200",
        "--full",
    ];
    let found = s.ioa(&[&flags[..], &live[..]].concat());
    assert_eq!(found.code, Some(1), "{found:?}");
    let line = found.out.lines().find(|l| l.contains("see it again"));
    let again = line
        .and_then(|l| l.split_once("ioa "))
        .expect("a command")
        .1;
    let again = format!("{again} --full").replace('\'', "");
    let args: Vec<&str> = again.split_whitespace().collect();
    let again = s.ioa(&args);
    let story = |answer: &Answer| {
        let (_, story) = answer.out.split_once(" in all\n").expect("a table");
        story.to_owned()
    };
    assert_eq!(story(&found), story(&again));
}

#[test]
fn a_start_state_may_be_dead() {
    let dead = live("true", STANDS, "tokens > 4", "--runs 1");
    assert_eq!(dead.code, Some(1), "{dead:?}");
    assert!(
        dead.out
            .contains("tokens > 4 is impossible from a start state"),
        "{dead:?}"
    );
}

#[test]
fn a_formula_with_a_mistake_is_shown_at_its_place() {
    let typo = live("true", STANDS, "token >= 2", "");
    assert_eq!(typo.code, Some(2), "{typo:?}");
    assert!(
        typo.err.contains("--live:1:1") && typo.err.contains('^'),
        "{typo:?}"
    );
    let undefined = live("true", STANDS, "div(10, tokens - 2) > 3", "");
    assert_eq!(undefined.code, Some(2), "{undefined:?}");
    assert!(
        undefined.err.contains("has no value in a state"),
        "{undefined:?}"
    );
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    for more in ["--show", "--whole", "--walks 0", "--prefixes 0"] {
        let refused = live("true", STANDS, TWO, more);
        assert_eq!(refused.code, Some(2), "{more}: {refused:?}");
    }
}

/// A kettle that gets hot only if it is not cooled for a while, and cracks only when it has been hot for a while.
const KETTLE: &str = "\
automaton Kettle
  signature internal heat, cool, rest, strain
  states warmth: Nat := 0, cracks: Nat := 0, idle: Bool := false
  transitions
    internal heat pre warmth < 8 eff warmth := warmth + 1
    internal cool pre warmth < 8 eff warmth := 0
    internal rest pre warmth = 8 eff idle := ~idle
    internal strain pre warmth = 8 /\\ cracks < 12 eff cracks := cracks + 1
";

fn kettle(more: &str) -> Answer {
    let s = Sandbox::new();
    s.write("kettle.ioa", KETTLE);
    let flags = format!("run kettle.ioa --random --steps 19 {more} --live");
    let mut args: Vec<&str> = flags.split_whitespace().collect();
    args.push("warmth = 8 /\\ cracks < 12");
    s.ioa(&args)
}

#[test]
fn runs_that_begin_with_live_prefixes_find_what_is_out_of_reach_for_others() {
    // The kettle cracks after 20 steps at the earliest.
    let plain = kettle("--runs 1500");
    assert_eq!(plain.code, Some(0), "{plain:?}");
    let found = kettle("--runs 1500 --prefixes 1 --full");
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.contains("of a live run"), "{found:?}");
    // What is told is a run from a start state on.
    let story = found.out.split_once("impossible\n  0: a start state");
    let (_, story) = story.expect("a story from the start");
    assert!(story.matches(": internal heat").count() >= 8, "{found:?}");
    assert!(
        story.matches(": internal strain").count() >= 12,
        "{found:?}"
    );
    let (_, again) = found.out.split_once("--prefixes 1 ").expect("a command");
    let (again, _) = again.split_once(" --steps").expect("its end");
    let again = kettle(&format!("--prefixes 1 {again} --full"));
    let told = |answer: &Answer| {
        answer
            .out
            .split_once("step ")
            .map(|(_, told)| told.to_owned())
    };
    assert_eq!(told(&found), told(&again));
}

#[test]
fn prefixes_are_not_used_before_all_are_there() {
    // No run is live, so that none lends its beginning.
    let never = live("true", STANDS, "tokens >= 9", "--runs 3 --prefixes 1");
    assert_eq!(never.code, Some(1), "{never:?}");
    assert!(!never.out.contains("of a live run"), "{never:?}");
}

#[test]
fn prefixes_want_a_formula_that_says_what_is_live() {
    let s = Sandbox::new();
    s.write("kettle.ioa", KETTLE);
    let refused = s.ioa(&["run", "kettle.ioa", "--random", "--prefixes", "2"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("--live"), "{refused:?}");
}

#[test]
fn where_nobody_says_how_long_runs_are_the_depths_of_first_live_states_decide() {
    let s = Sandbox::new();
    let text = TOKENS
        .replace("LEAK", "tokens < 3")
        .replace("TICKS", COUNTS);
    s.write("tokens.ioa", text);
    let run = |formula: &str| {
        let flags = ["--random", "--states", "0", "--json", "--live", formula];
        let answer = s.ioa(&[&["run", "tokens.ioa"], &flags[..]].concat());
        answer.json()["results"][0].clone()
    };
    let summary = |finding: &serde_json::Value| finding["summary"].to_string();
    let found = run("tokens = 3");
    let says = |text: &str| assert!(summary(&found).contains(text), "{text}: {found:?}");
    says("100 runs came to a live state from one that is not, half of them within ");
    let bars = found["items"].as_array().expect("a histogram");
    let runs = bars.iter().map(|bar| bar["figures"]["runs"].as_u64());
    assert_eq!(runs.sum::<Option<u64>>(), Some(100));
    // The longest of a hundred depths decides, and the command that shows a run again says so.
    let (_, last) = bars
        .last()
        .and_then(|bar| bar["name"].as_str())
        .expect("a bar")
        .split_once("most ")
        .expect("a bound");
    let bound: u64 = last
        .split(' ')
        .next()
        .expect("a number")
        .replace(',', "")
        .parse()
        .expect("a number");
    let text = summary(&found);
    let (_, steps) = text
        .split_once("so runs take at most ")
        .expect("a number of steps");
    let steps: String = steps.chars().filter(char::is_ascii_digit).collect();
    let steps: u64 = steps.parse().expect("a number");
    assert!(
        steps <= 8 * bound && (steps > 4 * bound || steps == 100),
        "{steps} {bound}"
    );
    // Nobody comes to such a state, and nothing follows from that.
    let never = run("tokens = 9");
    assert!(
        summary(&never).contains("none of 100 runs came to a live state within 10,000"),
        "{never:?}"
    );
    let given = live("tokens < 3", COUNTS, "tokens = 3", "");
    assert!(!given.out.contains("came to a live state"), "{given:?}");
}

/// A token goes where `next` leads, which nothing is known of.
const TOKEN: &str = "\
type Node
vocabulary Next operators next: Node -> Node end
imports Next
automaton Token
  signature internal pass
  states at: Node, seen: Set[Node] := {}
  transitions internal pass eff seen := insert(at, seen); at := next(at)
";

#[test]
fn each_interpretation_of_the_theories_has_its_share_of_the_runs() {
    let s = Sandbox::new();
    s.write("token.ioa", TOKEN);
    let live = |formula: &str| {
        let args = "run token.ioa --sort Node=2 --runs 30 --steps 20 --live";
        let mut args: Vec<&str> = args.split_whitespace().collect();
        args.push(formula);
        s.ioa(&args)
    };
    let all = live("seen ~= {}");
    assert_eq!(all.code, Some(0), "{all:?}");
    assert!(all.out.contains("all 3 interpretations of next"), "{all:?}");
    // In the first interpretation the token comes to both.
    let both = live("size(seen) = 2");
    assert_eq!(both.code, Some(1), "{both:?}");
    assert!(both.out.contains("note: in interpretation 2: "), "{both:?}");
    let (_, command) = both
        .out
        .split_once("see it again: ioa ")
        .expect("a command");
    let command = command
        .lines()
        .next()
        .expect("a line")
        .replace("'size(seen) = 2'", "F");
    assert!(command.contains("--interpretation 2"), "{command}");
    let args: Vec<&str> = command.split_whitespace().collect();
    let args: Vec<&str> = args
        .iter()
        .map(|a| if *a == "F" { "size(seen) = 2" } else { a })
        .collect();
    let again = s.ioa(&args);
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
fn errors_of_the_model_on_the_way_are_said() {
    let s = Sandbox::new();
    let text = "\
automaton Pair
  signature internal put, take
  states q: Seq[Nat] := {}, n: Nat := 0
  transitions
    internal put pre n < 2 eff q := q |- n; n := n + 1
    internal take pre n > 0 eff q := tail(q); n := n - 1; q := tail(q)
";
    s.write("pair.ioa", text);
    let answer = s.ioa(&[
        "run", "pair.ioa", "--runs", "10", "--steps", "20", "--live", "n = 0",
    ]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(
        answer
            .out
            .contains("ended in a run-time error of the model"),
        "{answer:?}"
    );
}
