//! Small systems written out in plain Rust, and random runs of them: samples for the tests and the benchmark.
#![allow(dead_code, reason = "each test file and the benchmark use a part")]

pub(crate) mod counters;
pub(crate) mod global1;
pub(crate) mod lock;

use std::collections::BTreeMap;

use finite::Universe;
use invariants::{Limits, Relation, Report, Samples, Schema};
use ioa_lang::Sources;
use ioa_lang::core::{ActionId, AutomatonId, Model};
use ioa_lang::print::{self, Context};
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

/// Empty samples of the only automaton of a text.
pub(crate) fn samples(text: &str, sizes: &[(&str, u64)]) -> Samples {
    let mut sources = Sources::default();
    sources.add("system.ioa", text);
    of_automaton(&ioa_lang::load(&sources).model, AutomatonId(0), sizes)
}

/// Empty samples of an automaton at some sizes.
pub(crate) fn of_automaton(
    model: &Model,
    automaton: AutomatonId,
    sizes: &[(&str, u64)],
) -> Samples {
    let sizes: BTreeMap<String, u64> = sizes.iter().map(|(s, n)| ((*s).into(), *n)).collect();
    let universe = Universe::new(model, model.every_setting(), &sizes).expect("sizes of the test");
    let schema = Schema::of_automaton(model, &universe, automaton);
    Samples::new(schema, Limits::default())
}

/// The relations of a report as text.
pub(crate) fn texts(samples: &Samples, report: &Report) -> Vec<String> {
    let model = samples.schema().model();
    let text = |found: &Relation| {
        let stated = &found.invariant;
        let context = Context::automaton(model, stated.automaton, &stated.locals);
        print::expr(model, &context, &stated.formula)
    };
    report.relations.iter().map(text).collect()
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
