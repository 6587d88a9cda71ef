//! Runs of one automaton, with its invariants tested at every state.

use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::run::{self, Ending, Observer, Options, Report};
use interpreter::trace::{Recorder, Trace};
use interpreter::{ClauseSteps, FaultKind, Instance};
use ioa_lang::Diagnostic;

use super::plan::{Drive, Plan};
use crate::finding::Verdict;
use crate::host::{Host, Stopwatch};
use crate::instances::Interpreted;
use crate::interpretation::Tried;
use crate::study::{BadInput, Study};

/// What became of all runs of a plan.
#[derive(Debug)]
pub struct Tally {
    /// The plan.
    pub plan: Plan,
    /// The instance of the last run.
    pub instance: Arc<Instance>,
    /// The interpretations of the theories in which there were runs.
    pub tried: Tried,
    /// Runs that were made, the failing one included.
    pub runs: u64,
    /// Steps taken in all of them.
    pub steps: u64,
    /// States in which all invariants were looked at.
    pub states: u64,
    /// Runs by how they ended, in words.
    pub endings: BTreeMap<&'static str, u64>,
    /// The first run that failed.
    pub failure: Option<Failure>,
    /// Wall time.
    pub seconds: f64,
    /// What was run, where that is not the plan's drive: a trace file.
    pub source: Option<String>,
}

impl Tally {
    /// No runs yet.
    #[must_use]
    pub fn new(plan: Plan, instance: Arc<Instance>) -> Self {
        Self {
            plan,
            instance,
            tried: Tried::ONE,
            runs: 0,
            steps: 0,
            states: 0,
            endings: BTreeMap::new(),
            failure: None,
            seconds: 0.0,
            source: None,
        }
    }

    /// Counts a run.
    pub fn count(&mut self, report: &Report) {
        self.runs += 1;
        self.steps += report.steps;
        self.states += checked(report);
        *self.endings.entry(words(&report.ending)).or_default() += 1;
    }

    /// What was run.
    #[must_use]
    pub fn name(&self, study: &Study) -> String {
        self.source
            .clone()
            .unwrap_or_else(|| self.plan.drive.name(study))
    }
}

/// A run that failed.
#[derive(Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// The number of the interpretation in which it was made, where others were tried as well.
    pub interpretation: Option<u64>,
    /// Why it ended.
    pub ending: Ending,
    /// What it did; absent if there was no start state.
    pub trace: Option<Trace>,
}

/// In how many states of a run all invariants were looked at: in all of them, but for one that a run-time error (which
/// may be an invariant's) or a limit ended the run at.
fn checked(report: &Report) -> u64 {
    let reached = report.state.as_ref().map_or(0, |_| report.steps + 1);
    match &report.ending {
        Ending::Fault(_) | Ending::Limit(_) => reached.saturating_sub(1),
        _ => reached,
    }
}

/// Makes one run.
///
/// # Errors
/// Why the automaton or the schedule cannot be run at these sizes.
pub fn one(
    instance: &Instance,
    drive: Drive,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, Vec<Diagnostic>> {
    match drive {
        Drive::Schedule(schedule) => run::scheduled(instance, schedule, options, observer),
        Drive::Random(automaton) => run::random(instance, automaton, options, observer),
    }
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
    plan: Plan,
    seed: u64,
    host: &dyn Host,
    observer: &mut dyn Observer,
) -> Result<Tally, BadInput> {
    let started = Stopwatch::start(host);
    let runs = plan.runs.max(instances.count());
    let mut progress = host.begins(&format!("runs of {}", plan.drive.name(study)), Some(runs));
    let in_each = runs / instances.count();
    let mut fast: Vec<Option<Box<dyn ClauseSteps>>> = (0..instances.count())
        .map(|place| fast_steps(instances.of_run(place).1, &plan, in_each))
        .collect();
    let mut tally = Tally::new(plan, Arc::clone(instances.of_run(0).1));
    for k in 0..runs {
        let (number, instance) = instances.of_run(k);
        tally.instance = Arc::clone(instance);
        tally.tried = instances.tried(k + 1);
        let options = Options {
            seed: seed.wrapping_add(k),
            steps: plan.steps,
        };
        let place = (k % instances.count()) as usize;
        let report = match (plan.drive, &mut fast[place]) {
            (Drive::Random(automaton), Some(fast)) => {
                run::random_by(instance, automaton, options, observer, &mut **fast)
            }
            (drive, _) => one(instance, drive, options, observer),
        };
        let report = report.map_err(|d| study.refuse(d))?;
        tally.count(&report);
        if verdict(&report.ending) != Verdict::Tested && tally.failure.is_none() {
            let failure = again(study, instance, plan.drive, options)?;
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
    tally.seconds = started.seconds();
    Ok(tally)
}

/// Repeats a run that failed with a recorder: runs that go well are not worth recording.
///
/// # Errors
/// Why it cannot be run, which it was before.
pub fn again(
    study: &Study,
    instance: &Instance,
    drive: Drive,
    options: Options,
) -> Result<Failure, BadInput> {
    let mut recorder = Recorder::new(drive.automaton(study));
    let report = one(instance, drive, options, &mut recorder).map_err(|d| study.refuse(d))?;
    Ok(Failure {
        seed: options.seed,
        interpretation: None,
        ending: report.ending,
        trace: recorder.trace(),
    })
}

/// What an ending says of the model.
#[must_use]
pub fn verdict(ending: &Ending) -> Verdict {
    match ending {
        Ending::Finished | Ending::StepLimit | Ending::Deadlock | Ending::Stopped => {
            Verdict::Tested
        }
        // Where nothing can begin, nothing can go wrong either.
        Ending::Fault(fault) if fault.kind == FaultKind::NoStart => Verdict::Vacuous,
        Ending::Disabled(_) | Ending::Violated(_) | Ending::Fault(_) => Verdict::Violated,
        Ending::Limit(_) => Verdict::Unknown,
    }
}

/// An ending in a word or two.
#[must_use]
pub fn words(ending: &Ending) -> &'static str {
    match ending {
        Ending::Finished => "finished",
        Ending::StepLimit => "stopped at the step limit",
        Ending::Deadlock => "ended where nothing is enabled",
        Ending::Stopped => "stopped",
        Ending::Disabled(_) => "fired a disabled action",
        Ending::Violated(_) => "violated an invariant",
        Ending::Fault(fault) if fault.kind == FaultKind::NoStart => "had no start state",
        Ending::Fault(_) => "hit a run-time error",
        Ending::Limit(_) => "hit a limit",
    }
}
