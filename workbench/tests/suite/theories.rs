//! The command line on what is proved or interpreted: theories of the user's own, backward simulations, warnings.

use std::collections::BTreeSet;

use crate::sandbox::{Answer, Sandbox, refused};
use serde_json::Value as Json;
use test_support::generate::{self, Draft, Drafts};

/// A sandbox with one more file.
fn with(name: &str, text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(name, text);
    sandbox
}

/// `Late` chooses a value when it shows it, `Early` before it begins.
const LATE: &str = "type Value
type Phase = enumeration of idle, begun, over
automaton Late
  signature output begin, show(v: Value)
  states phase: Phase := idle
  transitions
    output begin pre phase = idle eff phase := begun
    output show(v) pre phase = begun eff phase := over
automaton Early
  signature output begin, show(v: Value) internal pick
  states phase: Phase := idle, chosen: Null[Value] := nil
  transitions
    internal pick
      choose x: Value
      pre phase = idle /\\ chosen = nil
      eff chosen := embed(x)
    output begin pre phase = idle /\\ chosen ~= nil eff phase := begun
    output show(v) pre phase = begun /\\ chosen = embed(v) eff phase := over; chosen := nil
backward simulation from Late to Early: Late.phase = Early.phase";

fn pair(relation: &str) -> Answer {
    let sandbox = with("late.ioa", &format!("{LATE}{relation}\n"));
    sandbox.ioa(&["pair", "late.ioa", "--sort", "Value=2"])
}

#[test]
fn a_backward_simulation_is_checked_in_all_reachable_states() {
    let holds = pair(" /\\ (Late.phase = idle => Early.chosen = nil)");
    assert_eq!(holds.code, Some(0), "{holds:?}");
    assert!(holds.out.contains("Late to Early"), "{}", holds.out);
    let broken = pair("");
    assert_eq!(broken.code, Some(1), "{broken:?}");
    assert!(broken.out.contains("start"), "{}", broken.out);
}

/// The uninterpreted operators, and who uses them.
fn ring(axioms: &str) -> String {
    format!(
        "type Node
vocabulary Ring
  operators
    right, left: Node -> Node
  axioms
    with n: Node
    {axioms}
end
imports Ring
automaton Walk
  signature internal go(n: Node)
  states at: Set[Node] := {{}}
  transitions internal go(n) eff at := insert(right(n), at)
"
    )
}

const INVERSE: &str = "right(left(n)) = n;\n    left(right(n)) = n";

#[test]
fn interpretations_are_found_counted_and_shown() {
    let s = with("ring.ioa", &ring(INVERSE));
    let check = |number: &str| {
        s.ioa(&[
            "check",
            "ring.ioa",
            "--sort",
            "Node=3",
            "--interpret",
            "--interpretation",
            number,
        ])
    };
    let first = check("1");
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.out.contains("right(Node#0) = "), "{}", first.out);
    // A permutation of three elements is the identity, turns two of them round, or all.
    let shown = ["1", "2", "3"].map(|n| check(n).out);
    assert!(shown[0] != shown[1] && shown[1] != shown[2] && shown[0] != shown[2]);
    assert!(shown.iter().all(|out| out.contains("left(Node#2) = ")));
    refused(&check("4"), "no interpretation 4");
    let run = s.ioa(&[
        "explore",
        "ring.ioa",
        "--sort",
        "Node=3",
        "--interpretation",
        "3",
        "--allow-deadlock",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains('8'), "{}", run.out);
}

/// A walker goes along `right`, from any node. Each claim is false in some of the three interpretations at three nodes:
/// where `right` leads nowhere, where it turns two nodes round, and where it leads around all of them.
const CLAIMS: &str = "invariant Moves of Walk: steps > 0 => at ~= from
invariant IsNotBack of Walk: steps = 2 => at ~= from
invariant IsNowhereNew of Walk: steps = 2 => at = from
invariant IsShort of Walk: steps < 4
liveness Leaves of Walk: steps = 0 leads to at ~= from
";

fn walk() -> String {
    let theory = ring(INVERSE);
    let vocabulary = &theory[..theory.find("automaton").expect("an automaton")];
    format!(
        "{vocabulary}automaton Walk
  signature internal go
  states from: Node, at: Node, steps: Nat := 0 so that at = from
  transitions internal go pre steps < 3 eff at := right(at); steps := steps + 1
  tasks {{ go }}
{CLAIMS}"
    )
}

#[test]
fn a_search_that_keeps_going_goes_through_all_interpretations() {
    let s = with("walk.ioa", &walk());
    let explore = |flags: &[&str]| {
        let all = [
            "explore",
            "walk.ioa",
            "--sort",
            "Node=3",
            "--allow-deadlock",
        ];
        s.ioa(&[&all[..], flags].concat())
    };
    let first = explore(&[]);
    assert_eq!(first.code, Some(1), "{first:?}");
    assert!(first.out.contains("--keep-going"), "{}", first.out);
    let all = explore(&["--keep-going"]);
    assert_eq!(all.code, Some(1), "{all:?}");
    assert!(all.out.contains("in all 3 interpretations"), "{}", all.out);
    for (claim, steps) in [
        ("Moves", 1),
        ("IsNotBack", 2),
        ("IsNowhereNew", 2),
        ("Leaves", 3),
    ] {
        let headline = all
            .out
            .lines()
            .find(|line| line.contains(claim) && line.contains("violated"));
        let headline = headline.unwrap_or_else(|| panic!("{claim}: {}", all.out));
        assert!(headline.contains(&format!("{steps} step")), "{headline}");
    }
    let kept = all.out.lines().find(|line| line.contains("IsShort"));
    assert!(
        kept.is_some_and(|line| line.contains("explored")),
        "{}",
        all.out
    );
    // What is shown is shown where it is so: each command that repeats a finding finds it, in its interpretation alone.
    let commands = all
        .out
        .lines()
        .filter_map(|line| line.split("ioa explore ").nth(1));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 4, "{}", all.out);
    let mut numbers = BTreeSet::new();
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        let number = words.iter().position(|word| *word == "--interpretation");
        numbers.insert(number.map(|at| words[at + 1]));
        let again = s.ioa(&[&["explore"], &words[..]].concat());
        assert_eq!(again.code, Some(1), "{command}: {again:?}");
    }
    assert!(numbers.len() > 1 && !numbers.contains(&None), "{numbers:?}");
}

#[test]
fn the_first_interpretation_of_an_operator_that_may_lead_around_does() {
    // Nothing is asked of the operator, so that it may be any of thousands.
    let s = with("ring.ioa", &ring("right(n) = right(n)"));
    let shown = s.ioa(&["check", "ring.ioa", "--sort", "Node=6", "--interpret"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let right = |at: usize| {
        let row = format!("right(Node#{at}) = Node#");
        let (_, rest) = shown.out.split_once(&row).expect("each element has a row");
        rest[..1].parse::<usize>().expect("a number")
    };
    let mut passed = vec![0];
    while passed.len() < 6 {
        passed.push(right(passed[passed.len() - 1]));
    }
    assert_eq!(right(passed[5]), 0, "{passed:?}");
    passed.sort_unstable();
    assert_eq!(passed, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn contradictory_axioms_are_named() {
    let s = with(
        "ring.ioa",
        &ring(&format!(
            "{INVERSE};\n    right(n) ~= left(right(right(n)))"
        )),
    );
    let answer = s.ioa(&["check", "ring.ioa", "--sort", "Node=2", "--interpret"]);
    refused(&answer, "the theories have no interpretation at Node=2");
    assert!(answer.err.contains("Ring"), "{}", answer.err);
    refused(
        &s.ioa(&["run", "ring.ioa", "--random", "--sort", "Node=2"]),
        "no operators satisfy",
    );
}

#[test]
fn a_size_at_which_there_is_no_interpretation_is_refused_and_another_is_not() {
    // Pairs of different nodes: there is no such partner among an odd number.
    let s = with(
        "ring.ioa",
        &ring(&format!(
            "{INVERSE};\n    right(n) ~= n;\n    right(right(n)) = n"
        )),
    );
    let check = |size: &str| s.ioa(&["check", "ring.ioa", "--sort", size, "--interpret"]);
    refused(&check("Node=3"), "at Node=3");
    assert_eq!(check("Node=4").code, Some(0));
}

#[test]
fn what_is_true_and_hardly_meant_is_warned_about() {
    let s = with(
        "light.ioa",
        "automaton Light
  signature internal on, off
  states lit: Bool := false, broken: Bool := false
  transitions
    internal on eff lit := true
    internal off pre broken eff lit := false
invariant Whole of Light: ~broken
invariant Any of Light: lit \\/ ~lit
",
    );
    let answer = s.ioa(&["prove", "light.ioa"]);
    assert_eq!(answer.code, Some(0), "a warning is no failure: {answer:?}");
    for says in [
        ": Light.off never happens: its precondition contradicts Whole (at light.ioa:6:",
        ": Any holds vacuously: it follows from the types and axioms alone",
    ] {
        assert!(answer.out.contains(says), "{says}: {}", answer.out);
    }
    let document = s.ioa(&["prove", "light.ioa", "--json"]).json();
    let results = document["results"].as_array().expect("results");
    let all = results.iter().flat_map(|r| r["warnings"].as_array());
    assert_eq!(all.map(Vec::len).sum::<usize>(), 2, "{document}");
    let only = s
        .ioa(&["prove", "light.ioa", "--only", "Whole", "--json"])
        .json();
    let warned = &only["results"][0]["warnings"];
    assert_eq!(warned.as_array().map(Vec::len), Some(1), "{only}");
    let paxos: Json = s.ioa(&["prove", ".", "--json"]).json();
    let mut results = paxos["results"].as_array().expect("results").iter();
    assert!(results.all(|r| r["warnings"].is_null()), "{paxos}");
}

const LIGHT: &str = "type Room
automaton Light
  signature internal on(r: Room), swap(r, s: Room), mend
  states lit: Set[Room] := {}, broken: Bool := false
  transitions
    internal on(r) eff lit := insert(r, lit)
    internal swap(r, s) pre r ~= s /\\ r \\in lit eff lit := insert(s, lit)
    internal mend pre broken eff broken := false
invariant Dark of Light: \\A r: Room (r \\in lit /\\ broken => lit = {})
";

#[test]
fn what_cannot_be_at_given_sizes_is_warned_about() {
    let s = with("light.ioa", LIGHT);
    let answer = s.ioa(&["check", "light.ioa", "--sort", "Room=1"]);
    assert_eq!(answer.code, Some(0), "a warning is no failure: {answer:?}");
    let says = ": Light.swap never happens at Room=1: no state satisfies its precondition";
    assert!(answer.err.contains(says), "{}", answer.err);
    assert!(answer.err.contains("light.ioa:7:"), "{}", answer.err);
    let enough = s.ioa(&["check", "light.ioa", "--sort", "Room=2"]);
    assert_eq!(enough.code, Some(0), "{enough:?}");
    assert!(!enough.err.contains("Light.swap"), "{}", enough.err);
    let large = s.ioa(&["check", "light.ioa", "--sort", "Room=4000"]);
    assert!(large.out.contains("not inspected: "), "{large:?}");
    refused(&s.ioa(&["check", "light.ioa", "--sort", "Node=1"]), "Node");
}

#[test]
fn what_no_reachable_state_shows_is_warned_about_where_these_are_few() {
    let s = with("light.ioa", LIGHT);
    let check = |size: &str| s.ioa(&["check", "light.ioa", "--sort", size]).err;
    let never = ": Light.mend never happens at Room=2: no state that is reached enables it";
    let vacuous =
        ": Dark holds vacuously at Room=2: its premise is true in no state that is reached";
    let found = check("Room=2");
    assert!(found.contains(never) && found.contains(vacuous), "{found}");
    assert!(
        found.contains("8 |     internal mend pre broken"),
        "{found}"
    );
    assert_eq!(found.matches("warning[W107]:").count(), 2, "{found}");
    // Two to the twentieth states are not looked at.
    assert_eq!(check("Room=20"), "");
    // What the solver can tell is said once, with its reason.
    s.write(
        "light.ioa",
        format!("{LIGHT}invariant Whole of Light: ~broken\n"),
    );
    let found = check("Room=2");
    assert!(
        found.contains("Light.mend never happens at Room=2 if Whole holds"),
        "{found}"
    );
    assert_eq!(found.matches("warning[W107]:").count(), 2, "{found}");
    s.write(
        "light.ioa",
        LIGHT.replace(
            "lit := insert(r, lit)",
            "lit := insert(r, lit); broken := true",
        ),
    );
    assert_eq!(check("Room=2"), "");
}

#[test]
fn a_sort_that_nothing_is_about_needs_no_size() {
    let spare = LIGHT.replace(
        "type Room",
        "type Room\ntype Spare\ntype Spares = Set[Spare]",
    );
    let s = with("light.ioa", &spare);
    for command in ["run", "explore"] {
        let flags: &[&str] = if command == "run" {
            &["--random", "--steps", "5"]
        } else {
            &[]
        };
        let answer = s.ioa(&[&[command, "light.ioa", "--sort", "Room=2"], flags].concat());
        assert_eq!(answer.code, Some(0), "{answer:?}");
        assert!(answer.err.contains("about the texts (W101)"), "{answer:?}");
        assert!(!answer.out.contains("Spare="), "{answer:?}");
        refused(
            &s.ioa(&[&[command, "light.ioa"], flags].concat()),
            "sort Room has no size",
        );
    }
    s.write(
        "light.ioa",
        spare.replace("lit: Set[Room]", "spares: Spares := {}, lit: Set[Room]"),
    );
    refused(
        &s.ioa(&["explore", "light.ioa", "--sort", "Room=2"]),
        "sort Spare has no size",
    );
}

#[test]
fn components_that_do_not_fit_at_given_sizes_are_warned_about() {
    let text = "type Node
vocabulary Ends operators left, right: -> Node end
imports Ends
automaton Sender(n: Node)
  signature output send(const n)
  states sent: Nat := 0
  transitions output send(n) eff sent := sent + 1
automaton Both
  components A: Sender(left); B: Sender(right)
";
    let check = |text: &str| with("ends.ioa", text).ioa(&["check", "ends.ioa", "--sort", "Node=2"]);
    let answer = check(text);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(
        answer
            .err
            .contains(": `send` is an output of both `A` and `B`"),
        "{}",
        answer.err
    );
    let apart = text.replace("-> Node end", "-> Node axioms left ~= right end");
    assert_eq!(check(&apart).err, "");
}

#[test]
fn an_invariant_that_no_reached_state_puts_to_the_test_is_warned_about() {
    let s = with("light.ioa", LIGHT);
    let explore = |text: &str| {
        s.write("light.ioa", text);
        s.ioa(&["explore", "light.ioa", "--sort", "Room=2"])
    };
    let says =
        ": Dark holds vacuously: broken (light.ioa:9:51) was never true with what stands before it";
    let answer = explore(LIGHT);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(answer.out.contains(says), "{}", answer.out);
    let first = explore(&LIGHT.replace("r \\in lit /\\ broken", "broken /\\ r \\in lit"));
    assert!(first.out.contains("was never true\n"), "{}", first.out);
    let met = explore(&LIGHT.replace("broken => lit = {}", "~broken => lit ~= {}"));
    assert_eq!(met.code, Some(0), "{met:?}");
    assert!(!met.out.contains("warning"), "{}", met.out);
    let begun = explore(&LIGHT.replace("lit = {})", "lit = {}) /\\ lit = {}"));
    assert!(!begun.out.contains("warning"), "{}", begun.out);
}

#[test]
fn what_a_false_invariant_kept_from_failing_is_shown() {
    let s = with(
        "light.ioa",
        "automaton Light
  signature internal on, off
  states lit: Bool := false, seen: Bool := false, n: Nat := 0
  transitions
    internal on pre mod(n, 2) = 1 eff lit := true
    internal off pre lit eff seen := true; n := n + 2
invariant Unlit of Light: ~lit
invariant Unseen of Light: ~seen
",
    );
    let answer = s.ioa(&["prove", "light.ioa"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    let shown = "Light.Unseen / off is proved, if Unlit is";
    assert!(answer.out.contains(shown), "{}", answer.out);
    assert!(answer.out.contains("false: ~seen"), "{}", answer.out);
}

/// Variables of every type that the detector has templates for.
const THINGS: &str = "type Node
type Mode = enumeration of calm, busy, over
type Item = union of node: Node, mode: Mode
automaton Things
  signature internal put(n: Node), drop(n: Node), turn(c: Char)
  states map: Map[Node, Nat] := empty, bag: Mset[Node] := {}, item: Item := mode(calm),
    mode: Mode := calm, letter: Char := 'a', seen: Set[Node] := {}
  transitions
    internal put(n)
      pre mode ~= over
      eff map[n] := size(seen); bag := insert(n, bag); seen := insert(n, seen); item := node(n); mode := busy
    internal drop(n)
      pre defined(map, n)
      eff map := remove(map, n); bag := delete(n, bag); item := mode(over); mode := calm
    internal turn(c)
      pre c \\in {'b', 'c'} /\\ letter < c
      eff letter := c
";

#[test]
fn candidates_over_all_types_are_legal_and_true_of_the_runs() {
    let s = with("things.ioa", THINGS);
    let runs = [
        "--random", "--runs", "30", "--steps", "40", "--sort", "Node=3",
    ];
    let ask = |command: &[&str]| s.ioa(&[command, &runs].concat());
    let infer = ask(&["infer", "things.ioa", "--output", "likely.ioa"]);
    assert_eq!(infer.code, Some(0), "{infer:?}");
    let text = std::fs::read_to_string(s.path("likely.ioa")).expect("the candidates");
    for variable in ["map", "bag", "item", "mode", "letter"] {
        assert!(text.contains(variable), "nothing about {variable}: {text}");
    }
    let check = s.ioa(&["check", "things.ioa", "likely.ioa"]);
    assert_eq!(check.code, Some(0), "{check:?}\n{text}");
    let run = ask(&["run", "things.ioa", "likely.ioa", "--json"]);
    assert_eq!(run.code, Some(0), "{run:?}\n{text}");
    let document = run.json();
    let results = document["results"].as_array().expect("results");
    let tested = results
        .iter()
        .filter(|r| r["kind"] == "invariant" && r["verdict"] == "tested");
    assert_eq!(
        tested.count(),
        text.matches("invariant ").count(),
        "{document}"
    );
}

#[test]
fn the_values_of_parameters_are_told_with_what_was_found_for_them() {
    let s = with(
        "counter.ioa",
        "automaton Counter(lim: Nat) where 0 < lim /\\ lim < 5
  signature internal up
  states x: Nat := 0
  transitions internal up pre x < lim eff x := x + 1
invariant Small of Counter: x <= 4
",
    );
    let summary = |args: &[&str]| {
        let answer = s.ioa(&[args, &["--json"]].concat());
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer.json()["results"][0]["summary"].to_string()
    };
    let all = "in all 4 interpretations of Counter.lim";
    let explored = summary(&["explore", "counter.ioa", "--allow-deadlock"]);
    assert!(explored.contains(all), "{explored}");
    let run = summary(&["run", "counter.ioa"]);
    assert!(run.contains(all), "{run}");
    let run = summary(&["run", "counter.ioa", "--interpretation", "3"]);
    assert!(run.contains("where Counter.lim = 3"), "{run}");
}

#[test]
fn a_sort_of_which_axioms_ask_for_elements_needs_a_size() {
    let text = |axiom: &str| {
        format!(
            "type Node
type Spare
vocabulary V assumes TotalOrder(Spare) axioms {axiom} end
imports V
automaton Cell
  signature internal tick
  states at: Node
  transitions internal tick eff at := choose
"
        )
    };
    let s = with("cell.ioa", &text(r"\A a, b: Spare (a < b => ~(b < a))"));
    let explore = ["explore", "cell.ioa", "--sort", "Node=2"];
    assert_eq!(s.ioa(&explore).code, Some(0));
    let s = with("cell.ioa", &text(r"\E a, b: Spare (a < b)"));
    let refused = s.ioa(&explore);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("sort Spare has no size"),
        "{refused:?}"
    );
}

/// An automaton of which nothing holds that is stated: its step has no result, and its invariant is false at the start.
const WRONG: &str = "
automaton Wrong
  signature internal fail
  states n: Nat := 0
  transitions internal fail eff n := div(1, 0)
invariant Never of Wrong: n > 0
";

/// What is said to be proved of `Wrong` under the axioms of a draft.
fn proved_of_wrong(draft: &Draft) -> Option<String> {
    let text = generate::theory(draft).text + WRONG;
    let s = with("wrong.ioa", &text);
    let ask = [
        "prove",
        "wrong.ioa",
        "--automaton",
        "Wrong",
        "--timeout",
        "5000",
        "--json",
    ];
    let answer = s.ioa(&ask);
    let document = answer.json();
    let results = document["results"].as_array().into_iter().flatten();
    let mut proved = results.filter(|result| result["verdict"] == "proved");
    let found = proved.next().map(|result| result["kind"].to_string());
    let found = found.or((answer.code == Some(0)).then(|| "the exit status is 0".into()));
    found.map(|found| format!("{found}\n{text}"))
}

#[test]
fn what_is_wrong_is_proved_from_no_axioms() {
    let drafts = Drafts::of_parts(5);
    for seed in 0..20 {
        if proved_of_wrong(&drafts.draft(seed)).is_some() {
            let smallest = drafts.shrunk(seed, 60, |draft| proved_of_wrong(draft).is_some());
            panic!(
                "seed {seed}: {}",
                proved_of_wrong(&smallest).unwrap_or_default()
            );
        }
    }
}
