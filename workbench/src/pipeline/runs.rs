//! Runs of one automaton, with its invariants tested at every state.

use std::collections::BTreeMap;
use std::time::Instant;

use interpreter::run::{self, Ending, Observer, Options, Report};
use interpreter::trace::{Recorder, Trace};
use interpreter::{Fault, Instance, Limit};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Diagnostic, Name};

use super::plan::{Drive, Plan, command};
use crate::args::Common;
use crate::console::Console;
use crate::finding::{Finding, Kind, Scope, Verdict};
use crate::numbers::count;
use crate::story::{Blame, Story, call, execution};
use crate::study::{BadInput, Study};

/// What became of all runs of a plan.
#[derive(Debug)]
pub struct Tally {
    /// The plan.
    pub plan: Plan,
    /// Runs that were made, the failing one included.
    pub runs: u64,
    /// Steps taken in all of them.
    pub steps: u64,
    /// Runs by how they ended, in words.
    pub endings: BTreeMap<&'static str, u64>,
    /// The first run that failed; no run was made after it.
    pub failure: Option<Failure>,
    /// Wall time.
    pub seconds: f64,
    /// What was run, where that is not the plan's drive: a trace file.
    pub source: Option<String>,
}

impl Tally {
    /// No runs yet.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            runs: 0,
            steps: 0,
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
    /// Why it ended.
    pub ending: Ending,
    /// What it did; absent if there was no start state.
    pub trace: Option<Trace>,
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

/// Makes the runs of a plan, run k with seed `seed + k`, up to the first that fails.
///
/// # Errors
/// Why the automaton or the schedule cannot be run at these sizes.
pub fn all(
    study: &Study,
    instance: &Instance,
    plan: Plan,
    seed: u64,
    console: &Console,
    observer: &mut dyn Observer,
) -> Result<Tally, BadInput> {
    let started = Instant::now();
    let mut progress = console.progress(&format!("runs of {}", plan.drive.name(study)), plan.runs);
    let mut tally = Tally::new(plan);
    for k in 0..plan.runs {
        let options = Options {
            seed: seed.wrapping_add(k),
            steps: plan.steps,
        };
        let report = one(instance, plan.drive, options, observer).map_err(|d| study.refuse(d))?;
        tally.count(&report);
        if verdict(&report.ending) != Verdict::Tested {
            tally.failure = Some(again(study, instance, plan.drive, options)?);
            break;
        }
        progress.step();
    }
    tally.seconds = started.elapsed().as_secs_f64();
    Ok(tally)
}

/// Repeats a run with a recorder: runs that go well are not worth recording.
fn again(
    study: &Study,
    instance: &Instance,
    drive: Drive,
    options: Options,
) -> Result<Failure, BadInput> {
    let mut recorder = Recorder::new(drive.automaton(study));
    let report = one(instance, drive, options, &mut recorder).map_err(|d| study.refuse(d))?;
    Ok(Failure {
        seed: options.seed,
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
        Ending::Disabled(_) | Ending::Violated { .. } | Ending::Fault(_) => Verdict::Violated,
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
        Ending::Violated { .. } => "violated an invariant",
        Ending::Fault(_) => "hit a run-time error",
        Ending::Limit(_) => "hit a limit",
    }
}

/// The findings of some plans' runs: one for each plan, and one for each invariant of the automata that were run.
#[must_use]
pub fn findings(
    study: &Study,
    instance: &Instance,
    common: &Common,
    tallies: &[Tally],
) -> Vec<Finding> {
    let scope = study.scope(instance);
    let mut findings: Vec<Finding> = tallies
        .iter()
        .map(|tally| run_finding(study, instance, common, tally, &scope))
        .collect();
    for (position, invariant) in study.model.invariants.iter().enumerate() {
        findings.extend(invariant_finding(
            study,
            position,
            &invariant.name,
            tallies,
            &scope,
        ));
    }
    move_violations(study, tallies, &mut findings);
    findings
}

fn run_finding(
    study: &Study,
    instance: &Instance,
    common: &Common,
    tally: &Tally,
    scope: &Scope,
) -> Finding {
    let id = tally.plan.drive.automaton(study);
    let name = tally.name(study);
    let automaton = &study.model.automaton(id).name;
    let outcome = tally
        .failure
        .as_ref()
        .map_or(Verdict::Tested, |f| verdict(&f.ending));
    let mut finding = Finding::new(Kind::Run, name, &**automaton, outcome, scope.clone());
    finding.seconds = Some(tally.seconds);
    finding.figures = BTreeMap::from([("runs", tally.runs), ("steps", tally.steps)]);
    let endings: Vec<String> = tally
        .endings
        .iter()
        .map(|(words, n)| format!("{} {words}", count(*n)))
        .collect();
    finding.summary = format!("{} steps; runs: {}", count(tally.steps), endings.join(", "));
    if let Some(failure) = &tally.failure {
        let flags = tally.plan.drive.flags(study);
        let (seed, steps) = (failure.seed, tally.plan.steps);
        let command = command(study, common, "run");
        finding.replay = Some(format!(
            "{command} {flags} --seed {seed} --runs 1 --steps {steps}"
        ));
        finding.stories.extend(tell(study, instance, id, failure));
    }
    finding
}

fn invariant_finding(
    study: &Study,
    position: usize,
    name: &Name,
    tallies: &[Tally],
    scope: &Scope,
) -> Option<Finding> {
    let id = study.model.invariants[position].automaton;
    let about = || {
        tallies
            .iter()
            .filter(|t| t.plan.drive.automaton(study) == id)
    };
    let runs: u64 = about().map(|t| t.runs).sum();
    let states: u64 = about().map(|t| t.steps + t.runs).sum();
    if runs == 0 {
        return None;
    }
    let automaton = &study.model.automaton(id).name;
    let mut finding = Finding::new(
        Kind::Invariant,
        &**name,
        &**automaton,
        Verdict::Tested,
        scope.clone(),
    );
    finding.figures = BTreeMap::from([("runs", runs), ("states", states)]);
    finding.summary = format!("held in {} states of {} runs", count(states), count(runs));
    Some(finding)
}

/// A violated invariant is told where the invariant is reported, with the run that shows it.
fn move_violations(study: &Study, tallies: &[Tally], findings: &mut [Finding]) {
    for (run, tally) in tallies.iter().enumerate() {
        let Some(Failure {
            ending: Ending::Violated { name, .. },
            seed,
            ..
        }) = &tally.failure
        else {
            continue;
        };
        let (stories, replay) = (
            std::mem::take(&mut findings[run].stories),
            findings[run].replay.take(),
        );
        let invariant = findings[tallies.len()..]
            .iter_mut()
            .find(|f| f.name == **name);
        if let Some(finding) = invariant {
            finding.verdict = Verdict::Violated;
            finding.summary = match &tally.source {
                Some(source) => format!("false in {source}"),
                None => format!("false in a run of {} with seed {seed}", tally.name(study)),
            };
            finding.stories.extend(stories);
            finding.replay = finding.replay.take().or(replay);
        }
    }
}

/// The story of a failed run.
#[must_use]
pub fn tell(
    study: &Study,
    instance: &Instance,
    id: AutomatonId,
    failure: &Failure,
) -> Option<Story> {
    let mut story = tell_ending(study, id, &failure.ending)?;
    if let Some(trace) = &failure.trace {
        (story.omitted, story.frames) = execution::frames(study, instance, trace);
    }
    Some(story)
}

/// The story of a failed run of which only the end is known.
#[must_use]
pub fn tell_ending(study: &Study, id: AutomatonId, ending: &Ending) -> Option<Story> {
    let (headline, blame) = account(study, id, ending)?;
    Some(Story {
        headline,
        frames: Vec::new(),
        omitted: 0,
        blame,
        notes: Vec::new(),
    })
}

/// What an ending that is not the run's natural end comes to, in one line, and what is to blame.
fn account(study: &Study, id: AutomatonId, ending: &Ending) -> Option<(String, Vec<Blame>)> {
    let automaton = study.model.automaton(id);
    match ending {
        Ending::Disabled(disabled) => {
            let action = &automaton.actions[disabled.action.index()];
            let fired = call(&study.model, &action.name, &disabled.params);
            let at = study.location(disabled.span);
            Some((
                format!(
                    "{} {fired} is fired at {at} and is not enabled",
                    action.kind.keyword()
                ),
                execution::blame(study, &disabled.reasons),
            ))
        }
        Ending::Violated { name, reasons, .. } => Some((
            format!("invariant {name} of {} is violated", automaton.name),
            execution::blame(study, reasons),
        )),
        Ending::Fault(fault) => Some(fault_account(study, fault)),
        Ending::Limit(limit) => Some(limit_account(study, limit)),
        Ending::Finished | Ending::StepLimit | Ending::Deadlock | Ending::Stopped => None,
    }
}

/// A run-time error of the model, in one line and with its place.
#[must_use]
pub fn fault_account(study: &Study, fault: &Fault) -> (String, Vec<Blame>) {
    let headline = format!("run-time error of the model: {}", fault.kind);
    (
        headline,
        vec![Blame::at(study, fault.span, &fault.bindings)],
    )
}

/// A limit that was hit, in one line and with its place.
#[must_use]
pub fn limit_account(study: &Study, limit: &Limit) -> (String, Vec<Blame>) {
    let headline = format!("a limit of the tool was reached: {}", limit.kind);
    (headline, vec![Blame::at(study, limit.span, &[])])
}
