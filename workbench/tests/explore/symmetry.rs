//! `--symmetry` together with everything else that can be asked for.

use std::fs;
use std::process::Command;

use super::{Answer, Sandbox, plain, study, two_phase};

/// Whoever wants enters, whether or not somebody is inside.
const LOCK: &str = "\
type Node
automaton Lock
  signature
    internal want(n: Node), enter(n: Node), leave(n: Node)
  states
    wants: Set[Node] := {},
    inside: Set[Node] := {}
  transitions
    internal want(n)
      pre n \\notin wants
      eff wants := insert(n, wants)
    internal enter(n)
      pre n \\in wants /\\ n \\notin inside
      eff inside := insert(n, inside)
    internal leave(n)
      pre n \\in inside
      eff inside := delete(n, inside);
          wants := delete(n, wants)
invariant One of Lock: \\A n: Node \\A m: Node (n \\in inside /\\ m \\in inside => n = m)
";

/// Replays a trace of the sandbox.
fn replay(sandbox: &Sandbox, model: &str) -> Answer {
    let mut run = Command::new(env!("CARGO_BIN_EXE_ioa"));
    run.arg("run").args(model.split_whitespace());
    run.args(["--replay", "run.itf.json"]);
    run.current_dir(sandbox.path("")).env("COLUMNS", "400");
    Answer::of(&run.output().expect("ioa runs"))
}

#[test]
fn a_counterexample_among_representatives_is_an_execution() {
    let s = Sandbox::with("lock.ioa", LOCK);
    for size in 2..=5 {
        let model = format!("lock.ioa --sort Node={size}");
        let whole = s.explore(&model);
        let reduced = s.explore(&format!("{model} --symmetry --trace run.itf.json"));
        for answer in [&whole, &reduced] {
            answer.says(1, "invariant One of Lock is violated");
            answer.says(1, "4 steps from a start state; none is shorter");
        }
        reduced.says(1, &format!("Node: all {size} elements are interchangeable"));
        // Each step of it can be taken, and no state before the last is wrong.
        let replayed = replay(&s, &model);
        replayed.says(1, "invariant One of Lock is violated");
        replayed.says(1, "4 steps");
    }
}

#[test]
fn a_witness_among_representatives_is_an_execution() {
    let s = Sandbox::new();
    let model = two_phase(4);
    let formula = "tmState=done/\\sentPrepared~={}/\\rmState=constant(committed)";
    let whole = s.json(&format!("{model} --find {formula}"));
    let reduced = s.json(&format!(
        "{model} --symmetry --find {formula} --trace run.itf.json"
    ));
    let steps = |document: &serde_json::Value| {
        let mut results = document["results"].as_array().into_iter().flatten();
        let found = results.find(|r| r["kind"] == "find").expect("a finding");
        found["steps"]
            .as_u64()
            .or_else(|| found["figures"]["steps"].as_u64())
    };
    assert!(steps(&whole).is_some_and(|n| n > 8), "{whole}");
    assert_eq!(steps(&whole), steps(&reduced));
    let (all, few) = (&whole["distinct_states"], &reduced["representatives"]);
    assert!(few.as_u64() < all.as_u64(), "{few} {all}");
    let model = format!("{} --sort RM=4", study("two-phase-commit"));
    replay(&s, &model).says(0, &format!("{} steps", steps(&whole).unwrap_or(0)));
}

#[test]
fn a_reduced_search_goes_on_from_its_checkpoint() {
    let s = Sandbox::new();
    let model = two_phase(5);
    let whole = plain(s.json(&format!("{model} --symmetry")));
    assert!(whole["representatives"].as_u64() < Some(8_832));
    assert_eq!(whole["distinct_states"].as_u64(), Some(8_832));
    let part = format!("{model} --symmetry --depth 6 --checkpoint kept");
    s.explore(&part).says(0, "--resume kept goes on");
    s.explore(&format!("{model} --resume kept"))
        .says(2, "of something else");
    let resumed = s.json(&format!("{model} --symmetry --resume kept --threads 1"));
    assert_eq!(plain(resumed), whole);
    let full = format!("{model} --depth 6 --checkpoint full");
    s.explore(&full).says(0, "--resume full goes on");
    s.explore(&format!("{model} --symmetry --resume full"))
        .says(2, "of something else");
}

#[test]
fn the_graph_of_a_reduced_search_has_its_representatives() {
    let s = Sandbox::with("lock.ioa", LOCK);
    let model = "lock.ioa --sort Node=3 --keep-going";
    let (mut nodes, mut states) = (Vec::new(), Vec::new());
    for flags in ["", "--symmetry"] {
        let found = s.json(&format!("{model} {flags} --dot graph{}.dot", flags.len()));
        let visited = match flags {
            "" => &found["distinct_states"],
            _ => &found["representatives"],
        };
        states.push(visited.as_u64().unwrap_or(0) as usize);
        let text = fs::read_to_string(s.path(&format!("graph{}.dot", flags.len())));
        let text = text.expect("a graph");
        nodes.push(text.matches("tooltip=").count());
        let edges = text.lines().filter_map(|l| l.trim().split_once(" -> "));
        let ends =
            edges.map(|(from, to)| (from.to_owned(), to.split(' ').next().map(str::to_owned)));
        let ends: Vec<_> = ends.collect();
        assert!(ends.len() > states[states.len() - 1], "{text}");
        let declared = |name: &str| {
            text.lines()
                .any(|l| l.trim().starts_with(&format!("{name} [")))
        };
        assert!(ends.iter().all(|(a, b)| {
            declared(a)
                && b.as_deref()
                    .is_some_and(|b| declared(b.trim_end_matches(';')))
        }));
    }
    assert_eq!(nodes, states);
    assert!(states[1] < states[0], "{states:?}");
}

/// The figures that may differ between a search with symmetry and one without, for they are about how it was made.
const HOW: [&str; 5] = [
    "memory_bytes",
    "bytes_per_state",
    "symmetry_order",
    "representatives",
    "seconds",
];

/// A document without what says how a search was made, and whether symmetry was used in it.
fn figures(document: &serde_json::Value) -> (serde_json::Value, bool) {
    let mut all = document["results"].clone();
    let mut is_reduced = false;
    for result in all.as_array_mut().into_iter().flatten() {
        for field in ["evidence", "summary", "seconds", "items"] {
            result.as_object_mut().map(|fields| fields.remove(field));
        }
        if let Some(figures) = result["figures"].as_object_mut() {
            is_reduced |= figures.contains_key("representatives");
            HOW.iter().for_each(|name| drop(figures.remove(*name)));
        }
    }
    (all, is_reduced)
}

#[test]
fn symmetry_is_used_where_it_pays_and_the_figures_are_those_of_all_states() {
    let s = Sandbox::new();
    let large = format!("{} --keep-going", two_phase(7));
    let (every, is_reduced) = figures(&s.json(&format!("{large} --no-symmetry")));
    assert!(!is_reduced && every[0]["figures"]["distinct_states"] == 296_448);
    let (by_itself, is_reduced) = figures(&s.json(&large));
    assert!(is_reduced);
    assert_eq!(by_itself, every);
    let told = s.explore(&large);
    told.says(0, "920 of them stand for all by symmetry of RM");
    told.says(0, "holds in all 296,448 states");
    // A small search is done as soon as it is without.
    assert!(!figures(&s.json(&two_phase(5))).1);
}

/// So many states that they are condensed, which takes walks that lead to some of them before they are visited.
const COUNTERS: &str = "\
type Client
type Color = enumeration of red, green
type Slot = tuple of row, column: Color
automaton Counters
  signature
    internal left, right, join(c: Client)
  states
    n: Nat := 0,
    m: Nat := 0,
    joined: Set[Client] := {},
    board: Array[Slot, Array[Slot, Array[Slot, Color]]] := constant(constant(constant(red)))
  transitions
    internal left pre n < 299 eff n := n + 1
    internal right pre m < 299 eff m := m + 1
    internal join(c) pre c \\notin joined eff joined := insert(c, joined)
";

#[test]
fn what_representatives_stand_for_is_counted_once_where_states_are_condensed() {
    let s = Sandbox::with("counters.ioa", COUNTERS);
    let how = "counters.ioa --sort Client=2 --allow-deadlock --keep-going --threads 1";
    let (every, _) = figures(&s.json(&format!("{how} --no-symmetry")));
    assert_eq!(every[0]["figures"]["distinct_states"], 300 * 300 * 4);
    let (by_representatives, is_reduced) = figures(&s.json(&format!("{how} --symmetry")));
    assert!(is_reduced);
    assert_eq!(by_representatives, every);
}

#[test]
fn symmetry_is_not_used_by_itself_where_what_is_asked_speaks_of_single_states() {
    let s = Sandbox::new();
    let large = format!("{} --keep-going --only Agreement", two_phase(7));
    for asked in [
        "--levels",
        "--coverage",
        "--states 2000000",
        "--checkpoint kept",
        "--disk folder",
        "--within tmPrepared={}\\/tmPrepared~={}",
        "--possible tmState=done",
    ] {
        assert!(!figures(&s.json(&format!("{large} {asked}"))).1, "{asked}");
    }
}

/// Sets of elements of several sorts, to which elements are added one by one.
fn sets(count: usize) -> String {
    let each = |piece: &dyn Fn(usize) -> String, between: &str| {
        let all: Vec<String> = (0..count).map(piece).collect();
        all.join(between)
    };
    let sorts = each(&|n| format!("type S{n}\n"), "");
    let actions = each(&|n| format!("add{n}(x: S{n})"), ", ");
    let states = each(&|n| format!("s{n}: Set[S{n}] := {{}}"), ", ");
    let clause =
        |n: usize| format!("internal add{n}(x) pre x \\notin s{n} eff s{n} := insert(x, s{n})\n");
    let clauses = each(&clause, "");
    format!(
        "{sorts}automaton Sets signature internal {actions}\nstates {states}\ntransitions {clauses}"
    )
}

#[test]
fn states_are_counted_that_could_not_be_visited() {
    let s = Sandbox::with("sets.ioa", &sets(3));
    let found = s.json("sets.ioa --sort S0=12,S1=12,S2=11 --allow-deadlock");
    // As many as there are ways to choose three sets.
    assert_eq!(found["distinct_states"].as_u64(), Some(1 << 35));
    assert_eq!(found["representatives"].as_u64(), Some(13 * 13 * 12));
}

#[test]
fn where_representatives_stand_for_too_many_states_these_are_not_counted() {
    let s = Sandbox::with("sets.ioa", &sets(5));
    let sizes = "S0=12,S1=12,S2=12,S3=12,S4=12";
    let few = s.explore(&format!("sets.ioa --sort {sizes} --symmetry --depth 2"));
    few.says(0, "21 states");
    few.says(
        0,
        "each state stands for those that symmetry of S0, S1, S2, S3, S4 makes of it",
    );
}

/// Directed graphs without loops, made arrow by arrow.
const GRAPHS: &str = "\
type Node
automaton Graphs
  signature internal add(a: Node, b: Node)
  states arrows: Array[Node, Set[Node]] := constant({})
  transitions
    internal add(a, b)
      pre a ~= b /\\ b \\notin arrows[a]
      eff arrows[a] := insert(b, arrows[a])
";

/// Graphs that differ in names alone are isomorphic: Sloane's A000273 counts those that are not.
#[test]
fn there_are_as_many_representatives_as_there_are_graphs() {
    let s = Sandbox::with("graphs.ioa", GRAPHS);
    for (nodes, graphs) in [(1, 1), (2, 3), (3, 16), (4, 218), (5, 9_608)] {
        let search = format!("graphs.ioa --sort Node={nodes} --symmetry --allow-deadlock");
        let found = s.json(&search);
        let (all, visited) = (&found["distinct_states"], &found["representatives"]);
        assert_eq!(all.as_u64(), Some(1 << (nodes * (nodes - 1))), "{nodes}");
        // Of a single node there is nothing to rename.
        assert_eq!(visited.as_u64(), Some(graphs), "{nodes}");
    }
}
