//! The fast path equals the slow path: native code gives exactly what interpretation gives, faults included.
//!
//! Random small automata of finite types are expanded and checked both ways from random states, and so are the models
//! of the case studies from states that they reach. What ran natively is counted, so that a campaign in which
//! everything was interpreted cannot look like a success.
//!
//! `AGREEMENT_CASES=20000 cargo test --release -p native --test agreement` runs a longer campaign.

mod cases;
mod compare;

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use compare::{Compared, instance, random_instance, random_states, ranged_instance};
use interpreter::run::{self, Ending, Event, How, Observer, Options, Weights};
use interpreter::{
    Draws, Executor, Instance, Interrupt, Label, Rows, State, Step, Stream, TransitionSystem,
};
use ioa_lang::Sources;
use ioa_lang::core::{AutomatonId, TransitionId};
use native::{ClauseCode, Native, NativeSystem, Untranslatable};
use test_support::generate;

/// Random automata of one campaign, where nothing else is asked for.
const CASES: u64 = 120;

/// States from which an automaton of a case study is expanded.
const REACHED: usize = 1_000;

#[test]
fn random_automata_of_finite_types_have_the_same_steps_either_way() {
    let compared = campaign(true);
    if !are_many() {
        return;
    }
    assert_eq!(compared.refused, 0);
    assert!(compared.native * 10 > compared.automata * 9);
    assert!(compared.native_invariants * 10 > compared.invariants * 9);
    assert!(compared.tables * 4 > compared.automata);
    // Native code leaves to interpretation what faults, and hardly anything else.
    assert!(compared.states > compared.left && compared.left * 10 <= compared.faults * 11);
    assert!(compared.faults * 10 > compared.automata && compared.broken > compared.automata);
    assert!(compared.successors > 10 * compared.automata);
}

#[test]
fn random_automata_of_all_types_have_the_same_steps_either_way() {
    let compared = campaign(false);
    if !are_many() {
        return;
    }
    assert!(compared.automata > compared.refused);
    // Nearly all are native, but for most of them the interpreter is asked for some terms.
    assert!(compared.native * 10 > compared.automata * 9);
    assert!(compared.in_part * 2 > compared.automata);
    assert!(compared.states > compared.automata);
    assert!(compared.native_invariants * 10 > compared.invariants);
    assert!(compared.faults * 10 > compared.automata && compared.broken > compared.automata);
}

/// What an integer is compared with, looked for in, put into or taken from has a range of its own, in which it need not
/// be.
#[test]
fn random_automata_of_packed_integers_have_the_same_steps_either_way() {
    let mut compared = Compared::default();
    for seed in 0..cases() {
        let text = generate::ranged(seed);
        let instance = ranged_instance(&text, seed);
        let states = random_states(&instance, seed);
        let context = format!("seed {seed}\n{text}");
        compared.compare(&instance, AutomatonId::at(0), &states, &context);
        compared.compare_with_general(&ranged_instance(&text, seed), seed, &context);
    }
    println!("{compared:#?}");
    if !are_many() {
        return;
    }
    // Integers that are written with their types are more often too large to be packed.
    assert!(compared.refused * 5 < compared.automata);
    assert!(compared.native * 10 > compared.automata * 9 && compared.in_part > 0);
    assert!(compared.native_invariants * 10 > compared.invariants * 8);
    assert!(compared.states > 8 * compared.automata && compared.faults > compared.automata);
    assert!(compared.general > 5 * compared.automata && compared.tables > compared.automata);
}

/// The room for results, the omission of code and the sizes of tables depend on what is known about values and steps
/// beforehand.
#[test]
fn what_is_assumed_of_values_and_of_steps_holds() {
    let mut compared = Compared::default();
    for seed in 0..cases() {
        let ranged = generate::ranged(seed);
        let finite = generate::automaton(seed, true);
        let instances = [
            (ranged_instance(&ranged, seed), &ranged),
            (random_instance(&finite), &finite),
        ];
        for (instance, text) in instances {
            let states = random_states(&instance, seed);
            compared.bounds(&instance, &states, &format!("seed {seed}\n{text}"));
        }
    }
    println!("{compared:#?}");
    if !are_many() {
        return;
    }
    assert!(compared.states > 9 * compared.automata && 2 * compared.reached > compared.automata);
    assert!(compared.successors > 10 * compared.automata);
}

/// Sizes of sets are numbers, but small ones.
const SIZES: &str = r"
type Node
type Ballot
automaton Sizes
  signature internal grow(n: Node), swap, shrink(n: Node)
  states s: Set[Node] := {}, t: Set[Node] := {}, b: Ballot
  transitions
    internal grow(n)
      pre size(s) < 2 /\ n \notin s
      eff s := insert(n, s)
    internal swap
      pre size(s) * 2 > size(t) + 1 \/ size({n: Node where n \in s /\ n \in t}) = 1
      eff if size(s) <= size(t) then s := t else t := s fi
    internal shrink(n)
      pre n \in s /\ \A m: Node (m \in t => size(delete(m, s)) > 0)
      eff s := delete(n, s)
invariant Few of Sizes: size(s) + size(t) <= 4
invariant Some of Sizes: 2 * size(s) > 1 \/ t = s
";

/// The highest bits of a union determine its variant; above them, other values lie in the word of a state.
const TAGS: &str = r"
type Node
type Ballot
type Who = union of node: Node, flag: Bool
automaton Tags
  signature internal take, drop(n: Node)
  states w: Who, s: Set[Node] := {}, b: Ballot
  transitions
    internal take
      pre tag(w) = flag
      eff s := choose x where x ~= {} \/ (if tag(w) = flag then w.flag else false);
          w := flag(true)
    internal drop(n)
      pre n \in s
      eff s := delete(n, s); w := node(n)
invariant Flagged of Tags: tag(w) = flag \/ w.node \notin s
";

/// Terms with many operations on few bits: at indices that are bound inside the term, outside it, and both.
const LOOKED_UP: &str = r"
type Node
type Ballot
type Vote = tuple of by: Node, at: Ballot
automaton LookedUp
  signature internal vote(n: Node, b: Ballot), meet(n: Node), forget(n: Node, b: Ballot)
  states
    votes: Array[Node, Array[Ballot, Null[Node]]] := constant(constant(nil)),
    seen: Set[Vote] := {},
    rest: Set[Node], more: Set[Node], open: Bool
  transitions
    internal vote(n, b)
      pre (\A m: Node ([m, b] \notin seen \/ m = n))
          /\ \E m: Node \A c: Ballot (votes[m][c] = nil \/ votes[m][c].val = n \/ c = b)
      eff votes[n][b] := choose x where x = nil \/ x.val \in rest \/ \A c: Ballot ([x.val, c] \in seen);
          seen := insert([n, b], seen)
    internal meet(n)
      pre \A m: Node \E b: Ballot
            (votes[n][b] ~= nil /\ (votes[n][b].val = m \/ [votes[n][b].val, b] \in seen))
      eff rest := {m: Node where \E k: Node \E b: Ballot (votes[k][b] = embed(m) /\ [k, b] \in seen)}
    internal forget(n, b)
      pre \E m: Node \E c: Ballot ([m, c] \in seen /\ (m ~= n \/ c ~= b) /\ votes[m][b] = votes[n][c])
      eff seen := delete([n, b], seen); votes[n][b] := nil; open := ~open
invariant Seen of LookedUp:
  \A n: Node \A b: Ballot (votes[n][b] ~= nil => \E m: Node \E c: Ballot ([m, c] \in seen /\ m \notin more))
invariant Rest of LookedUp:
  \A m: Node (m \in rest => \E k: Node \E b: Ballot (votes[k][b] = embed(m) \/ votes[k][b] = votes[m][b]))
";

#[test]
fn terms_are_looked_up_by_the_bits_that_they_depend_on() {
    let instance = random_instance(LOOKED_UP);
    let mut compared = Compared::default();
    for seed in 0..60 {
        let states = random_states(&instance, seed);
        compared.compare(&instance, AutomatonId::at(0), &states, LOOKED_UP);
    }
    println!("{compared:#?}");
    assert!(compared.obstacles.is_empty() && compared.tables >= 4 * compared.automata);
    assert!(compared.broken > 0 && compared.successors > 1_000);
}

/// Parameters, choices and loops over squares of a board. Which of them are beside each other is about no state.
const BESIDE: &str = r"
type Node
type Ballot
type Line = enumeration of a, b, c
type Place = tuple of x: Line, y: Line
let beside(i: Place, j: Place) = (i.x = j.x \/ i.y = j.y) /\ i ~= j /\ ((i.x = b \/ j.x = b) => i.y = j.y)
automaton Beside
  signature internal go(i: Place, j: Place), hop(i: Place, j: Place, k: Place), all(i: Place), take(i: Place), meet(s: Set[Line])
  states on: Set[Place], last: Place, mark: Bool
  transitions
    internal go(i, j)
      pre i \in on /\ beside(i, j) /\ (j \notin on \/ mark)
      eff on := insert(j, delete(i, on)); last := j
    internal hop(i, j, k)
      pre beside(i, j) /\ k \in on /\ beside(j, k) /\ (k ~= i \/ i = last)
      eff last := k; mark := ~mark
    internal all(i)
      pre i \notin on /\ ~mark
      eff for j: Place where beside(i, j) do on := insert(j, on) od
    internal take(i)
      pre i = last
      eff last := choose j where j = i \/ (beside(i, j) /\ j \notin on)
    internal meet(s)
      choose j: Place
      pre mark /\ (j.x \in s <=> j.y \notin s) /\ (\A l: Line (l \in s => [l, j.y] ~= last)) /\ j \in on
      eff on := delete(j, on)
invariant Few of Beside: size(on) < 5
";

#[test]
fn values_that_satisfy_what_is_about_no_state_are_looked_up() {
    let instance = random_instance(BESIDE);
    let mut compared = Compared::default();
    for seed in 0..60 {
        let states = random_states(&instance, seed);
        compared.compare(&instance, AutomatonId::at(0), &states, BESIDE);
    }
    println!("{compared:#?}");
    assert!(compared.obstacles.is_empty() && compared.tables >= 4 * compared.automata);
    assert!(compared.broken > 0 && compared.successors > 1_000);
}

#[test]
fn sizes_and_tags_are_compared_by_native_code() {
    for text in [SIZES, TAGS] {
        let instance = random_instance(text);
        let mut compared = Compared::default();
        for seed in 0..20 {
            let states = random_states(&instance, seed);
            compared.compare(&instance, AutomatonId::at(0), &states, text);
        }
        println!("{compared:#?}");
        assert!(compared.obstacles.is_empty() && compared.left == 0);
        assert!(compared.broken > 0 && compared.successors > 100);
    }
}

/// It is said what cannot be translated, and for what the interpreter is asked for some terms.
#[test]
fn obstacles_are_named() {
    let numbered = SIZES.replace(
        "b: Ballot",
        "b: Ballot, d: Array[Node, Ballot], k: Int := 0",
    );
    for (effect, clauses, in_part) in [
        ("k := k + 1", vec![], vec![TransitionId::at(0)]),
        (
            "for m: Node where m \\in s do d[m] := choose od",
            vec![(TransitionId::at(0), Untranslatable::ChooseInFor)],
            vec![],
        ),
    ] {
        let text = numbered.replace("s := insert(n, s)", effect);
        let instance = random_instance(&text);
        let (id, rows) = (AutomatonId::at(0), Rows::new(&instance, AutomatonId::at(0)));
        let native = Native::new(&instance, id, &[0, 1], rows).expect("it can be run");
        let report = native.report();
        assert_eq!((report.clauses, report.clauses_in_part), (clauses, in_part));
        assert_eq!(
            (report.invariants, report.invariants_in_part),
            (vec![], vec![])
        );
    }
}

/// Compares random automata of finite types alone, or of all.
fn campaign(finite: bool) -> Compared {
    let mut compared = Compared::default();
    for seed in 0..cases() {
        let text = generate::automaton(seed, finite);
        let instance = random_instance(&text);
        let states = random_states(&instance, seed);
        let context = format!("seed {seed}\n{text}");
        compared.compare(&instance, AutomatonId::at(0), &states, &context);
    }
    println!("{compared:#?}");
    compared
}

/// Whether there are enough cases for something of every kind to have occurred.
fn are_many() -> bool {
    cases() >= CASES
}

fn cases() -> u64 {
    cases::cases(CASES)
}

/// The events of a run.
#[derive(Default, PartialEq, Debug)]
struct Events(Vec<Step>);

impl Observer for Events {
    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        self.0.push(Step {
            label: Label::of(event.firing, event.choices),
            state: event.post.clone(),
        });
        ControlFlow::Continue(())
    }
}

/// All steps from a state that have a result, and what keeps others from having one.
fn all_steps(
    system: &mut dyn TransitionSystem,
    state: &State,
) -> (Vec<Step>, Result<(), Interrupt>) {
    let mut steps = Vec::new();
    let all = system.each_step(state, &mut |firing, choices, after| {
        steps.push(Step {
            label: Label::of(firing, choices),
            state: after.clone(),
        });
        ControlFlow::Continue(())
    });
    (steps, all.map(|_| ()))
}

#[test]
fn labelled_steps_are_the_same_either_way() {
    let (mut steps, mut faults, mut beside, mut asked, mut answered) = (0, 0, 0, 0, 0);
    for seed in 0..cases() {
        let instance = random_instance(&generate::automaton(seed, seed % 2 == 0));
        let automaton = AutomatonId::at(0);
        let made = (
            Executor::new(&instance, automaton),
            NativeSystem::new(&instance, automaton),
        );
        let (Ok(mut slow), Ok(mut fast)) = made else {
            continue;
        };
        for state in random_states(&instance, seed) {
            let expected = all_steps(&mut slow, &state);
            assert_eq!(expected, all_steps(&mut fast, &state), "seed {seed}");
            let (expected, Ok(())) = expected else {
                faults += 1;
                beside += expected.0.len();
                continue;
            };
            for (ordinal, step) in expected.iter().enumerate().take(20) {
                let again = fast.successor(&state, &step.label);
                assert_eq!(again, Ok(Some(step.state.clone())), "seed {seed}");
                assert_eq!(fast.step_at(&state, ordinal), Ok(Some(step.clone())));
            }
            steps += expected.len();
        }
        let (more, known) = fast.answered();
        asked += more;
        answered += known;
    }
    println!(
        "{steps} steps, {faults} faults, {beside} steps beside them; {answered} of {asked} questions answered"
    );
    if are_many() {
        assert!(steps > 10_000 && faults > 100 && beside > faults && answered * 2 > asked);
    }
}

#[test]
fn random_runs_are_the_same_either_way() {
    let (mut steps, mut asked, mut answered) = (0, 0, 0);
    let mut compare = |instance: &Instance, automaton: AutomatonId, options: Options| {
        let mut code = ClauseCode::new(instance, automaton);
        let (mut expected, mut found) = (Events::default(), Events::default());
        let slow = run::random(instance, automaton, options, &mut expected);
        let fast = run::random_by(instance, automaton, options, &mut found, by(&mut code));
        assert_eq!(slow, fast, "{options:?}");
        assert_eq!(expected, found, "{options:?}");
        steps += found.0.len();
        asked += code.asked;
        answered += code.answered;
    };
    for seed in 0..cases() {
        let instance = random_instance(&generate::automaton(seed, seed % 2 == 0));
        let options = Options { seed, steps: 50 };
        compare(&instance, AutomatonId::at(0), options);
    }
    for (instance, id, _) in automata_of_studies() {
        for seed in 0..20 {
            compare(&instance, id, Options { seed, steps: 300 });
        }
    }
    println!("{steps} steps; {answered} of {asked} questions answered");
    if !are_many() {
        return;
    }
    assert!(steps > 2_000 && answered * 2 > asked);
}

#[test]
fn random_runs_that_nobody_observes_are_the_same_either_way() {
    let (mut steps, mut answered, mut violated) = (0, 0, 0);
    let mut compare = |instance: &Instance, automaton: AutomatonId, options: Options| {
        let mut code = ClauseCode::new(instance, automaton);
        let slow = run::random(instance, automaton, options, &mut ());
        let fast = run::random_by(instance, automaton, options, &mut (), by(&mut code));
        assert_eq!(slow, fast, "{options:?}");
        if let Ok(report) = fast {
            steps += report.steps;
            violated += u64::from(matches!(report.ending, Ending::Violated(_)));
        }
        answered += code.answered;
    };
    for seed in 0..cases() {
        let text = generate::automaton(seed, seed % 2 == 0);
        // Without invariants the runs are longer.
        let part = text.split("invariant").next().unwrap_or_default();
        for text in [&*text, part] {
            let instance = random_instance(text);
            for steps in [1, 50] {
                compare(&instance, AutomatonId::at(0), Options { seed, steps });
            }
        }
    }
    let sizes = random_instance(&SIZES.replace("<= 4", "<= 3"));
    for seed in 0..20 {
        compare(&sizes, AutomatonId::at(0), Options { seed, steps: 60 });
    }
    for (instance, id, _) in automata_of_studies() {
        for seed in 0..5 {
            compare(&instance, id, Options { seed, steps: 300 });
        }
    }
    println!("{steps} steps; {answered} questions answered; {violated} runs end in a violation");
    if !are_many() {
        return;
    }
    assert!(answered > 2_000 && answered * 3 > steps && violated > 20);
}

/// Of the values that its precondition allows, `pair` takes those that its determinator yields, in turn.
const DETERMINED: &str = r"
type Node
type Ballot
automaton Determined
  signature internal pair(c: Bool), flip
  states low: Bool := false, high: Bool := false, turned: Bool := false
  transitions
    internal pair(c)
      choose a, b: Bool where a ~= b det do yield true, false; yield false, true; yield c, ~c od
      pre turned
      eff low := a; high := b; turned := false
    internal flip
      pre ~turned
      eff turned := true
";

#[test]
fn a_determinator_yields_the_same_rows_either_way() {
    let instance = random_instance(DETERMINED);
    let automaton = AutomatonId::at(0);
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let options = Options { seed, steps: 18 };
        let mut code = ClauseCode::new(&instance, automaton);
        let (mut slow, mut fast) = (Events::default(), Events::default());
        let expected = run::random(&instance, automaton, options, &mut slow);
        let found = run::random_by(&instance, automaton, options, &mut fast, by(&mut code));
        assert_eq!(expected, found);
        assert_eq!(slow, fast);
        assert!(code.answered > 0, "`flip` is native");
        assert_ne!(
            fast.0[1].state, fast.0[3].state,
            "the second row is not the first"
        );
        kinds.insert(format!("{:?}", fast.0));
    }
    assert!(kinds.len() > 1, "`c` is drawn");
}

#[test]
fn the_case_studies_have_the_same_steps_either_way() {
    let mut compared = Compared::default();
    for (instance, id, context) in automata_of_studies() {
        let states = reached(&instance, id);
        compared.compare(&instance, id, &states, &context);
    }
    println!("{compared:#?}");
    assert!(compared.automata >= 2 && compared.native == compared.automata);
    assert!(compared.left == 0 && compared.successors > 10_000);
    assert_eq!(compared.broken, 0);
}

/// The automata of the case studies that can be explored.
fn automata_of_studies() -> Vec<(Instance, AutomatonId, String)> {
    let mut found = Vec::new();
    for (folder, sizes) in studies() {
        let mut sources = Sources::new();
        let entries = fs::read_dir(&folder).expect("a folder");
        let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "ioa"));
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).expect("a file");
            sources.add(file.display().to_string(), text);
        }
        let automata = instance(&sources, sizes).model().automata.len();
        for id in (0..automata).map(AutomatonId::at) {
            let instance = instance(&sources, sizes);
            let runs = Executor::new(&instance, id).is_ok_and(|e| e.check_enumerable().is_ok());
            if runs {
                let name = instance.model().automaton(id).name.to_string();
                found.push((instance, id, name));
            }
        }
    }
    found
}

/// A folder, and the sizes of sorts.
type Study = (PathBuf, &'static [(&'static str, u64)]);

/// The case studies whose models can be explored.
fn studies() -> Vec<Study> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
    vec![(
        root.join("paxos"),
        &[("Node", 3), ("Value", 2), ("Ballot", 3)],
    )]
}

/// The first states of a search.
fn reached(instance: &Instance, automaton: AutomatonId) -> Vec<State> {
    let mut executor = Executor::new(instance, automaton).expect("it can be run");
    let start = executor.start(&mut Draws::new(1, Stream::Choices));
    let start = start.expect("it has a start state");
    let (mut seen, mut states, mut next) = (BTreeSet::from([start.clone()]), vec![start], 0);
    while next < states.len().min(REACHED) {
        let state = states[next].clone();
        for firing in executor.enabled(&state).expect("no fault") {
            for outcome in executor.outcomes(&state, &firing).expect("no fault") {
                if seen.insert(outcome.state.clone()) {
                    states.push(outcome.state);
                }
            }
        }
        next += 1;
    }
    states.truncate(REACHED);
    states
}

/// A run with weights that it draws, whose steps are known to machine code.
fn by(code: &mut ClauseCode) -> How<'_> {
    How {
        weights: Weights::default(),
        fast: Some(code),
        ..How::default()
    }
}
