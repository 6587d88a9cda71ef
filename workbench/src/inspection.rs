//! What cannot be meant in a finite instance: found before anything runs in it, shown as warnings about the text.

use std::sync::Arc;

use interpreter::Instance;
use ioa_lang::core::{Automaton, AutomatonId};
use ioa_lang::diagnostic::{Diagnostic, Severity};
use ioa_lang::finite::Universe;
use prover_bridge::{Options, Reason, Warning, warnings_at};

use crate::args::Common;
use crate::study::Study;

/// What cannot be meant at the sizes of a universe: components that do not fit, clauses that never happen, invariants
/// that say nothing.
///
/// # Errors
/// The sizes are too large for it.
pub fn doubts(
    study: &Study,
    universe: Universe,
    common: &Common,
) -> Result<Vec<Diagnostic>, Reason> {
    let options = Options {
        threads: usize::try_from(common.threads).unwrap_or(1),
        ..Options::default()
    };
    let sizes = study.given_sizes(&universe);
    let sizes: Vec<String> = sizes.iter().map(|(s, n)| format!("{s}={n}")).collect();
    let warnings = warnings_at(&study.model, &universe, &sizes.join(" "), &options)?;
    let unfit = unfit(study, universe);
    Ok(unfit.into_iter().chain(warnings.iter().map(told)).collect())
}

/// What automata ask of the universe and do not get.
fn unfit(study: &Study, universe: Universe) -> Vec<Diagnostic> {
    let is_sized = |automaton: &Automaton| {
        let mut sorts = automaton.parameters.sorts.iter();
        sorts.all(|sort| !universe.is_open(*sort))
    };
    let sized: Vec<AutomatonId> = (0..study.model.automata.len())
        .map(AutomatonId::at)
        .filter(|id| is_sized(study.model.automaton(*id)))
        .collect();
    let instance = Instance::new(Arc::clone(&study.model), universe);
    let unmet = sized.iter().flat_map(|id| instance.unmet(*id).cloned());
    unmet
        .map(|diagnostic| Diagnostic {
            severity: Severity::Warning,
            ..diagnostic
        })
        .collect()
}

fn told(warning: &Warning) -> Diagnostic {
    let told = Diagnostic::warning(warning.span, warning.to_string());
    let told = match warning.with.is_empty() {
        true => told,
        false => told.label("this contradicts"),
    };
    let with = warning.with.iter();
    with.fold(told, |told, span| told.related(*span, "this"))
}
