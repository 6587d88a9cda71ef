//! Makes paired runs, one or all of a plan.

use std::ops::ControlFlow;

use interpreter::run::{Coverage, How, Observer, Options, Outcome, Series, Weights, in_order};
use interpreter::{Branches, Instance};
use paired_exec::{Driver, PairError, Report};

use super::claim::gravity;
use crate::finding::Verdict;
use crate::host::{Host, Progress};
use crate::instances::Interpreted;
use crate::pipeline::plan::{Drive, Plan};
use crate::pipeline::runs::{self, Job, Means, Queue};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// What the paired runs of a plan come to: all of them, or those up to the first that fails.
pub(super) struct Paired {
    pub(super) totals: Totals,
    pub(super) failed: Option<(Job, Report)>,
}

/// Makes the paired runs of a plan for the low automaton; many random ones with packed states, as those of one automaton are.
pub(super) fn paired(
    study: &Study,
    instances: &Interpreted,
    setup: &Setup,
    (simulation, low): (usize, &Plan),
    host: &dyn Host,
) -> Result<Paired, BadInput> {
    let make = |instances: &Interpreted| every(study, instances, setup, (simulation, low), host);
    let declared = &study.model.simulations[simulation];
    let automata = [declared.low, declared.high];
    let packed = match runs::are_many_random(low) {
        true => runs::with_packed_states(instances, &automata, make)?,
        false => None,
    };
    match packed {
        Some(paired) => Ok(paired),
        None => make(instances),
    }
}

/// Makes all paired runs in these instances.
fn every(
    study: &Study,
    instances: &Interpreted,
    setup: &Setup,
    (simulation, low): (usize, &Plan),
    host: &dyn Host,
) -> Result<Paired, BadInput> {
    let worker = || Worker {
        study,
        instances,
        simulation,
        low,
        host,
        weights: low.drawn_by(study),
        means: Means::new(study, instances, low),
    };
    let workers = 0..runs::workers(instances, low, setup.threads);
    let mut workers: Vec<Worker<'_>> = workers.map(|_| worker()).collect();
    let queue = Queue::new(instances, (low, setup.seed), host);
    let what = format!("paired runs of {}", low.name(study));
    let mut pairing = Pairing {
        instances,
        progress: host.begins(&what, Some(queue.runs())),
        queue,
        paired: Paired {
            totals: Totals::default(),
            failed: None,
        },
        refused: None,
    };
    in_order(&mut pairing, &mut workers);
    match pairing.refused {
        Some(refused) => Err(refused),
        None => Ok(pairing.paired),
    }
}

/// Makes paired runs.
struct Worker<'p> {
    study: &'p Study,
    instances: &'p Interpreted,
    simulation: usize,
    low: &'p Plan,
    host: &'p dyn Host,
    weights: Weights,
    means: Means<'p>,
}

impl Worker<'_> {
    fn make(&mut self, job: &Job) -> Result<Report, BadInput> {
        let instance = self.instances.of_run(job.run).1;
        let driver = driver(self.low, &self.weights, self.means.how(job));
        let options = job.turn.options;
        one(
            self.study,
            instance,
            self.simulation,
            driver,
            options,
            &mut (),
        )
    }
}

/// The paired runs of a plan while they are made.
struct Pairing<'p> {
    instances: &'p Interpreted,
    queue: Queue<'p, 'p>,
    progress: Box<dyn Progress>,
    paired: Paired,
    /// Why a run cannot be made.
    refused: Option<BadInput>,
}

impl<'p> Series for Pairing<'p> {
    type Job = Job;
    type Made = Result<Report, BadInput>;
    type Worker = Worker<'p>;

    fn next(&mut self) -> Option<Job> {
        self.queue.next()
    }

    fn make(worker: &mut Worker<'p>, job: &Job) -> Outcome<Self::Made> {
        let is_wrong = |report: &Report| verdict(report) != Verdict::Tested;
        let is_last = |made: &Self::Made| made.as_ref().map_or(true, is_wrong);
        runs::unless_stopped(worker.host, || worker.make(job), is_last)
    }

    fn look(&mut self, job: Job, made: Self::Made) -> ControlFlow<()> {
        let report = match made {
            Ok(report) => report,
            Err(refused) => {
                self.refused = Some(refused);
                return ControlFlow::Break(());
            }
        };
        if !self
            .instances
            .of_run(job.run)
            .1
            .range_overflows()
            .is_empty()
        {
            return ControlFlow::Break(());
        }
        let paired = &mut self.paired;
        paired.totals.count(&report);
        self.queue.pass(job.run, &report.low);
        if verdict(&report) != Verdict::Tested {
            paired.totals.has_failed = true;
            paired.failed = Some((job, report));
            return ControlFlow::Break(());
        }
        self.progress.step();
        ControlFlow::Continue(())
    }
}

/// Makes one paired run.
///
/// # Errors
/// Why the pair cannot be run, or the trace not be repeated.
pub fn one(
    study: &Study,
    instance: &Instance,
    simulation: usize,
    driver: Driver<'_>,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, BadInput> {
    let result = paired_exec::run(instance, simulation, driver, options, observer);
    result.map_err(|e| match e {
        PairError::CannotRun(diagnostics) => study.refuse(diagnostics),
        PairError::Replay(e) => {
            let why = runs::unrepeated(&e);
            BadInput::message(format!("the trace cannot be repeated: {why}"))
        }
    })
}

/// What drives the low automaton in a run of a plan: a schedule takes no more of `how` than the weights.
pub(super) fn driver<'t>(plan: &Plan, weights: &'t Weights, how: How<'t>) -> Driver<'t> {
    match plan.drive {
        Drive::Schedule(schedule) => Driver::Schedule(schedule, weights),
        Drive::Random(_) => Driver::Random(how),
    }
}

/// What several paired runs add up to.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub(super) runs: u64,
    pub(super) low_steps: u64,
    pub(super) high_steps: u64,
    /// What the low runs have exercised.
    pub(super) coverage: Coverage,
    /// The branches of the proof block that were taken.
    pub(super) branches: Branches,
    /// Whether a run failed.
    pub(super) has_failed: bool,
}

impl Totals {
    /// Counts a run.
    pub fn count(&mut self, report: &Report) {
        self.runs += 1;
        self.low_steps += report.low.steps;
        self.high_steps += report.high_steps;
        self.coverage.add(&report.low.coverage);
        self.branches.extend(&report.branches);
    }

    /// Adds other runs of the simulation.
    pub(super) fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.low_steps += other.low_steps;
        self.high_steps += other.high_steps;
        self.coverage.add(&other.coverage);
        self.branches.extend(&other.branches);
        self.has_failed |= other.has_failed;
    }
}

/// What a paired run says about the simulation: a failed claim counts, and so does a low run that goes wrong by itself.
pub(super) fn verdict(report: &Report) -> Verdict {
    match &report.failure {
        Some(failure) => gravity(failure),
        None => runs::verdict(&report.low.ending),
    }
}
