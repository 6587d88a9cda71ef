//! Makes runs, one or all of a plan.

use std::sync::Arc;

use interpreter::run::{self, How, Observer, Options, Report};
use interpreter::trace::Recorder;
use interpreter::{ClauseSteps, Instance};

use super::tally::{Failure, Tally, verdict};
use crate::finding::Verdict;
use crate::host::{Host, Stopwatch};
use crate::instances::Interpreted;
use crate::pipeline::explore::TimeLimit;
use crate::pipeline::plan::{Drive, Plan};
use crate::study::{BadInput, Study};

/// Makes one run of a plan.
///
/// # Errors
/// Why the automaton or the schedule cannot be run at these sizes.
pub fn one(
    study: &Study,
    instance: &Instance,
    plan: &Plan,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, BadInput> {
    let weights = plan.drawn_by(study);
    let how = How {
        weights,
        fast: None,
    };
    by(study, instance, plan.drive, options, observer, how)
}

/// Makes one run; `how` is for the random scheduler.
fn by<'o>(
    study: &Study,
    instance: &Instance,
    drive: Drive,
    options: Options,
    observer: &'o mut dyn Observer,
    how: How<'o>,
) -> Result<Report, BadInput> {
    let report = match drive {
        Drive::Schedule(schedule) => run::scheduled(instance, schedule, options, observer),
        Drive::Random(automaton) => run::random_by(instance, automaton, options, observer, how),
    };
    report.map_err(|d| study.refuse(d))
}

/// Random runs of so many steps together are worth compiling the automaton to machine code for.
#[cfg(feature = "native")]
const MANY_STEPS: u64 = 50_000;

/// What knows the steps of many random runs without evaluating terms: runs of a plan, so many of them in this instance.
#[cfg(feature = "native")]
fn fast_steps(instance: &Instance, plan: &Plan, runs: u64) -> Option<Box<dyn ClauseSteps>> {
    let Drive::Random(automaton) = plan.drive else {
        return None;
    };
    let many = runs.saturating_mul(plan.steps) >= MANY_STEPS;
    many.then(|| Box::new(native::ClauseCode::new(instance, automaton)) as Box<dyn ClauseSteps>)
}

/// Nothing is faster than the interpreter where there is no machine code.
#[cfg(not(feature = "native"))]
fn fast_steps(_: &Instance, _: &Plan, _: u64) -> Option<Box<dyn ClauseSteps>> {
    None
}

/// Makes the runs of a plan, run k with seed `seed + k`, up to the first that fails unless the plan says to go on. They
/// take turns at the instances, and there is at least one in each of them.
///
/// # Errors
/// Why the automaton or the schedule cannot be run at these sizes.
pub fn all(
    study: &Study,
    instances: &Interpreted,
    plan: &Plan,
    seed: u64,
    host: &dyn Host,
    observer: &mut dyn Observer,
) -> Result<Tally, BadInput> {
    let started = Stopwatch::start(host);
    let runs = plan.runs.max(instances.count());
    let mut progress = host.begins(&format!("runs of {}", plan.drive.name(study)), Some(runs));
    let in_each = runs / instances.count();
    let mut fast: Vec<Option<Box<dyn ClauseSteps>>> = (0..instances.count())
        .map(|place| fast_steps(instances.of_run(place).1, plan, in_each))
        .collect();
    let (limits, weights) = (limits(instances, host), plan.drawn_by(study));
    let mut tally = Tally::new(plan.clone(), Arc::clone(instances.of_run(0).1));
    for k in 0..runs {
        let (number, instance) = instances.of_run(k);
        tally.instance = Arc::clone(instance);
        tally.tried = instances.tried(k + 1);
        let options = Options {
            seed: seed.wrapping_add(k),
            steps: plan.steps,
        };
        let place = (k % instances.count()) as usize;
        if limits[place].is_over() {
            break;
        }
        let fast = fast[place].as_deref_mut();
        let fast = fast.map(|fast| fast as &mut dyn ClauseSteps);
        let weights = weights.clone();
        let how = How { weights, fast };
        let report = by(study, instance, plan.drive, options, observer, how)?;
        tally.count(&report);
        if verdict(&report.ending) != Verdict::Tested && tally.failure.is_none() {
            let failure = again(study, instance, plan, options)?;
            tally.failure = Some(Failure {
                interpretation: instances.among_others(number),
                ..failure
            });
            if !plan.past_failures {
                break;
            }
        }
        progress.step();
    }
    tally.stopped = host.stopped();
    tally.seconds = started.seconds();
    Ok(tally)
}

/// What ends the runs in each of some instances when all is stopped.
pub(crate) fn limits<'h>(instances: &Interpreted, host: &'h dyn Host) -> Vec<TimeLimit<'h>> {
    let places = 0..instances.count();
    let limit = |place| TimeLimit::new(instances.of_run(place).1.cancel(), None, host);
    places.map(limit).collect()
}

/// Repeats a run that failed with a recorder: runs that go well are not worth recording.
///
/// # Errors
/// Why it cannot be run, which it was before.
pub fn again(
    study: &Study,
    instance: &Instance,
    plan: &Plan,
    options: Options,
) -> Result<Failure, BadInput> {
    let mut recorder = Recorder::new(plan.drive.automaton(study));
    let report = one(study, instance, plan, options, &mut recorder)?;
    Ok(Failure {
        seed: options.seed,
        interpretation: None,
        ending: report.ending,
        trace: recorder.trace(),
    })
}
