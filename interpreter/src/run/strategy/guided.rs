//! The scheduler of systematic strategies.

use std::ops::ControlFlow;

use super::circle::Circle;
use super::threads::{Threads, distinct};
use super::ways::Guide;
use crate::interrupt::fault::{Fault, Interrupt, Limit};
use crate::run::Ending;
use crate::run::scheduler::{Scheduler, drive};
use crate::run::walk::{Go, Walk};
use crate::state::layout::State;
use crate::transition::{Label, TransitionSystem};

/// A guide chooses the start state and the steps, as long as it leads; another scheduler takes the rest. Steps that change
/// nothing are left out.
pub(in crate::run) struct Guided<'t> {
    guide: Box<dyn Guide>,
    /// If steps belong to threads, those of the thread whose turn it is come first.
    turns: Option<Turns<'t>>,
    rest: &'t mut dyn Scheduler,
}

/// Whose turn it is.
struct Turns<'t> {
    circle: Circle,
    threads: &'t mut Threads,
}

/// The steps from a state.
struct Listed {
    steps: Vec<Label>,
    /// Whether others change nothing.
    is_idle: bool,
    /// The first one that goes wrong, if there is one.
    fault: Option<Fault>,
}

impl<'t> Guided<'t> {
    pub(in crate::run) fn new(
        guide: Box<dyn Guide>,
        threads: Option<&'t mut Threads>,
        rest: &'t mut dyn Scheduler,
    ) -> Self {
        Self {
            guide,
            turns: threads.map(|threads| Turns {
                circle: Circle::default(),
                threads,
            }),
            rest,
        }
    }

    /// Runs from a state, or from a start state if none is given, until something ends the run.
    pub(in crate::run) fn drive(
        &mut self,
        walk: &mut Walk<'_, '_>,
        from: Option<&State>,
    ) -> Ending {
        match self.start(walk, from) {
            Ok(start) => drive(walk, start.as_ref(), self),
            Err(interrupt) => interrupt.into(),
        }
    }

    /// What alternatives the run has met.
    pub(in crate::run) fn met(&self) -> Vec<u64> {
        self.guide.met()
    }

    /// The state to begin with; none if it is drawn.
    fn start(
        &mut self,
        walk: &mut Walk<'_, '_>,
        from: Option<&State>,
    ) -> Result<Option<State>, Interrupt> {
        let mut states = match from {
            Some(state) => vec![state.clone()],
            None => {
                let starts = walk.executor.starts()?;
                starts.into_iter().map(|start| start.state).collect()
            }
        };
        let chosen = self.guide.choose(states.len() as u64);
        Ok(chosen.map(|chosen| states.swap_remove(chosen as usize)))
    }

    /// Takes the step that the guide chooses, if it chooses one.
    fn led(&mut self, walk: &mut Walk<'_, '_>) -> Go {
        let Listed {
            mut steps,
            is_idle,
            fault,
        } = match list(walk) {
            Ok(listed) => listed,
            Err(limit) => return Go::Break(Ending::Limit(limit)),
        };
        let count = steps.len() + usize::from(fault.is_some());
        if count == 0 {
            return Go::Break(match is_idle {
                true => Ending::NothingNew,
                false => Ending::Deadlock,
            });
        }
        if let Some(turns) = &mut self.turns {
            turns.sort(&mut steps);
        }
        let Some(chosen) = self.guide.choose(count as u64) else {
            return self.rest.step(walk);
        };
        if let Some(fault) = fault.filter(|_| chosen == steps.len() as u64) {
            return Go::Break(Ending::Fault(fault));
        }
        let Label { firing, choices } = steps.swap_remove(chosen as usize);
        if let Some(turns) = &mut self.turns {
            let thread = turns.threads.of(firing.transition, &firing.params);
            turns.circle.give(thread);
        }
        let values = choices.into_iter().map(|choice| choice.value);
        walk.take_given(&firing, values.collect())
    }
}

impl Scheduler for Guided<'_> {
    fn step(&mut self, walk: &mut Walk<'_, '_>) -> Go {
        if !self.guide.leads() {
            return self.rest.step(walk);
        }
        walk.may_step()?;
        self.led(walk)
    }
}

impl Turns<'_> {
    /// Moves the steps of the thread whose turn it is to the front.
    fn sort(&mut self, steps: &mut [Label]) {
        if steps.is_empty() {
            return;
        }
        let threads = &mut *self.threads;
        let mut of = |step: &Label| threads.of(step.firing.transition, &step.firing.params);
        let mut enabled = Vec::new();
        distinct(steps.iter().map(&mut of), &mut enabled);
        self.circle.join(&enabled);
        let first = enabled[self.circle.next(&enabled)];
        steps.sort_by_key(|step| of(step) != first);
    }
}

/// Lists the steps from the current state that change something. One that goes wrong comes last.
fn list(walk: &mut Walk<'_, '_>) -> Result<Listed, Limit> {
    let (executor, state) = (&mut walk.executor, &walk.state);
    let mut listed = Listed {
        steps: Vec::new(),
        is_idle: false,
        fault: None,
    };
    let ended = executor.each_step(state, &mut |firing, choices, after| {
        match after == state {
            true => listed.is_idle = true,
            false => listed.steps.push(Label::of(firing, choices)),
        }
        ControlFlow::Continue(())
    });
    match ended {
        Err(Interrupt::Limit(limit)) => return Err(limit),
        Err(Interrupt::Fault(fault)) => listed.fault = Some(fault),
        Ok(_) => {}
    }
    Ok(listed)
}
