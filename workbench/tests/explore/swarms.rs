//! `--swarm`: many searches that go deep.

use super::Sandbox;

/// Whoever climbs high while all others stay low may leave a mark. Three marks take some hundred steps, and there are more
/// than a million states.
const CLIMB: &str = "\
type Climber
automaton Climb
  signature internal up(c: Climber), down(c: Climber), mark(c: Climber)
  states
    height: Array[Climber, Nat] := constant(0),
    marked: Set[Climber] := {}
  transitions
    internal up(c) pre height[c] < 12 eff height[c] := height[c] + 1
    internal down(c) pre height[c] > 0 eff height[c] := height[c] - 1
    internal mark(c)
      pre height[c] = 12 /\\ \\A d: Climber (d ~= c => height[d] < 7)
      eff marked := insert(c, marked)
invariant Few of Climb: size(marked) < 3
invariant Low of Climb: \\A c: Climber (height[c] <= 12)
";

const SWARM: &str = "climb.ioa --sort Climber=5 --allow-deadlock --swarm 8 --states 100000";

/// The result about an invariant.
fn about<'j>(document: &'j serde_json::Value, name: &str) -> &'j serde_json::Value {
    let results = document["results"].as_array().expect("results");
    let found = results.iter().find(|result| result["name"] == name);
    found.unwrap_or_else(|| panic!("{name} in {document}"))
}

#[test]
fn a_swarm_goes_no_deeper_than_it_may() {
    let s = Sandbox::with("climb.ioa", CLIMB);
    for (depth, said) in [(0, "at most 0 steps deep"), (1, "at most 1 step deep")] {
        let swarm = format!("{SWARM} --depth {depth}");
        s.explore(&swarm).says(0, said);
    }
}

#[test]
fn a_deep_violation_is_found_shortened_and_found_again() {
    let s = Sandbox::with("climb.ioa", CLIMB);
    let wide = s.explore("climb.ioa --sort Climber=5 --allow-deadlock --states 800000");
    assert!(!wide.out.contains("violated"), "{wide:?}");
    let found = s.explore(SWARM);
    assert_eq!(found.code, Some(1), "{found:?}");
    let replay = found
        .out
        .split_once("see it again: ioa ")
        .expect("a command")
        .1;
    let replay = replay.lines().next().expect("a line");
    assert!(
        replay.contains("--swarm 8 --seed 1 --states 100000"),
        "{replay}"
    );
    let again = s.ioa(replay).output().expect("ioa runs");
    assert_eq!(again.status.code(), Some(1));
    let document = s.json(SWARM);
    let few = about(&document, "Few");
    let steps = few["figures"]["steps"].as_u64().expect("steps");
    let summary = few["summary"].as_str().expect("a summary");
    let (_, from) = summary.split_once("shortened from ").expect("that it was");
    let from: u64 = from.replace(',', "").parse().expect("a number");
    // Each climber needs twelve steps to come up.
    assert!((39..from).contains(&steps), "{summary}");
    // What is true is not called explored.
    assert_eq!(about(&document, "Low")["verdict"], "unknown");
}

#[test]
fn what_is_found_depends_on_the_seed_and_on_no_threads() {
    let s = Sandbox::with("climb.ioa", CLIMB);
    let found = |flags: &str| {
        let document = s.json(&format!("{SWARM} {flags}"));
        about(&document, "Few")["stories"].clone()
    };
    assert_eq!(found("--seed 5 --threads 1"), found("--seed 5 --threads 2"));
    assert_ne!(found("--seed 5"), found("--seed 6"));
}

#[test]
fn all_searches_come_to_their_ends_if_that_is_asked_for() {
    let s = Sandbox::with("climb.ioa", CLIMB);
    let document = s.json(&format!("{SWARM} --keep-going"));
    let swarm = &document["results"][0];
    assert_eq!(swarm["figures"]["searches_ended"], 8, "{swarm}");
    let summary = swarm["summary"].as_str().expect("a summary");
    assert!(!summary.contains("first finding"), "{summary}");
    assert_eq!(about(&document, "Few")["verdict"], "violated");
}

#[test]
fn where_nothing_is_found_nothing_is_called_explored() {
    let s = Sandbox::with("climb.ioa", CLIMB);
    let flags = "climb.ioa --sort Climber=2 --allow-deadlock --swarm 3 --only Low";
    let answer = s.explore(flags);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    assert!(!answer.out.contains("explored"), "{answer:?}");
    // All of its 676 states are visited by each of the searches, whose bounds on depth are not reached.
    let figures = &s.json(flags)["results"][0]["figures"];
    assert_eq!(figures["states_visited"], 3 * 676, "{figures}");
    assert_eq!(figures["distinct_states_about"], 676, "{figures}");
    assert_eq!(figures["searches_exhausted"], 3, "{figures}");
}

#[test]
fn what_a_swarm_cannot_do_is_refused_or_said() {
    let s = Sandbox::with("climb.ioa", CLIMB);
    for flags in [
        "--symmetry",
        "--dpor",
        "--levels",
        "--possible 'size(marked)=0'",
        "--checkpoint c",
    ] {
        let answer = s.explore(&format!("{SWARM} {flags}"));
        assert_eq!(answer.code, Some(2), "{flags}: {answer:?}");
    }
    let none = s.explore("climb.ioa --sort Climber=5 --swarm 0");
    assert_eq!(none.code, Some(2), "{none:?}");
    let live = format!("{CLIMB}liveness Up of Climb: always eventually size(marked) > 0\n");
    let s = Sandbox::with("climb.ioa", &live);
    let answer = s.explore(SWARM);
    let said = "--swarm decides no liveness properties";
    let printed = answer.out.clone() + &answer.err;
    assert!(printed.contains(said), "{answer:?}");
}
