//! Makes runs, one or all of a plan.

use std::sync::Arc;

use interpreter::Instance;
use interpreter::run::{self, Ending, How, Observer, Options, Report};
use interpreter::trace::Recorder;

use super::failure::{Failure, STEPS_OF_SHORTENING, Shortening};
use super::ready::{Ready, alone, threads};
use super::tally::{Tally, verdict};
use super::temperature::{Asked, Thermometer};
use crate::finding::Verdict;
use crate::host::{Host, Stopwatch};
use crate::instances::Interpreted;
use crate::pipeline::plan::{Drive, Plan, Turn};
use crate::study::{BadInput, Study};

/// Makes one run of a plan, by its first strategy.
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
    let mut threads = threads(study, instance, plan);
    let how = alone(study, plan, threads.as_mut());
    by(study, instance, plan.drive, options, observer, how)
}

/// Makes one run; a schedule takes no more of `how` than the weights.
fn by<'o>(
    study: &Study,
    instance: &Instance,
    drive: Drive,
    options: Options,
    observer: &'o mut dyn Observer,
    how: How<'o>,
) -> Result<Report, BadInput> {
    let report = match drive {
        Drive::Schedule(schedule) => {
            run::scheduled(instance, schedule, &how.weights, options, observer)
        }
        Drive::Random(automaton) => run::random_by(instance, automaton, options, observer, how),
    };
    report.map_err(|d| study.refuse(d))
}

/// Makes the runs of a plan, run k with seed `seed + k`, up to the first that fails unless the plan says to go on. They
/// take turns at the instances.
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
    let runs = plan.runs_in(instances.count());
    let mut progress = host.begins(&format!("runs of {}", plan.name(study)), Some(runs));
    let asked = Asked::of(study, plan)?;
    let watched = watched(asked.as_ref(), instances);
    let mut thermometers = thermometers(study, asked.as_ref(), &watched)?;
    let mut ready = Ready::new(study, instances, (plan, seed), host);
    let mut tally = Tally::new(plan.clone(), Arc::clone(instances.of_run(0).1));
    tally.temperatures = asked.as_ref().map(Asked::temperatures);
    for k in 0..runs {
        let (number, instance) = instances.of_run(k);
        let place = (k % instances.count()) as usize;
        if ready.is_over(k) {
            break;
        }
        let Some(turn) = ready.turn(k) else {
            continue;
        };
        tally.instance = Arc::clone(instance);
        tally.tried = instances.tried(k + 1);
        tally.last = Some(turn.clone());
        let mut observers = (&mut *observer, thermometers.get_mut(place));
        let report = by(
            study,
            instance,
            plan.drive,
            turn.options,
            &mut observers,
            ready.how(k, &turn),
        )?;
        tally.count(&report);
        ready.pass(k, &report);
        if let Some(thermometer) = thermometers.get_mut(place) {
            let run = (&turn, instances.among_others(number));
            let is_over = measured(study, &mut tally, thermometer, (run, &report))?;
            if is_over && !plan.past_failures {
                break;
            }
        }
        if verdict(&report.ending) != Verdict::Tested && tally.failure.is_none() {
            let failure = Failure {
                interpretation: instances.among_others(number),
                ..again(study, instance, plan, &turn)?
            };
            tally.failure = Some(shortened(instance, plan, failure));
            if !plan.past_failures {
                break;
            }
        }
        progress.step();
    }
    tally.has_all = ready.has_gone_all_ways();
    tally.stopped = host.stopped();
    tally.seconds = started.seconds();
    Ok(tally)
}

/// For each instance one that says where monitors are hot and cold, if that is asked.
fn watched(asked: Option<&Asked>, instances: &Interpreted) -> Vec<Instance> {
    let places = 0..asked.map_or(0, |_| instances.count());
    let instances = places.map(|place| instances.of_run(place).1);
    let watching = instances.filter_map(|instance| Some(asked?.watching(instance)));
    watching.collect()
}

fn thermometers<'i>(
    study: &Study,
    asked: Option<&Asked>,
    watching: &'i [Instance],
) -> Result<Vec<Thermometer<'i>>, BadInput> {
    let each = watching.iter();
    let each = each.filter_map(|instance| Some(asked?.thermometer(study, instance)));
    each.collect()
}

/// Notes what was measured in a run; whether a monitor finds something wrong with it. Such a run is repeated with a recorder.
fn measured(
    study: &Study,
    tally: &mut Tally,
    thermometer: &mut Thermometer<'_>,
    ((turn, interpretation), report): ((&Turn, Option<u64>), &Report),
) -> Result<bool, BadInput> {
    let Some(temperatures) = &mut tally.temperatures else {
        return Ok(false);
    };
    temperatures.add(thermometer, turn.options.seed);
    let Some(found) = thermometer.judge(report) else {
        return Ok(false);
    };
    if report.ending == Ending::Stopped {
        // In the last state, the invariants were not looked at any more.
        tally.states = tally.states.saturating_sub(1);
    }
    let plan = tally.plan.turn(turn);
    let mut observers = (
        Recorder::new(plan.drive.automaton(study)),
        &mut *thermometer,
    );
    let report = one(study, &tally.instance, &plan, turn.options, &mut observers)?;
    let run = Failure {
        turn: turn.clone(),
        interpretation,
        shortened: None,
        ending: report.ending,
        trace: observers.0.trace(),
    };
    temperatures.keep(found, run);
    Ok(true)
}

/// A failure with a shorter run that fails in the same way, if the plan's runs are shortened and one is found.
fn shortened(instance: &Instance, plan: &Plan, failure: Failure) -> Failure {
    let Some(trace) = failure.trace.as_ref().filter(|_| plan.is_shortened()) else {
        return failure;
    };
    match run::shorten(instance, trace, &failure.ending, STEPS_OF_SHORTENING) {
        None => failure,
        Some(shorter) => Failure {
            shortened: Some(Shortening {
                from: trace.steps.len() as u64,
                is_minimal: shorter.is_minimal,
            }),
            ending: shorter.ending,
            trace: Some(shorter.trace),
            ..failure
        },
    }
}

/// Repeats a run that failed with a recorder: runs that go well are not worth recording.
///
/// # Errors
/// Why it cannot be run, which it was before.
pub fn again(
    study: &Study,
    instance: &Instance,
    plan: &Plan,
    turn: &Turn,
) -> Result<Failure, BadInput> {
    let mut recorder = Recorder::new(plan.drive.automaton(study));
    let plan = plan.turn(turn);
    let report = one(study, instance, &plan, turn.options, &mut recorder)?;
    Ok(Failure {
        turn: turn.clone(),
        interpretation: None,
        shortened: None,
        ending: report.ending,
        trace: recorder.trace(),
    })
}
