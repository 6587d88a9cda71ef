//! Whole searches, without invariants and with all there are: `cargo bench -p explorer --bench rows`.
//!
//! After `--` stand the number of threads, if it is not to be one, and words that the name of a model has to contain:
//! `cargo bench -p explorer --bench rows -- 2 Paxos`. Each model is searched three times, and the median is told.
//! `explorer/benches/peers.sh` puts Spin beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use explorer::{Bounds, Question, Search, Status};
use finite::Universe;
use interpreter::{Draws, Executor, Instance, Rows, Stream};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Sources, load};
use native::Native;

/// A model at some sizes.
struct Row {
    name: &'static str,
    files: &'static [&'static str],
    automaton: &'static str,
    sizes: &'static [(&'static str, u64)],
    /// How many states it has.
    distinct: u64,
}

const COMMIT: &[&str] = &[
    "two-phase-commit/tcommit.ioa",
    "two-phase-commit/two-phase.ioa",
];

const PAXOS: &[&str] = &["lamport-paxos/consensus.ioa", "lamport-paxos/paxos.ioa"];

/// What is measured.
const ROWS: [Row; 4] = [
    Row {
        name: "two-phase commit, 7 RMs",
        files: COMMIT,
        automaton: "TwoPhase",
        sizes: &[("RM", 7)],
        distinct: 296_448,
    },
    Row {
        name: "two-phase commit, 9 RMs",
        files: COMMIT,
        automaton: "TwoPhase",
        sizes: &[("RM", 9)],
        distinct: 10_340_352,
    },
    Row {
        name: "Paxos, 3 ballots",
        files: PAXOS,
        automaton: "Paxos",
        sizes: &[("Acceptor", 3), ("Value", 2), ("Ballot", 3)],
        distinct: 185_369,
    },
    Row {
        name: "Paxos, 4 ballots",
        files: PAXOS,
        automaton: "Paxos",
        sizes: &[("Acceptor", 3), ("Value", 2), ("Ballot", 4)],
        distinct: 8_220_065,
    },
];

/// How often each model is searched.
const RUNS: usize = 3;

/// Bytes that a search may use.
const MEMORY: u64 = 6 << 30;

/// What a search came to.
struct Measured {
    seconds: f64,
    generated: u64,
    memory: u64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words = words.iter().filter(|word| !word.starts_with("--"));
    let (numbers, words): (Vec<&String>, Vec<&String>) =
        words.partition(|word| word.parse::<usize>().is_ok());
    let threads = numbers.first().and_then(|n| n.parse().ok()).unwrap_or(1);
    println!("threads: {threads}; median of {RUNS} searches");
    for row in &ROWS {
        if words.iter().all(|word| row.name.contains(&***word)) {
            row.measure(threads);
        }
    }
}

impl Row {
    fn measure(&self, threads: usize) {
        let (instance, automaton) = self.instance();
        let invariants = 0..instance.model().invariants.len();
        let invariants = invariants.filter(|i| instance.invariant(automaton, *i).is_some());
        let invariants: Vec<usize> = invariants.collect();
        for checked in [&[], &invariants[..]] {
            self.report((&instance, automaton), checked, threads);
        }
    }

    fn report(&self, run: (&Instance, AutomatonId), invariants: &[usize], threads: usize) {
        let mut runs: Vec<Measured> = (0..RUNS)
            .map(|_| self.search(run, invariants, threads))
            .collect();
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let Measured {
            seconds,
            generated,
            memory,
        } = runs[RUNS / 2];
        println!(
            "{:<26}{:>2} invariants{seconds:>8.3} s{:>14.0} distinct states/s{:>14.0} generated states/s{:>8.1} bytes a state",
            self.name,
            invariants.len(),
            self.distinct as f64 / seconds,
            generated as f64 / seconds,
            memory as f64 / self.distinct as f64,
        );
    }

    /// Visits all states; the time is without the compilation of the model.
    fn search(
        &self,
        (instance, automaton): (&Instance, AutomatonId),
        invariants: &[usize],
        threads: usize,
    ) -> Measured {
        let rows = Rows::new(instance, automaton);
        let native = || Native::new(instance, automaton, invariants, rows.clone());
        let steps: Vec<Native<'_>> = (0..threads)
            .map(|_| native().expect("it can be run"))
            .collect();
        let mut executor = Executor::new(instance, automaton).expect("it can be run");
        let start = executor.start(&mut Draws::new(1, Stream::Choices));
        let mut starts = Vec::new();
        rows.push(&start.expect("it has one start state"), &mut starts);
        let bounds = Bounds {
            depth: None,
            states: None,
            memory: MEMORY,
        };
        let begin = Instant::now();
        let mut search = Search::new(steps, &starts, bounds);
        let status = loop {
            match search.advance() {
                Status::Going => {}
                status => break status,
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        assert_eq!(status, Status::Complete);
        assert_eq!(search.distinct(), self.distinct, "{}", self.name);
        let mut findings = search.findings().iter();
        assert!(findings.all(|f| f.question == Question::Deadlock));
        Measured {
            seconds,
            generated: search.levels().iter().map(|level| level.generated).sum(),
            memory: search.memory(),
        }
    }

    fn instance(&self) -> (Instance, AutomatonId) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies");
        let mut sources = Sources::new();
        for file in self.files {
            let text = fs::read_to_string(root.join(file)).expect("the study is there");
            sources.add(*file, text);
        }
        let model = load(&sources).model;
        let sizes: BTreeMap<String, u64> = (self.sizes.iter())
            .map(|(sort, size)| ((*sort).to_owned(), *size))
            .collect();
        let universe =
            Universe::new(&model, model.every_setting(), &sizes).expect("the sizes fit the model");
        let instance = Instance::new(Arc::new(model), universe);
        let automaton = instance.model().automaton_named(self.automaton);
        let automaton = automaton.expect("it is declared");
        (instance, automaton)
    }
}
