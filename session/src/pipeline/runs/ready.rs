//! What is made ready once for all runs of a plan: their turns, what knows steps without evaluating terms, and what ends them.

use interpreter::run::{How, Report, Threads, Weights};
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

/// The runs of a plan, which take turns at some instances.
pub(in crate::pipeline) struct Ready<'p, 'h> {
    turns: Turns<'p>,
    weights: Weights,
    /// By instance.
    helps: Vec<Helps>,
    /// By instance.
    limits: Vec<TimeLimit<'h>>,
}

/// What helps with all runs in an instance.
struct Helps {
    /// What knows steps without evaluating terms.
    fast: Option<Box<dyn ClauseSteps>>,
    /// The threads, for strategies that schedule them.
    threads: Option<Threads>,
}

impl<'p, 'h> Ready<'p, 'h> {
    /// The runs of a plan in some instances, run k with seed `seed + k`.
    pub(in crate::pipeline) fn new(
        study: &Study,
        instances: &Interpreted,
        (plan, seed): (&'p Plan, u64),
        host: &'h dyn Host,
    ) -> Self {
        let in_each = plan.runs_in(instances.count()) / instances.count();
        let helps = (0..instances.count()).map(|place| {
            let instance = instances.of_run(place).1;
            Helps {
                fast: fast_steps(instance, plan, in_each),
                threads: threads(study, instance, plan),
            }
        });
        Self {
            turns: Turns::new(plan, seed, instances),
            weights: plan.drawn_by(study),
            helps: helps.collect(),
            limits: limits(instances, host),
        }
    }

    /// The place of the instance of a run.
    fn place(&self, run: u64) -> usize {
        (run % self.helps.len() as u64) as usize
    }

    /// Whether no more runs are made: a systematic strategy has gone all ways, or all is stopped.
    pub(in crate::pipeline) fn is_over(&self, run: u64) -> bool {
        self.limits[self.place(run)].is_over() || self.turns.are_over()
    }

    /// Whether a systematic strategy has gone all ways.
    pub(in crate::pipeline) fn has_gone_all_ways(&self) -> bool {
        self.turns.are_over()
    }

    /// The run with a number, from 0; none if those in its instance have gone all ways.
    pub(in crate::pipeline) fn turn(&self, run: u64) -> Option<Turn> {
        self.turns.next(run)
    }

    /// How a run is made.
    pub(in crate::pipeline) fn how(&mut self, run: u64, turn: &Turn) -> How<'_> {
        let place = self.place(run);
        let Helps { fast, threads } = &mut self.helps[place];
        How {
            weights: self.weights.clone(),
            strategy: turn.strategy,
            threads: threads.as_mut(),
            fast: fast.as_deref_mut().map(|fast| fast as _),
            way: turn.way.clone(),
            ..How::default()
        }
    }

    /// Notes how a run has gone.
    pub(in crate::pipeline) fn pass(&mut self, run: u64, report: &Report) {
        self.turns.pass(run, report);
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
