//! Small systems written out in plain Rust, and random runs of them: samples for the tests and the benchmark.
#![allow(dead_code, reason = "each test file and the benchmark use a part")]

pub(crate) mod counters;
pub(crate) mod global1;
pub(crate) mod lock;

use std::collections::BTreeMap;

use finite::Universe;
use invariants::{Limits, Samples, Schema};
use ioa_lang::Span;
use ioa_lang::core::{ActionId, Function, Meaning, Model, Sort, SortId, SortSize, Type};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of small random numbers.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in `0..n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.random_range(0..n)
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
}

/// A model with these sorts; those marked are totally ordered.
pub(crate) fn model(sorts: &[(&str, bool)]) -> Model {
    let mut model = Model::default();
    for (at, (name, ordered)) in sorts.iter().enumerate() {
        model.sorts.push(Sort {
            name: (*name).into(),
            size: SortSize::Given,
            span: Span::default(),
        });
        if *ordered {
            let ty = Type::Sort(SortId::at(at));
            model.functions.push(Function {
                name: "<".into(),
                params: vec![ty.clone(), ty],
                result: Type::Bool,
                meaning: Meaning::Less(SortId::at(at)),
                assumed: ioa_lang::core::Assumed::default(),
                span: Span::default(),
            });
        }
    }
    model
}

/// Empty samples of an automaton; variables and parameters are given as `(name, type)`.
pub(crate) fn samples(
    model: &Model,
    sizes: &[(&str, u64)],
    subject: &str,
    variables: &[(&str, Type)],
    actions: &[(&str, &[(&str, Type)])],
) -> Samples {
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).into(), *n)).collect();
    let universe = Universe::new(model, model.every_setting(), &sizes).expect("sizes of the test");
    let named = |list: &[(&str, Type)]| -> Vec<(String, Type)> {
        list.iter()
            .map(|(n, t)| ((*n).to_owned(), t.clone()))
            .collect()
    };
    let actions = actions
        .iter()
        .map(|(name, params)| ((*name).to_owned(), named(params)))
        .collect();
    let schema = Schema::new(model, &universe, subject, named(variables), actions);
    Samples::new(schema, Limits::default())
}

/// Records a step and the state after it.
pub(crate) fn record(
    samples: &mut Samples,
    action: usize,
    before: &[u64],
    after: &[u64],
    params: &[u64],
) {
    samples
        .add_step(ActionId::at(action), before, after, params)
        .expect("a step of the test");
    samples.add_state(after).expect("a state of the test");
}
