//! Forward simulations on all states of small pairs: followed along all executions, and checked by their definition.

mod common;

use interpreter::Instance;
use interpreter::run::{Options, Weights};
use ioa_lang::Sources;
use paired_exec::{DefinitionFailure, Driver, End, Followed, by_definition, exhaustive, run};

/// Tokens that are handed out in two steps, and a specification that hands them out in one. The block remembers how many
/// are under way.
const PAIR: &str = r"
type Node
automaton Low
  signature
    internal ask(n: Node), drop(n: Node)
    output   give(n: Node)
  states asked: Set[Node] := {}, given: Set[Node] := {}
  transitions
    internal ask(n) pre n \notin asked eff asked := insert(n, asked)
    internal drop(n) pre n \in asked /\ n \notin given eff asked := delete(n, asked)
    output give(n) pre n \in asked /\ n \notin given eff given := insert(n, given)

automaton High
  signature
    internal rest
    output   give(n: Node)
  states given: Set[Node] := {}
  transitions
    internal rest
    output give(n) pre n \notin given eff given := insert(n, given)
invariant Few of High: size(given) <= 3

forward simulation from Low to High:
  High.given = Low.given /\ pending + size(Low.given) = size(Low.asked)
  proof
    states pending: Nat := 0
    initially High.given := {}
    for internal ask(n: Node) do pending := pending + 1; fire internal rest od
    for internal drop(n: Node) do pending := pending - 1 od
    for output give(n: Node) do pending := pending - 1; fire output give(n) od
";

fn instance(nodes: u64, from: &str, to: &str) -> Instance {
    assert!(PAIR.contains(from), "{from}");
    let mut sources = Sources::new();
    sources.add("pair", PAIR.replace(from, to));
    common::instance(&sources, &[("Node", nodes)])
}

fn followed(instance: &Instance) -> Followed {
    exhaustive(instance, 0, 100_000, &mut |_, _| true).expect("it can be run")
}

#[test]
fn a_simulation_that_holds_is_followed_along_every_execution() {
    for nodes in 1..=4 {
        let followed = followed(&instance(nodes, "<= 3", "<= 4"));
        assert_eq!(followed.end, End::Complete);
        // Each node has not asked, has asked, or has been given: the rest is a function of that.
        assert_eq!(followed.triples, 3_u64.pow(nodes as u32));
        assert_eq!(followed.depth, 2 * nodes);
        // Of a third of the states each a step of a node, and two steps of another third.
        assert_eq!(followed.low_steps, nodes * 3_u64.pow(nodes as u32));
        assert!(!followed.has_drawn);
    }
}

/// The shortest failure is found, and the same execution in lockstep fails in the same way.
#[test]
fn what_fails_is_shown_by_a_shortest_execution_that_can_be_repeated() {
    let cases = [
        (
            "pre n \\in asked /\\ n \\notin given eff given",
            "pre n \\in asked eff given",
            3,
        ),
        (
            "for internal drop(n: Node) do pending := pending - 1 od",
            "for internal drop(n: Node) ignore",
            2,
        ),
        (
            "fire output give(n) od",
            "fire output give(n); fire output give(n) od",
            2,
        ),
        ("initially High.given := {}", "initially pending := 1", 0),
        ("size(given) <= 3", "size(given) <= 1", 4),
        (
            "for internal ask(n: Node) do pending",
            "for internal ask(n: Node) do fire output give(n); pending",
            1,
        ),
    ];
    for (from, to, steps) in cases {
        let instance = instance(2, from, to);
        let End::Failed(failure, trace) = followed(&instance).end else {
            panic!("{to}: nothing fails");
        };
        assert_eq!(
            (failure.step, trace.steps.len()),
            (steps, steps as usize),
            "{to}"
        );
        let options = Options {
            seed: 7,
            steps: 100,
        };
        let repeated = run(&instance, 0, Driver::Replay(&trace), options, &mut ());
        assert_eq!(
            repeated.expect("the trace is one").failure,
            Some(*failure),
            "{to}"
        );
        // No random run fails sooner.
        for seed in 0..50 {
            let options = Options { seed, steps: 100 };
            let driver = Driver::Random(&Weights::default());
            let report = run(&instance, 0, driver, options, &mut ()).expect("it can be run");
            assert!(report.failure.is_none_or(|f| f.step >= steps), "{to}");
        }
    }
}

#[test]
fn bounds_and_interruptions_are_told_apart() {
    let instance = instance(3, "<= 3", "<= 4");
    let bounded = exhaustive(&instance, 0, 10, &mut |_, _| true).expect("it can be run");
    assert_eq!(bounded.end, End::TooMany);
    let stopped = exhaustive(&instance, 0, 1_000, &mut |_, _| false).expect("it can be run");
    assert_eq!(stopped.end, End::Stopped);
}

/// What the block leaves to chance is said: what follows another choice is not visited.
#[test]
fn a_block_that_draws_says_so() {
    let drawing = instance(
        2,
        "output give(n) pre n \\notin given eff given := insert(n, given)\ninvariant",
        "output give(n) choose m: Node pre n \\notin given eff given := insert(m, given)\ninvariant",
    );
    assert!(followed(&drawing).has_drawn);
    let open = instance(2, "High.given := {}\n", "pending := 0\n");
    assert!(
        !followed(&open).has_drawn,
        "the start is the high automaton's own"
    );
    let chosen = instance(
        2,
        "states given: Set[Node] := {}\n  transitions\n    internal rest",
        "states given: Set[Node], other: Node\n  transitions\n    internal rest",
    );
    assert!(
        followed(&chosen).has_drawn,
        "the block does not say what `other` is"
    );
}

/// Without a block the answers are searched for.
#[test]
fn a_simulation_without_a_block_is_checked_by_its_definition() {
    let without = |relation: &str| {
        let (automata, _) = PAIR.split_once("forward").expect("a simulation");
        let text = format!("{automata}forward simulation from Low to High: {relation}");
        let mut sources = Sources::new();
        sources.add("pair", text);
        let instance = common::instance(&sources, &[("Node", 2)]);
        by_definition(&instance, 0)
            .expect("it can be checked")
            .failure
    };
    assert_eq!(without("High.given = Low.given"), None);
    // A weaker relation relates states from which a step cannot be answered; a stronger one is lost on the way.
    let unanswered = [
        "Low.given \\subseteq High.given",
        "true",
        "High.given = Low.given /\\ size(Low.asked) < 2",
        "High.given = Low.asked",
    ];
    for relation in unanswered {
        let failure = without(relation);
        assert!(
            matches!(failure, Some(DefinitionFailure::NoAnswer { .. })),
            "{relation}: {failure:?}"
        );
    }
    let failure = without("size(High.given) = size(Low.given) + 1");
    assert!(
        matches!(failure, Some(DefinitionFailure::NoStart { .. })),
        "{failure:?}"
    );
}

/// Where the relation is a function, following the block and searching for answers find the same.
#[test]
fn the_block_and_the_definition_agree() {
    let own = r" /\ pending + size(Low.given) = size(Low.asked)";
    let with_block = PAIR.replace(own, "");
    let (without_block, _) = with_block.split_once("  proof").expect("a block");
    let low = [
        (
            "/\\ n \\notin given eff given := insert",
            "eff given := insert",
        ),
        ("automaton Low", "automaton Low"),
        (
            "eff given := insert(n, given)\n\nautomaton High",
            "eff given := {n}\n\nautomaton High",
        ),
    ];
    let mut ends = Vec::new();
    for (from, to) in low {
        let of = |text: &str| {
            assert!(text.contains(from), "{from}");
            let mut sources = Sources::new();
            sources.add("pair", text.replacen(from, to, 1));
            common::instance(&sources, &[("Node", 2)])
        };
        let by_block = followed(&of(&with_block)).end == End::Complete;
        let searched = by_definition(&of(without_block), 0).expect("it can be checked");
        assert_eq!(by_block, searched.failure.is_none(), "{to}");
        ends.push(by_block);
    }
    assert_eq!(ends, [false, true, false]);
}
