//! Judges as many models as one likes: `cargo run --release -p workbench --example judge -- --models 1000000 --seed 1`.
//!
//! `--shape primitive`, `composite`, `backward`, `live`, `monitor` or `ending` judges models of one shape alone. Progress is printed as it goes; the exit
//! status is 1 if some model differs, or most could not be compared.

mod backward;
mod campaign;
mod exactly;
mod liveness;
mod orders;
mod reduced;
mod subject;
mod verdict;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use campaign::Campaign;
use clap::Parser;
use verdict::Shape;

/// Models that a thread judges before it says so.
const AT_ONCE: u64 = 500;

/// What is asked.
#[derive(Debug, Parser)]
struct Args {
    /// How many models of each shape to judge.
    #[arg(long, default_value_t = 100_000)]
    models: u64,
    /// The seed of the first; the others follow it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Judge models of this shape alone.
    #[arg(long)]
    shape: Option<Shape>,
    /// Print the models instead of judging them.
    #[arg(long)]
    print: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    // A panic is a difference like any other, and told as one.
    std::panic::set_hook(Box::new(|_| {}));
    let all = [
        Shape::Primitive,
        Shape::Composite,
        Shape::Backward,
        Shape::Live,
        Shape::Monitor,
        Shape::Ending,
        Shape::Reduced,
    ];
    let shapes = all
        .into_iter()
        .filter(|s| args.shape.is_none_or(|only| only == *s));
    let mut differ = false;
    for shape in shapes {
        if args.print {
            let seeds = args.seed..args.seed.saturating_add(args.models);
            seeds.for_each(|seed| println!("{}", campaign::text(shape, seed)));
            continue;
        }
        let campaign = judged(shape, args.seed, args.models);
        println!("{}", campaign.report(shape));
        // A campaign that skipped most of its models shows nothing.
        differ |= !campaign.different.is_empty() || campaign.compared <= 2 * campaign.skipped();
    }
    match differ {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

/// Judges the models of a shape by all processors.
fn judged(shape: Shape, first: u64, models: u64) -> Campaign {
    let (next, started) = (AtomicU64::new(0), Instant::now());
    let work = || {
        let mut campaign = Campaign::default();
        loop {
            let from = next.fetch_add(AT_ONCE, Ordering::Relaxed);
            if from >= models {
                return campaign;
            }
            let to = models.min(from + AT_ONCE);
            campaign.run(shape, first.saturating_add(from)..first.saturating_add(to));
            let seconds = started.elapsed().as_secs_f64();
            eprintln!(
                "{shape:?}: about {to} of {models} models, {:.0} a second",
                to as f64 / seconds
            );
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Campaign::default();
        for worker in workers {
            all.add(worker.join().expect("a panic of what is judged is caught"));
        }
        all
    })
}
