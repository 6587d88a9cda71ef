//! The search against a plain one: a set of states, a queue, and the executor.

mod saving;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use explorer::{
    Bounds, Course, DepthFirst, End, Finding, Lost, Question, Search, Status, Swarm, SwarmBounds,
};
use finite::Universe;
use interpreter::{Executor, Instance, Interpreted, Rows, State, run};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Severity, Sources};
use saving::{giving, words_of};

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

/// Tokens that wander over a set, an array and a counter: packed states.
const PACKED: &str = "
type Node
type Color = enumeration of red, green, blue
automaton A
  signature
    input paint(n: Node, c: Color)
    internal move(n: Node, m: Node), rest
  states
    seen: Set[Node] := {},
    color: Array[Node, Color] := constant(red)
  transitions
    input paint(n, c)
      eff color[n] := c
    internal move(n, m)
      pre n ~= m /\\ color[n] = color[m] /\\ ~(m \\in seen)
      eff seen := insert(m, seen)
    internal rest
      pre \\A n: Node (n \\in seen)
      eff seen := {}
invariant Mixed of A: \\E n: Node (color[n] ~= blue)
invariant Fine of A: true
";

/// A queue and a number: general states.
const GENERAL: &str = "
type Node
automaton A
  signature
    output put(n: Node), get
  states
    queue: Seq[Node] := {},
    count: Int := 0
  transitions
    output put(n)
      pre len(queue) < 3
      eff queue := queue |- n;
          count := count + 1
    output get
      pre len(queue) > 0 /\\ count < 7
      eff queue := tail(queue)
invariant Small of A: count < 5
";

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

/// What a plain search counts: states by depth, and successors.
fn plain(instance: &Instance) -> (Vec<u64>, u64) {
    let mut executor = Executor::new(instance, AutomatonId(0)).expect("it can be run");
    let starts = executor.starts().expect("start states").into_iter();
    let mut level: BTreeSet<State> = starts.map(|o| o.state).collect();
    let (mut visited, mut levels, mut generated) = (level.clone(), Vec::new(), 0);
    while !level.is_empty() {
        levels.push(level.len() as u64);
        let mut next = BTreeSet::new();
        for state in &level {
            for firing in executor.enabled(state).expect("no fault") {
                for outcome in executor.outcomes(state, &firing).expect("no fault") {
                    generated += 1;
                    if visited.insert(outcome.state.clone()) {
                        next.insert(outcome.state);
                    }
                }
            }
        }
        level = next;
    }
    (levels, generated)
}

type Searched<'i> = (Search<Interpreted<'i>>, Rows<'i>, Status);

/// Means of taking steps for so many threads, the start states, and what the states are packed by.
type Begun<'i> = (Vec<Interpreted<'i>>, Vec<u64>, Rows<'i>);

fn begun(instance: &Instance, threads: usize) -> Begun<'_> {
    let automaton = AutomatonId(0);
    let rows = Rows::new(instance, automaton);
    let invariants: Vec<usize> = (0..instance.model().invariants.len()).collect();
    let steps = (0..threads)
        .map(|_| Interpreted::new(instance, automaton, &invariants, rows.clone()))
        .collect::<Result<Vec<_>, _>>()
        .expect("it can be run");
    let mut executor = Executor::new(instance, automaton).expect("it can be run");
    let mut starts = Vec::new();
    for outcome in executor.starts().expect("start states") {
        rows.push(&outcome.state, &mut starts);
    }
    (steps, starts, rows)
}

fn search<'i>(instance: &'i Instance, threads: usize, bounds: Bounds) -> Searched<'i> {
    let (steps, starts, rows) = begun(instance, threads);
    let mut search = Search::new(steps, &starts, bounds);
    let status = loop {
        match search.advance() {
            Status::Going => {}
            status => break status,
        }
    };
    (search, rows, status)
}

fn states(search: &Search<Interpreted<'_>>) -> Vec<u64> {
    search.levels().iter().map(|l| l.states).collect()
}

#[test]
fn the_counts_are_those_of_a_plain_search() {
    for (text, nodes) in [(PACKED, 2), (PACKED, 4), (GENERAL, 2), (GENERAL, 3)] {
        let instance = instance(text, nodes);
        let (levels, generated) = plain(&instance);
        for threads in 1..=3 {
            let (search, _, status) = search(&instance, threads, NO_BOUNDS);
            assert_eq!(status, Status::Complete);
            assert_eq!(states(&search), levels);
            assert_eq!(search.distinct(), levels.iter().sum::<u64>());
            assert_eq!(search.fired().iter().sum::<u64>(), generated);
            let counted: u64 = search.levels().iter().map(|l| l.generated).sum();
            assert_eq!(counted, generated);
            assert_eq!(search.queue(), 0);
        }
    }
}

#[test]
fn the_order_of_discovery_does_not_depend_on_the_threads() {
    for text in [PACKED, GENERAL] {
        let instance = instance(text, 4);
        let (one, _, _) = search(&instance, 1, NO_BOUNDS);
        let (three, _, _) = search(&instance, 3, NO_BOUNDS);
        assert!(one.states().eq(three.states()));
        assert_eq!(one.findings(), three.findings());
    }
}

#[test]
fn depth_first_there_are_the_same_states_and_answers() {
    for text in [PACKED, GENERAL] {
        for nodes in 1..4 {
            let instance = instance(text, nodes);
            let (wide, _, _) = search(&instance, 1, NO_BOUNDS);
            let (mut steps, starts, _) = begun(&instance, 1);
            let mut deep = DepthFirst::new(steps.remove(0), &starts);
            while deep.advance() == Status::Going {}
            assert_eq!(deep.distinct(), wide.distinct());
            assert_eq!(deep.quiescent(), wide.quiescent());
            let generated = wide.levels().iter().map(|l| l.generated).sum::<u64>();
            assert_eq!(deep.generated(), generated);
            let asked = |findings: &[Finding]| -> BTreeSet<Question> {
                findings.iter().map(|f| f.question).collect()
            };
            assert_eq!(asked(deep.findings()), asked(wide.findings()));
            for found in deep.findings() {
                let first = wide
                    .findings()
                    .iter()
                    .find(|f| f.question == found.question);
                assert!(first.expect("the same question").depth <= found.depth);
            }
        }
    }
}

/// Searches of a swarm with bounds beyond all that there is.
fn swarm<'i>(
    instance: &'i Instance,
    threads: usize,
    searches: u64,
    depth: usize,
    first: bool,
) -> Swarm<Interpreted<'i>> {
    let (steps, starts, _) = begun(instance, threads);
    let course = |seed| Course { seed, depth };
    let courses: Vec<Course> = (0..searches).map(course).collect();
    let bounds = SwarmBounds {
        states: 1 << 16,
        memory: 1 << 30,
        deadlocks: true,
        first,
    };
    let mut swarm = Swarm::new(steps, starts, &courses, bounds);
    while swarm.advance() {}
    swarm
}

#[test]
fn a_search_of_a_swarm_that_has_room_visits_all_states_and_finds_all_that_is_wrong() {
    for text in [PACKED, GENERAL] {
        for nodes in 1..4 {
            let instance = instance(text, nodes);
            let (wide, rows, _) = search(&instance, 1, NO_BOUNDS);
            let all = swarm(&instance, 2, 5, 1 << 20, false);
            for dived in all.dived() {
                assert_eq!((dived.states, dived.end), (wide.distinct(), End::Exhausted));
            }
            assert_eq!(all.dived().len(), 5);
            assert_eq!(all.together(), Some(wide.distinct()));
            let questions = |all: Vec<Question>| BTreeSet::from_iter(all);
            let found = all.found().iter().map(|f| f.question).collect();
            let first = wide.findings().iter().map(|f| f.question).collect();
            assert_eq!(questions(found), questions(first));
            for found in all.found() {
                let mut executor = Executor::new(&instance, AutomatonId(0)).expect("it can be run");
                let labelled = explorer::label(&found.path, &mut executor, &rows, None);
                assert_eq!(labelled.disagreement, None);
            }
        }
    }
}

#[test]
fn what_a_swarm_finds_does_not_depend_on_the_threads() {
    for depth in [2, 6, 1 << 20] {
        let instance = instance(PACKED, 4);
        let one = swarm(&instance, 1, 7, depth, true);
        let three = swarm(&instance, 3, 7, depth, true);
        assert_eq!(one.found(), three.found(), "at depth {depth}");
        assert_eq!(one.dived(), three.dived());
    }
}

#[test]
fn a_swarm_looks_no_deeper_than_it_is_told() {
    // No execution of two steps violates the invariant; some of three do.
    let instance = instance(PACKED, 3);
    let violated = |depth| {
        let found = swarm(&instance, 1, 50, depth, true).found();
        let mut questions = found.iter().map(|found| found.question);
        questions.any(|question| matches!(question, Question::Invariant(_)))
    };
    assert!(!violated(2));
    assert!(violated(3));
}

#[test]
fn a_violation_is_found_by_a_shortest_execution_that_can_be_replayed() {
    for (text, steps) in [(PACKED, 3), (GENERAL, 7)] {
        let instance = instance(text, 3);
        let (mut search, rows, _) = search(&instance, 2, NO_BOUNDS);
        let findings = search.findings().iter();
        let violated = findings.filter(|f| matches!(f.question, Question::Invariant(_)));
        let violated: Vec<_> = violated.cloned().collect();
        let [violated] = &violated[..] else {
            panic!("one invariant is violated: {violated:?}");
        };
        assert_eq!(violated.question, Question::Invariant(0));
        assert_eq!(violated.depth, steps);
        let path = search.path(violated).expect("a way");
        let mut executor = Executor::new(&instance, AutomatonId(0)).expect("it can be run");
        let labelled = explorer::label(&path, &mut executor, &rows, None);
        assert_eq!(labelled.disagreement, None);
        let trace = labelled.trace.expect("an execution");
        assert_eq!(trace.steps.len(), steps);
        let report = run::replay(&instance, &trace, &mut ()).expect("an execution");
        assert!(matches!(report.ending, run::Ending::Violated(_)));
    }
}

#[test]
fn a_deadlock_is_a_state_without_enabled_actions() {
    let instance = instance(GENERAL, 2);
    let (search, rows, _) = search(&instance, 1, NO_BOUNDS);
    let deadlock = search
        .findings()
        .iter()
        .find(|f| f.question == Question::Deadlock);
    let state = rows.state(&deadlock.expect("the counter ends it").state);
    let mut executor = Executor::new(&instance, AutomatonId(0)).expect("it can be run");
    assert!(executor.enabled(&state).expect("no fault").is_empty());
}

#[test]
fn bounds_stop_the_search_and_say_so() {
    let instance = instance(PACKED, 4);
    let (levels, _) = plain(&instance);
    let depth = Bounds {
        depth: Some(2),
        ..NO_BOUNDS
    };
    let (at_depth, _, status) = search(&instance, 2, depth);
    assert_eq!(
        (status, states(&at_depth)),
        (Status::Depth, levels[..3].to_vec())
    );
    let few = Bounds {
        states: Some(100),
        ..NO_BOUNDS
    };
    let (bounded, _, status) = search(&instance, 1, few);
    assert_eq!(status, Status::States);
    assert!(bounded.distinct() >= 100 && bounded.distinct() < levels.iter().sum());
    let small = Bounds {
        memory: 1 << 14,
        ..NO_BOUNDS
    };
    let (bounded, _, status) = search(&instance, 1, small);
    assert_eq!(status, Status::Memory);
    assert!(bounded.distinct() > 1, "{}", bounded.distinct());
}

/// The words of a search.
fn saved(search: &Search<Interpreted<'_>>) -> Vec<u64> {
    words_of(|put| search.save(put))
}

/// The search that some words are, on rows whose cells are known.
fn restored<'i>(
    instance: &'i Instance,
    rows: &Rows<'i>,
    words: &[u64],
) -> Result<Search<Interpreted<'i>>, Lost<&'static str>> {
    let invariants: Vec<usize> = (0..instance.model().invariants.len()).collect();
    let steps = Interpreted::new(instance, AutomatonId(0), &invariants, rows.clone());
    Search::restore(
        vec![steps.expect("it can be run")],
        NO_BOUNDS,
        &mut giving(words),
    )
}

#[test]
fn a_search_that_was_stopped_anywhere_and_taken_up_again_ends_as_the_whole_one() {
    for text in [PACKED, GENERAL] {
        let instance = instance(text, 4);
        let (whole, _, _) = search(&instance, 1, NO_BOUNDS);
        for depth in 0..whole.levels().len() {
            let bounds = Bounds {
                depth: Some(depth),
                ..NO_BOUNDS
            };
            let (part, rows, _) = search(&instance, 2, bounds);
            let mut again = restored(&instance, &rows, &saved(&part)).expect("a search");
            assert_eq!(again.levels(), part.levels());
            while again.advance() == Status::Going {}
            assert!(again.states().eq(whole.states()));
            assert_eq!(again.levels(), whole.levels());
            assert_eq!(again.fired(), whole.fired());
            assert_eq!(again.findings(), whole.findings());
            assert_eq!(again.quiescent(), whole.quiescent());
        }
    }
}

/// What is done to the words of a search.
type Change<'c> = &'c dyn Fn(&mut Vec<u64>);

#[test]
fn words_that_are_no_search_are_refused() {
    let instance = instance(PACKED, 4);
    let (part, rows, _) = search(&instance, 1, NO_BOUNDS);
    let words = saved(&part);
    for end in (0..words.len()).step_by(37) {
        let result = restored(&instance, &rows, &words[..end]).map(|_| ());
        assert!(result.is_err(), "{end} of {} words", words.len());
    }
    let changed = |change: Change<'_>| {
        let mut words = words.clone();
        change(&mut words);
        restored(&instance, &rows, &words).map(|_| ())
    };
    assert_eq!(changed(&|_| ()), Ok(()));
    // Eight words, two lists, another word, and the findings.
    let generated = 8 + 1 + words[8] as usize;
    let findings = generated + 1 + words[generated] as usize + 1;
    let finding = words[findings + 1..][..2 + rows.width()].to_vec();
    assert_eq!(words[findings], part.findings().len() as u64);
    let changes: [Change<'_>; 10] = [
        &|words| words[0] += 1,
        &|words| words[1] *= 2,
        // Start states: more than can be counted, and said not to be all of them though there is more.
        &|words| words[5] = u64::MAX,
        &|words| words[7] = 0,
        &|words| words[7] = 2,
        // More states in which inputs alone are enabled than can be counted.
        &|words| words[6] = u64::MAX,
        // A finding that is of another depth, of no state that was visited, or there twice.
        &|words| words[findings + 2] += 1,
        &|words| words[findings + 3] = u64::MAX,
        &|words| {
            words[findings] += 1;
            words.splice(findings + 1..findings + 1, finding.iter().copied());
        },
        // The last state of all, once more: no set has it twice.
        &|words| {
            let at = words.len() - 2;
            words[at] = words[at + 1];
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert_eq!(changed(change), Err(Lost::Wrong), "change {number}");
    }
}
