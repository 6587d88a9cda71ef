//! The scheduler of the strategies that choose among threads.

use ioa_lang::core::TransitionId;

use super::policy::Policy;
use super::threads::{Thread, Threads, distinct};
use crate::code::{are_ordered, keys};
use crate::interrupt::fault::{Interrupt, LimitKind};
use crate::interrupt::limits::MAX_OUTCOMES;
use crate::run::Ending;
use crate::run::repeats::Repeats;
use crate::run::scheduler::{Scheduler, drawn_of, each_enabling};
use crate::run::walk::{Go, Walk};
use crate::state::cell::Cell;
use crate::vm::draws::Draws;
use crate::vm::halt::{interrupt, stop};

/// A policy chooses the thread, and any of its enabled steps is drawn.
pub(in crate::run) struct Threaded<'t> {
    policy: Box<dyn Policy>,
    threads: &'t mut Threads,
    draws: Draws,
    repeats: Repeats,
    /// The steps that the current state enables and that may show something new.
    steps: Vec<Enabled>,
    /// The threads that have one, in the order of the clauses.
    enabled: Vec<Thread>,
}

/// An enabled step.
struct Enabled {
    clause: TransitionId,
    /// The parameters that are drawn.
    params: Vec<Cell>,
    thread: Thread,
}

impl<'t> Threaded<'t> {
    pub(in crate::run) fn new(
        policy: Box<dyn Policy>,
        (threads, clauses): (&'t mut Threads, usize),
        draws: Draws,
    ) -> Self {
        Self {
            policy,
            threads,
            draws,
            repeats: Repeats::new(clauses),
            steps: Vec::new(),
            enabled: Vec::new(),
        }
    }

    /// Lists the enabled steps that may show something new, and says whether there are others.
    fn list(&mut self, walk: &mut Walk<'_, '_>) -> Result<bool, Interrupt> {
        self.steps.clear();
        let mut is_stale = false;
        for clause in (0..walk.executor.code.transitions.len()).map(TransitionId::at) {
            let code = walk.executor.clause(clause);
            walk.executor.load(&walk.state, &code.frame);
            let begin = self.steps.len();
            let (steps, threads) = (&mut self.steps, &mut *self.threads);
            let machine = &mut walk.executor.machine;
            let listed = each_enabling(machine, (clause, code), &self.repeats, &mut |machine| {
                if steps.len() as u64 >= MAX_OUTCOMES {
                    return Err(stop(LimitKind::Outcomes, code.span));
                }
                let params: Vec<Cell> = drawn_of(code).iter().map(|b| machine.bound(b)).collect();
                let thread = threads.of(clause, &params[..code.params().len()]);
                steps.push(Enabled {
                    clause,
                    params,
                    thread,
                });
                Ok(())
            });
            is_stale |= listed.map_err(|stop| interrupt(*stop, &code.frame))?;
            let binders = drawn_of(code);
            if are_ordered(binders) {
                self.steps[begin..].sort_by_cached_key(|step| keys(binders, &step.params));
            }
        }
        let threads = self.steps.iter().map(|step| step.thread);
        distinct(threads, &mut self.enabled);
        Ok(is_stale)
    }

    /// Draws one of the enabled steps of a thread.
    fn draw(&mut self, thread: Thread) -> Enabled {
        let steps = self.steps.iter().enumerate();
        let of_thread = steps.filter(|(_, step)| step.thread == thread);
        let positions: Vec<usize> = of_thread.map(|(position, _)| position).collect();
        let drawn = positions[self.draws.position(positions.len())];
        self.steps.swap_remove(drawn)
    }
}

impl Scheduler for Threaded<'_> {
    fn step(&mut self, walk: &mut Walk<'_, '_>) -> Go {
        walk.may_step()?;
        let is_stale = match self.list(walk) {
            Ok(is_stale) => is_stale,
            Err(interrupt) => return Go::Break(interrupt.into()),
        };
        if self.enabled.is_empty() {
            return Go::Break(match is_stale {
                true => Ending::NothingNew,
                false => Ending::Deadlock,
            });
        }
        let step = walk.steps + 1;
        let chosen = self.policy.choose(step, &self.enabled, &mut self.draws);
        let Enabled { clause, params, .. } = self.draw(self.enabled[chosen]);
        let code = walk.executor.clause(clause);
        walk.executor.load(&walk.state, &code.frame);
        walk.executor.bind(drawn_of(code), &params);
        if let Some(handed) = &code.handed {
            let machine = &mut walk.executor.machine;
            if let Err(stop) = machine.hand_out(code, handed, &mut self.draws) {
                return Go::Break(interrupt(*stop, &code.frame).into());
            }
        }
        let go = walk.take(clause);
        self.repeats.settle(walk.is_idle, clause, || params);
        go
    }
}
