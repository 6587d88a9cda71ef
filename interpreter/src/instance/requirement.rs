//! The requirements of an automaton on the interpretation of its theories, checked once for each instance.

use ioa_lang::diagnostic::Code;
use std::sync::Arc;

use finite::Universe;
use ioa_lang::Diagnostic;
use ioa_lang::core::{Model, Requirement};

use crate::compile::{self, Scope};
use crate::explain::{Reason, explain};
use crate::interrupt::fault::Interrupt;
use crate::vm::Machine;
use crate::vm::halt::interrupt;

/// Why a requirement is not met in an instance, if it is not.
pub(crate) fn unmet(
    model: &Model,
    universe: &Universe,
    requirement: &Requirement,
) -> Vec<Diagnostic> {
    match look(model, universe, requirement) {
        Ok(Looked::Met) => Vec::new(),
        Ok(Looked::Unmet(diagnostic) | Looked::Undecided(diagnostic)) => vec![diagnostic],
        Err(errors) => errors,
    }
}

/// The result of checking a requirement.
enum Looked {
    Met,
    Unmet(Diagnostic),
    /// The requirement has no value.
    Undecided(Diagnostic),
}

/// For which parameters an input is refused, if there are any. If there are infinitely many parameters, only a proof can
/// find out.
pub(crate) fn refused(
    model: &Model,
    universe: &Universe,
    enabled: &Requirement,
) -> Option<Diagnostic> {
    let found = match look(model, universe, enabled) {
        Ok(Looked::Unmet(diagnostic)) => diagnostic,
        // Undefined conditions are reported when a step evaluates them.
        Ok(Looked::Met | Looked::Undecided(_)) | Err(_) => return None,
    };
    let help = "an input is always enabled: say in the signature for which values there is one, or add a clause";
    Some(Diagnostic {
        help: vec![help.into()],
        ..found
    })
}

/// How a requirement fails in an instance, if it does.
///
/// # Errors
/// Why it cannot be checked.
fn look(
    model: &Model,
    universe: &Universe,
    requirement: &Requirement,
) -> Result<Looked, Vec<Diagnostic>> {
    // It reads no state, so there is nothing to pack.
    let universe = &universe.clone().with_ranges(None);
    let scope = Scope {
        model,
        universe,
        stores: [None; 5],
        locals: &requirement.locals,
    };
    let formula = compile::formula(scope, &requirement.formula)?;
    let mut machine = Machine::new(0, &Arc::default());
    machine.enter(&formula.frame);
    let (kind, what): (fn(Diagnostic) -> Looked, String) = match machine.word(&formula.body) {
        Ok(0) => {
            let conjuncts = [&requirement.formula];
            let reasons = explain(&mut machine, scope, &[], &conjuncts, false);
            let values = reasons.first().map(|reason| values(model, reason));
            let values = values.unwrap_or_default();
            (Looked::Unmet, format!("{}{values}", requirement.otherwise))
        }
        Ok(_) => return Ok(Looked::Met),
        Err(stop) => {
            let otherwise = &requirement.otherwise;
            let why = match interrupt(*stop, &formula.frame) {
                Interrupt::Fault(fault) => {
                    format!("what {otherwise} depends on is undefined: {}", fault.kind)
                }
                Interrupt::Limit(limit) => {
                    format!("whether {otherwise} cannot be found out: {}", limit.kind)
                }
            };
            (Looked::Undecided, why)
        }
    };
    let help = match model.is_interpreted_freely() {
        true => {
            "exclude these values by a `where` of an action or a component, or try other sizes or another interpretation of the theories"
        }
        false => {
            "exclude these values by a `where` of an action or a component, or try other sizes"
        }
    };
    Ok(kind(
        Diagnostic::error(Code::CannotRun, requirement.span, what).help(help),
    ))
}

fn values(model: &Model, reason: &Reason) -> String {
    let values = reason.bindings.iter();
    let values: Vec<String> = values
        .map(|(name, value)| format!("{name} = {}", value.display(model)))
        .collect();
    if values.is_empty() {
        return String::new();
    }
    format!(" for {}", values.join(", "))
}
