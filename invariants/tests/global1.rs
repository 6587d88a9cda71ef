//! The Paxos case study: what random runs of Global1 suggest.

mod common;

use common::global1;
use invariants::{Options, Report, detect};

fn report() -> Report {
    detect(&global1::run(200, 400, 1), &Options::default())
}

#[test]
fn dump() {
    let t = std::time::Instant::now();
    let samples = global1::run(200, 400, 1);
    eprintln!(
        "{} states {} distinct {:?}",
        samples.states().seen(),
        samples.states().rows(),
        t.elapsed()
    );
    let t = std::time::Instant::now();
    let report = report();
    eprintln!("{:?}", t.elapsed());
    eprintln!("{}", report.to_ioa());
    for l in &report.left {
        eprintln!("{:?}: {}", l.reason, l.formula);
    }
    eprintln!("{} left", report.left.len());
}
