//! The interface of schedulers, and the question that all of them ask about a state: which parameters enable a clause.

use ioa_lang::core::TransitionId;

use super::Ending;
use super::repeats::Repeats;
use super::walk::{Go, Walk};
use crate::code::Binder;
use crate::instance::automaton::TransitionCode;
use crate::state::cell::Cell;
use crate::state::layout::State;
use crate::vm::Machine;
use crate::vm::halt::Stop;

/// What decides which step a run takes next.
pub(super) trait Scheduler {
    /// Takes one step, or ends the run.
    fn step(&mut self, walk: &mut Walk<'_, '_>) -> Go;
}

/// Runs from a state, or from a start state if none is given, until something ends the run.
pub(super) fn drive(
    walk: &mut Walk<'_, '_>,
    from: Option<&State>,
    scheduler: &mut dyn Scheduler,
) -> Ending {
    let mut go = match from {
        Some(state) => walk.start_at(state.clone()),
        None => walk.start(),
    };
    loop {
        match go {
            Go::Break(ending) => return ending,
            Go::Continue(()) => go = scheduler.step(walk),
        }
    }
}

/// Calls `found` with each valuation of the parameters that enables a clause and whose step is not known to be idle; the
/// clause's frame is loaded. Returns whether there are other enabling valuations, whose steps are known to be idle.
pub(super) fn each_enabling(
    machine: &mut Machine,
    (clause, code): (TransitionId, &TransitionCode),
    repeats: &Repeats,
    found: &mut dyn FnMut(&mut Machine) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let handed = code.handed.as_ref();
    let plan = handed.map_or(&code.free, |handed| &handed.params);
    let plan = plan.as_ref().expect("checked before the run");
    let binders = drawn_of(code);
    let repeats = repeats.any(clause).then_some(repeats);
    let mut is_stale = false;
    machine.every_valuation(plan, &mut |machine| {
        if let Some(handed) = handed
            && !machine.may_hand_out(code, handed)?
        {
            return Ok(());
        }
        if let Some(repeats) = repeats {
            let params: Vec<Cell> = binders.iter().map(|b| machine.bound(b)).collect();
            if repeats.is_stale(clause, code, &params) {
                is_stale = true;
                return Ok(());
            }
        }
        found(machine)
    })?;
    Ok(is_stale)
}

/// The parameters of a clause that are drawn: all except those that a determinator yields.
pub(super) fn drawn_of(code: &TransitionCode) -> &[Binder] {
    match code.handed {
        Some(_) => code.params(),
        None => &code.binders,
    }
}
