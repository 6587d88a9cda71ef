//! Makes runs, one or all of a plan.

use std::ops::ControlFlow;
use std::sync::Arc;

use finite::Ranges;
use interpreter::Instance;
use interpreter::run::{self, Ending, How, Observer, Options, Outcome, Report, Series, in_order};
use interpreter::trace::Recorder;
use ioa_lang::core::AutomatonId;

use super::failure::{Failure, STEPS_OF_SHORTENING, Shortening};
use super::ready::{Job, Means, Queue, alone, threads, unless_stopped, workers};
use super::tally::{Tally, verdict};
use super::temperature::{Asked, Measured, Thermometer};
use crate::finding::Verdict;
use crate::host::{Host, Progress, Stopwatch};
use crate::instances::Interpreted;
use crate::pipeline::explore::{FirstRanges, Numbering};
use crate::pipeline::plan::{Drive, Plan, Turn};
use crate::setup::Setup;
use crate::study::{BadInput, Study};

/// Where all runs together may take fewer steps, packing states costs more than it saves.
const MANY_STEPS: u64 = 100_000;

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
/// take turns at the instances. Several threads make them where nobody observes them.
///
/// Many random runs are made with packed states, as a search is: again with wider ranges if something does not fit, and finally
/// with general values.
///
/// # Errors
/// Why the automaton or the schedule cannot be run at these sizes.
pub fn all(
    study: &Study,
    instances: &Interpreted,
    plan: &Plan,
    setup: &Setup,
    host: &dyn Host,
    observer: &mut (dyn Observer + Send),
) -> Result<Tally, BadInput> {
    let asked = Asked::of(study, plan)?;
    let can_be_repeated = observer.is_passive() && asked.is_none();
    let automaton = plan.drive.automaton(study);
    let are_many = are_many_random(plan) && can_be_repeated;
    let packed = are_many.then(|| {
        with_packed_states(instances, &[automaton], |packed| {
            every(study, packed, (plan, None), setup, host, &mut ())
        })
    });
    match packed.transpose()?.flatten() {
        Some(tally) => Ok(tally),
        None => every(study, instances, (plan, asked), setup, host, observer),
    }
}

/// Whether a plan is for so many random steps that it is worth while to pack states. They are not packed for a systematic strategy: it
/// takes steps in the order in which they are found, which depends on how states are packed, and the command that repeats a run makes
/// fewer runs, so that their states would not be packed.
pub(in crate::pipeline) fn are_many_random(plan: &Plan) -> bool {
    let is_random = matches!(plan.drive, Drive::Random(_)) && plan.ways().is_none();
    is_random && plan.runs.saturating_mul(plan.steps) >= MANY_STEPS
}

/// Makes something in instances in which the states of some automata are packed, as those of a search are, and again with wider ranges if
/// something does not fit. None if they cannot be packed, are packed anyway, or outgrow all ranges.
///
/// # Errors
/// Those of `make`.
pub(in crate::pipeline) fn with_packed_states<T>(
    instances: &Interpreted,
    automata: &[AutomatonId],
    mut make: impl FnMut(&Interpreted) -> Result<T, BadInput>,
) -> Result<Option<T>, BadInput> {
    let instance = instances.of_run(0).1;
    let first = automata.iter().map(|automaton| {
        let first = FirstRanges::of(instance.model(), *automaton);
        first.at(instance).cloned()
    });
    let first: Option<Vec<Ranges>> = first.collect();
    let mut ranges = first.and_then(|first| first.into_iter().reduce(Ranges::and));
    let mut numbering = Numbering::new(instance, automata, true).at_once();
    while let Some(tried) = numbering.add(ranges.take()) {
        let Some(packed) = packed(instances, automata, &tried) else {
            break;
        };
        let made = make(&packed)?;
        let each = (0..packed.count()).map(|run| packed.of_run(run).1.range_overflows());
        let outgrown: Vec<_> = each.filter(|overflows| !overflows.is_empty()).collect();
        if outgrown.is_empty() {
            return Ok(Some(made));
        }
        let mut outgrown = outgrown.into_iter();
        ranges = outgrown.try_fold(tried, |ranges, overflows| overflows.widen(&ranges));
    }
    Ok(None)
}

/// The instances with packed states, if all that are packed anyway stay so with these ranges, and others come to be.
fn packed(
    instances: &Interpreted,
    automata: &[AutomatonId],
    ranges: &Ranges,
) -> Option<Interpreted> {
    instances.replaced(|instance| {
        let packed = instance.in_ranges(Some(ranges.clone()));
        let are = |of: &Instance| automata.iter().map(|a| of.layout(*a).is_packed()).collect();
        let (before, now): (Vec<bool>, Vec<bool>) = (are(instance), are(&packed));
        let is_gain = before != now && before.iter().zip(&now).all(|(before, now)| before <= now);
        is_gain.then(|| Arc::new(packed))
    })
}

/// Makes all runs in these instances.
fn every(
    study: &Study,
    instances: &Interpreted,
    (plan, asked): (&Plan, Option<Asked>),
    setup: &Setup,
    host: &dyn Host,
    observer: &mut (dyn Observer + Send),
) -> Result<Tally, BadInput> {
    let started = Stopwatch::start(host);
    let watched = watched(asked.as_ref(), instances);
    let about = About {
        study,
        instances,
        plan,
        host,
        asked: asked.as_ref(),
        watched: &watched,
    };
    let count = match observer.is_passive() {
        true => workers(instances, plan, setup.threads),
        false => 1,
    };
    let mut workers = Vec::new();
    let mut observer: Option<&mut (dyn Observer + Send)> = Some(&mut *observer);
    for _ in 0..count {
        workers.push(about.worker(observer.take())?);
    }
    let queue = Queue::new(instances, (plan, setup.seed), host);
    let mut tally = Tally::new(plan.clone(), Arc::clone(instances.of_run(0).1));
    tally.temperatures = asked.as_ref().map(Asked::temperatures);
    let mut making = Making {
        about,
        progress: host.begins(&format!("runs of {}", plan.name(study)), Some(queue.runs())),
        queue,
        tally,
        refused: None,
    };
    in_order(&mut making, &mut workers);
    let Making {
        queue, mut tally, ..
    } = match making.refused {
        Some(refused) => return Err(refused),
        None => making,
    };
    tally.has_all = queue.has_gone_all_ways();
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

/// What runs are made of.
#[derive(Clone, Copy)]
struct About<'m> {
    study: &'m Study,
    instances: &'m Interpreted,
    plan: &'m Plan,
    host: &'m dyn Host,
    asked: Option<&'m Asked>,
    /// For each instance one that says where monitors are hot and cold, if that is asked.
    watched: &'m [Instance],
}

impl<'m> About<'m> {
    fn worker(
        self,
        observer: Option<&'m mut (dyn Observer + Send)>,
    ) -> Result<Worker<'m>, BadInput> {
        let places = 0..self.watched.len();
        let thermometers = places.filter_map(|place| self.thermometer(place));
        Ok(Worker {
            about: self,
            means: Means::new(self.study, self.instances, self.plan),
            thermometers: thermometers.collect::<Result<_, _>>()?,
            observer,
        })
    }

    /// What measures temperatures in an instance, if that is asked.
    fn thermometer(self, place: usize) -> Option<Result<Thermometer<'m>, BadInput>> {
        Some(self.asked?.thermometer(self.study, &self.watched[place]))
    }

    /// The place of the instance of a run.
    fn place(self, run: u64) -> usize {
        (run % self.instances.count()) as usize
    }
}

/// Makes runs.
struct Worker<'m> {
    about: About<'m>,
    means: Means<'m>,
    /// By instance.
    thermometers: Vec<Thermometer<'m>>,
    observer: Option<&'m mut (dyn Observer + Send)>,
}

/// A run that was made, and what the monitors say about it, if that is asked.
struct Made {
    report: Report,
    measured: Option<Measured>,
}

impl Worker<'_> {
    fn make(&mut self, job: &Job) -> Result<Made, BadInput> {
        let About {
            study,
            instances,
            plan,
            ..
        } = self.about;
        let thermometer = self.thermometers.get_mut(self.about.place(job.run));
        let mut observers = (self.observer.as_deref_mut(), thermometer);
        let report = by(
            study,
            instances.of_run(job.run).1,
            plan.drive,
            job.turn.options,
            &mut observers,
            self.means.how(job),
        )?;
        let measured = observers.1.map(|thermometer| thermometer.measured(&report));
        Ok(Made { report, measured })
    }
}

/// The runs of a plan while they are made.
struct Making<'m> {
    about: About<'m>,
    queue: Queue<'m, 'm>,
    tally: Tally,
    progress: Box<dyn Progress>,
    /// Why a run cannot be made.
    refused: Option<BadInput>,
}

impl<'m> Series for Making<'m> {
    type Job = Job;
    type Made = Result<Made, BadInput>;
    type Worker = Worker<'m>;

    fn next(&mut self) -> Option<Job> {
        self.queue.next()
    }

    fn make(worker: &mut Worker<'m>, job: &Job) -> Outcome<Self::Made> {
        let About { host, plan, .. } = worker.about;
        let is_wrong = |made: &Made| {
            let found = made.measured.as_ref().is_some_and(Measured::is_wrong);
            found || verdict(&made.report.ending) != Verdict::Tested
        };
        let is_last =
            |made: &Self::Made| !plan.past_failures && made.as_ref().map_or(true, is_wrong);
        unless_stopped(host, || worker.make(job), is_last)
    }

    fn look(&mut self, job: Job, made: Self::Made) -> ControlFlow<()> {
        match made.and_then(|made| self.count(&job, made)) {
            Ok(goes_on) => goes_on,
            Err(refused) => {
                self.refused = Some(refused);
                ControlFlow::Break(())
            }
        }
    }
}

impl Making<'_> {
    /// Counts a run, and keeps the first that fails; whether others follow.
    fn count(&mut self, job: &Job, made: Made) -> Result<ControlFlow<()>, BadInput> {
        let About {
            study,
            instances,
            plan,
            ..
        } = self.about;
        let (number, instance) = instances.of_run(job.run);
        let interpretation = instances.among_others(number);
        self.tally.instance = Arc::clone(instance);
        self.tally.tried = instances.tried(job.run + 1);
        self.tally.last = Some(job.turn.clone());
        if !instance.range_overflows().is_empty() {
            return Ok(ControlFlow::Break(()));
        }
        self.tally.count(&made.report);
        self.queue.pass(job.run, &made.report);
        let mut is_wrong = false;
        if let Some(measured) = made.measured {
            is_wrong = self.note(job, interpretation, &made.report, measured)?;
        }
        if verdict(&made.report.ending) != Verdict::Tested && self.tally.failure.is_none() {
            is_wrong = true;
            let failure = Failure {
                interpretation,
                ..again(study, instance, plan, &job.turn)?
            };
            self.tally.failure = Some(shortened(instance, plan, failure));
        }
        if is_wrong && !plan.past_failures {
            return Ok(ControlFlow::Break(()));
        }
        self.progress.step();
        Ok(ControlFlow::Continue(()))
    }

    /// Notes what was measured in a run; whether a monitor finds something wrong with it. Such a run is repeated with a
    /// recorder.
    fn note(
        &mut self,
        job: &Job,
        interpretation: Option<u64>,
        report: &Report,
        measured: Measured,
    ) -> Result<bool, BadInput> {
        let About { study, plan, .. } = self.about;
        let Some(temperatures) = &mut self.tally.temperatures else {
            return Ok(false);
        };
        temperatures.add(&measured, job.turn.options.seed);
        let Some(found) = measured.found else {
            return Ok(false);
        };
        if report.ending == Ending::Stopped {
            // In the last state, the invariants were not looked at any more.
            self.tally.states = self.tally.states.saturating_sub(1);
        }
        let thermometer = self.about.thermometer(self.about.place(job.run));
        let about = (study, &*self.tally.instance);
        let run = Failure {
            interpretation,
            ..recorded(about, plan, &job.turn, &mut thermometer.transpose()?)?
        };
        temperatures.keep(found, run);
        Ok(true)
    }
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
    recorded((study, instance), plan, turn, &mut ())
}

/// Repeats a run with a recorder, and another observer beside it.
fn recorded(
    (study, instance): (&Study, &Instance),
    plan: &Plan,
    turn: &Turn,
    beside: &mut dyn Observer,
) -> Result<Failure, BadInput> {
    let mut observers = (Recorder::new(plan.drive.automaton(study)), beside);
    let plan = plan.turn(turn);
    let report = one(study, instance, &plan, turn.options, &mut observers)?;
    Ok(Failure {
        turn: turn.clone(),
        interpretation: None,
        shortened: None,
        ending: report.ending,
        trace: observers.0.trace(),
    })
}
