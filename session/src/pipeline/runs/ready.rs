//! What the runs of a plan need: which is made when, what knows steps without evaluating terms, and what ends them.

use std::ops::ControlFlow;

use interpreter::run::{How, Outcome, Report, Threads, Weights};
use interpreter::{ClauseSteps, Instance};

use super::turns::Turns;
use crate::host::Host;
use crate::instances::Interpreted;
use crate::pipeline::explore::TimeLimit;
use crate::pipeline::liveness::tasks_in;
#[cfg(feature = "native")]
use crate::pipeline::plan::Drive;
use crate::pipeline::plan::{Plan, Turn};
use crate::study::Study;

/// A run that is to be made.
pub(in crate::pipeline) struct Job {
    /// Its number, from 0.
    pub(in crate::pipeline) run: u64,
    /// What makes it differ from the others.
    pub(in crate::pipeline) turn: Turn,
}

/// The runs of a plan, which take turns at some instances.
pub(in crate::pipeline) struct Queue<'p, 'h> {
    turns: Turns<'p>,
    /// By instance.
    limits: Vec<TimeLimit<'h>>,
    /// The number of the next one, and how many there are.
    next: u64,
    runs: u64,
}

impl<'p, 'h> Queue<'p, 'h> {
    /// The runs of a plan in some instances, run k with seed `seed + k`.
    pub(in crate::pipeline) fn new(
        instances: &Interpreted,
        (plan, seed): (&'p Plan, u64),
        host: &'h dyn Host,
    ) -> Self {
        Self {
            turns: Turns::new(plan, seed, instances),
            limits: limits(instances, host),
            next: 0,
            runs: plan.runs_in(instances.count()),
        }
    }

    /// How many runs there are at most.
    pub(in crate::pipeline) fn runs(&self) -> u64 {
        self.runs
    }

    /// The next run, unless all is stopped. A systematic strategy may have gone all ways in one instance before another.
    pub(in crate::pipeline) fn next(&mut self) -> Option<Job> {
        while self.next < self.runs && !self.is_over() {
            let run = self.next;
            self.next += 1;
            if let Some(turn) = self.turns.next(run) {
                return Some(Job { run, turn });
            }
        }
        None
    }

    fn is_over(&self) -> bool {
        let place = self.next % self.limits.len() as u64;
        self.limits[place as usize].is_over() || self.turns.are_over()
    }

    /// Whether a systematic strategy has gone all ways.
    pub(in crate::pipeline) fn has_gone_all_ways(&self) -> bool {
        self.turns.are_over()
    }

    /// Notes how a run has gone.
    pub(in crate::pipeline) fn pass(&mut self, run: u64, report: &Report) {
        self.turns.pass(run, report);
    }
}

/// Has what one worker needs to make runs of a plan.
pub(in crate::pipeline) struct Means<'p> {
    study: &'p Study,
    instances: &'p Interpreted,
    plan: &'p Plan,
    weights: Weights,
    /// By instance; made when the first run there is made.
    helps: Vec<Option<Helps>>,
}

/// What helps with all runs in an instance.
struct Helps {
    /// What knows steps without evaluating terms.
    fast: Option<Box<dyn ClauseSteps + Send>>,
    /// The threads, for strategies that schedule them.
    threads: Option<Threads>,
}

impl<'p> Means<'p> {
    /// For runs that take turns at some instances.
    pub(in crate::pipeline) fn new(
        study: &'p Study,
        instances: &'p Interpreted,
        plan: &'p Plan,
    ) -> Self {
        Self {
            study,
            instances,
            plan,
            weights: plan.drawn_by(study),
            helps: (0..instances.count()).map(|_| None).collect(),
        }
    }

    /// How a run is made.
    pub(in crate::pipeline) fn how(&mut self, job: &Job) -> How<'_> {
        let place = job.run % self.instances.count();
        let in_each = self.plan.runs_in(self.instances.count()) / self.instances.count();
        let helps = &mut self.helps[place as usize];
        let Helps { fast, threads } = helps.get_or_insert_with(|| {
            let instance = self.instances.of_run(place).1;
            Helps {
                fast: fast_steps(instance, self.plan, in_each),
                threads: threads(self.study, instance, self.plan),
            }
        });
        How {
            weights: self.weights.clone(),
            strategy: job.turn.strategy,
            threads: threads.as_mut(),
            fast: fast.as_deref_mut().map(|fast| fast as _),
            way: job.turn.way.clone(),
            ..How::default()
        }
    }
}

/// What a worker says about a run, which it makes unless all is stopped; `is_last` says whether those after it are not wanted.
pub(in crate::pipeline) fn unless_stopped<M>(
    host: &dyn Host,
    make: impl FnOnce() -> M,
    is_last: impl FnOnce(&M) -> bool,
) -> Outcome<M> {
    if host.stopped().is_some() {
        return ControlFlow::Break(None);
    }
    let made = make();
    match is_last(&made) {
        true => ControlFlow::Break(Some(made)),
        false => ControlFlow::Continue(made),
    }
}

/// How many workers make the runs of a plan, where there may be so many threads: a systematic strategy has to know what a run
/// has met before it says where the next one goes.
pub(in crate::pipeline) fn workers(instances: &Interpreted, plan: &Plan, threads: usize) -> usize {
    let runs = usize::try_from(plan.runs_in(instances.count())).unwrap_or(usize::MAX);
    match plan.ways() {
        Some(_) => 1,
        None => threads.min(runs).max(1),
    }
}

/// How a single run is made, by the plan's first strategy.
pub(in crate::pipeline) fn alone<'t>(
    study: &Study,
    plan: &Plan,
    threads: Option<&'t mut Threads>,
) -> How<'t> {
    How {
        weights: plan.drawn_by(study),
        strategy: plan.strategies[0],
        threads,
        way: plan.way.clone(),
        ..How::default()
    }
}

/// What ends the runs in each of some instances when all is stopped.
pub(super) fn limits<'h>(instances: &Interpreted, host: &'h dyn Host) -> Vec<TimeLimit<'h>> {
    let places = 0..instances.count();
    let limit = |place| TimeLimit::new(instances.of_run(place).1.cancel(), None, host);
    places.map(limit).collect()
}

/// Random runs of so many steps together are worth compiling the automaton to machine code for.
#[cfg(feature = "native")]
const MANY_STEPS: u64 = 50_000;

/// What knows the steps of many random runs without evaluating terms: runs of a plan, so many of them in this instance.
#[cfg(feature = "native")]
fn fast_steps(instance: &Instance, plan: &Plan, runs: u64) -> Option<Box<dyn ClauseSteps + Send>> {
    let Drive::Random(automaton) = plan.drive else {
        return None;
    };
    let is_drawn = plan.strategies.iter().any(|s| s.draws_actions());
    let many = is_drawn && runs.saturating_mul(plan.steps) >= MANY_STEPS;
    many.then(|| Box::new(native::ClauseCode::new(instance, automaton)) as _)
}

/// Nothing is faster than the interpreter where there is no machine code.
#[cfg(not(feature = "native"))]
fn fast_steps(_: &Instance, _: &Plan, _: u64) -> Option<Box<dyn ClauseSteps + Send>> {
    None
}

/// The threads of the automaton, for the strategies that schedule them. Tasks that cannot be told apart make none.
pub(in crate::pipeline) fn threads(
    study: &Study,
    instance: &Instance,
    plan: &Plan,
) -> Option<Threads> {
    let is_needed = plan.strategies.iter().any(|s| !s.draws_actions());
    let automaton = plan.drive.automaton(study);
    is_needed.then(|| {
        let tasks = tasks_in(study, instance, automaton).unwrap_or_default();
        let members: Vec<_> = tasks.into_iter().map(|(_, members)| members).collect();
        Threads::new(instance, automaton, &members)
    })
}
