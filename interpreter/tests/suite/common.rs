//! Models for tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use interpreter::run::{self, Ending, Options, Weights};
use interpreter::trace::{Recorder, Trace};
use ioa_lang::core::{AutomatonId, Model};
use ioa_lang::{Severity, Sources, Value, load};
use rand_chacha::ChaCha8Rng;
use test_support::values;

/// The model of some texts, which have no mistakes.
pub(crate) fn model(texts: &[&str]) -> Model {
    let mut sources = Sources::new();
    for text in texts {
        sources.add("test", *text);
    }
    loaded(&sources)
}

/// The model of files, which have no mistakes.
pub(crate) fn loaded(sources: &Sources) -> Model {
    let loaded = load(sources);
    if let Some(diagnostic) = loaded
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error)
    {
        panic!(
            "{}: {}",
            sources.location(diagnostic.span),
            diagnostic.message
        );
    }
    loaded.model
}

/// A finite instance.
pub(crate) fn instance(model: Model, sizes: &[(&str, u64)]) -> Instance {
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
    let universe =
        Universe::new(&model, model.every_setting(), &sizes).expect("the sizes fit the model");
    Instance::new(Arc::new(model), universe)
}

/// A small instance of a text whose sorts are `Node` and `Ballot`, if it has any.
pub(crate) fn small(text: &str) -> Instance {
    instance(model(&[text]), &[("Node", 3), ("Ballot", 2)])
}

/// Any values of the variables of an automaton.
pub(crate) fn random_values(
    instance: &Instance,
    automaton: AutomatonId,
    rng: &mut ChaCha8Rng,
) -> Vec<Value> {
    let layout = instance.layout(automaton);
    let (model, universe) = (instance.model(), instance.universe());
    let draw = |v| values::draw(model, universe, layout.ty(v), rng);
    layout.ids().map(draw).collect()
}

/// The texts of the Paxos case study.
pub(crate) fn paxos_texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../case-studies/paxos");
    let names = [
        "cons.ioa",
        "global1.ioa",
        "refinement.ioa",
        "normal.ndr",
        "contention.ndr",
    ];
    let read = |name| fs::read_to_string(folder.join(name)).expect("the case study is there");
    names.map(read).into()
}

/// The Paxos case study at its usual sizes.
pub(crate) fn paxos() -> Instance {
    let texts = paxos_texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    instance(model(&texts), &[("Node", 3), ("Value", 2), ("Ballot", 3)])
}

/// The position of a schedule.
pub(crate) fn schedule(instance: &Instance, name: &str) -> usize {
    let schedules = &instance.model().schedules;
    schedules
        .iter()
        .position(|s| *s.name == *name)
        .expect("the schedule is declared")
}

/// A run under a schedule, recorded.
pub(crate) fn record(instance: &Instance, name: &str, seed: u64) -> (Ending, Trace) {
    let position = schedule(instance, name);
    let mut recorder = Recorder::new(instance.model().schedules[position].automaton);
    let options = Options {
        seed,
        steps: 10_000,
    };
    let report = run::scheduled(instance, position, &Weights::DRAWN, options, &mut recorder)
        .expect("it can be run");
    (
        report.ending,
        recorder.trace().expect("there is a start state"),
    )
}
