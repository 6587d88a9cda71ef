//! The same question costs the same each time it is asked.

use std::time::Duration;

use crate::common::{model, word};
use ioa_lang::core::Model;
use prover_bridge::{Options, Target, prove};

/// A protocol with channels that are sequences: functions on which updates are stacked, in great number.
const PROTOCOL: &str = include_str!("../../../case-studies/alternating-bit/protocol.ioa");
const CHANNELS: &str = include_str!("../../../case-studies/environments/channels.ioa");
const REFINEMENT: &str = include_str!("../../../case-studies/alternating-bit/refinement.ioa");

/// Paxos, some of whose obligations are proved by the later attempts alone.
const PAXOS: &str = include_str!("../../../case-studies/lamport-paxos/paxos.ioa");
const CONSENSUS: &str = include_str!("../../../case-studies/lamport-paxos/consensus.ioa");

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

#[test]
fn attempts_side_by_side_cost_as_much_as_one_after_the_other() {
    let model = model(&[CONSENSUS, PAXOS]);
    // The costs of what is soon decided depend on what it is decided with.
    let long = |threads| {
        let all = costs(&model, threads).into_iter();
        all.filter(|(_, _, work, _)| *work > 20_000)
            .collect::<Vec<_>>()
    };
    let first = long(1);
    // Where four attempts of 50,000 units have failed, those that are made side by side decide.
    let by_side = first.iter().filter(|(_, _, work, _)| *work > 400_000);
    assert!(
        by_side.count() >= 2 && first.iter().all(|(_, word, ..)| word == "proved"),
        "{first:?}"
    );
    for threads in 2..5 {
        assert_eq!(long(threads), first, "{threads} threads");
    }
}
