//! The search with symmetry against the one without: the orbits of its states are all states, and its answers the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use explorer::symmetry::{Obstacle, Reduced, Symmetry};
use explorer::{Bounds, Question, Search, Status};
use interpreter::{Executor, Instance, Interpreted, Rows, Successors, run};
use ioa_lang::core::AutomatonId;
use ioa_lang::finite::Universe;
use ioa_lang::{Severity, Sources};

const NO_BOUNDS: Bounds = Bounds {
    depth: None,
    states: None,
    memory: u64::MAX,
};

const A: AutomatonId = AutomatonId(0);

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
    canonical: &dyn Fn(&mut [u64]),
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
    starts
        .chunks_exact_mut(rows.width())
        .for_each(|r| canonical(r));
    let mut search = Search::new(steps, &starts, NO_BOUNDS);
    while search.advance() == Status::Going {}
    let findings = search.findings().to_vec();
    for finding in &findings {
        let path = search.path(finding.state, finding.depth);
        let trace = explorer::execution(&mut executor, &rows, &path, canonical);
        let trace = trace.expect("no fault").expect("an execution");
        assert_eq!(trace.steps.len(), finding.depth);
        let report = run::replay(instance, &trace, &mut ()).expect("it is an execution");
        if let Question::Invariant(_) = finding.question {
            assert!(matches!(report.ending, run::Ending::Violated(_)));
        }
    }
    Explored {
        rows: search.states().map(<[u64]>::to_vec).collect(),
        levels: search.levels().len(),
        answers: findings.iter().map(|f| (f.question, f.depth)).collect(),
    }
}

/// Explores with and without, compares, and says how many states there are and how many stand for them.
fn compare(instance: &Instance, automaton: AutomatonId) -> (usize, usize) {
    let symmetry = Symmetry::of(instance, automaton, &invariants(instance, automaton));
    let symmetry = Arc::new(symmetry);
    let full = search(instance, automaton, &|_| {}, |steps| steps);
    let canonical = |row: &mut [u64]| symmetry.canonicalise(row);
    let reduced = search(instance, automaton, &canonical, |steps| {
        Reduced::new(steps, Arc::clone(&symmetry))
    });
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
    let universe = Universe::new(&loaded.model, &sizes.collect()).expect("the sizes fit");
    let automaton = loaded.model.automaton_named(automaton).expect("there is");
    (Instance::new(Arc::new(loaded.model), universe), automaton)
}

const COMMIT: &str = include_str!("../../case-studies/two-phase-commit/tcommit.ioa");
const TWO_PHASE: &str = include_str!("../../case-studies/two-phase-commit/two-phase.ioa");
const CONSENSUS: &str = include_str!("../../case-studies/lamport-paxos/consensus.ioa");
const PAXOS: &str = include_str!("../../case-studies/lamport-paxos/paxos.ioa");

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
    let name = |id: ioa_lang::core::SortId| &*instance.model().sorts[id.index()].name;
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
