//! How far a proof may go.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::obligations::Kind;
use crate::solver::Proofs;
use crate::watch::{Clock, Task, Watch};

/// How far a proof may go, and what else is wanted of it.
#[derive(Clone)]
pub struct Options<'o> {
    /// Time for all questions about one obligation, and as much again for the search for a counterexample to it; what is
    /// asked beside obligations has as much for each question.
    pub timeout: Duration,
    /// Work for one question, in Z3's own unit; 0 for no limit.
    pub resource_limit: u32,
    /// Work for all questions about one obligation, in Z3's own unit, and as much again for the search for a counterexample to it;
    /// 0 for no limit.
    pub allowance: u64,
    /// Whether each obligation is asked by itself from the beginning. Otherwise several share a solver at first, which is faster for
    /// those that are soon decided; what it has learnt from one changes what another costs.
    pub apart: bool,
    /// Seed of the solver's choices.
    pub seed: u32,
    /// Seed of the order in which assumptions are stated; 0 for their own order.
    pub order: u32,
    /// Threads to use. The outcome does not depend on it.
    pub threads: usize,
    /// Whether to find out which invariants each proof needs.
    pub needed_invariants: bool,
    /// Whether to look for small counterexamples; without, a refuted obligation gets the first one found.
    pub shrink: bool,
    /// At most so many counterexamples are looked for to each obligation.
    pub counterexamples: usize,
    /// Told after each question how much work it took, in Z3's own unit. What it is told in all does not depend on the threads.
    pub spent: Option<&'o (dyn Fn(u64) + Sync)>,
    /// Asked between questions; when it says yes, what is left is [`Reason::Stopped`](crate::Reason::Stopped).
    pub stop: Option<&'o (dyn Fn() -> bool + Sync)>,
    /// Which obligations are asked for, where not all are. Those of the invariants that their proofs use are added.
    pub only: Option<&'o (dyn Fn(Kind) -> bool + Sync)>,
    /// Who is told what the threads are at.
    pub watch: Option<&'o dyn Watch>,
    /// What was proved before, where that is remembered.
    pub proofs: Option<&'o dyn Proofs>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(20),
            resource_limit: 0,
            allowance: 0,
            apart: false,
            seed: 0,
            order: 0,
            threads: 2,
            needed_invariants: false,
            shrink: true,
            counterexamples: 1,
            spent: None,
            stop: None,
            only: None,
            watch: None,
            proofs: None,
        }
    }
}

impl Options<'_> {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }

    pub(crate) fn spends(&self, work: u64) {
        if let Some(spent) = self.spent {
            spent(work);
        }
    }

    /// Says what this thread turns to.
    pub(crate) fn turns_to(&self, tasks: &[Task]) {
        if let Some(watch) = self.watch {
            watch.turns_to(tasks);
        }
    }

    /// Says that this thread turns to something that these obligations need.
    pub(crate) fn turns_to_obligations(&self, kinds: &[Kind]) {
        if let Some(watch) = self.watch {
            let tasks: Vec<Task> = kinds.iter().copied().map(Task::Obligation).collect();
            watch.turns_to(&tasks);
        }
    }

    /// Says that this thread goes on.
    pub(crate) fn goes_on(&self) {
        if let Some(watch) = self.watch {
            watch.goes_on();
        }
    }

    /// Whether a task is not to be tried.
    pub(crate) fn is_given_up(&self, task: Task) -> bool {
        self.watch.is_some_and(|watch| watch.is_given_up(task))
    }
}

/// The limits of all questions about something together: what is asked after that is not asked any more.
#[derive(Clone)]
pub(crate) struct Allowance<'o> {
    clock: Clock<'o>,
    /// When they end.
    end: Duration,
    /// Work that is left to them, in Z3's own unit, where that is limited.
    work: Option<Arc<AtomicU64>>,
    /// A sixteenth of all the work that is allowed.
    sixteenth: u64,
}

impl<'o> Allowance<'o> {
    /// What `options` allow to something that has begun at some time.
    pub(crate) fn of(options: &Options<'_>, clock: Clock<'o>, begun: Duration) -> Self {
        let is_limited = options.allowance > 0;
        Self {
            clock,
            end: begun.saturating_add(options.timeout),
            work: is_limited.then(|| Arc::new(AtomicU64::new(options.allowance))),
            sixteenth: (options.allowance / 16).max(1),
        }
    }

    /// The limits of time alone.
    pub(crate) fn of_time(&self) -> Self {
        Self {
            work: None,
            ..self.clone()
        }
    }

    /// Time that is left.
    pub(crate) fn time(&self) -> Duration {
        self.end.saturating_sub((self.clock)())
    }

    /// Work that is left, where that is limited; more by at most a sixteenth of the whole, so that few questions differ: telling Z3
    /// what it may do takes as long as a small question.
    pub(crate) fn work(&self) -> Option<u64> {
        let left = self.work.as_ref()?.load(Ordering::Relaxed);
        Some(left.next_multiple_of(self.sixteenth))
    }

    /// Takes away work that was done.
    pub(crate) fn spend(&self, done: u64) {
        if let Some(left) = &self.work {
            left.store(
                left.load(Ordering::Relaxed).saturating_sub(done),
                Ordering::Relaxed,
            );
        }
    }
}
