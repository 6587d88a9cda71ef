//! The search itself, with a clock beside it.

use std::sync::Arc;
use std::time::Duration;

use explorer::{Bounds, Canonical, Question, Search, Status, Within};
use interpreter::{Executor, Instance, Interrupt, Rows};
use ioa_lang::Diagnostic;

use super::super::exploration::{Ended, Exploration, Reduction};
use super::super::plan::{ExplorePlan, Limits};
use super::super::symmetry::BySymmetry;
use super::alike::Alike;
use super::checkpoint::{self, Keeper, Kept};
use super::concluded::{check_disk, concluded, summed_up, unstarted};
use super::prospect::Prospect;
use super::reduction::{self, reduced};
use super::steps::{Steps, steps};
use super::time_limit::TimeLimit;
use crate::host::{Host, Progress, Stopwatch};
use crate::numbers::{bytes, count};
use crate::study::{BadInput, Study};

/// What came of a search with some ranges of integers.
pub(in crate::pipeline::explore) enum Attempt {
    /// What is said of it, unless an integer has outgrown its range by now.
    Done(Box<Exploration>),
    /// That an integer has outgrown its range.
    Outgrown,
    /// That it should begin again, with symmetry.
    Symmetric,
}

/// Visits the states that a plan asks for, by an instance whose integers may outgrow their ranges. The study is the one
/// with the plan's formulas; so many seconds were spent before.
///
/// # Errors
/// Why the automaton cannot be run at these sizes.
pub(in crate::pipeline::explore) fn attempt(
    study: &Study,
    shared: &Arc<Instance>,
    plan: &ExplorePlan,
    (threads, spent): (usize, f64),
    host: &dyn Host,
) -> Result<Attempt, BadInput> {
    let instance: &Instance = shared;
    let refuse = |d: Vec<Diagnostic>| study.refuse(d);
    let automaton = plan.automaton;
    let evaluated = plan.evaluated(study);
    let (checked, invariants) = (evaluated.all(), evaluated.invariants.clone());
    let rows = Rows::new(instance, automaton);
    let executor = Executor::new(instance, automaton).map_err(refuse)?;
    let mut executor = executor.meeting_all();
    executor.check_enumerable().map_err(refuse)?;
    let alike = Alike::of((study, instance), plan, &checked)?;
    let spare = plan.limits.time.map(|time| time - spent);
    let relation = reduction::relation(instance, plan, (&invariants, spare), host);
    let relation = relation.map_err(refuse)?;
    let make = || steps((study, instance), automaton, &checked, &rows, plan.native);
    let worker = || {
        let (steps, interpreted) = make()?;
        let steps = match &relation {
            Some(relation) => reduced(steps, instance, (plan, &rows), relation)?,
            None => alike.wrapped(steps),
        };
        Ok((kept_within(plan, steps, invariants.len()), interpreted))
    };
    let (workers, interpreted) = several(alike.threads(threads), worker).map_err(refuse)?;
    let kept = kept((study, instance), plan, &rows, &checked);
    let (mut search, earlier) = begun(plan, &kept, workers, host)?;
    let resumed = plan.resume.as_ref().map(|_| search.distinct());
    let mut keeper = Keeper::new(plan, &kept, earlier + spent, host);
    let limit = TimeLimit::new(instance.cancel(), spare, host);
    let canonical = |row: &mut [u64]| alike.represent(row);
    let status = match started(&mut search, (&mut executor, &rows), &canonical) {
        Ok(status) => status,
        Err(interrupt) => {
            return Ok(done(unstarted(shared, automaton, invariants, interrupt)));
        }
    };
    let (of_what, asked_by) = ((instance, plan), (host, &limit));
    let mut prospect = Prospect::of((study, instance), plan, &checked);
    let after = run(
        &mut search,
        status,
        of_what,
        asked_by,
        (&mut keeper, &mut prospect),
    )?;
    drop(limit);
    let ended = match after {
        After::Ended(ended) => or_stopped(ended, host),
        After::Outgrown => return Ok(Attempt::Outgrown),
        After::WouldPay => return Ok(Attempt::Symmetric),
    };
    let ended = match (ended, &evaluated.within[..]) {
        (Ended::Complete, [_, ..]) => {
            at_the_border(&search, make().map_err(refuse)?.0, &invariants)
        }
        _ => ended,
    };
    let orbit_totals = match ended {
        Ended::Complete => alike.orbit_totals(&search, || Ok(make()?.0)),
        _ => Ok(None),
    };
    alike.end();
    let known = Exploration {
        symmetry: alike.symmetry.clone(),
        reduced: relation.map(|relation| Reduction {
            labels: relation.len() as u64,
            refined: relation.refined(),
        }),
        orbit_totals: orbit_totals.map_err(refuse)?,
        interpreted,
        ended,
        resumed,
        ..summed_up(&search, shared, automaton, invariants)
    };
    let steps = (&mut executor, &rows);
    let exploration = concluded(known, search, keeper, (study, plan), steps, host)?;
    Ok(done(exploration))
}

fn done(exploration: Exploration) -> Attempt {
    Attempt::Done(Box::new(exploration))
}

/// How a search is kept, in which these formulas are evaluated.
fn kept<'k, 'i>(
    (study, instance): (&Study, &'k Instance),
    plan: &ExplorePlan,
    rows: &'k Rows<'i>,
    checked: &[usize],
) -> Kept<'k, 'i> {
    let is_symmetric = plan.symmetry == BySymmetry::Always;
    Kept {
        identity: checkpoint::identity(study, instance, (plan, is_symmetric), checked),
        rows,
        invariants: plan.evaluated(study).invariants.len(),
        clauses: instance.model().automaton(plan.automaton).transitions.len(),
        instance,
        automaton: plan.automaton,
        disk: plan.disk.clone(),
    }
}

/// A search that has yet to start, or the one that is taken up, with the seconds that it took until then.
fn begun<'i>(
    plan: &ExplorePlan,
    kept: &Kept<'_, '_>,
    workers: Vec<Steps<'i>>,
    host: &dyn Host,
) -> Result<(Search<Steps<'i>>, f64), BadInput> {
    let bounds = bounds(plan, host);
    let begun = match (&plan.resume, plan.disk.clone()) {
        (Some(place), _) => checkpoint::load(&**place, kept, workers, bounds),
        (None, Some(folder)) => folder
            .clear()
            .and_then(|()| Search::begin_on_disk(workers, bounds, folder))
            .map(|search| (search, 0.0)),
        (None, None) => Ok((Search::begin(workers, bounds), 0.0)),
    };
    begun.map_err(BadInput::message)
}

/// Visits the start states, unless the search has done so before it was taken up again.
fn started<'i>(
    search: &mut Search<Steps<'i>>,
    (executor, rows): (&mut Executor<'i>, &Rows<'i>),
    canonical: &Canonical<'_>,
) -> Result<Status, Interrupt> {
    match search.has_started() {
        true => Ok(Status::Going),
        false => search.start(executor, rows, canonical),
    }
}

/// The means of taking the steps of a plan, for so many threads, and what is interpreted though machine code was wanted.
///
/// # Errors
/// Why the automaton cannot be run at these sizes.
pub(in crate::pipeline::explore) fn workers<'i>(
    study: &Study,
    instance: &'i Instance,
    (plan, rows): (&ExplorePlan, &Rows<'i>),
    threads: usize,
) -> Result<(Vec<Steps<'i>>, String), Vec<Diagnostic>> {
    let evaluated = plan.evaluated(study);
    let checked = evaluated.all();
    several(threads, || {
        let about = (study, instance);
        let (steps, interpreted) = steps(about, plan.automaton, &checked, rows, plan.native)?;
        let invariants = evaluated.invariants.len();
        Ok((kept_within(plan, steps, invariants), interpreted))
    })
}

/// Workers for so many threads, and what is interpreted though machine code was wanted.
fn several<'i>(
    threads: usize,
    worker: impl Fn() -> Result<(Steps<'i>, String), Vec<Diagnostic>>,
) -> Result<(Vec<Steps<'i>>, String), Vec<Diagnostic>> {
    let (mut workers, mut interpreted) = (Vec::new(), String::new());
    for _ in 0..threads.max(1) {
        let (steps, why) = worker()?;
        workers.push(steps);
        interpreted = why;
    }
    Ok((workers, interpreted))
}

/// Steps that stay within the formulas of a plan, which are checked after so many invariants.
fn kept_within<'i>(plan: &ExplorePlan, steps: Steps<'i>, invariants: usize) -> Steps<'i> {
    match plan.within.is_empty() {
        true => steps,
        false => Box::new(Within::new(steps, invariants)),
    }
}

/// How a search has ended that visited all states that it was to visit: whether there are some from which it took no steps.
fn at_the_border(search: &Search<Steps<'_>>, steps: Steps<'_>, invariants: &[usize]) -> Ended {
    let mut within = Within::new(steps, invariants.len());
    let outside = search
        .states()
        .filter(|row| !within.outside(row).is_empty());
    match outside.count() {
        0 => Ended::Complete,
        states => Ended::Outside(states as u64),
    }
}

/// The bounds of a plan for a search.
fn bounds(plan: &ExplorePlan, host: &dyn Host) -> Bounds {
    let Limits {
        depth,
        states,
        memory,
        ..
    } = plan.limits;
    Bounds {
        depth: depth.map(|d| usize::try_from(d).unwrap_or(usize::MAX)),
        states,
        memory: memory.unwrap_or_else(|| host.spare_memory()),
    }
}

/// What came of a search that was run.
enum After {
    /// It has ended.
    Ended(Ended),
    /// An integer has outgrown its range.
    Outgrown,
    /// With symmetry, it would be faster.
    WouldPay,
}

/// Goes on, from what came of visiting the start states, until there is nothing more to do.
fn run(
    search: &mut Search<Steps<'_>>,
    mut status: Status,
    (instance, plan): (&Instance, &ExplorePlan),
    (host, limit): (&dyn Host, &TimeLimit<'_>),
    (keeper, prospect): (&mut Keeper<'_, '_>, &mut Option<Prospect>),
) -> Result<After, BadInput> {
    let mut progress = host.begins("exploring", None);
    let started = Stopwatch::start(host);
    let mut said = started;
    loop {
        if !instance.range_overflows().is_empty() {
            return Ok(After::Outgrown);
        }
        check_disk(search)?;
        if let Some(ended) = ended(status, search, plan) {
            return Ok(After::Ended(ended));
        }
        keeper.keep_if_due(search);
        if limit.is_over() {
            return Ok(After::Ended(Ended::Time));
        }
        if said.elapsed() > Duration::from_millis(200) {
            said = Stopwatch::start(host);
            say(&mut *progress, search, started.elapsed());
        }
        let mut findings = search.findings().iter();
        if findings.any(|found| plan.ends_at(found.question)) {
            return Ok(After::Ended(Ended::Found));
        }
        let due = prospect.take_if(|_| Prospect::is_due(search));
        if due.is_some_and(|prospect| prospect.pays(search)) {
            return Ok(After::WouldPay);
        }
        status = search.advance();
    }
}

/// Why a search has ended, if it has.
fn ended(status: Status, search: &Search<Steps<'_>>, plan: &ExplorePlan) -> Option<Ended> {
    match status {
        // Trouble is told before.
        Status::Going | Status::Trouble => None,
        Status::Complete if is_stuck(search) => Some(Ended::Stuck),
        Status::Complete => Some(Ended::Complete),
        Status::Depth => Some(Ended::Depth),
        Status::States => Some(Ended::States),
        Status::Memory => Some(Ended::Memory(plan.limits.memory.is_some())),
        Status::Cancelled => Some(Ended::Time),
    }
}

/// That all was stopped, where that is why the time was over.
pub(in crate::pipeline::explore) fn or_stopped(ended: Ended, host: &dyn Host) -> Ended {
    match (ended, host.stopped()) {
        (Ended::Time, Some(stop)) => Ended::Stopped(stop),
        (ended, _) => ended,
    }
}

/// Whether some step had no result, so that what follows it is not visited.
fn is_stuck(search: &Search<Steps<'_>>) -> bool {
    let mut findings = search.findings().iter();
    findings.any(|f| f.question == Question::Fault)
}

/// How far a search is, in one line.
fn say(progress: &mut dyn Progress, search: &Search<Steps<'_>>, elapsed: Duration) {
    let states = search.distinct();
    progress.say(&format!(
        "{} states ({}/s), depth {}, queue {}, {}",
        count(states),
        count((states as f64 / elapsed.as_secs_f64()) as u64),
        search.depth(),
        count(search.queue()),
        bytes(search.memory()),
    ));
}
