//! Repeating a recorded execution, step by step, through the same step function.

use ioa_lang::{Diagnostic, Name};
use std::fmt;

use super::walk::{Go, Walk};
use super::{Ending, Observer, Options, Report};
use crate::instance::Instance;
use crate::interrupt::fault::{Fault, Interrupt, Limit};
use crate::state::layout::State;
use crate::trace::{Step, Trace};

/// Why a trace cannot be repeated.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayError {
    /// The automaton cannot be run at these sizes.
    CannotRun(Vec<Diagnostic>),
    /// The first state is not a start state.
    NotAStart,
    /// The transition of a step is not enabled.
    Disabled {
        /// The step.
        step: usize,
    },
    /// A step has other choices than were recorded, or leads to another state.
    Diverged {
        /// The step, from 1.
        step: usize,
        /// The variables that differ; none if the choices differ.
        variables: Vec<Name>,
    },
    /// A step faults that did not fault when it was recorded.
    Fault {
        /// The step, from 1; 0 for the start.
        step: usize,
        /// What went wrong.
        fault: Fault,
    },
    /// A limit of this program was reached.
    Limit(Limit),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotRun(errors) => {
                let messages: Vec<&str> = errors.iter().map(|e| e.message.as_str()).collect();
                write!(f, "{}", messages.join("; "))
            }
            Self::NotAStart => f.write_str("the first state of the trace is not a start state"),
            Self::Disabled { step } => write!(f, "step {step} of the trace is not enabled"),
            Self::Diverged { step, variables } if variables.is_empty() => {
                write!(
                    f,
                    "step {step} of the trace has other choices than were recorded"
                )
            }
            Self::Diverged { step, variables } => {
                let names = variables.join(", ");
                write!(
                    f,
                    "step {step} leads to a state that differs from the trace in {names}"
                )
            }
            Self::Fault { step, fault } => write!(f, "step {step} of the trace: {}", fault.kind),
            Self::Limit(limit) => write!(f, "{}", limit.kind),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Repeats a trace of this instance. Invariants are checked as in any run, and the run ends where one is violated.
///
/// # Errors
/// Why the trace is not an execution of the automaton.
pub fn replay(
    instance: &Instance,
    trace: &Trace,
    observer: &mut dyn Observer,
) -> Result<Report, ReplayError> {
    let options = Options {
        seed: 0,
        steps: u64::MAX,
    };
    let walk = Walk::new(instance, trace.automaton, options, observer);
    let mut walk = walk.map_err(ReplayError::CannotRun)?;
    match walk.executor.is_start(&trace.start) {
        Ok(true) => {}
        Ok(false) => return Err(ReplayError::NotAStart),
        Err(interrupt) => return Err(at(0, interrupt)),
    }
    let mut go = walk.start_at(trace.start.clone());
    for (step, number) in trace.steps.iter().zip(1..) {
        if go.is_break() {
            break;
        }
        go = repeat(&mut walk, step, number)?;
    }
    let ending = go.break_value().unwrap_or(Ending::Finished);
    Ok(walk.report(ending))
}

fn repeat(walk: &mut Walk<'_, '_>, step: &Step, number: usize) -> Result<Go, ReplayError> {
    match walk.executor.is_enabled(&walk.state, &step.label.firing) {
        Ok(true) => {}
        Ok(false) => return Err(ReplayError::Disabled { step: number }),
        Err(interrupt) => return Err(at(number, interrupt)),
    }
    let before = walk.steps;
    let values = step.label.choices.iter().map(|choice| choice.value.clone());
    let go = walk.take_given(&step.label.firing, values.collect());
    if walk.steps == before {
        return match go {
            Go::Break(Ending::Fault(fault)) => Err(ReplayError::Fault {
                step: number,
                fault,
            }),
            Go::Break(Ending::Limit(limit)) => Err(ReplayError::Limit(limit)),
            other => Ok(other),
        };
    }
    let variables = differing(walk, &step.state);
    if !variables.is_empty() || walk.executor.choices() != step.label.choices {
        return Err(ReplayError::Diverged {
            step: number,
            variables,
        });
    }
    Ok(go)
}

fn differing(walk: &Walk<'_, '_>, recorded: &State) -> Vec<Name> {
    let layout = &walk.executor.code.layout;
    let changed = layout.changed(&walk.state, recorded);
    changed
        .into_iter()
        .map(|v| layout.name(v).clone())
        .collect()
}

fn at(step: usize, interrupt: Interrupt) -> ReplayError {
    match interrupt {
        Interrupt::Fault(fault) => ReplayError::Fault { step, fault },
        Interrupt::Limit(limit) => ReplayError::Limit(limit),
    }
}
