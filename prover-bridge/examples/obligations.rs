//! Proves everything that some files state, and prints what each obligation cost.
//!
//!     cargo run --release -p prover-bridge --example obligations -- case-studies/paxos/*.ioa [--threads=1] [--timeout=MS]
//!
//! A line each: milliseconds to state and to answer, the work in Z3's own unit, the name, the verdict; then the sum over
//! all, which includes making the solver's context and the guard against vacuous proofs. The verdicts and the work are
//! the same on every run, so compare the work, and of the times the least of several runs on an idle machine.

use std::time::{Duration, Instant};

use ioa_lang::{Sources, load};
use prover_bridge::{Options, Report, Target, Verdict, prove};

fn main() {
    let mut sources = Sources::new();
    let mut options = Options::default();
    for argument in std::env::args().skip(1) {
        if let Some(threads) = argument.strip_prefix("--threads=") {
            options.threads = threads.parse().expect("a number of threads");
        } else if let Some(milliseconds) = argument.strip_prefix("--timeout=") {
            let milliseconds = milliseconds.parse().expect("a number of milliseconds");
            options.timeout = Duration::from_millis(milliseconds);
        } else {
            let text = std::fs::read_to_string(&argument).expect("a readable file");
            sources.add(argument, text);
        }
    }
    let loaded = load(&sources);
    for diagnostic in &loaded.diagnostics {
        eprintln!(
            "{}: {}",
            sources.location(diagnostic.span),
            diagnostic.message
        );
    }
    let begun = Instant::now();
    let report = prove(&Target::everything(&loaded.model), &options, &|| {
        begun.elapsed()
    });
    let seconds = begun.elapsed().as_secs_f64();
    print(&report, &loaded.model);
    let count = report.outcomes.len();
    let proved = report.outcomes.iter().filter(|o| o.is_proved()).count();
    println!("{proved} of {count} obligations proved in {seconds:.3} s");
    println!(
        "{:.0} obligations/s, {} queries",
        count as f64 / seconds,
        report.queries
    );
}

fn print(report: &Report, model: &ioa_lang::core::Model) {
    for outcome in &report.outcomes {
        let verdict = match &outcome.verdict {
            Verdict::Proved(_) => "proved".to_owned(),
            Verdict::Vacuous(why) => format!("VACUOUS: {why}"),
            Verdict::Refuted(_) => "REFUTED".to_owned(),
            Verdict::ProvedIf(condition) => condition.to_string(),
            Verdict::Unknown(reason) => format!("unknown: {reason}"),
        };
        let milliseconds = outcome.time.as_secs_f64() * 1e3;
        let name = &outcome.obligation.name;
        println!(
            "{milliseconds:8.2} ms {:8} {name}: {verdict}",
            outcome.resources
        );
        if let Verdict::Refuted(counterexample) = &outcome.verdict {
            println!("{}", counterexample.display(model));
        }
    }
}
