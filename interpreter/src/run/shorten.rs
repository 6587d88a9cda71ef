//! Shortens a run that fails: steps are left out as long as the rest still fails in the same way.
//!
//! This is delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on
//! Software Engineering 28(2), 2002, section 3) on the labels of the steps. Steps that are no longer enabled, because others
//! were left out, are left out as well.

use std::ops::{ControlFlow, Range};

use super::{Ending, Event, Violation};
use crate::executor::Executor;
use crate::instance::Instance;
use crate::interrupt::fault::{Fault, Interrupt};
use crate::state::layout::State;
use crate::trace::{Step, Trace};
use crate::transition::TransitionSystem;

/// A shorter run that fails in the same way as another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortened {
    /// Its execution.
    pub trace: Trace,
    /// How it ends.
    pub ending: Ending,
    /// Whether it is known that no single step can be left out.
    pub is_minimal: bool,
}

/// What decides whether an execution fails in the way in which it is to fail.
pub trait Judge {
    /// What it remembers of the execution up to a state, beside the state.
    type Memory: Clone + PartialEq;

    /// What is remembered in a start state; none if something fails there.
    fn start(&mut self, state: &State) -> Option<Self::Memory>;

    /// What it says about the next step.
    fn step(&mut self, before: &Self::Memory, event: &Event<'_>) -> Judgement<Self::Memory>;
}

/// What a judge says about a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement<M> {
    /// Nothing fails, and this is what is to be remembered.
    GoesOn(M),
    /// It fails in the way that is looked for.
    Fails,
    /// It fails in another way.
    FailsOtherwise,
}

/// Shortens a run that violates an invariant to one that violates the same invariant, and a run that ends with a run-time error
/// to one with the same kind of error in the same item, taking at most the given number of steps in the search. None if it cannot
/// be shortened, or fails in neither way.
pub fn shorten(
    instance: &Instance,
    trace: &Trace,
    ending: &Ending,
    most: u64,
) -> Option<Shortened> {
    let executor = Executor::new(instance, trace.automaton).ok()?;
    let (trace, ending, is_minimal) = match ending {
        Ending::Violated(violations) => {
            let mut violates = Violates {
                executor,
                invariant: violations.first()?.invariant,
            };
            let (trace, is_minimal) = shorten_by(instance, trace, &mut violates, most)?;
            let violations: Vec<Violation> = violates.executor.violations(trace.last()).ok()?;
            (trace, Ending::Violated(violations), is_minimal)
        }
        Ending::Fault(fault) => {
            let mut faults = Faults { executor, fault };
            let most = most / STEPS_LOOKED_AT;
            let (trace, is_minimal) = shorten_by(instance, trace, &mut faults, most)?;
            let fault = faults.fault_at(trace.last()).ok()??;
            (trace, Ending::Fault(fault), is_minimal)
        }
        _ => return None,
    };
    Some(Shortened {
        trace,
        ending,
        is_minimal,
    })
}

/// In each state of a run that is to end with a run-time error, all its steps are looked at: a step of the search costs about
/// as much as this many.
const STEPS_LOOKED_AT: u64 = 10;

/// Shortens an execution to one that fails in the way that a judge looks for, taking at most the given number of steps in the
/// search; with whether it is known that no single step can be left out. None if it cannot be shortened.
pub fn shorten_by<J: Judge>(
    instance: &Instance,
    trace: &Trace,
    judge: &mut J,
    most: u64,
) -> Option<(Trace, bool)> {
    let executor = Executor::new(instance, trace.automaton).ok()?;
    let at_start = judge.start(&trace.start)?;
    let mut search = Search {
        executor,
        judge,
        start: (&trace.start, at_start),
        left: most,
    };
    let mut steps = search.without(0..0, &unjudged(&trace.steps))?;
    let is_minimal = search.minimise(&mut steps);
    let steps: Vec<Step> = steps.into_iter().map(|(step, _)| step).collect();
    let is_shorter = steps.len() < trace.steps.len();
    let shorter = Trace {
        steps,
        ..trace.clone()
    };
    is_shorter.then_some((shorter, is_minimal))
}

/// That an invariant is violated.
struct Violates<'i> {
    executor: Executor<'i>,
    /// The invariant, by its position in the model.
    invariant: usize,
}

impl Judge for Violates<'_> {
    type Memory = ();

    fn start(&mut self, _: &State) -> Option<()> {
        Some(())
    }

    fn step(&mut self, (): &(), event: &Event<'_>) -> Judgement<()> {
        match self.executor.violated(event.post) {
            Ok(violated) if violated.contains(&self.invariant) => Judgement::Fails,
            Ok(violated) if violated.is_empty() => Judgement::GoesOn(()),
            _ => Judgement::FailsOtherwise,
        }
    }
}

/// That there is a certain run-time error.
struct Faults<'i, 'f> {
    executor: Executor<'i>,
    fault: &'f Fault,
}

/// That a state is wrong in another way than the one that is looked for.
struct Otherwise;

impl Judge for Faults<'_, '_> {
    type Memory = ();

    fn start(&mut self, state: &State) -> Option<()> {
        let fails = matches!(self.fault_at(state), Ok(Some(_)));
        (!fails).then_some(())
    }

    fn step(&mut self, (): &(), event: &Event<'_>) -> Judgement<()> {
        match self.fault_at(event.post) {
            Ok(Some(_)) => Judgement::Fails,
            Ok(None) => Judgement::GoesOn(()),
            Err(Otherwise) => Judgement::FailsOtherwise,
        }
    }
}

impl Faults<'_, '_> {
    /// The error of the same kind and in the same item, in the invariants or in some step from a state.
    fn fault_at(&mut self, state: &State) -> Result<Option<Fault>, Otherwise> {
        match self.executor.violated(state) {
            Err(why) => self.alike(why).map(Some).ok_or(Otherwise),
            Ok(violated) if !violated.is_empty() => Err(Otherwise),
            Ok(_) => {
                let steps = self
                    .executor
                    .each_step(state, &mut |_, _, _| ControlFlow::Continue(()));
                Ok(steps.err().and_then(|why| self.alike(why)))
            }
        }
    }

    fn alike(&self, why: Interrupt) -> Option<Fault> {
        match why {
            Interrupt::Fault(fault) if fault.is_alike(self.fault) => Some(fault),
            _ => None,
        }
    }
}

/// A step of a shorter run, with what the judge remembers after it; nothing after the one that fails.
type Judged<M> = (Step, Option<M>);

fn unjudged<M>(steps: &[Step]) -> Vec<Judged<M>> {
    steps.iter().map(|step| (step.clone(), None)).collect()
}

/// A search for shorter runs.
struct Search<'i, 's, J: Judge> {
    executor: Executor<'i>,
    judge: &'s mut J,
    start: (&'s State, J::Memory),
    /// How many more steps the search may take.
    left: u64,
}

impl<J: Judge> Search<'_, '_, J> {
    /// Leaves out as many steps as possible: it tries halves, quarters and so on down to single steps, and repeats the last
    /// until no step can be left out. Returns whether it finished.
    fn minimise(&mut self, steps: &mut Vec<Judged<J::Memory>>) -> bool {
        let mut length = steps.len().div_ceil(2);
        while length > 0 {
            let before = steps.len();
            if !self.leave_out_each(length, steps) {
                return false;
            }
            if length > 1 {
                length = length.div_ceil(2).min(length - 1);
            } else if steps.len() == before {
                return true;
            }
        }
        true
    }

    /// Tries to leave out each block of this length, the last one first. Returns whether it finished.
    fn leave_out_each(&mut self, length: usize, steps: &mut Vec<Judged<J::Memory>>) -> bool {
        let mut end = steps.len();
        while end > 0 {
            let begin = end.saturating_sub(length);
            if let Some(shorter) = self.without(begin..end, steps) {
                *steps = shorter;
            }
            if self.left == 0 || self.executor.instance().cancel().is_set() {
                return false;
            }
            end = begin.min(steps.len());
        }
        true
    }

    /// The run without some steps, if it still fails.
    fn without(
        &mut self,
        left_out: Range<usize>,
        steps: &[Judged<J::Memory>],
    ) -> Option<Vec<Judged<J::Memory>>> {
        let mut kept = steps[..left_out.start].to_vec();
        for (step, _) in &steps[left_out.end..] {
            self.left = self.left.checked_sub(1)?;
            let (here, memory) = match kept.last() {
                Some((step, memory)) => (&step.state, memory.as_ref()?),
                None => (self.start.0, &self.start.1),
            };
            let Some(state) = self.executor.successor(here, &step.label).ok()? else {
                continue;
            };
            let event = Event {
                number: kept.len() as u64 + 1,
                firing: &step.label.firing,
                choices: &step.label.choices,
                pre: here,
                post: &state,
            };
            let remembered = match self.judge.step(memory, &event) {
                Judgement::FailsOtherwise => return None,
                // A step without effect is none that the failure needs.
                Judgement::GoesOn(now) if now == *memory && state == *here => continue,
                Judgement::GoesOn(now) => Some(now),
                Judgement::Fails => None,
            };
            let (label, fails) = (step.label.clone(), remembered.is_none());
            kept.push((Step { label, state }, remembered));
            if fails {
                return Some(kept);
            }
        }
        None
    }
}
