//! Runs that end where a formula can no longer become true, and the step that made it so: the *critical transition* (Killian,
//! Anderson, Jhala and Vahdat, "Life, Death, and the Critical Transition", NSDI 2007, section 3).
//!
//! A state is *live* if the formula holds there, and *dead* if no live state can be reached from it. That a state is not dead an execution
//! shows. That it is dead is known if all states after it were visited; where they are too many, it is believed after walks
//! that found no live state.

mod depth;
mod effort;
mod findings;
mod outcome;
mod prefixes;
mod recovery;
mod search;

use std::cell::Cell;
use std::sync::Arc;

use interpreter::Instance;
use interpreter::trace::Trace;
use ioa_lang::core::Extent;

use super::ready::{limits, threads};
use super::watching::watching;
use crate::finding::Finding;
use crate::host::{Host, Stopwatch};
use crate::instances::{Instances, Interpreted};
use crate::interpretation::World;
use crate::pipeline::explore::negate;
use crate::pipeline::plan::Plan;
use crate::setup::Setup;
use crate::study::{BadInput, Formula, Study};

use depth::Depths;
pub use effort::Effort;
use findings::Told;
pub use outcome::Executions;
use outcome::{Critical, Looked};
use prefixes::Prefixes;
use recovery::{Fate, Recovery, Walked};
use search::first_dead;

/// Makes the runs of a plan, up to the first one that ends in a dead state, and looks for the critical transition of it. The
/// formula says which states are live. The executions that this is about are given as well, if there is such a run. Each
/// interpretation of the theories has its share of the runs, for a state that is dead in one of them may not be in another.
///
/// # Errors
/// Mistakes in the formula; why the automaton cannot be run at these sizes; that the formula has no value in some state.
pub fn critical(
    (study, setup): (&Study, &Setup),
    (plan, formula): (&Plan, &str),
    effort: Effort,
    host: &dyn Host,
) -> Result<(Finding, Option<Executions>), BadInput> {
    let started = Stopwatch::start(host);
    let automaton = plan.drive.automaton(study);
    let asked = Formula {
        place: "--live",
        name: formula,
        text: formula,
    };
    let (sources, mut stated) = study.formulas((automaton, Extent::OneInstance), [asked])?;
    stated.iter_mut().for_each(|live| negate(&mut live.formula));
    let bare = study.stating(study.sources.clone(), Vec::new());
    let instances = Instances::new(&bare, setup).each(automaton)?;
    let watching = study.stating(sources, stated);
    let share = Plan {
        runs: plan.runs.div_ceil(instances.count()),
        ..plan.clone()
    };
    let (looked, at) = in_each((&watching, &share), &instances, (setup.seed, effort), host)?;
    let (number, instance) = instances.of_run(at);
    let world = World {
        instance: Arc::clone(instance),
        interpretation: instances.among_others(number),
    };
    let told = Told {
        study,
        setup: &world.setup(setup),
        plan,
        formula,
        effort,
        world: &world,
        tried: instances.tried(at + 1),
    };
    let mut finding = told.finding(&looked);
    finding.seconds = Some(started.seconds());
    let found = looked.found.map(|found| found.executions(instance));
    Ok((finding, found))
}

/// Looks in one interpretation after the other, up to the first in which something is found, and says which is the last, counted
/// from 0.
fn in_each(
    about: (&Study, &Plan),
    instances: &Interpreted,
    from: (u64, Effort),
    host: &dyn Host,
) -> Result<(Looked, u64), BadInput> {
    let (mut runs, mut live, mut faults) = (0, 0, 0);
    let _limits = limits(instances, host);
    let mut at = 0;
    loop {
        let mut looked = look(about, instances.of_run(at).1, from, host)?;
        runs += looked.runs;
        live += looked.live;
        faults += looked.faults;
        let is_last = at + 1 == instances.count();
        if looked.found.is_some() || looked.stopped.is_some() || is_last {
            (looked.runs_in_all, looked.live, looked.faults) = (runs, live, faults);
            return Ok((looked, at));
        }
        at += 1;
    }
}

fn look(
    (study, plan): (&Study, &Plan),
    bare: &Instance,
    (seed, effort): (u64, Effort),
    host: &dyn Host,
) -> Result<Looked, BadInput> {
    let watched = watching(bare, &study.model.invariants);
    let faults = Cell::new(0);
    let recovery = Recovery {
        study,
        plan,
        effort,
        host,
        bare,
        watched: &watched,
        faults: &faults,
    };
    let (plan, depths) = &deep_enough(&recovery, seed)?;
    let recovery = Recovery { plan, ..recovery };
    let mut progress = host.begins("runs that may end in a dead state", Some(plan.runs));
    let mut threads = threads(study, bare, plan);
    let mut prefixes = Prefixes::wanted(plan, effort.prefixes);
    let mut looked = Looked {
        depths: depths.clone(),
        steps: plan.steps,
        ..Looked::default()
    };
    for number in 0..plan.runs {
        looked.stopped = host.stopped();
        if looked.stopped.is_some() || prefixes.are_over() {
            break;
        }
        let seed = seed.wrapping_add(number);
        looked.runs += 1;
        let walked = prefixes.run(&recovery, (number, seed), threads.as_mut())?;
        if let Some(walked) = walked {
            looked.live += u64::from(walked.live.is_some());
            looked.found = of_run(&recovery, &walked, seed)?;
            prefixes.keep(&walked);
        }
        if looked.found.is_some() {
            break;
        }
        progress.step();
    }
    looked.faults = faults.get();
    looked.has_all = prefixes.has_all();
    looked.stopped = host.stopped();
    if looked.stopped.is_some() {
        // Walks that were cut short say nothing.
        looked.found = looked.found.filter(|found| found.is_certain);
    }
    Ok(looked)
}

/// The plan, with as many steps as its runs need where nobody says how many, and what that number rests on.
fn deep_enough(recovery: &Recovery<'_>, seed: u64) -> Result<(Plan, Option<Depths>), BadInput> {
    let plan = recovery.plan;
    if recovery.effort.are_steps_given {
        return Ok((plan.clone(), None));
    }
    let depths = Depths::sample(recovery, seed)?;
    let steps = depths.steps().unwrap_or(plan.steps);
    let plan = Plan {
        steps,
        ..plan.clone()
    };
    Ok((plan, Some(depths)))
}

/// The critical transition of a run; none where it does not end in a dead state.
fn of_run(
    recovery: &Recovery<'_>,
    walked: &Walked,
    seed: u64,
) -> Result<Option<Critical>, BadInput> {
    let trace = &walked.trace;
    let first = walked.live.unwrap_or(0);
    let last = trace.steps.len();
    let at = |position: usize| trace.state(position).expect("a position in the trace");
    let mut fates = Vec::new();
    let mut asked = |position: usize| {
        let walks_from = seed ^ (position as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let fate = recovery.of(at(position), walks_from)?;
        let recovers = matches!(fate, Fate::Recovers(_));
        fates.push((position, fate));
        Ok::<bool, BadInput>(recovers)
    };
    if asked(last)? {
        return Ok(None);
    }
    let dead = match last > first && asked(first)? {
        true => first + first_dead(last - first, &mut |position| asked(first + position))?,
        false => first,
    };
    let is_certain = fates.iter().any(|(position, fate)| {
        *position == dead && matches!(fate, Fate::Dead { is_certain: true })
    });
    let way_out = fates.into_iter().find_map(|(position, fate)| match fate {
        Fate::Recovers(way) if position + 1 == dead => Some(way),
        _ => None,
    });
    Ok(Some(Critical {
        trace: Trace {
            steps: trace.steps[..dead].to_vec(),
            ..Trace::clone(trace)
        },
        begun: walked.begun,
        way_out,
        is_certain,
        seed,
        steps: last as u64,
    }))
}
