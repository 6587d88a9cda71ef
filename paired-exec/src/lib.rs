//! Paired execution: two automata in lockstep, the low one driven by a run, the high one by the proof block of a
//! forward simulation.
//!
//! A run of the low automaton tests every claim that the simulation makes about it: that the state with which the block
//! begins is a start state of the high automaton, that each high action which the block fires is enabled, that both automata
//! have the same external actions, and that the relation holds after every step. It also tests the invariants of the high
//! automaton, on which a simulation may rely. The first claim that fails ends the run and is reported with the step, both
//! states and the false conjunct ([`Failure`]).
//!
//! A simulation without a proof block is checked by its definition, on all reachable states at once ([`by_definition()`]); so is
//! a backward one, which cannot be followed along a run, because what is related to a state depends on what comes after it.
//!
//! **Boundary.** [`run()`](crate::run()) drives a pair and reports the first claim that fails, and [`shorten()`] leaves out steps
//! that the failure does not need; [`answers()`] says what the high automaton does along an execution of the low one;
//! [`exhaustive()`] follows a forward simulation along all executions of a finite instance at once, and [`Product`] makes one
//! automaton of the pair, so that any search of states can do the same; [`by_definition()`] needs no proof block, and [`by_definition_with`] takes the steps of any two [transition systems](interpreter::TransitionSystem).
//!
//! **What it never knows.** The solver, machine code, and how a failure is shown.

mod answers;
mod definition;
mod exhaustive;
mod failure;
mod graph;
mod joint;
mod lockstep;
mod product;
mod report;
mod shorten;

use interpreter::Instance;
use interpreter::run::{self, How, Observer, Options, Weights};
use interpreter::trace::Trace;
use ioa_lang::Diagnostic;
use ioa_lang::core::Direction;
use ioa_lang::diagnostic::Code;

pub use answers::answers;
pub use definition::{
    DefinitionFailure, Exhausted, MAX_PAIRS, Named, by_definition, by_definition_with,
};
pub use exhaustive::{Bounds, End, Followed, begins_well, exhaustive};
pub use failure::{Answered, Cause, Failure, HighStep, LowStep, Shown, Side};
pub use graph::MAX_STATES;
pub use joint::{Admits, Answer, HighStepTaken, Joint, JointError, LowMove, Reach, Unanswered};
use lockstep::Lockstep;
pub use product::{Product, StepCounts};
pub use report::{PairError, Report};
pub use shorten::{Shortened, shorten};

/// What drives the low automaton.
pub enum Driver<'t> {
    /// A schedule of the model, by its position, with the weights for its `fire any`.
    Schedule(usize, &'t Weights),
    /// The random scheduler, or another strategy.
    Random(How<'t>),
    /// A recorded execution.
    Replay(&'t Trace),
}

/// Runs the two automata of a simulation of the model, by its position, in lockstep. `observer` sees the low run, including
/// the failing step.
///
/// # Errors
/// Every reason why they cannot be run.
pub fn run(
    instance: &Instance,
    simulation: usize,
    driver: Driver<'_>,
    options: Options,
    observer: &mut dyn Observer,
) -> Result<Report, PairError> {
    let low = instance.model().simulations[simulation].low;
    check_forward(instance, simulation)?;
    check_driver(instance, simulation, &driver)?;
    let mut pair = (observer, Lockstep::new(instance, simulation, options.seed)?);
    let report = match driver {
        Driver::Schedule(schedule, weights) => {
            run::scheduled(instance, schedule, weights, options, &mut pair)?
        }
        Driver::Random(how) => run::random_by(instance, low, options, &mut pair, how)?,
        Driver::Replay(trace) => {
            run::replay(instance, trace, &mut pair).map_err(PairError::Replay)?
        }
    };
    Ok(pair.1.report(report))
}

/// Whether a simulation is a forward one, so that it can be followed along an execution.
fn check_forward(instance: &Instance, simulation: usize) -> Result<(), Vec<Diagnostic>> {
    let simulation = &instance.model().simulations[simulation];
    if simulation.direction == Direction::Backward {
        let message = "a backward simulation cannot be followed along a run";
        let error = Diagnostic::error(Code::CannotFollow, simulation.span, message);
        return Err(vec![error.help(
            "it is checked on all reachable states instead, without a schedule",
        )]);
    }
    Ok(())
}

/// Whether the driver belongs to the low automaton.
fn check_driver(
    instance: &Instance,
    simulation: usize,
    driver: &Driver<'_>,
) -> Result<(), Vec<Diagnostic>> {
    let model = instance.model();
    let simulation = &model.simulations[simulation];
    let driven = match driver {
        Driver::Schedule(schedule, _) => model.schedules[*schedule].automaton,
        Driver::Random(_) => simulation.low,
        Driver::Replay(trace) => trace.automaton,
    };
    if driven == simulation.low {
        return Ok(());
    }
    let (low, other) = (
        &model.automaton(simulation.low).name,
        &model.automaton(driven).name,
    );
    let message = format!("this simulation is from {low}, but the run is of {other}");
    let error = Diagnostic::error(Code::CannotFollow, simulation.span, message);
    Err(vec![
        error.help(format!("give a schedule or a trace of {low}")),
    ])
}
