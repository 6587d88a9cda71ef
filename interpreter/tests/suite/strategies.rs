//! What strategies find, and what they cannot find at a depth that is too small.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use interpreter::run::{self, Ending, How, Options, Report, Strategy};
use ioa_lang::core::AutomatonId;

use crate::common;

/// Two processes take 24 steps each, of which neither can begin when the other is through. It is wrong that one has taken exactly
/// one step when the other is through: for that it has to be stopped once, right after its first step.
const STOPPED: &str = "
type Process = enumeration of left, right
automaton Stopped
  signature internal step(p: Process)
  states taken: Array[Process, Nat] := constant(0)
  transitions
    internal step(p) pre GUARD eff taken[p] := taken[p] + 1
invariant NotStopped of Stopped: \\A p: Process \\A q: Process (~(taken[p] = 1 /\\ taken[q] = 24))
";

/// Nothing hinders a process that has begun.
const GOES_ON: &str = "taken[p] < 24 /\\ (taken[p] > 0 \\/ (\\A q: Process (taken[q] < 24)))";

/// Each process waits for the other one to go on after its first step.
const WAITS: &str = "taken[p] < 24 /\\ (taken[p] > 0 \\/ (\\A q: Process (taken[q] < 24)))
    /\\ (\\A q: Process (q = p \\/ taken[q] ~= 1))";

fn model(guard: &str) -> Instance {
    let text = STOPPED.replace("GUARD", guard);
    common::instance(common::model(&[&text]), &[])
}

fn report(instance: &Instance, automaton: u32, strategy: Strategy, seed: u64) -> Report {
    let how = How {
        strategy,
        ..How::default()
    };
    let options = Options { seed, steps: 60 };
    let id = AutomatonId(automaton);
    run::random_by(instance, id, options, &mut (), how).expect("it can be run")
}

/// How many of the given number of runs violate an invariant; the others take the maximum number of steps.
fn violations(instance: &Instance, automaton: u32, strategy: Strategy, runs: u64) -> usize {
    let endings = (0..runs).map(|seed| report(instance, automaton, strategy, seed).ending);
    let is_wrong = |ending: &Ending| match ending {
        Ending::Violated(_) => true,
        Ending::Deadlock => false,
        other => panic!("{strategy}: {other:?}"),
    };
    endings.filter(is_wrong).count()
}

#[test]
fn a_failure_of_depth_two_is_found_at_depth_two_and_not_by_drawing_steps() {
    let instance = model(GOES_ON);
    let count = |strategy| violations(&instance, 0, strategy, 400);
    assert_eq!(count(Strategy::Random), 0);
    assert!(count(Strategy::Priorities { depth: 2 }) >= 4);
    assert!(count(Strategy::Priorities { depth: 3 }) >= 4);
    assert!(count(Strategy::Delays { bound: 1 }) >= 4);
    assert!(count(Strategy::Preemptions { bound: 1 }) >= 4);
}

#[test]
fn a_failure_of_depth_two_is_not_found_where_nothing_is_stopped() {
    let instance = model(GOES_ON);
    let count = |strategy| violations(&instance, 0, strategy, 400);
    assert_eq!(count(Strategy::Priorities { depth: 1 }), 0);
    assert_eq!(count(Strategy::Delays { bound: 0 }), 0);
    assert_eq!(count(Strategy::Preemptions { bound: 0 }), 0);
}

#[test]
fn no_strategy_finds_what_is_not_there() {
    let instance = model(WAITS);
    for strategy in Strategy::PORTFOLIO {
        assert_eq!(violations(&instance, 0, strategy, 100), 0, "{strategy}");
    }
}

#[test]
fn the_same_seed_makes_the_same_run() {
    let instance = model(GOES_ON);
    for strategy in Strategy::PORTFOLIO {
        for seed in 0..20 {
            let again = report(&instance, 0, strategy, seed);
            assert_eq!(report(&instance, 0, strategy, seed), again, "{strategy}");
        }
    }
}

/// A component has begun between its two actions. As one automaton, each action with its parameters is a thread of its own.
const HALVES: &str = "
type Process = enumeration of left, right
automaton Half(p: Process)
  signature internal begin(const p), finish(const p)
  states begun: Bool := false, done: Nat := 0
  transitions
    internal begin(p) pre ~begun /\\ done < 5 eff begun := true
    internal finish(p) pre begun eff begun := false; done := done + 1
automaton Both
  components H[p: Process]: Half(p)
invariant OneAtATime of Both: ~(H[left].begun /\\ H[right].begun)
automaton Flat
  signature internal begin(p: Process), finish(p: Process)
  states begun: Array[Process, Bool] := constant(false), done: Array[Process, Nat] := constant(0)
  transitions
    internal begin(p) pre ~begun[p] /\\ done[p] < 5 eff begun[p] := true
    internal finish(p) pre begun[p] eff begun[p] := false; done[p] := done[p] + 1
invariant OneOfFlat of Flat: ~(begun[left] /\\ begun[right])
";

#[test]
fn the_threads_of_a_composition_are_its_components() {
    let model = common::model(&[HALVES]);
    let none = BTreeMap::new();
    let universe = Universe::sized(&model, model.every_setting(), &none).expect("nothing to size");
    let instance = Instance::new(Arc::new(model), universe);
    let (both, flat) = (1, 2);
    let alone = Strategy::Priorities { depth: 1 };
    assert_eq!(violations(&instance, both, alone, 100), 0);
    assert!(violations(&instance, flat, alone, 100) > 0);
    assert!(violations(&instance, both, Strategy::Random, 100) > 0);
    let changed = Strategy::Priorities { depth: 3 };
    assert!(violations(&instance, both, changed, 100) > 0);
}

#[test]
fn a_strategy_has_a_name_and_a_depth_that_it_can_have() {
    let pct = Strategy::named("pct", Some(4)).expect("a strategy");
    assert_eq!(pct, Strategy::Priorities { depth: 4 });
    assert_eq!(pct.to_string(), "pct (depth 4)");
    for (name, depth) in [
        ("pct", Some(0)),
        ("pct", Some(1001)),
        ("random", Some(2)),
        ("luck", None),
    ] {
        assert!(Strategy::named(name, depth).is_err(), "{name} {depth:?}");
    }
}
