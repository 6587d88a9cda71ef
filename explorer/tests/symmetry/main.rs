//! The search with symmetry against the one without: the orbits of its states are all states, and its answers the same.

mod alone;
mod several_words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use explorer::Represented;
use explorer::symmetry::{Obstacle, OrbitTotals, Orbits, Symmetry};
use explorer::{Bounds, Canonical, Question, Search, Status};
use finite::{Interpretation, Universe};
use interpreter::{Executor, Instance, Interpreted, Rows, Successors, run};
use ioa_lang::core::{AutomatonId, FunctionId, SortId};
use ioa_lang::{Severity, Sources, Value};

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

fn sources(texts: &[&str]) -> ioa_lang::Loaded {
    let mut sources = Sources::new();
    for text in texts {
        sources.add("test", *text);
    }
    let loaded = ioa_lang::load(&sources);
    for diagnostic in &loaded.diagnostics {
        assert_ne!(diagnostic.severity, Severity::Error, "{diagnostic:?}");
    }
    loaded
}

/// What an exploration with or without symmetry comes to.
struct Explored {
    rows: Vec<Vec<u64>>,
    levels: usize,
    /// How many states and steps there are.
    all: OrbitTotals,
    /// The questions answered with no, and after how many steps.
    answers: BTreeMap<Question, usize>,
}

fn invariants(instance: &Instance, automaton: AutomatonId) -> Vec<usize> {
    let all = instance.model().invariants.iter().enumerate();
    all.filter(|(_, i)| i.automaton == automaton)
        .map(|(n, _)| n)
        .collect()
}

fn search<'i, S: Successors>(
    instance: &'i Instance,
    automaton: AutomatonId,
    canonical: &Canonical<'_>,
    wrap: impl Fn(Interpreted<'i>) -> S,
) -> Explored {
    let rows = Rows::new(instance, automaton);
    let invariants = invariants(instance, automaton);
    let steps = (0..2)
        .map(|_| Interpreted::new(instance, automaton, &invariants, rows.clone()).map(&wrap))
        .collect::<Result<Vec<_>, _>>()
        .expect("it can be run");
    let mut executor = Executor::new(instance, automaton).expect("it can be run");
    let mut starts = Vec::new();
    for outcome in executor.starts().expect("start states") {
        rows.push(&outcome.state, &mut starts);
    }
    starts.chunks_exact_mut(rows.width()).for_each(canonical);
    let mut search = Search::new(steps, &starts, NO_BOUNDS);
    while search.advance() == Status::Going {}
    let levels = search.levels();
    let all = OrbitTotals {
        states: search.distinct().into(),
        generated: levels.iter().map(|level| u128::from(level.generated)).sum(),
        quiescent: search.quiescent().into(),
    };
    let findings = search.findings().to_vec();
    for finding in &findings {
        let path = search.path(finding).expect("a way");
        let labelled = explorer::label(&path, &mut executor, &rows, Some(canonical));
        assert_eq!(labelled.disagreement, None);
        let trace = labelled.trace.expect("an execution");
        assert_eq!(trace.steps.len(), finding.depth);
        let report = run::replay(instance, &trace, &mut ()).expect("it is an execution");
        if let Question::Invariant(_) = finding.question {
            assert!(matches!(report.ending, run::Ending::Violated(_)));
        }
    }
    Explored {
        rows: search.states().collect(),
        levels: levels.len(),
        all,
        answers: findings.iter().map(|f| (f.question, f.depth)).collect(),
    }
}

/// What the representatives that were visited stand for.
fn totals(
    instance: &Instance,
    automaton: AutomatonId,
    symmetry: &Symmetry,
    reduced: &Explored,
) -> Option<OrbitTotals> {
    let rows = Rows::new(instance, automaton);
    let steps = Interpreted::new(instance, automaton, &[], rows);
    let totals = symmetry.totals(
        reduced.rows.iter().cloned(),
        &mut steps.expect("it can be run"),
    )?;
    let states = symmetry.represented(reduced.rows.iter().cloned());
    assert_eq!(states, totals.states);
    Some(totals)
}

/// Explores with and without, compares, and says how many states there are and how many stand for them.
fn compare(instance: &Instance, automaton: AutomatonId) -> (usize, usize) {
    let symmetry = Symmetry::of(instance, automaton, &invariants(instance, automaton));
    let symmetry = Arc::new(symmetry);
    let full = search(instance, automaton, &|_| {}, |steps| steps);
    let canonical = |row: &mut [u64]| symmetry.canonicalise(row);
    let reduced = search(instance, automaton, &canonical, |steps| {
        Represented::new(steps, Orbits::of(Arc::clone(&symmetry)))
    });
    // What representatives stand for is what there is. After a step without a result, states are left out.
    if !full.answers.contains_key(&Question::Fault) {
        assert_eq!(
            totals(instance, automaton, &symmetry, &reduced),
            Some(full.all)
        );
    }
    assert_eq!(full.levels, reduced.levels);
    assert_eq!(full.answers, reduced.answers);
    let orbits = reduced.rows.iter().flat_map(|row| symmetry.orbit(row));
    let orbits: Vec<Vec<u64>> = orbits.collect();
    // No state is in two orbits, and all are those that there are.
    assert_eq!(orbits.len(), full.rows.len());
    let all: BTreeSet<&Vec<u64>> = full.rows.iter().collect();
    assert_eq!(orbits.iter().collect::<BTreeSet<_>>(), all);
    for row in &full.rows {
        let mut representative = row.clone();
        symmetry.canonicalise(&mut representative);
        assert!(symmetry.orbit(row).contains(&representative));
        assert!(reduced.rows.contains(&representative));
    }
    (full.rows.len(), reduced.rows.len())
}

fn study(texts: &[&str], automaton: &str, sizes: &[(&str, u64)]) -> (Instance, AutomatonId) {
    let loaded = sources(texts);
    let sizes = sizes.iter().map(|(name, n)| ((*name).to_owned(), *n));
    let universe = Universe::new(
        &loaded.model,
        loaded.model.every_setting(),
        &sizes.collect(),
    )
    .expect("the sizes fit");
    let automaton = loaded.model.automaton_named(automaton).expect("there is");
    (Instance::new(Arc::new(loaded.model), universe), automaton)
}

const COMMIT: &str = include_str!("../../../case-studies/two-phase-commit/tcommit.ioa");
const TWO_PHASE: &str = include_str!("../../../case-studies/two-phase-commit/two-phase.ioa");
const CONSENSUS: &str = include_str!("../../../case-studies/lamport-paxos/consensus.ioa");
const PAXOS: &str = include_str!("../../../case-studies/lamport-paxos/paxos.ioa");

#[test]
fn the_orbits_of_two_phase_commit_are_all_its_states() {
    for (size, states) in [(3, 288), (5, 8832)] {
        let (instance, automaton) = study(&[COMMIT, TWO_PHASE], "TwoPhase", &[("RM", size)]);
        let (full, reduced) = compare(&instance, automaton);
        assert_eq!(full, states);
        assert!(reduced < full / 3, "{reduced}");
    }
}

#[test]
fn acceptors_and_values_of_paxos_are_interchangeable_and_ballots_are_not() {
    let sizes = [("Acceptor", 3), ("Value", 2), ("Ballot", 2)];
    let (instance, automaton) = study(&[CONSENSUS, PAXOS], "Paxos", &sizes);
    let symmetry = Symmetry::of(&instance, automaton, &invariants(&instance, automaton));
    let name = |id: SortId| &*instance.model().sorts[id.index()].name;
    let told: Vec<_> = symmetry
        .sorts()
        .iter()
        .map(|s| (name(s.sort), s.classes.clone(), s.obstacle.clone()))
        .collect();
    assert!(told.contains(&("Acceptor", vec![vec![0, 1, 2]], None)));
    assert!(told.contains(&("Value", vec![vec![0, 1]], None)));
    let order = Some(Obstacle::Operator("<".into()));
    assert!(told.contains(&("Ballot", vec![], order)));
    assert_eq!(symmetry.order(), 12);
    let (full, reduced) = compare(&instance, automaton);
    assert!(reduced * 6 < full, "{reduced} of {full}");
}

/// What the effects and preconditions of a random automaton are made of. None of it tells nodes apart.
const EFFECTS: [&str; 9] = [
    "seen := insert(n, seen)",
    "seen := delete(m, seen)",
    "color[n] := blue",
    "color[m] := color[n]",
    "next[n] := embed(m)",
    "next[m] := next[n]",
    "edges := insert([n, m], edges)",
    "vote := choose q where n \\in q",
    "for k: Node where k \\in seen do color[k] := green od; seen := {}",
];

const CONDITIONS: [&str; 8] = [
    "n ~= m",
    "n \\in seen",
    "~(m \\in seen)",
    "color[n] = red",
    "color[n] = color[m]",
    "next[n] = nil",
    "size(edges) < 2",
    "\\E k: Node (k ~= n /\\ [k, n] \\in edges)",
];

const CLAIMS: [&str; 4] = [
    "\\E k: Node (color[k] ~= blue)",
    "\\A k: Node (k \\in seen => next[k] ~= embed(k))",
    "\\A j: Node (\\A k: Node ([j, k] \\in edges => [k, j] \\notin edges))",
    "size(seen) < 3",
];

/// Draws one of several texts each time, by a seed.
fn drawing(seed: u64) -> impl FnMut(&[&str]) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |all| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        all[(state >> 33) as usize % all.len()].to_owned()
    }
}

/// What random automata of three actions are made of.
struct Pieces {
    /// All that stands before the transitions.
    declarations: &'static str,
    /// What each precondition begins with.
    bound: &'static str,
    conditions: &'static [&'static str],
    effects: &'static [&'static str],
    claims: &'static [&'static str],
}

impl Pieces {
    /// An automaton of three clauses, by a seed.
    fn drawn(&self, seed: u64) -> String {
        let mut draw = drawing(seed);
        let mut text = self.declarations.to_owned();
        for action in ["a", "b", "c"] {
            let (condition, effect) = (draw(self.conditions), draw(self.effects));
            let bound = self.bound;
            text.push_str(&format!(
                "    internal {action}(n, m)\n      pre {bound} /\\ {condition}\n      eff {effect}\n"
            ));
        }
        claim(self.claims, &mut text);
        text
    }
}

/// Adds claims as invariants.
fn claim(claims: &[&str], text: &mut String) {
    for (n, claim) in claims.iter().enumerate() {
        text.push_str(&format!("invariant I{n} of A: {claim}\n"));
    }
}

/// An automaton of four clauses, by a seed.
fn random_automaton(seed: u64) -> String {
    let mut draw = drawing(seed);
    let mut text = String::from(
        "type Node
type Quorum
assumes Quorums(Quorum, Node)
type Color = enumeration of red, green, blue
type Edge = tuple of from, to: Node
automaton A
  signature
    internal a(n: Node, m: Node), b(n: Node, m: Node), c(n: Node, m: Node), d(n: Node, m: Node)
  states
    seen: Set[Node] := {},
    color: Array[Node, Color] := constant(red),
    next: Array[Node, Null[Node]] := constant(nil),
    edges: Set[Edge] := {},
    vote: Quorum := choose q where true
  transitions
",
    );
    for action in ["a", "b", "c", "d"] {
        let (pre, also, eff) = (draw(&CONDITIONS), draw(&CONDITIONS), draw(&EFFECTS));
        text.push_str(&format!(
            "    internal {action}(n, m)\n      pre {pre} /\\ {also}\n      eff {eff}\n"
        ));
    }
    claim(&CLAIMS, &mut text);
    text
}

#[test]
fn random_symmetric_automata_have_the_same_answers() {
    let (mut full, mut reduced) = (0, 0);
    for seed in 1..=30 {
        let text = random_automaton(seed);
        let (instance, automaton) = study(&[&text], "A", &[("Node", 3)]);
        let symmetry = Symmetry::of(&instance, automaton, &invariants(&instance, automaton));
        assert_eq!(symmetry.order(), 6);
        let (all, some) = compare(&instance, automaton);
        (full, reduced) = (full + all, reduced + some);
    }
    assert!(reduced * 3 < full, "{reduced} of {full}");
}

/// A solver may find quorums that are no majorities: then members are not interchangeable, for a quorum may become none.
#[test]
fn members_of_other_quorums_than_majorities_keep_their_names() {
    let (instance, automaton) = study(&[&random_automaton(1)], "A", &[("Node", 3)]);
    let model = Arc::clone(instance.model());
    let sort = (model.sorts.iter()).position(|sort| &*sort.name == "Quorum");
    let quorum = SortId::at(sort.expect("a sort of quorums"));
    let universe = instance.universe().clone();
    assert!(!universe.has_other_groups(&model, quorum));
    let universe = universe.with_groups(quorum, vec![0b001, 0b011]);
    assert!(universe.has_other_groups(&model, quorum));
    assert_eq!(universe.size(quorum), 2);
    let instance = Instance::new(model, universe);
    assert_eq!(Symmetry::of(&instance, automaton, &[]).order(), 1);
    // All that is reached is reached without symmetry, which would take quorums for others.
    compare(&instance, automaton);
}

/// Two rings of three and one of six look alike to every element: only trying tells them apart.
#[test]
fn states_that_no_element_can_tell_apart_keep_their_representatives() {
    let text = "type Node
automaton A
  signature
    internal a
  states
    next: Array[Node, Node] := choose f where true
  transitions
    internal a
      eff next := next
";
    let (instance, automaton) = study(&[text], "A", &[("Node", 6)]);
    let symmetry = Symmetry::of(&instance, automaton, &[]);
    assert_eq!(symmetry.order(), 720);
    let row = |next: [u64; 6]| vec![(0..6).fold(0, |row, n| row | next[n] << (3 * n))];
    let rings = [row([1, 2, 0, 4, 5, 3]), row([1, 2, 3, 4, 5, 0])];
    let representatives = rings.each_ref().map(|ring| {
        let orbit = symmetry.orbit(ring);
        let canonical = |row: &Vec<u64>| {
            let mut row = row.clone();
            symmetry.canonicalise(&mut row);
            row
        };
        let all: BTreeSet<Vec<u64>> = orbit.iter().map(canonical).collect();
        assert_eq!(all.len(), 1);
        assert!(all.is_subset(&orbit));
        (orbit.len(), all)
    });
    assert_eq!(representatives.each_ref().map(|(n, _)| *n), [40, 120]);
    assert_ne!(representatives[0].1, representatives[1].1);
}

const LED: &str = "type Node
automaton A(leader: Node)
  signature
    internal join(n: Node), lead(n: Node)
  states
    seen: Set[Node] := {}
  transitions
    internal join(n)
      pre leader \\in seen
      eff seen := insert(n, seen)
    internal lead(n)
      pre n = leader
      eff seen := insert(n, seen)
invariant Few of A: size(seen) < 3
";

#[test]
fn an_element_that_an_operator_names_is_not_interchangeable_and_the_others_are() {
    let loaded = sources(&[LED]);
    let sizes = BTreeMap::from([("Node".to_owned(), 4)]);
    let tables = BTreeMap::from([(FunctionId(0), vec![Value::Element(SortId(0), 2)])]);
    let universe = Universe::sized(&loaded.model, loaded.model.every_setting(), &sizes)
        .expect("the sizes fit");
    let universe = universe.interpreted(&loaded.model, Interpretation { tables });
    let universe = universe.expect("a table");
    let instance = Instance::new(Arc::new(loaded.model), universe);
    let symmetry = Symmetry::of(&instance, AutomatonId(0), &[0]);
    let [node] = symmetry.sorts() else {
        panic!("one sort");
    };
    assert_eq!(node.classes, [vec![0, 1, 3]]);
    assert!(matches!(&node.obstacle, Some(Obstacle::Operator(name)) if name.contains("leader")));
    assert_eq!(compare(&instance, AutomatonId(0)), (9, 5));
}

#[test]
fn an_order_in_an_invariant_alone_keeps_a_sort_from_being_reduced() {
    let text = "type Node
assumes TotalOrder(Node)
automaton A
  signature
    internal join(n: Node)
  states
    seen: Set[Node] := {}
  transitions
    internal join(n)
      eff seen := insert(n, seen)
invariant Upwards of A: \\A n: Node (\\A m: Node (m \\in seen /\\ n < m => n \\in seen))
";
    let (instance, automaton) = study(&[text], "A", &[("Node", 3)]);
    assert_eq!(Symmetry::of(&instance, automaton, &[]).order(), 6);
    assert_eq!(Symmetry::of(&instance, automaton, &[0]).order(), 1);
    assert_eq!(compare(&instance, automaton), (8, 8));
}

#[test]
fn sorts_in_general_values_too_large_or_of_one_element_are_left_as_they_are() {
    let text = "type Node
type Wide
type One
automaton A
  signature
    internal put(n: Node, w: Wide, o: One)
  states
    queue: Seq[Node] := {},
    last: Null[Wide] := nil,
    only: Null[One] := nil
  transitions
    internal put(n, w, o)
      pre len(queue) < 2
      eff queue := queue |- n; last := embed(w); only := embed(o)
";
    let (instance, automaton) = study(&[text], "A", &[("Node", 3), ("Wide", 13), ("One", 1)]);
    let symmetry = Symmetry::of(&instance, automaton, &[]);
    let why = symmetry.sorts().iter().map(|s| s.obstacle.clone());
    let expected = [
        Obstacle::General("queue".into()),
        Obstacle::TooMany,
        Obstacle::Single,
    ];
    assert!(why.eq(expected.map(Some)));
    assert_eq!(symmetry.order(), 1);
}

/// TLC counts as many with `SYMMETRY` of acceptors and values, on the module from which the model is taken.
#[test]
fn paxos_with_three_ballots_has_as_many_orbits_as_elsewhere() {
    let sizes = [("Acceptor", 3), ("Value", 2), ("Ballot", 3)];
    let (instance, automaton) = study(&[CONSENSUS, PAXOS], "Paxos", &sizes);
    let symmetry = Arc::new(Symmetry::of(&instance, automaton, &[]));
    let canonical = |row: &mut [u64]| symmetry.canonicalise(row);
    let reduced = search(&instance, automaton, &canonical, |steps| {
        Represented::new(steps, Orbits::of(Arc::clone(&symmetry)))
    });
    assert_eq!(reduced.rows.len(), 17_153);
    let sizes = reduced.rows.iter().map(|row| symmetry.orbit(row).len());
    assert_eq!(sizes.sum::<usize>(), 185_369);
    let totals = totals(&instance, automaton, &symmetry, &reduced);
    assert_eq!(totals.map(|totals| totals.states), Some(185_369));
    let gain = symmetry.gain(reduced.rows.iter());
    assert!((1.0..=12.0).contains(&gain), "{gain}");
}
