mod common;
use invariants::{Options, detect};

#[test]
fn dump() {
    for samples in [
        common::lock::run(50, 100, 1, false),
        common::lock::run(50, 100, 1, true),
        common::counters::run(50, 60, 1),
    ] {
        let t = std::time::Instant::now();
        let report = detect(&samples, &Options::default());
        eprintln!("{:?}", t.elapsed());
        eprintln!("{}", report.to_ioa());
        for l in &report.left {
            eprintln!("{:?}: {}", l.reason, l.formula);
        }
    }
}
