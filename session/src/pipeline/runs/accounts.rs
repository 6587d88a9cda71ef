//! What went wrong in a state, in one line and with its place.

use interpreter::run::ReplayError;
use interpreter::{Fault, FaultKind, Limit};

use crate::story::Blame;
use crate::study::Study;

/// A run-time error of the model, in one line and with its place.
#[must_use]
pub(crate) fn fault_account(study: &Study, fault: &Fault) -> (String, Vec<Blame>) {
    let what = match fault.kind {
        FaultKind::NoStart => "there is no start state",
        _ => "run-time error of the model",
    };
    let headline = format!("{what}: {}", fault.kind);
    (
        headline,
        vec![Blame::at(study, fault.span, &fault.bindings)],
    )
}

/// A limit that was hit, in one line and with its place.
#[must_use]
pub(crate) fn limit_account(study: &Study, limit: &Limit) -> (String, Vec<Blame>) {
    let headline = format!("a limit of the tool was reached: {}", limit.kind);
    (headline, vec![Blame::at(study, limit.span, &[])])
}

/// Why a trace cannot be repeated, in one line, and what can be done with it instead.
#[must_use]
pub fn unrepeated(error: &ReplayError) -> String {
    let instead = match error {
        ReplayError::NotAStart => {
            "; `ioa debug --replay` opens executions from any state, such as a counterexample to induction"
        }
        _ => "",
    };
    format!("{error}{instead}")
}
