//! Forward simulations on all states of small pairs: followed along all executions, and checked by their definition.

mod common;

use interpreter::Instance;
use interpreter::run::{How, Options};
use interpreter::trace::Recorder;
use ioa_lang::Sources;
use paired_exec::{
    Bounds, DefinitionFailure, Driver, End, Followed, by_definition, exhaustive, run, shorten,
};

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
    exhaustive(instance, 0, at_most(100_000), &mut |_, _| true).expect("it can be run")
}

fn at_most(triples: u64) -> Bounds<'static> {
    Bounds {
        triples: Some(triples),
        memory: u64::MAX,
        within: &[],
        along: None,
    }
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

/// Steps from states outside are not followed, so a failure after them is not seen; one that the bound leaves room for is.
#[test]
fn a_state_constraint_of_the_low_automaton_keeps_the_search_inside() {
    let stated = "invariant Room of Low: size(asked) < ROOM\n\nforward simulation from Low";
    let within = |room: &str, from: &str, to: &str| {
        let mut sources = Sources::new();
        let text = PAIR.replace("forward simulation from Low", &stated.replace("ROOM", room));
        assert!(text.contains(from), "{from}");
        sources.add("pair", text.replace(from, to));
        let instance = common::instance(&sources, &[("Node", 3)]);
        let bounds = Bounds {
            triples: None,
            memory: u64::MAX,
            within: &[1],
            along: None,
        };
        exhaustive(&instance, 0, bounds, &mut |_, _| true).expect("it can be run")
    };
    // With three nodes there are 27 states. In 8 of them all have asked, of which 7 are reached from states with two.
    let room = within("3", "<= 3", "<= 4");
    assert_eq!(
        (room.end, room.triples, room.outside),
        (End::Complete, 19 + 7, 7)
    );
    let all = within("4", "<= 3", "<= 4");
    assert_eq!((all.end, all.triples, all.outside), (End::Complete, 27, 0));
    let none = within("0", "<= 3", "<= 4");
    assert_eq!(
        (none.end, none.triples, none.outside),
        (End::Complete, 1, 1)
    );
    // The third gift violates what the high automaton promises.
    let missed = within("3", "<= 3", "<= 2");
    assert_eq!(missed.end, End::Complete);
    let found = within("4", "<= 3", "<= 2");
    assert!(matches!(found.end, End::Failed(..)), "{:?}", found.end);
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
            let driver = Driver::Random(How::default());
            let report = run(&instance, 0, driver, options, &mut ()).expect("it can be run");
            assert!(report.failure.is_none_or(|f| f.step >= steps), "{to}");
        }
    }
}

/// A failing run with everything that the failure does not need left out fails in the same way, and so does a replay of it.
#[test]
fn a_failing_run_is_shortened_to_one_that_fails_alike() {
    let broken = instance(
        3,
        "for internal drop(n: Node) do pending := pending - 1 od",
        "for internal drop(n: Node) ignore",
    );
    let End::Failed(shortest, _) = followed(&broken).end else {
        panic!("nothing fails");
    };
    let low = broken.model().simulations[0].low;
    let mut longest = 0;
    for seed in 0..20 {
        let options = Options { seed, steps: 100 };
        let mut recorder = Recorder::new(low);
        let driver = Driver::Random(How::default());
        let report = run(&broken, 0, driver, options, &mut recorder).expect("it can be run");
        let Some(failure) = report.failure else {
            continue;
        };
        let mut trace = recorder.trace().expect("it began");
        trace.steps.truncate(failure.step as usize);
        longest = longest.max(failure.step);
        let shorter = shorten(&broken, 0, (&trace, &failure), 10_000);
        let (trace, failure) = match shorter {
            Some(shorter) => {
                assert!(shorter.is_minimal && shorter.failure.step < failure.step);
                (shorter.low, shorter.failure)
            }
            None => (trace, failure),
        };
        assert_eq!(failure.step, shortest.step, "seed {seed}");
        let repeated = run(&broken, 0, Driver::Replay(&trace), options, &mut ());
        assert_eq!(
            repeated.expect("the trace is one").failure,
            Some(failure),
            "seed {seed}"
        );
    }
    assert!(longest > shortest.step, "no run had anything to leave out");
}

/// Where the block draws at random, a shorter run might fail by another draw only: it is told as it was.
#[test]
fn a_run_with_draws_of_its_own_is_not_shortened() {
    let drawing = instance(
        2,
        "output give(n) pre n \\notin given eff given := insert(n, given)\ninvariant",
        "output give(n) choose m: Node pre n \\notin given eff given := insert(m, given)\ninvariant",
    );
    let low = drawing.model().simulations[0].low;
    let failed = (0..50).find_map(|seed| {
        let options = Options { seed, steps: 100 };
        let mut recorder = Recorder::new(low);
        let driver = Driver::Random(How::default());
        let report = run(&drawing, 0, driver, options, &mut recorder).expect("it can be run");
        let failure = report.failure.filter(|failure| failure.step > 2)?;
        Some((recorder.trace()?, failure))
    });
    let (mut trace, failure) = failed.expect("some run gives to another node");
    trace.steps.truncate(failure.step as usize);
    assert_eq!(shorten(&drawing, 0, (&trace, &failure), 10_000), None);
}

#[test]
fn bounds_and_interruptions_are_told_apart() {
    let instance = instance(3, "<= 3", "<= 4");
    let bounded = exhaustive(&instance, 0, at_most(10), &mut |_, _| true).expect("it can be run");
    assert_eq!(bounded.end, End::TooMany);
    let narrow = Bounds {
        memory: 5_000,
        ..at_most(1_000)
    };
    let narrow = exhaustive(&instance, 0, narrow, &mut |_, _| true).expect("it can be run");
    assert_eq!(narrow.end, End::Memory);
    assert!((3..27).contains(&narrow.triples), "{}", narrow.triples);
    let stopped =
        exhaustive(&instance, 0, at_most(1_000), &mut |_, _| false).expect("it can be run");
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
