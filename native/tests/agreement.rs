//! The fast path equals the slow path: native code gives exactly what interpretation gives, faults included.
//!
//! Random small automata of finite types are expanded and checked both ways from random states, and so are the models
//! of the case studies from states that they reach. What ran natively is counted, so that a campaign in which
//! everything was interpreted cannot look like a success.
//!
//! `AGREEMENT_CASES=20000 cargo test --release -p native --test agreement` runs a longer campaign.

#[path = "../../workbench/tests/one_meaning/generate/mod.rs"]
mod generate;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use interpreter::{Batch, Draws, Executor, Instance, Interpreted, Rows, Stream, Successors};
use ioa_lang::core::AutomatonId;
use ioa_lang::finite::{Packing, Universe};
use ioa_lang::{Severity, Sources};
use native::Native;

/// Random automata of one campaign, where nothing else is asked for.
const CASES: u64 = 120;

/// States from which each of them is expanded.
const STATES: usize = 24;

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    automata: u64,
    /// Automata all of whose clauses are native.
    native: u64,
    /// States whose steps native code computed, and those that it left to interpretation.
    states: u64,
    left: u64,
    /// States from which a step faults.
    faults: u64,
    successors: u64,
    broken: u64,
    invariants: u64,
    native_invariants: u64,
    obstacles: BTreeMap<String, u64>,
}

#[test]
fn random_automata_have_the_same_steps_either_way() {
    let asked = std::env::var("AGREEMENT_CASES").ok();
    let cases = asked.and_then(|n| n.parse().ok()).unwrap_or(CASES);
    let mut compared = Compared::default();
    for seed in 0..cases {
        let text = generate::automaton(seed, true);
        let mut sources = Sources::new();
        sources.add("random.ioa", &text);
        let instance = instance(&sources, &[("Node", 3), ("Ballot", 2)]);
        let states = random_states(&instance, seed);
        let context = format!("seed {seed}\n{text}");
        compared.compare(&instance, AutomatonId::at(0), &states, &context);
    }
    println!("{compared:#?}");
    assert!(compared.native * 10 > compared.automata * 9);
    assert!(compared.native_invariants * 10 > compared.invariants * 9);
    // Native code leaves to interpretation what faults, and hardly anything else.
    assert!(compared.states > compared.left && compared.left * 10 <= compared.faults * 11);
    assert!(compared.faults * 10 > compared.automata && compared.broken > compared.automata);
    assert!(compared.successors > 10 * compared.automata);
}

#[test]
fn the_case_studies_have_the_same_steps_either_way() {
    let mut compared = Compared::default();
    for (folder, sizes) in studies() {
        let mut sources = Sources::new();
        let mut files: Vec<PathBuf> = fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|f| f.extension().is_some_and(|e| e == "ioa"))
        {
            let text = fs::read_to_string(file).expect("a file");
            sources.add(file.display().to_string(), text);
        }
        let sizes: Vec<(&str, u64)> = sizes.iter().map(|(s, n)| (&**s, *n)).collect();
        let instance = instance(&sources, &sizes);
        for id in (0..instance.model().automata.len()).map(AutomatonId::at) {
            let layout = instance.layout(id);
            let runs = Executor::new(&instance, id).is_ok_and(|e| e.check_enumerable().is_ok());
            if runs && layout.is_packed() && layout.words() > 0 {
                let states = reached(&instance, id);
                let context = format!("{} of {}", layout.words(), folder.display());
                compared.compare(&instance, id, &states, &context);
            }
        }
    }
    println!("{compared:#?}");
    assert!(compared.automata >= 2 && compared.native == compared.automata);
    assert!(compared.left == 0 && compared.successors > 10_000);
    assert_eq!(compared.broken, 0);
}

impl Compared {
    fn compare(
        &mut self,
        instance: &Instance,
        automaton: AutomatonId,
        states: &[u64],
        context: &str,
    ) {
        let invariants = 0..instance.model().invariants.len();
        let invariants = invariants.filter(|i| instance.invariant(automaton, *i).is_some());
        let invariants: Vec<usize> = invariants.collect();
        let rows = Rows::new(instance, automaton);
        let (Ok(mut slow), Ok(mut fast)) = (
            Interpreted::new(instance, automaton, &invariants, rows.clone()),
            Native::new(instance, automaton, &invariants, rows.clone()),
        ) else {
            panic!("it cannot be run: {context}");
        };
        let words = slow.words();
        assert_eq!(words, fast.words());
        // All at once, as far as that goes, and then one by one.
        self.expand(&mut slow, &mut fast, states, context);
        for state in states.chunks_exact(words) {
            self.expand(&mut slow, &mut fast, state, context);
        }
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        slow.check(states, &mut expected);
        fast.check(states, &mut found);
        assert_eq!(expected, found, "{context}");
        self.broken += found.len() as u64;
        let report = fast.report();
        assert_eq!(report.unsupported, None);
        self.automata += 1;
        self.native += u64::from(report.clauses.is_empty());
        self.states += report.native;
        self.left += report.interpreted;
        self.invariants += invariants.len() as u64;
        self.native_invariants += (invariants.len() - report.invariants.len()) as u64;
        let obstacles = report.clauses.iter().map(|(_, o)| o.to_string());
        let others = report.invariants.iter().map(|(_, o)| o.to_string());
        for obstacle in obstacles.chain(others) {
            *self.obstacles.entry(obstacle).or_default() += 1;
        }
    }

    fn expand(
        &mut self,
        slow: &mut Interpreted<'_>,
        fast: &mut Native<'_>,
        states: &[u64],
        context: &str,
    ) {
        let (mut expected, mut found) = (Batch::default(), Batch::default());
        let outcomes = (
            slow.expand(states, &mut expected),
            fast.expand(states, &mut found),
        );
        assert_eq!(outcomes.0, outcomes.1, "{states:x?} {context}");
        assert_eq!(expected, found, "{states:x?} {context}");
        self.faults += u64::from(outcomes.0.is_err());
        self.successors += found.words.len() as u64 / slow.words() as u64;
    }
}

fn instance(sources: &Sources, sizes: &[(&str, u64)]) -> Instance {
    let loaded = ioa_lang::load(sources);
    let mut errors = loaded.diagnostics.iter();
    if let Some(error) = errors.find(|d| d.severity == Severity::Error) {
        panic!("{}: {}", sources.location(error.span), error.message);
    }
    let sizes = sizes.iter().map(|(name, size)| ((*name).to_owned(), *size));
    let universe = Universe::new(&loaded.model, &sizes.collect()).expect("sizes that fit");
    Instance::new(Arc::new(loaded.model), universe)
}

/// The case studies whose models can be explored, with sizes.
fn studies() -> Vec<(PathBuf, Vec<(String, u64)>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
    let sized = |name: &str, sizes: &[(&str, u64)]| {
        let sizes = sizes.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
        (root.join(name), sizes)
    };
    vec![sized("paxos", &[("Node", 3), ("Value", 2), ("Ballot", 3)])]
}

/// States of the first automaton, each variable being drawn by itself.
fn random_states(instance: &Instance, seed: u64) -> Vec<u64> {
    let layout = instance.layout(AutomatonId::at(0));
    let mut draws = Draws::new(seed, Stream::Choices);
    let mut states = Vec::new();
    for _ in 0..STATES {
        let values: Vec<_> = layout
            .ids()
            .map(|variable| {
                let packing = layout.shape(variable).packing().expect("a finite type");
                packing.decode(draw(packing, &mut draws))
            })
            .collect();
        states.extend(layout.state(&values).expect("values that fit").words());
    }
    states
}

/// The code of some value: those that are drawn may be far apart, so codes are tried upwards from a random one.
fn draw(packing: &Packing, draws: &mut Draws) -> u64 {
    match packing.codes(1 << 12) {
        Some(codes) => codes[draws.position(codes.len())],
        None => {
            let from = draws.below(packing.max);
            let codes = (from..=packing.max).chain(0..from);
            let mut codes = codes.filter(|code| packing.is_code(*code));
            codes.next().expect("a type has values")
        }
    }
}

/// The first states of a search.
fn reached(instance: &Instance, automaton: AutomatonId) -> Vec<u64> {
    let mut executor = Executor::new(instance, automaton).expect("it can be run");
    let start = executor.start(&mut Draws::new(1, Stream::Choices));
    let start = start.expect("it has a start state").words().to_vec();
    let mut slow = Interpreted::new(instance, automaton, &[], Rows::new(instance, automaton))
        .expect("it can be run");
    let mut seen = std::collections::BTreeSet::from([start.clone()]);
    let (mut queue, mut states, mut batch) = (vec![start], Vec::new(), Batch::default());
    let mut next = 0;
    while next < queue.len() && next < 1_000 {
        states.extend(&queue[next]);
        slow.expand(&queue[next], &mut batch).expect("no fault");
        for state in batch.words.chunks_exact(slow.words()) {
            if seen.insert(state.to_vec()) {
                queue.push(state.to_vec());
            }
        }
        next += 1;
    }
    states
}
