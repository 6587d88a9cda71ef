//! Findings about runs: one for each plan, and one for each invariant of the automata that were run.

use std::collections::{BTreeMap, BTreeSet};

use interpreter::run::{Coverage, Ending, Strategy, Violation};
use interpreter::trace::Trace;
use interpreter::{Executor, Instance, Interrupt, Reason};
use ioa_lang::core::{AutomatonId, Invariant};

use super::super::unrun;
use super::accounts::{fault_account, limit_account};
use super::exercised::{by_runs, fired};
use super::failure::Failure;
use super::repeat::{replay, told_in};
use super::tally::{Tally, verdict};
use super::temperature;
use crate::finding::{Finding, Kind, Verdict};
use crate::host::Stop;
use crate::interpretation;
use crate::numbers::{count, counted};
use crate::pipeline::plan::Plan;
use crate::setup::Setup;
use crate::story::{Blame, Story, call, execution};
use crate::study::Study;

/// The findings of some plans' runs: one for each plan, one for each monitor whose temperature it asks for, and one for each
/// invariant of the automata that were run.
#[must_use]
pub fn findings(study: &Study, setup: &Setup, tallies: &[Tally]) -> Vec<Finding> {
    let of_runs = tallies.iter();
    let of_runs = of_runs.map(|tally| run_finding(study, setup, tally));
    let mut findings: Vec<Finding> = of_runs.collect();
    warn(study, tallies, &mut findings);
    let hot = tallies.iter();
    findings.extend(hot.flat_map(|tally| temperature::findings(study, setup, tally)));
    for (position, invariant) in study.model.invariants.iter().enumerate() {
        let about: Vec<&Tally> = tallies
            .iter()
            .filter(|t| t.plan.drive.automaton(study) == invariant.automaton)
            .collect();
        let violated = about
            .iter()
            .find_map(|tally| Some((*tally, violation(tally, position)?)));
        let undefined = about.iter().find(|tally| is_undefined(tally, position));
        findings.extend(match (violated, undefined) {
            (Some((tally, violation)), _) => Some(violated_finding(study, setup, tally, violation)),
            (None, Some(tally)) => Some(undefined_finding(study, invariant, tally)),
            (None, None) => held_finding(study, invariant, &about),
        });
    }
    let mut automata = BTreeSet::new();
    for tally in tallies {
        let automaton = tally.plan.drive.automaton(study);
        if automata.insert(automaton) {
            let scope = study.scope(&tally.instance);
            findings.extend(unrun::invariants::findings(study, automaton, &scope));
        }
    }
    findings
}

/// Says with the last of an automaton's plans what none of their runs exercised; nothing where a run failed, or where it
/// was not for us to choose what is run.
fn warn(study: &Study, tallies: &[Tally], findings: &mut [Finding]) {
    let automaton = |tally: &Tally| tally.plan.drive.automaton(study);
    for (position, last) in tallies.iter().enumerate() {
        let of_it = |tally: &&Tally| automaton(tally) == automaton(last);
        if tallies[position + 1..].iter().any(|later| of_it(&later)) {
            continue;
        }
        let (mut coverage, mut runs) = (Coverage::default(), 0);
        for tally in tallies.iter().filter(of_it) {
            coverage.add(&tally.coverage);
            runs += tally.runs;
        }
        let mut all = tallies.iter().filter(of_it);
        if all.all(|tally| tally.failure.is_none() && tally.source.is_none()) {
            findings[position].warnings = by_runs(study, automaton(last), runs, &coverage);
        }
    }
}

fn run_finding(study: &Study, setup: &Setup, tally: &Tally) -> Finding {
    let id = tally.plan.drive.automaton(study);
    let automaton = &study.model.automaton(id).name;
    let outcome = tally
        .failure
        .as_ref()
        .map_or(Verdict::Tested, |f| verdict(&f.ending));
    let mut finding = Finding::new(
        Kind::Run,
        tally.name(study),
        &**automaton,
        outcome,
        study.scope(&tally.instance),
    );
    finding.seconds = Some(tally.seconds);
    finding.figures = BTreeMap::from([("runs", tally.runs), ("steps", tally.steps)]);
    finding.items = fired(study, id, &tally.coverage);
    let endings: Vec<String> = tally
        .endings
        .iter()
        .map(|(words, n)| format!("{} {words}", count(*n)))
        .collect();
    finding.summary = format!(
        "{}; runs: {}",
        counted(tally.steps, "step"),
        endings.join(", ")
    );
    let universe = tally.instance.universe();
    interpretation::say(study, universe, id, tally.tried, &mut finding.summary);
    let Some(failure) = &tally.failure else {
        match tally.stopped {
            Some(stop) => cut_short(&mut finding, tally.runs, stop),
            None => finding.summary.push_str(&all(&tally.plan, tally.has_all)),
        }
        return finding;
    };
    // A violated invariant is told where the invariant is reported.
    if !matches!(failure.ending, Ending::Violated(_)) {
        finding.replay = Some(replay(study, setup, tally, failure));
        let mut story = tell(study, &tally.instance, id, failure);
        if let Some(story) = &mut story {
            story.notes.extend(notes(study, tally, failure));
        }
        finding.stories.extend(story);
    }
    finding
}

/// Says that not all runs were made, of which some were; where there were none, nothing is tested.
pub(crate) fn cut_short(finding: &mut Finding, runs: u64, stop: Stop) {
    finding.summary.push_str(&format!("; {}", stop.words()));
    if runs == 0 {
        finding.verdict = Verdict::Unknown;
    }
    if stop == Stop::Time {
        finding.bound = Some("time".into());
    }
}

/// That no other run is left, where a systematic strategy has made all of them.
pub(super) fn all(plan: &Plan, has_all: bool) -> String {
    let strategies = plan.strategies.iter();
    let all = strategies.filter(|_| has_all).map(|s| in_all_ways(*s));
    all.collect()
}

/// What the runs of a strategy have tried when no other run is left.
fn in_all_ways(strategy: Strategy) -> String {
    let tried = |depth: u32, what: &str| counted(u64::from(depth), what);
    match strategy {
        Strategy::Divergences { bound } => {
            format!(
                "; these are all with at most {}",
                tried(bound, "divergence")
            )
        }
        Strategy::DepthFirst { depth } => format!(
            "; all beginnings of at most {} were tried",
            tried(depth, "step")
        ),
        _ => String::new(),
    }
}

/// How much was done before a run failed, where strategies took turns.
fn after(tally: &Tally) -> String {
    if tally.plan.strategies.len() == 1 {
        return String::new();
    }
    let by_others = counted(tally.runs - 1, "run");
    let steps = counted(tally.steps, "step");
    format!("; {by_others} by turns came before it, {steps} in all")
}

/// What else is said about a run that failed.
fn notes(study: &Study, tally: &Tally, failure: &Failure) -> Vec<String> {
    let shortened = failure.shortened.map(|shortening| {
        let trace = failure.trace.as_ref();
        shortening.told(trace.map_or(0, |trace| trace.steps.len()))
    });
    told_in(study, tally, failure)
        .into_iter()
        .chain(shortened)
        .collect()
}

/// The violation of an invariant, by its position in the model, that ended the runs of a plan.
fn violation(tally: &Tally, invariant: usize) -> Option<&Violation> {
    match &tally.failure.as_ref()?.ending {
        Ending::Violated(all) => all.iter().find(|v| v.invariant == invariant),
        _ => None,
    }
}

fn violated_finding(study: &Study, setup: &Setup, tally: &Tally, violation: &Violation) -> Finding {
    let id = tally.plan.drive.automaton(study);
    let automaton = &study.model.automaton(id).name;
    let name = &*violation.name;
    let mut finding = Finding::new(
        Kind::Invariant,
        name,
        &**automaton,
        Verdict::Violated,
        study.scope(&tally.instance),
    );
    let Some(failure) = &tally.failure else {
        return finding;
    };
    finding.summary = match &tally.source {
        Some(file) => format!("false in the run of {file}"),
        None => format!(
            "false in {}{}",
            failure.named(study, &tally.plan),
            after(tally)
        ),
    };
    let headline = format!("invariant {name} of {automaton} is violated");
    let mut story = Story::bare(headline, execution::blame(study, &violation.reasons));
    if let Some(trace) = &failure.trace {
        execution::tell(study, &tally.instance, trace, &mut story);
    }
    story.notes.extend(notes(study, tally, failure));
    finding.stories.push(story);
    finding.replay = Some(replay(study, setup, tally, failure));
    finding
}

/// Whether the runs of a plan ended because an invariant, by its position in the model, has no value in the last state.
fn is_undefined(tally: &Tally, invariant: usize) -> bool {
    let automaton = |trace: &Trace| Executor::new(&tally.instance, trace.automaton).ok();
    let value = || {
        let failure = tally.failure.as_ref()?;
        let trace = failure.trace.as_ref()?;
        tally.instance.invariant(trace.automaton, invariant)?;
        let is_fault = matches!(failure.ending, Ending::Fault(_));
        is_fault.then(|| automaton(trace)?.holds(trace.last(), invariant).err())?
    };
    matches!(value(), Some(Interrupt::Fault(_)))
}

/// What is said about an invariant that has no value in a state; the story is that of the run, and is told with it.
fn undefined_finding(study: &Study, invariant: &Invariant, tally: &Tally) -> Finding {
    let automaton = &study.model.automaton(invariant.automaton).name;
    let scope = study.scope(&tally.instance);
    let name = &*invariant.name;
    let mut finding = Finding::new(
        Kind::Invariant,
        name,
        &**automaton,
        Verdict::Violated,
        scope,
    );
    let run = tally.name(study);
    finding.summary = format!("undefined in the last state of a run of {run}");
    finding
}

/// What is known about an invariant that was false nowhere; nothing, if it was looked at nowhere.
fn held_finding(study: &Study, invariant: &Invariant, about: &[&Tally]) -> Option<Finding> {
    let instance = &about.first()?.instance;
    let runs: u64 = about.iter().map(|t| t.runs).sum();
    let states: u64 = about.iter().map(|t| t.states).sum();
    if states == 0 {
        return None;
    }
    let automaton = &study.model.automaton(invariant.automaton).name;
    let name = &*invariant.name;
    let mut finding = Finding::new(
        Kind::Invariant,
        name,
        &**automaton,
        Verdict::Tested,
        study.scope(instance),
    );
    finding.figures = BTreeMap::from([("runs", runs), ("states", states)]);
    finding.summary = format!(
        "held in {} of {}",
        counted(states, "state"),
        counted(runs, "run")
    );
    Some(finding)
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
        execution::tell(study, instance, trace, &mut story);
    }
    Some(story)
}

/// The story of a failed run of which only the end is known.
#[must_use]
pub fn tell_ending(study: &Study, id: AutomatonId, ending: &Ending) -> Option<Story> {
    let (headline, blame) = account(study, id, ending)?;
    Some(Story::bare(headline, blame))
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
                    "{} {fired} is fired at {at} and {}",
                    action.kind.keyword(),
                    execution::refused(&disabled.refusal)
                ),
                execution::blame(study, &disabled.refusal.reasons),
            ))
        }
        Ending::Violated(all) => {
            let names: Vec<&str> = all.iter().map(|v| &*v.name).collect();
            let reasons: Vec<Reason> = all.iter().flat_map(|v| v.reasons.clone()).collect();
            let headline = format!("{} of {} violated", names.join(", "), automaton.name);
            Some((headline, execution::blame(study, &reasons)))
        }
        Ending::Fault(fault) => Some(fault_account(study, fault)),
        Ending::Limit(limit) => Some(limit_account(study, limit)),
        Ending::Finished
        | Ending::StepLimit
        | Ending::Deadlock
        | Ending::NothingNew
        | Ending::Stopped => None,
    }
}
