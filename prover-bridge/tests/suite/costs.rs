//! The same question costs the same each time it is asked.

use std::time::Duration;

use crate::common::{model, word};
use ioa_lang::core::Model;
use prover_bridge::{Options, Target, prove};

/// A protocol with channels that are sequences: functions on which updates are stacked, in great number.
const PROTOCOL: &str = include_str!("../../../case-studies/alternating-bit/protocol.ioa");
const CHANNELS: &str = include_str!("../../../case-studies/environments/channels.ioa");
const REFINEMENT: &str = include_str!("../../../case-studies/alternating-bit/refinement.ioa");

/// The name of each obligation, its verdict, the work and the number of questions.
fn costs(model: &Model, threads: usize) -> Vec<(String, String, u64, u32)> {
    let options = Options {
        threads,
        ..Options::default()
    };
    let report = prove(&Target::everything(model), &options, &|| Duration::ZERO);
    let cost = |o: &prover_bridge::Outcome| {
        let name = o.obligation.name.clone();
        (name, word(o), o.resources, o.queries)
    };
    report.outcomes.iter().map(cost).collect()
}

#[test]
fn proofs_cost_the_same_wherever_their_terms_lie_and_however_many_threads_work() {
    let model = model(&[PROTOCOL, CHANNELS, REFINEMENT]);
    let first = costs(&model, 1);
    assert!(
        first.iter().any(|(_, _, work, _)| *work > 1_000),
        "{first:?}"
    );
    // What is left allocated moves the terms of the next run to other addresses.
    let mut left = Vec::new();
    for run in 1..6_usize {
        left.extend((0..1_000).map(|i| vec![0_u8; 1 + i * run % 613]));
        assert_eq!(costs(&model, 1 + run % 3), first, "run {run}");
    }
}
