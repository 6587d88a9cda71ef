//! What strategies find, and what they cannot find at a depth that is too small.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use interpreter::run::{self, Ending, How, Options, Report, Strategy, Way};
use interpreter::trace::{Recorder, Trace};
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
        ("depth-first", Some(0)),
        ("divergences", Some(1001)),
        ("random", Some(2)),
        ("luck", None),
    ] {
        assert!(Strategy::named(name, depth).is_err(), "{name} {depth:?}");
    }
}

/// A run along a way, of at most so many steps, with what it did.
fn led(instance: &Instance, strategy: Strategy, way: &Way, steps: u64) -> (Report, Option<Trace>) {
    let how = How {
        strategy,
        way: way.clone(),
        ..How::default()
    };
    let (id, options) = (AutomatonId(0), Options { seed: 1, steps });
    let mut recorder = Recorder::new(id);
    let report = run::random_by(instance, id, options, &mut recorder, how).expect("it can be run");
    (report, recorder.trace())
}

/// What runs along all ways of a strategy did, each of at most so many steps, and which of them, from 1, is the first that
/// violates an invariant.
fn all_ways(instance: &Instance, strategy: Strategy, steps: u64) -> (Vec<Trace>, Option<usize>) {
    let mut ways = strategy.ways().expect("a systematic strategy");
    let (mut traces, mut violated) = (Vec::new(), None);
    while let Some(way) = ways.way() {
        let (report, trace) = led(instance, strategy, way, steps);
        traces.extend(trace);
        if matches!(report.ending, Ending::Violated(_)) {
            violated.get_or_insert(traces.len());
        }
        assert!(traces.len() < 100_000, "{strategy} does not come to an end");
        ways.pass(&report.met);
    }
    (traces, violated)
}

/// How many different runs there are among some.
fn different(traces: &[Trace]) -> usize {
    let told = |trace: &Trace| {
        let labels = trace.steps.iter().map(|step| step.label.clone());
        (trace.start.clone(), labels.collect::<Vec<_>>())
    };
    traces.iter().map(told).collect::<BTreeSet<_>>().len()
}

#[test]
fn one_divergence_is_enough_to_stop_a_process_and_none_is_not() {
    let instance = model(GOES_ON);
    let (none, violated) = all_ways(&instance, Strategy::Divergences { bound: 0 }, 60);
    assert_eq!((none.len(), violated), (1, None));
    // The first run goes on with the process on the left, the second begins with the other one, the third stops the first.
    let (one, violated) = all_ways(&instance, Strategy::Divergences { bound: 1 }, 60);
    assert_eq!(violated, Some(3));
    assert_eq!(different(&one), one.len());
}

/// How many runs there are that diverge so many times at most, where each process waits for the other one: after so many steps of
/// each, when it is this one's turn.
fn runs_that_wait(taken: [u64; 2], turn: usize, bound: usize) -> usize {
    let may_begin = |process: usize| taken[process] > 0 || taken[1 - process] < 24;
    let may_go_on = |process: usize| taken[process] < 24 && taken[1 - process] != 1;
    let goes_on = |process: usize, bound| {
        let mut after = taken;
        after[process] += 1;
        runs_that_wait(after, process, bound)
    };
    let enabled = [turn, 1 - turn]
        .into_iter()
        .filter(|p| may_begin(*p) && may_go_on(*p));
    let counts = enabled
        .enumerate()
        .map(|(position, process)| match position <= bound {
            true => goes_on(process, bound - position),
            false => 0,
        });
    counts.reduce(|first, second| first + second).unwrap_or(1)
}

#[test]
fn all_ways_of_a_bound_are_gone_once_and_find_nothing_where_nothing_is() {
    let instance = model(WAITS);
    for bound in 0..3 {
        let strategy = Strategy::Divergences { bound };
        let (traces, violated) = all_ways(&instance, strategy, 60);
        assert_eq!(violated, None, "{strategy}");
        let expected = runs_that_wait([0, 0], 0, bound as usize);
        assert_eq!(traces.len(), expected, "{strategy}");
        assert_eq!(different(&traces), expected, "{strategy}");
    }
}

/// Ten digits have to be right, one after the other.
const SAFE: &str = "
automaton Safe
  signature internal press(right: Bool)
  states pressed: Nat := 0, right: Nat := 0
  transitions
    internal press(b) pre pressed < 10 eff pressed := pressed + 1; if b then right := right + 1 fi
invariant Closed of Safe: right < 10
";

#[test]
fn a_depth_that_reaches_the_last_digit_opens_the_safe_and_a_smaller_one_does_not() {
    let instance = common::instance(common::model(&[SAFE]), &[]);
    let strategy = Strategy::DepthFirst { depth: 10 };
    let (traces, violated) = all_ways(&instance, strategy, 10);
    // All beginnings of one step, of two, and so on.
    assert_eq!(
        traces.len(),
        (1..=10).map(|steps| 1 << steps).sum::<usize>()
    );
    assert_eq!(violated, Some(traces.len()));
    let (_, violated) = all_ways(&instance, Strategy::DepthFirst { depth: 9 }, 9);
    assert_eq!(violated, None);
}

/// Start states, parameters and choices.
const HEAP: &str = "
automaton Heap
  signature internal take(n: Nat)
  states left: Nat := choose n where 0 <= n /\\ n < 3
  transitions
    internal take(n) pre n < left eff left := choose m where m = 0 \\/ m = n
";

#[test]
fn start_states_and_choices_are_gone_through_as_parameters_are() {
    let instance = common::instance(common::model(&[HEAP]), &[]);
    // From 0 there is no step, from 1 there is one, from 2 there are three, of which one leads to 1. So there are five executions, and
    // five beginnings of one step, of two, and of three, where no execution is so long.
    let (traces, _) = all_ways(&instance, Strategy::DepthFirst { depth: 9 }, 60);
    assert_eq!((traces.len(), different(&traces)), (15, 5));
    // The first run leads from 0 nowhere. One divergence is another start state; another step from there would be the second one.
    let (traces, _) = all_ways(&instance, Strategy::Divergences { bound: 1 }, 60);
    assert_eq!((traces.len(), different(&traces)), (3, 3));
    let (traces, _) = all_ways(&instance, Strategy::Divergences { bound: 2 }, 60);
    assert_eq!((traces.len(), different(&traces)), (5, 5));
}

/// A step goes wrong in the second state, where another one goes on.
const TRAP: &str = "
automaton Trap
  signature internal go, fall
  states passed: Nat := 0, floor: Seq[Nat] := {}
  transitions
    internal go pre passed < 3 eff passed := passed + 1
    internal fall pre passed = 1 eff passed := head(floor)
";

#[test]
fn a_step_that_goes_wrong_is_one_of_the_ways_and_ends_none_of_the_others() {
    let instance = common::instance(common::model(&[TRAP]), &[]);
    let lengths = |strategy| {
        let (traces, _) = all_ways(&instance, strategy, 60);
        let lengths = traces.iter().map(|trace| trace.steps.len());
        lengths.collect::<Vec<_>>()
    };
    assert_eq!(lengths(Strategy::Divergences { bound: 0 }), [3]);
    assert_eq!(lengths(Strategy::Divergences { bound: 1 }), [3, 1]);
    let (report, _) = led(
        &instance,
        Strategy::Divergences { bound: 1 },
        &Way::default(),
        60,
    );
    assert_eq!((report.ending, report.met), (Ending::Deadlock, vec![1]));
    // Of one step there is one beginning, which may end either way after it; then there are two of two steps, and of three.
    let beginnings = lengths(Strategy::DepthFirst { depth: 9 });
    assert_eq!(beginnings[1..], [3, 1, 3, 1, 3, 1]);
}

/// Where nothing is drawn in the beginning, all is drawn after it; a way that ends at once is one.
#[test]
fn behind_a_beginning_steps_are_drawn() {
    let instance = common::instance(common::model(&[SAFE]), &[]);
    let strategy = Strategy::DepthFirst { depth: 1 };
    let mut ends = BTreeSet::new();
    for seed in 0..20 {
        let how = How {
            strategy,
            way: strategy
                .ways()
                .and_then(|ways| ways.way().cloned())
                .expect("a way"),
            ..How::default()
        };
        let options = Options { seed, steps: 60 };
        let report = run::random_by(&instance, AutomatonId(0), options, &mut (), how);
        let report = report.expect("it can be run");
        assert_eq!(report.met, [1, 2]);
        ends.extend(report.state);
    }
    assert!(ends.len() > 1);
}
