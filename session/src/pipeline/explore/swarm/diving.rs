//! The searches, with a clock beside them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use explorer::{Course, Question, Swarm, SwarmBounds, SwarmFound};
use interpreter::run::{self, Ending};
use interpreter::{Executor, Instance, Interrupt, Rows};
use ioa_lang::Diagnostic;

use super::super::exploration::{Ended, Exploration, nothing};
use super::super::plan::{ExplorePlan, SwarmPlan};
use super::super::seen::{Never, Show, Shown};
use super::super::visit::{Attempt, Steps, TimeLimit, or_stopped, unstarted, workers};
use super::known::Swarmed;
use crate::host::{Host, Progress, Stopwatch};
use crate::interpretation::World;
use crate::numbers::{count, counted};
use crate::study::{BadInput, Study};

/// States that each search may visit, if nothing is said.
const STATES_EACH: u64 = 1_000_000;
/// The greatest bound on depth, if nothing is said.
const DEPTH: u64 = 10_000;
/// Each bound on depth is so many times the next one,
const SHALLOWER: u64 = 4;
/// of which there are so many.
const DEPTHS: u32 = 4;
/// Start states that searches begin from, at most; each takes them in an order of its own.
const MOST_STARTS: usize = 100_000;
/// At most so many steps are taken to shorten an execution.
const STEPS_OF_SHORTENING: u64 = 2_000_000;

/// Searches as a plan says, by an instance whose integers may outgrow their ranges. The study is the one with the plan's
/// formulas; so many seconds were spent before.
///
/// # Errors
/// Why the automaton cannot be run at these sizes.
pub(in crate::pipeline::explore) fn attempt(
    study: &Study,
    instance: &Arc<Instance>,
    (plan, asked): (&ExplorePlan, SwarmPlan),
    (threads, spent): (usize, f64),
    host: &dyn Host,
) -> Result<Attempt, BadInput> {
    let refuse = |d: Vec<Diagnostic>| study.refuse(d);
    let automaton = plan.automaton;
    let invariants = plan.evaluated(study).invariants;
    let rows = Rows::new(instance, automaton);
    let mut executor = Executor::new(instance, automaton).map_err(refuse)?;
    executor.check_enumerable().map_err(refuse)?;
    let (steps, interpreted) = workers(study, instance, (plan, &rows), threads).map_err(refuse)?;
    let seconds = plan.limits.time.map(|time| time - spent);
    let limit = TimeLimit::new(instance.cancel(), seconds, host);
    let started = Stopwatch::start(host);
    let starts = match starts(&mut executor, &rows) {
        Ok(starts) => starts,
        Err(interrupt) => {
            let unstarted = unstarted(instance, automaton, invariants, interrupt);
            return Ok(Attempt::Done(Box::new(unstarted)));
        }
    };
    let bounds = SwarmBounds {
        states: plan.limits.states.unwrap_or(STATES_EACH),
        memory: plan.limits.memory.unwrap_or_else(|| host.spare_memory()),
        deadlocks: plan.asks_for_deadlocks(),
        first: !plan.keep_going,
    };
    let mut swarm = Swarm::new(steps, starts, &courses(plan, asked), bounds);
    let ended = dive(&mut swarm, instance, (&limit, bounds.first), host);
    drop(limit);
    let Some(ended) = ended else {
        return Ok(Attempt::Outgrown);
    };
    let mut known = Swarmed {
        searches: asked.searches,
        different: swarm.together(),
        ..Swarmed::default()
    };
    swarm.dived().into_iter().for_each(|one| known.take(one));
    let clauses = instance.model().automaton(automaton).transitions.len();
    let fired = swarm.fired(clauses);
    let mut exploration = Exploration {
        ended: or_stopped(ended, host),
        distinct: known.different.unwrap_or(known.states),
        generated: swarm.dived().iter().map(|one| one.generated).sum(),
        seconds: started.seconds() + spent,
        interpreted,
        never: Never::among(&fired),
        fired,
        swarm: Some(known),
        ..nothing(instance, automaton, invariants)
    };
    for found in swarm.found() {
        let shown = shown(
            &found,
            (&mut executor, &rows),
            (plan, &exploration.world, &exploration.invariants),
        );
        exploration.shown.push(shown);
    }
    Ok(Attempt::Done(Box::new(exploration)))
}

/// What tells the searches apart: each has a seed of its own, and one of several bounds on depth.
fn courses(plan: &ExplorePlan, asked: SwarmPlan) -> Vec<Course> {
    let deepest = plan.limits.depth.unwrap_or(DEPTH);
    let course = |number: u64| {
        let times = u32::try_from(number % u64::from(DEPTHS)).unwrap_or_default();
        let depth = (deepest / SHALLOWER.pow(times)).max(deepest.min(1));
        Course {
            seed: asked.seed.wrapping_add(number),
            depth: usize::try_from(depth).unwrap_or(usize::MAX),
        }
    };
    (0..asked.searches).map(course).collect()
}

/// The rows of the start states, or of the first of very many.
///
/// # Errors
/// Why they cannot be listed.
pub(in crate::pipeline) fn starts(
    executor: &mut Executor<'_>,
    rows: &Rows<'_>,
) -> Result<Vec<u64>, Interrupt> {
    let (mut starts, mut listed) = (Vec::new(), 0);
    let _ = executor.each_start(&mut |_, state| {
        rows.push(state, &mut starts);
        listed += 1;
        match listed < MOST_STARTS {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(starts)
}

/// Goes on until there is a reason to stop, such as the first finding, if that is enough; says nothing where an integer has
/// outgrown its range.
fn dive(
    swarm: &mut Swarm<Steps<'_>>,
    instance: &Instance,
    (limit, first): (&TimeLimit<'_>, bool),
    host: &dyn Host,
) -> Option<Ended> {
    let mut progress = host.begins("searching in many orders", None);
    let mut said = Stopwatch::start(host);
    loop {
        let goes_on = swarm.advance();
        if !instance.range_overflows().is_empty() {
            return None;
        }
        if limit.is_over() {
            // What was under way is taken in as far as it went.
            swarm.advance();
            return Some(Ended::Time);
        }
        if !goes_on {
            let is_enough = first && !swarm.found().is_empty();
            return Some(if is_enough {
                Ended::Found
            } else {
                Ended::Swarm
            });
        }
        if said.elapsed() > Duration::from_millis(200) {
            said = Stopwatch::start(host);
            say(&mut *progress, swarm);
        }
    }
}

/// How far the searches are, in one line.
fn say(progress: &mut dyn Progress, swarm: &Swarm<Steps<'_>>) {
    progress.say(&format!(
        "{} ended, {} visited",
        match swarm.dived().len() {
            1 => "1 search".to_owned(),
            n => format!("{} searches", count(n as u64)),
        },
        counted(swarm.states(), "state"),
    ));
}

/// What was found, with a shorter way to it where one is found by leaving out steps.
fn shown<'i>(
    found: &SwarmFound,
    (executor, rows): (&mut Executor<'i>, &Rows<'i>),
    (plan, world, invariants): (&ExplorePlan, &World, &[usize]),
) -> Shown {
    let instance = executor.instance();
    let labelled = explorer::label(&found.path, executor, rows, None);
    let (Some(trace), None) = (labelled.trace, &labelled.disagreement) else {
        let finding = explorer::Finding {
            question: found.question,
            state: found.path.rows().last().unwrap_or_default().to_vec(),
            depth: found.path.steps.len(),
        };
        return show((world, invariants), executor, rows).finding(&finding, Some(&found.path));
    };
    // Without some steps, an execution may leave the states that it is to stay within.
    let is_shortened = plan.within.is_empty();
    let from = trace.steps.len();
    let shorter = match found.question {
        Question::Invariant(position) if is_shortened => {
            let violations = executor.violations(trace.last()).unwrap_or_default();
            let own = violations.into_iter();
            let own = own.filter(|one| one.invariant == invariants[position]);
            let ending = Ending::Violated(own.collect());
            run::shorten(instance, &trace, &ending, STEPS_OF_SHORTENING)
        }
        _ => None,
    };
    let mut show = show((world, invariants), executor, rows);
    match shorter {
        Some(shorter) => Shown {
            shortened: Some(from),
            ..show.execution(found.question, shorter.trace)
        },
        None => show.execution(found.question, trace),
    }
}

fn show<'s, 'i>(
    (world, invariants): (&'s World, &'s [usize]),
    executor: &'s mut Executor<'i>,
    rows: &'s Rows<'i>,
) -> Show<'s, 'i> {
    Show {
        world,
        executor,
        rows,
        symmetry: None,
        invariants,
    }
}
