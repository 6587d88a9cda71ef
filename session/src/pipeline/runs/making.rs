//! Makes runs, one or all of a plan.

use std::sync::Arc;

use interpreter::run::{self, Ending, How, Observer, Options, Report, Threads};
use interpreter::trace::Recorder;
use interpreter::{ClauseSteps, Instance};

use super::failure::{Failure, STEPS_OF_SHORTENING, Shortening};
use super::tally::{Tally, verdict};
use super::temperature::{Asked, Thermometer};
use super::turns::Turns;
use crate::finding::Verdict;
use crate::host::{Host, Stopwatch};
use crate::instances::Interpreted;
use crate::pipeline::explore::TimeLimit;
use crate::pipeline::liveness::tasks_in;
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
    let (weights, mut threads) = (plan.drawn_by(study), threads(study, instance, plan));
    let how = How {
        weights,
        strategy: plan.strategies[0],
        threads: threads.as_mut(),
        way: plan.way.clone(),
        ..How::default()
    };
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

/// Random runs of so many steps together are worth compiling the automaton to machine code for.
#[cfg(feature = "native")]
const MANY_STEPS: u64 = 50_000;

/// What knows the steps of many random runs without evaluating terms: runs of a plan, so many of them in this instance.
#[cfg(feature = "native")]
fn fast_steps(instance: &Instance, plan: &Plan, runs: u64) -> Option<Box<dyn ClauseSteps>> {
    let Drive::Random(automaton) = plan.drive else {
        return None;
    };
    let is_drawn = plan.strategies.iter().any(|s| s.draws_actions());
    let many = is_drawn && runs.saturating_mul(plan.steps) >= MANY_STEPS;
    many.then(|| Box::new(native::ClauseCode::new(instance, automaton)) as Box<dyn ClauseSteps>)
}

/// Nothing is faster than the interpreter where there is no machine code.
#[cfg(not(feature = "native"))]
fn fast_steps(_: &Instance, _: &Plan, _: u64) -> Option<Box<dyn ClauseSteps>> {
    None
}

/// What is prepared once for all runs in an instance.
struct Helps {
    /// What knows steps without evaluating terms.
    fast: Option<Box<dyn ClauseSteps>>,
    /// The threads, for strategies that schedule them.
    threads: Option<Threads>,
}

impl Helps {
    /// How a run is made with their help.
    fn how(&mut self, turn: &Turn) -> How<'_> {
        let fast = self.fast.as_deref_mut();
        How {
            strategy: turn.strategy,
            threads: self.threads.as_mut(),
            fast: fast.map(|fast| fast as &mut dyn ClauseSteps),
            way: turn.way.clone(),
            ..How::default()
        }
    }
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
    let in_each = runs / instances.count();
    let helps = (0..instances.count()).map(|place| {
        let instance = instances.of_run(place).1;
        Helps {
            fast: fast_steps(instance, plan, in_each),
            threads: threads(study, instance, plan),
        }
    });
    let mut helps: Vec<Helps> = helps.collect();
    let asked = Asked::of(study, plan)?;
    let watched = watched(asked.as_ref(), instances);
    let mut thermometers = thermometers(study, asked.as_ref(), &watched)?;
    let (limits, weights) = (limits(instances, host), plan.drawn_by(study));
    let mut tally = Tally::new(plan.clone(), Arc::clone(instances.of_run(0).1));
    tally.temperatures = asked.as_ref().map(Asked::temperatures);
    let mut turns = Turns::new(plan, seed, instances);
    for k in 0..runs {
        let (number, instance) = instances.of_run(k);
        let place = (k % instances.count()) as usize;
        if limits[place].is_over() || turns.are_over() {
            break;
        }
        let Some(turn) = turns.next(k) else {
            continue;
        };
        tally.instance = Arc::clone(instance);
        tally.tried = instances.tried(k + 1);
        tally.last = Some(turn.clone());
        let how = How {
            weights: weights.clone(),
            ..helps[place].how(&turn)
        };
        let mut observers = (&mut *observer, thermometers.get_mut(place));
        let report = by(
            study,
            instance,
            plan.drive,
            turn.options,
            &mut observers,
            how,
        )?;
        tally.count(&report);
        turns.pass(k, &report);
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
    tally.has_all = turns.are_over();
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

/// The threads of the automaton, for the strategies that schedule them. Tasks that cannot be told apart make none.
pub(super) fn threads(study: &Study, instance: &Instance, plan: &Plan) -> Option<Threads> {
    let is_needed = plan.strategies.iter().any(|s| !s.draws_actions());
    let automaton = plan.drive.automaton(study);
    is_needed.then(|| {
        let tasks = tasks_in(study, instance, automaton).unwrap_or_default();
        let members: Vec<_> = tasks.into_iter().map(|(_, members)| members).collect();
        Threads::new(instance, automaton, &members)
    })
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
