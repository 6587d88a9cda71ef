//! Steps per second of the random scheduler on Global1 (Node=3, Value=2, Ballot=3), with its five invariants checked
//! at every state: `cargo bench -p interpreter --bench random_run`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use finite::Universe;
use interpreter::Instance;
use interpreter::run::{Ending, Options, random};
use ioa_lang::{Sources, load};

const RUNS: u64 = 2_000;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies/paxos");
    let mut sources = Sources::new();
    for name in ["cons.ioa", "global1.ioa"] {
        sources.add(
            name,
            fs::read_to_string(folder.join(name)).expect("the case study is there"),
        );
    }
    let model = load(&sources).model;
    let sizes = [("Node", 3), ("Value", 2), ("Ballot", 3)];
    let sizes: BTreeMap<String, u64> = sizes.map(|(s, n)| (s.to_owned(), n)).into();
    let universe =
        Universe::new(&model, model.every_setting(), &sizes).expect("the sizes fit the model");
    let instance = Instance::new(Arc::new(model), universe);
    let automaton = instance
        .model()
        .automaton_named("Global1")
        .expect("it is declared");
    for length in [100, 1_000] {
        measure(&instance, automaton, length);
    }
}

/// Runs of one length: short ones spend their time where much is enabled, long ones where little still changes.
fn measure(instance: &Instance, automaton: ioa_lang::core::AutomatonId, length: u64) {
    let runs = RUNS * 1_000 / length;
    let begin = Instant::now();
    let mut steps = 0;
    for seed in 0..runs {
        let options = Options {
            seed,
            steps: length,
        };
        let report = random(instance, automaton, options, &mut ()).expect("it can be run");
        assert_eq!(report.ending, Ending::StepLimit);
        steps += report.steps;
    }
    let seconds = begin.elapsed().as_secs_f64();
    let rate = steps as f64 / seconds;
    println!(
        "{runs} runs of {length} steps: {rate:>12.0} steps/s ({:.0} ns a step)",
        1e9 / rate
    );
}
