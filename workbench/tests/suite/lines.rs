//! Lines, by the theory `Successor`, from the command line: explored, exported, and used by the detector.

use crate::sandbox::{Sandbox, refused};

/// A message goes along a line and its answer comes back.
const RELAY: &str = "type Node
assumes Successor(Node)
automaton Relay
  signature internal pass(n: Node), answer(n: Node)
  states
    reached: Set[Node] := {first},
    heard: Set[Node] := {}
  transitions
    internal pass(n)
      pre n \\in reached
      eff reached := insert(successor(n), reached)
    internal answer(n)
      pre n \\in reached /\\ (successor(n) = n \\/ successor(n) \\in heard)
      eff heard := insert(n, heard)
";

fn relay(invariant: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("relay.ioa", format!("{RELAY}{invariant}"));
    sandbox
}

#[test]
fn a_line_of_any_length_has_one_interpretation() {
    let s = relay("invariant Whole of Relay: \\A n: Node (first \\in heard => n \\in reached)\n");
    for size in [1, 2, 7, 40] {
        let all = format!("explore relay.ioa --json --sort Node={size}");
        let words: Vec<&str> = all.split(' ').collect();
        let answer = s.ioa(&words);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        // It reaches one node after the other, and then one after the other hears the answer.
        let found = answer.json()["results"][0]["figures"]["distinct_states"].as_u64();
        assert_eq!(found, Some(2 * size));
        assert!(!answer.out.contains("interpretation"), "{}", answer.out);
    }
    let two = ["check", "relay.ioa", "--sort", "Node=3", "--interpret"];
    let second = s.ioa(&[&two[..], &["--interpretation", "2"]].concat());
    refused(&second, "there is no interpretation 2");
}

#[test]
fn what_is_false_of_a_line_is_found() {
    let s = relay("invariant Early of Relay: \\A n: Node (n \\in heard => successor(n) = n)\n");
    let answer = s.ioa(&["explore", "relay.ioa", "--sort", "Node=3"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let proof = s.ioa(&["prove", "relay.ioa"]);
    assert_eq!(proof.code, Some(1), "{proof:?}");
    assert!(proof.out.contains("violated"), "{}", proof.out);
}

#[test]
fn a_line_is_exported_as_what_it_means() {
    let s = relay("");
    let answer = s.ioa(&[
        "export",
        "tla",
        "relay.ioa",
        "--sort",
        "Node=3",
        "--out",
        "modules",
    ]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let module = std::fs::read_to_string(s.path("modules/Relay.tla")).expect("a module");
    let defined = "successor == 0 :> 1 @@ 1 :> 2 @@ 2 :> 2\nfirst == 0\n";
    assert!(module.contains(defined), "{module}");
    assert!(module.contains("{successor[n]}"), "{module}");
}

#[test]
fn the_detector_speaks_of_neighbours_on_a_line() {
    let s = relay("");
    let answer = s.ioa(&["infer", "relay.ioa", "--sort", "Node=4"]);
    assert_eq!(answer.code, Some(0), "{answer:?}");
    let known = "successor(n) \\in reached => n \\in reached";
    assert!(answer.out.contains(known), "{}", answer.out);
    assert!(!answer.out.contains("successor(n) ~= n"), "{}", answer.out);
}
