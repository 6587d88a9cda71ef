//! Bounds, and being cancelled, hold wherever a search is: among start states, and among the steps from one state. And a
//! state from which steps have no result is not taken for one from which the automaton goes on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use explorer::{Bounds, Question, Search, Status};
use finite::Universe;
use interpreter::{Executor, FaultKind, Instance, Interpreted, Interrupt, Rows};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Severity, Sources};

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

/// Any two sets to begin with.
const MANY_STARTS: &str = "
type Node
automaton A
  signature internal rest
  states a: Set[Node], b: Set[Node]
  transitions internal rest
invariant Equal of A: size(a) = size(b)
";

/// Any two sets after one step, by parameters or by choices.
const MANY_STEPS: [&str; 2] = [
    "
type Node
automaton A
  signature internal take(s: Set[Node], t: Set[Node])
  states a: Set[Node] := {}, b: Set[Node] := {}
  transitions
    internal take(s, t)
      pre a = {}
      eff a := s; b := t
",
    "
type Node
automaton A
  signature internal take
  states a: Set[Node] := {}, b: Set[Node] := {}
  transitions
    internal take
      pre a = {}
      eff a := choose s where true; b := choose t where true
",
];

fn instance(text: &str, nodes: u64) -> Instance {
    let mut sources = Sources::new();
    sources.add("test", text);
    let loaded = ioa_lang::load(&sources);
    for diagnostic in &loaded.diagnostics {
        assert_ne!(diagnostic.severity, Severity::Error, "{diagnostic:?}");
    }
    let sizes = BTreeMap::from([("Node".to_owned(), nodes)]);
    let universe =
        Universe::new(&loaded.model, loaded.model.every_setting(), &sizes).expect("the sizes fit");
    Instance::new(Arc::new(loaded.model), universe)
}

/// A search that has not started, and what starts it.
struct Searcher<'i> {
    search: Search<Interpreted<'i>>,
    executor: Executor<'i>,
    rows: Rows<'i>,
}

impl<'i> Searcher<'i> {
    fn new(instance: &'i Instance, bounds: Bounds) -> Self {
        let automaton = AutomatonId(0);
        let rows = Rows::new(instance, automaton);
        let invariants: Vec<usize> = (0..instance.model().invariants.len()).collect();
        let steps = Interpreted::new(instance, automaton, &invariants, rows.clone());
        Self {
            search: Search::begin(vec![steps.expect("it can be run")], bounds),
            executor: Executor::new(instance, automaton).expect("it can be run"),
            rows,
        }
    }

    fn start(&mut self) -> Result<Status, Interrupt> {
        let Self {
            search,
            executor,
            rows,
        } = self;
        search.start(executor, rows, &|_| {})
    }

    fn go_on(&mut self) -> Status {
        loop {
            match self.search.advance() {
                Status::Going => {}
                status => return status,
            }
        }
    }

    fn found(&self) -> Vec<Question> {
        let findings = self.search.findings().iter();
        let mut found: Vec<Question> = findings.map(|f| f.question).collect();
        found.sort();
        found
    }
}

/// What a search of a model finds, all of it.
fn found(text: &str) -> Vec<Question> {
    let instance = instance(&format!("type Node\n{text}"), 2);
    let mut searcher = Searcher::new(&instance, NO_BOUNDS);
    assert_eq!(searcher.start(), Ok(Status::Going));
    searcher.go_on();
    searcher.found()
}

#[test]
fn bounds_hold_among_start_states() {
    let instance = instance(MANY_STARTS, 6);
    let few = Bounds {
        states: Some(100),
        ..NO_BOUNDS
    };
    let mut searcher = Searcher::new(&instance, few);
    assert_eq!(searcher.start(), Ok(Status::States));
    assert_eq!(searcher.search.distinct(), 100);
    assert!(!searcher.search.has_started());
    // What was visited was looked at.
    assert_eq!(searcher.found(), [Question::Invariant(0)]);
    let small = Bounds {
        memory: 1 << 14,
        ..NO_BOUNDS
    };
    let mut searcher = Searcher::new(&instance, small);
    assert_eq!(searcher.start(), Ok(Status::Memory));
    let visited = searcher.search.distinct();
    assert!(visited > 1 && visited < 1 << 12, "{visited}");
}

#[test]
fn a_search_that_was_cancelled_among_start_states_can_start_again() {
    let instance = instance(MANY_STARTS, 6);
    let mut searcher = Searcher::new(&instance, NO_BOUNDS);
    instance.cancel().set(true);
    assert_eq!(searcher.start(), Ok(Status::Cancelled));
    assert!(!searcher.search.has_started());
    instance.cancel().set(false);
    assert_eq!(searcher.start(), Ok(Status::Going));
    assert!(searcher.search.has_started());
    assert_eq!(searcher.search.starts(), 1 << 12);
    assert_eq!(searcher.search.distinct(), 1 << 12);
    assert_eq!(searcher.go_on(), Status::Complete);
}

/// Sets out to do something that takes very long, and cancels it soon.
fn cancelled<T>(instance: &Instance, long: impl FnOnce() -> T) -> T {
    let cancel = Arc::clone(instance.cancel());
    let watch = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        cancel.set(true);
    });
    let result = long();
    watch.join().expect("it does not panic");
    result
}

#[test]
fn cancelling_stops_start_states_and_steps_in_their_midst() {
    // Each of 2^16 sets with each.
    let model = instance(MANY_STARTS, 16);
    let mut searcher = Searcher::new(&model, NO_BOUNDS);
    let status = cancelled(&model, || searcher.start());
    assert_eq!(status, Ok(Status::Cancelled));
    for text in MANY_STEPS {
        let model = instance(text, 16);
        let mut searcher = Searcher::new(&model, NO_BOUNDS);
        assert_eq!(searcher.start(), Ok(Status::Going));
        let status = cancelled(&model, || searcher.go_on());
        assert_eq!(status, Status::Cancelled);
        // Nothing is known about a state whose steps are not all computed.
        assert_eq!(searcher.search.distinct(), 1);
        assert_eq!(searcher.found(), []);
    }
}

#[test]
fn steps_from_one_state_for_which_there_is_no_memory_are_not_computed() {
    for text in MANY_STEPS {
        let instance = instance(text, 6);
        let small = Bounds {
            memory: 1 << 14,
            ..NO_BOUNDS
        };
        let mut searcher = Searcher::new(&instance, small);
        assert_eq!(searcher.start(), Ok(Status::Going));
        assert_eq!(searcher.go_on(), Status::Memory);
        assert_eq!(searcher.search.distinct(), 1);
        assert_eq!(searcher.found(), []);
        let mut searcher = Searcher::new(&instance, NO_BOUNDS);
        assert_eq!(searcher.start(), Ok(Status::Going));
        assert_eq!(searcher.go_on(), Status::Complete);
        assert_eq!(searcher.search.distinct(), 1 << 12);
    }
}

#[test]
fn that_there_is_no_start_state_is_a_fault() {
    let text = MANY_STARTS.replace("b: Set[Node]\n", "b: Set[Node] so that size(a) > 9\n");
    let instance = instance(&text, 3);
    let mut searcher = Searcher::new(&instance, NO_BOUNDS);
    let Err(Interrupt::Fault(fault)) = searcher.start() else {
        panic!("there is no start state");
    };
    assert_eq!(fault.kind, FaultKind::NoStart);
}

/// An automaton with an action that is always enabled, and something else.
fn beside(more: &str, effect: &str) -> String {
    format!(
        "
automaton A
  signature internal a, {more}
  states n: Nat := 0
  transitions
    internal a
      eff {effect}
"
    )
}

#[test]
fn a_state_whose_every_step_has_no_result_is_one_that_the_automaton_is_stuck_in() {
    let both = [Question::Deadlock, Question::Fault];
    // No outcome is allowed; what is computed has no value; there is nothing to choose.
    for effect in [
        "n := 1 ensuring n' = 2",
        "n := div(1, n)",
        "n := choose k where k < n",
        "n := choose k where k < 3 ensuring n' > 5",
    ] {
        let alone = beside("b", effect) + "    internal b pre n > 7\n";
        assert_eq!(found(&alone), both, "{effect}");
        let beside = beside("b", effect) + "    internal b\n";
        assert_eq!(found(&beside), [Question::Fault], "{effect}");
    }
    // An input does not help, and goes wrong by itself.
    let input = "
automaton A
  signature input put, internal a
  states n: Nat := 0
  transitions
    input put
      eff n := div(1, 0)
    internal a
      pre n > 0
";
    assert_eq!(found(input), both);
}

#[test]
fn that_one_choice_has_no_result_does_not_make_a_state_a_dead_end() {
    let text = beside("b", "n := choose k where k < 2; n := div(1, n)");
    let text = text + "    internal b pre n > 7\n";
    assert_eq!(found(&text), [Question::Fault]);
}

#[test]
fn of_a_precondition_without_a_value_it_is_not_said_that_nothing_is_enabled() {
    let text = "
automaton A
  signature internal a(k: Nat)
  states n: Nat := 0
  transitions
    internal a(k)
      pre k < 2 /\\ div(1, k) = 1
";
    assert_eq!(found(text), [Question::Fault]);
}

#[test]
fn a_state_that_only_inputs_can_leave_is_no_deadlock() {
    let text = |more: &str| {
        format!(
            "
automaton A
  signature {more} internal a
  states n: Nat := 0
  transitions
    internal a
      pre n < 3
      eff n := n + 1
"
        )
    };
    assert_eq!(found(&text("")), [Question::Deadlock]);
    let input = "    input again\n      eff n := 0\n";
    assert_eq!(found(&(text("input again,") + input)), []);
}
