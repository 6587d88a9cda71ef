//! The models that are measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::core::AutomatonId;
use ioa_lang::{Sources, load};

/// A model at some sizes.
pub(crate) struct Model {
    pub(crate) name: &'static str,
    files: &'static [&'static str],
    automaton: &'static str,
    sizes: &'static [(&'static str, u64)],
}

/// What is measured.
pub(crate) const MODELS: [Model; 3] = [
    Model {
        name: "two-phase commit, 7 RMs",
        files: &["native/benches/two_phase.ioa"],
        automaton: "TwoPhase",
        sizes: &[("RM", 7)],
    },
    Model {
        name: "two-phase commit, 9 RMs",
        files: &["native/benches/two_phase.ioa"],
        automaton: "TwoPhase",
        sizes: &[("RM", 9)],
    },
    Model {
        name: "Global1, 3 nodes, 2 values, 3 ballots",
        files: &[
            "case-studies/paxos/cons.ioa",
            "case-studies/paxos/global1.ioa",
        ],
        automaton: "Global1",
        sizes: &[("Node", 3), ("Value", 2), ("Ballot", 3)],
    },
];

impl Model {
    /// The instance, and the automaton in it.
    pub(crate) fn instance(&self) -> (Instance, AutomatonId) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut sources = Sources::new();
        for file in self.files {
            let text = fs::read_to_string(root.join(file)).expect("the model is there");
            sources.add(*file, text);
        }
        let loaded = load(&sources);
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
        let sizes: BTreeMap<String, u64> = (self.sizes.iter())
            .map(|(sort, size)| ((*sort).to_owned(), *size))
            .collect();
        let universe = Universe::new(&loaded.model, loaded.model.every_setting(), &sizes)
            .expect("the sizes fit the model");
        let instance = Instance::new(Arc::new(loaded.model), universe);
        let automaton = instance.model().automaton_named(self.automaton);
        let automaton = automaton.expect("it is declared");
        (instance, automaton)
    }
}
