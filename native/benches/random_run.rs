//! Steps per second of random runs, interpreted and native, with all invariants checked at every step:
//! `cargo bench -p native --bench random_run`.

mod models;

use std::time::Instant;

use interpreter::run::{Ending, How, Options, Weights, random_by};
use models::MODELS;
use native::ClauseCode;

const STEPS: u64 = 2_000_000;

fn main() {
    for model in &MODELS {
        let (instance, automaton) = model.instance();
        for length in [100, 1_000] {
            let mut code = ClauseCode::new(&instance, automaton);
            let mut rates = [0.0; 2];
            for (fast, rate) in rates.iter_mut().enumerate() {
                let begin = Instant::now();
                let mut steps = 0;
                for seed in 0..STEPS / length {
                    let options = Options {
                        seed,
                        steps: length,
                    };
                    let how = How {
                        weights: Weights::default(),
                        fast: (fast == 1).then_some(&mut code),
                        ..How::default()
                    };
                    let report = random_by(&instance, automaton, options, &mut (), how);
                    let report = report.expect("it can be run");
                    assert!(matches!(
                        report.ending,
                        Ending::StepLimit | Ending::Deadlock | Ending::NothingNew
                    ));
                    steps += report.steps;
                }
                *rate = steps as f64 / begin.elapsed().as_secs_f64();
            }
            assert_eq!(code.asked, code.answered, "all of it is native");
            println!(
                "{}, runs of {length} steps: {:>12.0} steps/s native, {:>12.0} interpreted",
                model.name, rates[1], rates[0]
            );
        }
    }
}
