//! Runs under a schedule: its program says which transition fires next.

use std::ops::ControlFlow;

use ioa_lang::Diagnostic;
use ioa_lang::core::{ActionId, Store};

use super::random::Random;
use super::scheduler::Scheduler;
use super::walk::{Go, Walk};
use super::weights::Weights;
use super::{Ending, Observer, Options, Report};
use crate::executor::Executor;
use crate::instance::Instance;
use crate::instance::schedule::ScheduleCode;
use crate::vm::Machine;
use crate::vm::draws::{Draws, Stream};
use crate::vm::exec::{Call, Context};
use crate::vm::halt::Stop;
use crate::vm::halt::interrupt;
use crate::vm::oracle::Oracle;

/// Runs an automaton under a schedule of the model, by its position; the weights are for its `fire any`.
///
/// # Errors
/// Every reason why the automaton or the schedule cannot be run at these sizes.
pub fn scheduled(
    instance: &Instance,
    schedule: usize,
    weights: &Weights,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, Vec<Diagnostic>> {
    let code = instance.schedule(schedule)?;
    let mut walk = Walk::new(instance, code.automaton, options, observer)?;
    if instance.model().schedules[schedule].program.draws() {
        walk.executor.check_enumerable()?;
    }
    let ending = match walk.start() {
        Go::Break(ending) => ending,
        Go::Continue(()) => drive(&mut walk, code, weights, options.seed),
    };
    Ok(walk.report(ending))
}

fn drive(walk: &mut Walk<'_, '_>, code: &ScheduleCode, weights: &Weights, seed: u64) -> Ending {
    let mut machine = Machine::new(seed, walk.executor.instance().range_overflows());
    machine.enter(&code.program.frame);
    machine.store_mut(Store::Pre).clone_from(&walk.state);
    machine.store_mut(Store::Block).clone_from(&code.blank);
    let mut driver = Driver {
        walk,
        ended: None,
        weights,
        seed,
        drawing: None,
    };
    match machine.run(&code.program.body, &mut driver) {
        Ok(_) => driver.ended.unwrap_or(Ending::Finished),
        Err(stop) => interrupt(*stop, &code.program.frame).into(),
    }
}

/// The environment of a schedule: the run that it drives.
struct Driver<'w, 'i, 'o> {
    walk: &'w mut Walk<'i, 'o>,
    ended: Option<Ending>,
    /// The default weights of actions, for statements without weights.
    weights: &'w Weights,
    seed: u64,
    /// The random scheduler, once a step has been drawn.
    drawing: Option<Drawing>,
}

/// What draws the steps of `fire any`.
struct Drawing {
    /// The weights that the last such statement gave.
    given: Vec<(ActionId, f64)>,
    random: Random,
}

impl Context for Driver<'_, '_, '_> {
    fn oracle(&mut self) -> &mut dyn Oracle {
        &mut self.walk.draws
    }

    fn fire(&mut self, machine: &mut Machine, call: Call) -> Result<ControlFlow<()>, Stop> {
        let go = self.fire(machine, &call);
        if let Some(drawing) = &mut self.drawing
            && !self.walk.is_idle
        {
            drawing.random.has_moved();
        }
        Ok(self.after(machine, go))
    }

    fn fire_any(&mut self, machine: &mut Machine, given: &[(ActionId, f64)]) -> ControlFlow<()> {
        let go = self.draw(given);
        self.after(machine, go)
    }
}

impl Driver<'_, '_, '_> {
    /// Passes the state after a step to the schedule, or records why the run ends.
    fn after(&mut self, machine: &mut Machine, go: Go) -> ControlFlow<()> {
        match go {
            Go::Continue(()) => {
                machine.store_mut(Store::Pre).clone_from(&self.walk.state);
                machine.refuel();
                ControlFlow::Continue(())
            }
            Go::Break(ending) => {
                self.ended = Some(ending);
                ControlFlow::Break(())
            }
        }
    }

    /// Takes a step as the random scheduler does.
    fn draw(&mut self, given: &[(ActionId, f64)]) -> Go {
        let Executor { instance, id, .. } = self.walk.executor;
        let automaton = instance.model().automaton(id);
        let weights = || self.weights.with(automaton, given);
        let drawing = self.drawing.get_or_insert_with(|| {
            let draws = Draws::new(self.seed, Stream::Schedule);
            Drawing {
                given: given.to_vec(),
                random: Random::new(automaton, &weights(), draws),
            }
        });
        if drawing.given != given {
            drawing.random.weigh(automaton, &weights());
            drawing.given = given.to_vec();
        }
        drawing.random.step(self.walk)
    }

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
