//! What takes the steps of a search: machine code or the interpreter.

use interpreter::{Executor, Instance, Interpreted, Rows, Successors, TransitionSystem};
use ioa_lang::Diagnostic;
use ioa_lang::core::AutomatonId;

use crate::study::Study;

/// Steps of either kind.
pub(in crate::pipeline) type Steps<'i> = Box<dyn Successors + 'i>;

/// The steps of an automaton with some invariants, and what is interpreted though machine code was wanted, one a line.
///
/// # Errors
/// Every reason why it cannot be run at these sizes.
pub(in crate::pipeline) fn steps<'i>(
    (study, instance): (&Study, &'i Instance),
    automaton: AutomatonId,
    invariants: &[usize],
    rows: &Rows<'i>,
    native: bool,
) -> Result<(Steps<'i>, String), Vec<Diagnostic>> {
    #[cfg(feature = "native")]
    if native {
        let steps = native::Native::new(instance, automaton, invariants, rows.clone())?;
        let interpreted = interpreted((study, instance), automaton, &steps.report());
        return Ok((Box::new(steps), interpreted));
    }
    #[cfg(not(feature = "native"))]
    let _ = (study, native);
    let steps = Interpreted::new(instance, automaton, invariants, rows.clone())?;
    Ok((Box::new(steps), String::new()))
}

/// The labelled steps of an automaton.
///
/// # Errors
/// Every reason why it cannot be run at these sizes.
pub(in crate::pipeline) fn labelled<'i>(
    instance: &'i Instance,
    automaton: AutomatonId,
    native: bool,
) -> Result<Box<dyn TransitionSystem + Send + 'i>, Vec<Diagnostic>> {
    #[cfg(feature = "native")]
    if native {
        return Ok(Box::new(native::NativeSystem::new(instance, automaton)?));
    }
    #[cfg(not(feature = "native"))]
    let _ = native;
    Ok(Box::new(Executor::new(instance, automaton)?))
}

/// What is not native, and why, one a line.
#[cfg(feature = "native")]
fn interpreted(
    (study, instance): (&Study, &Instance),
    automaton: AutomatonId,
    native: &native::Coverage,
) -> String {
    if let Some(why) = &native.unsupported {
        return format!("interpreted: everything: {why}\n");
    }
    let model = instance.model();
    let clauses = native.clauses.iter().map(|(transition, obstacle)| {
        let clause = study.clause(automaton, *transition);
        format!("interpreted: {clause}: {obstacle}\n")
    });
    let formulas = native.invariants.iter().map(|(invariant, obstacle)| {
        let name = &model.invariants[*invariant].name;
        format!("interpreted: {name}: {obstacle}\n")
    });
    clauses.chain(formulas).collect()
}
