//! What an automaton asks of the interpretation of its theories, looked at once for each instance.

use std::sync::Arc;

use ioa_lang::Diagnostic;
use ioa_lang::core::{Model, Requirement};
use ioa_lang::finite::Universe;

use crate::compile::{self, Scope};
use crate::eval::Machine;
use crate::explain::{Reason, explain};
use crate::step::{Interrupt, interrupt};

/// Why a requirement is not met in an instance, if it is not.
pub(crate) fn unmet(
    model: &Model,
    universe: &Universe,
    requirement: &Requirement,
) -> Vec<Diagnostic> {
    let found = look(model, universe, requirement);
    found.map_or_else(|errors| errors, |unmet| unmet.into_iter().collect())
}

/// For which parameters an input is refused, if it is for some. Where these are infinitely many, that is for a proof to
/// find out.
pub(crate) fn refused(
    model: &Model,
    universe: &Universe,
    enabled: &Requirement,
) -> Option<Diagnostic> {
    let found = look(model, universe, enabled).ok()??;
    let help = "an input is always enabled: say in the signature for which values there is one, or add a clause";
    Some(Diagnostic {
        help: vec![help.into()],
        ..found
    })
}

/// What is wrong with a requirement in an instance, if anything is.
///
/// # Errors
/// Why it cannot be looked at.
fn look(
    model: &Model,
    universe: &Universe,
    requirement: &Requirement,
) -> Result<Option<Diagnostic>, Vec<Diagnostic>> {
    // It is about no state: there is nothing to pack.
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
    let what = match machine.word(&formula.body) {
        Ok(0) => {
            let conjuncts = [&requirement.formula];
            let reasons = explain(&mut machine, scope, &[], &conjuncts, false);
            let values = reasons.first().map(|reason| values(model, reason));
            format!("{}{}", requirement.otherwise, values.unwrap_or_default())
        }
        Ok(_) => return Ok(None),
        Err(stop) => match interrupt(*stop, &formula.frame) {
            Interrupt::Fault(fault) => {
                format!(
                    "what {} depends on is undefined: {}",
                    requirement.otherwise, fault.kind
                )
            }
            Interrupt::Limit(limit) => {
                format!(
                    "whether {} cannot be found out: {}",
                    requirement.otherwise, limit.kind
                )
            }
        },
    };
    let help = "other sizes, or another interpretation of the theories, may do";
    Ok(Some(Diagnostic::error(requirement.span, what).help(help)))
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
