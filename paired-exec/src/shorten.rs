//! Shortens a paired run that fails: low steps are left out as long as the rest still fails in the same way.

use interpreter::run::{Event, Judge, Judgement, Violation, shorten_by};
use interpreter::trace::Trace;
use interpreter::{Executor, Instance, State};

use crate::failure::{Cause, Failure};
use crate::lockstep::Lockstep;

/// A shorter paired run that fails in the same way as another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortened {
    /// The low execution, whose last step is the one that fails.
    pub low: Trace,
    /// How it fails.
    pub failure: Failure,
    /// Whether it is known that no single low step can be left out.
    pub is_minimal: bool,
}

/// Shortens the low execution of a failure, which ends with the step that fails, taking at most the given number of low steps
/// in the search. None if it cannot be shortened, or if something was drawn at random, so that the rest might fail by another
/// draw only.
#[must_use]
pub fn shorten(
    instance: &Instance,
    simulation: usize,
    (trace, failure): (&Trace, &Failure),
    most: u64,
) -> Option<Shortened> {
    let low = instance.model().simulations[simulation].low;
    let mut fails = FailsAlike {
        pair: Lockstep::new(instance, simulation, 0).ok()?,
        low: Executor::new(instance, low).ok()?,
        cause: &failure.cause,
        found: None,
    };
    let (low, is_minimal) = shorten_by(instance, trace, &mut fails, most)?;
    if fails.pair.has_drawn() {
        return None;
    }
    Some(Shortened {
        low,
        failure: fails.found?,
        is_minimal,
    })
}

/// That a claim fails for the same cause.
struct FailsAlike<'i, 'c> {
    pair: Lockstep<'i>,
    /// The low automaton, whose own invariants have to hold up to the failure.
    low: Executor<'i>,
    cause: &'c Cause,
    /// The failure that was found last. It is that of the shortest execution, for what still fails takes the place of what was
    /// shortest before.
    found: Option<Failure>,
}

impl Judge for FailsAlike<'_, '_> {
    /// The high state, and the values of the proof block's own variables.
    type Memory = (State, State);

    fn start(&mut self, state: &State) -> Option<Self::Memory> {
        match self.pair.begin_at(state) {
            Some(_) => None,
            None => self.pair.above(),
        }
    }

    fn step(&mut self, (high, own): &Self::Memory, event: &Event<'_>) -> Judgement<Self::Memory> {
        if let Some(failure) = self.pair.answer_from((high, own), event) {
            if !is_alike(&failure.cause, self.cause) {
                return Judgement::FailsOtherwise;
            }
            self.found = Some(failure);
            return Judgement::Fails;
        }
        let violated = self.low.violated(event.post);
        match (violated.is_ok_and(|all| all.is_empty()), self.pair.above()) {
            (true, Some(above)) => Judgement::GoesOn(above),
            _ => Judgement::FailsOtherwise,
        }
    }
}

/// Whether two failures, perhaps of different steps, have the same kind of cause.
fn is_alike(one: &Cause, other: &Cause) -> bool {
    match (one, other) {
        (Cause::Violated(one), Cause::Violated(other)) => {
            let of = |all: &[Violation]| all.first().map(|first| first.invariant);
            of(one) == of(other)
        }
        (Cause::Fault(one, first), Cause::Fault(other, second)) => {
            one == other && first.is_alike(second)
        }
        (Cause::Limit(..), _) => false,
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
