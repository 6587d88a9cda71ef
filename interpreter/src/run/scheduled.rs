//! Runs under a schedule: its program says which transition fires next.

use std::ops::ControlFlow;

use ioa_lang::Diagnostic;
use ioa_lang::core::Store;

use super::walk::{Go, Walk};
use super::{Ending, Observer, Options, Report};
use crate::instance::Instance;
use crate::instance::schedule::ScheduleCode;
use crate::vm::Machine;
use crate::vm::exec::{Call, Context};
use crate::vm::halt::Stop;
use crate::vm::halt::interrupt;
use crate::vm::oracle::Oracle;

/// Runs an automaton under a schedule of the model, by its position.
///
/// # Errors
/// Every reason why the automaton or the schedule cannot be run at these sizes.
pub fn scheduled(
    instance: &Instance,
    schedule: usize,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, Vec<Diagnostic>> {
    let code = instance.schedule(schedule)?;
    let mut walk = Walk::new(instance, code.automaton, options, observer)?;
    let ending = match walk.start() {
        Go::Break(ending) => ending,
        Go::Continue(()) => drive(&mut walk, code, options.seed),
    };
    Ok(walk.report(ending))
}

fn drive(walk: &mut Walk<'_, '_>, code: &ScheduleCode, seed: u64) -> Ending {
    let mut machine = Machine::new(seed, walk.executor.instance().range_overflows());
    machine.enter(&code.program.frame);
    machine.store_mut(Store::Pre).clone_from(&walk.state);
    machine.store_mut(Store::Block).clone_from(&code.blank);
    let mut driver = Driver { walk, ended: None };
    match machine.run(&code.program.body, &mut driver) {
        Ok(_) => driver.ended.unwrap_or(Ending::Finished),
        Err(stop) => interrupt(*stop, &code.program.frame).into(),
    }
}

/// The surroundings of a schedule: the run that it drives.
struct Driver<'w, 'i, 'o> {
    walk: &'w mut Walk<'i, 'o>,
    ended: Option<Ending>,
}

impl Context for Driver<'_, '_, '_> {
    fn oracle(&mut self) -> &mut dyn Oracle {
        &mut self.walk.draws
    }

    fn fire(&mut self, machine: &mut Machine, call: Call) -> Result<ControlFlow<()>, Stop> {
        match self.fire(machine, &call) {
            Go::Continue(()) => {
                machine.store_mut(Store::Pre).clone_from(&self.walk.state);
                machine.refuel();
                Ok(ControlFlow::Continue(()))
            }
            Go::Break(ending) => {
                self.ended = Some(ending);
                Ok(ControlFlow::Break(()))
            }
        }
    }
}

impl Driver<'_, '_, '_> {
    fn fire(&mut self, machine: &mut Machine, call: &Call) -> Go {
        let walk = &mut *self.walk;
        walk.may_step()?;
        match walk.executor.resolve(&walk.state, call, &mut machine.draws) {
            Ok(Some((firing, values))) => walk.take_given(&firing, values),
            Ok(None) => Go::Break(walk.disabled(call)),
            Err(interrupt) => Go::Break(interrupt.into()),
        }
    }
}
