//! The search, which takes one execution after the other.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use explorer::{Counts, Dpor, Found, Outcome, Question};
use interpreter::trace::Trace;
use interpreter::{Executor, Instance, Rows, State};

use super::super::exploration::{Ended, Exploration, nothing};
use super::super::plan::{ExplorePlan, IndependenceBy};
use super::super::seen::{Never, Show};
use super::super::visit::{TimeLimit, or_stopped, unstarted};
use super::independence::{by_solver, watches};
use super::known::Orders;
use super::told::about;
use crate::host::{Host, Progress, Stopwatch};
use crate::numbers::count;
use crate::study::{BadInput, Study};

/// From fewer executions than these it is not judged how many there are.
const FEW: u64 = 10;

/// Of more states in which executions end, it is not said how many there are.
const MOST_ENDS: usize = 100_000;

/// Takes the executions that a plan asks for. The study is the one with the plan's formulas.
///
/// # Errors
/// Why the automaton cannot be run at these sizes, and what cannot be asked of executions one by one.
pub(in crate::pipeline::explore) fn explore(
    study: &Study,
    instance: &Instance,
    plan: &ExplorePlan,
    host: &dyn Host,
) -> Result<Exploration, BadInput> {
    if !plan.within.is_empty() {
        let message =
            "--dpor takes executions to their ends, so they cannot be kept --within states";
        return Err(BadInput::message(message));
    }
    let universe = instance.universe().clone();
    let shared = Arc::new(Instance::new(Arc::clone(instance.model()), universe));
    let automaton = plan.automaton;
    let executor = || Executor::new(&shared, automaton).map_err(|errors| study.refuse(errors));
    let (mut executor, mut judge) = (executor()?, executor()?);
    let enumerable = executor.check_enumerable();
    enumerable.map_err(|errors| study.refuse(errors))?;
    let invariants = plan.evaluated(study).invariants;
    let watches = watches(&shared, automaton, &invariants);
    let check = |_: &mut Executor<'_>, state: &State| -> Vec<usize> {
        let broken = invariants.iter().enumerate();
        let broken =
            broken.filter(|(_, invariant)| !matches!(judge.holds(state, **invariant), Ok(true)));
        broken.map(|(position, _)| position).collect()
    };
    let depth = plan.limits.depth;
    let depth = depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX));
    let limit = TimeLimit::new(shared.cancel(), plan.limits.time, host);
    let stop = || shared.cancel().is_set() || host.stopped().is_some();
    let independence = match plan.independence {
        IndependenceBy::Solver => by_solver(&shared, automaton, &invariants, &stop),
        IndependenceBy::Footprints => None,
    };
    let started = Stopwatch::start(host);
    let mut search = match Dpor::new(&mut executor, watches, depth, check) {
        Ok(search) => search,
        Err(interrupt) => return Ok(unstarted(&shared, automaton, invariants, interrupt)),
    };
    if let Some(independence) = independence {
        search = search.refined_by(independence);
    }
    let mut taking = Taking {
        ends: BTreeSet::new(),
        endless: None,
        memory: plan.limits.memory.unwrap_or_else(|| host.spare_memory()),
    };
    let ended = taking.run(&mut search, (plan, &limit), host)?;
    let counts = search.counts();
    let orders = Orders {
        counts,
        ends: (taking.ends.len() < MOST_ENDS).then_some(taking.ends.len() as u64),
        estimate: (!matches!(ended, Ended::Complete | Ended::Depth))
            .then(|| estimate(counts, search.done()))
            .flatten(),
        endless: taking.endless,
    };
    let found = search.found().to_vec();
    let fired = search.fired(shared.model().automaton(automaton).transitions.len());
    let memory = search.memory();
    drop(search);
    drop(limit);
    let seconds = started.seconds();
    let mut exploration = Exploration {
        ended: or_stopped(ended, host),
        distinct: counts.steps + 1,
        generated: counts.steps,
        memory,
        seconds,
        never: Never::among(&fired),
        fired,
        orders: Some(orders),
        ..nothing(&shared, automaton, invariants)
    };
    show(&mut exploration, found, plan, &mut executor);
    Ok(exploration)
}

/// What is kept while executions are taken.
struct Taking {
    ends: BTreeSet<State>,
    endless: Option<(Trace, Option<usize>)>,
    memory: u64,
}

impl Taking {
    /// Takes executions until there is a reason to stop.
    fn run<C: FnMut(&mut Executor<'_>, &State) -> Vec<usize>>(
        &mut self,
        search: &mut Dpor<'_, Executor<'_>, C>,
        (plan, limit): (&ExplorePlan, &TimeLimit<'_>),
        host: &dyn Host,
    ) -> Result<Ended, BadInput> {
        let mut progress = host.begins("taking executions", None);
        let mut said = Stopwatch::start(host);
        loop {
            match search.advance() {
                Outcome::Going => {}
                Outcome::Complete if search.counts().cut > 0 => return Ok(Ended::Depth),
                Outcome::Complete => return Ok(Ended::Complete),
                Outcome::Fault => return Ok(Ended::Stuck),
                Outcome::Cancelled => return Ok(Ended::Time),
                Outcome::Cycle(trace) => {
                    let passed = trace.steps.len() - 1;
                    let stem = (0..=passed).find(|at| trace.state(*at) == Some(trace.last()));
                    self.endless = Some((trace, stem));
                    return Ok(Ended::Endless);
                }
                Outcome::Endless(trace) => {
                    self.endless = Some((trace, None));
                    return Ok(Ended::Endless);
                }
                Outcome::Dependent(_) => {
                    let message = "internal error: a step that was taken for independent of another \
                                   one is not; please report it with the model";
                    return Err(BadInput::message(message));
                }
            }
            if let Some(end) = search.end()
                && self.ends.len() < MOST_ENDS
            {
                self.ends.insert(end.clone());
            }
            if limit.is_over() {
                return Ok(Ended::Time);
            }
            if search.memory() > self.memory {
                return Ok(Ended::Memory(plan.limits.memory.is_some()));
            }
            if search
                .found()
                .iter()
                .any(|found| plan.ends_at(found.question))
            {
                return Ok(Ended::Found);
            }
            if said.elapsed() > Duration::from_millis(200) {
                said = Stopwatch::start(host);
                say(&mut *progress, search.counts(), search.done());
            }
        }
    }
}

/// Whether a finding is one that was asked for.
fn is_relevant(found: &Found, plan: &ExplorePlan) -> bool {
    found.question != Question::Deadlock || plan.asks_for_deadlocks()
}

/// About how many orders there are in all, where such a part of the work is done.
/// None before there is anything to judge by.
fn estimate(counts: Counts, done: f64) -> Option<f64> {
    let taken = counts.orders + counts.cut;
    (taken >= FEW && done > 0.0).then(|| taken as f64 / done)
}

/// How far a search is, in one line.
fn say(progress: &mut dyn Progress, counts: Counts, done: f64) {
    let all =
        estimate(counts, done).map_or(String::new(), |all| format!(" of about {}", about(all)));
    progress.say(&format!(
        "{} orders{all}, {} steps, at most {} in one",
        count(counts.orders + counts.cut),
        count(counts.steps),
        count(counts.longest as u64),
    ));
}

/// Says of what was found what is wrong at its end.
fn show<'i>(
    exploration: &mut Exploration,
    found: Vec<Found>,
    plan: &ExplorePlan,
    executor: &mut Executor<'i>,
) {
    let rows = Rows::new(executor.instance(), plan.automaton);
    let mut show = Show {
        world: &exploration.world,
        executor,
        rows: &rows,
        symmetry: None,
        invariants: &exploration.invariants,
    };
    let relevant = found.into_iter().filter(|found| is_relevant(found, plan));
    exploration.shown = relevant
        .map(|Found { question, trace }| show.execution(question, trace))
        .collect();
}
