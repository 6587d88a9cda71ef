//! What takes the steps of a search: machine code or the interpreter.

use interpreter::{Executor, Instance, Interpreted, Rows, Successors, TransitionSystem};
use ioa_lang::Diagnostic;
use ioa_lang::core::AutomatonId;
#[cfg(feature = "native")]
use {
    finite::{Packing, Wide},
    ioa_lang::Span,
    ioa_lang::core::{Expr, TransitionId, Type, exprs_of_clause, places_of_stmts},
    native::Untranslatable,
};

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
    let why = |obstacle: &Untranslatable, unfit: Option<Span>| match (obstacle, unfit) {
        (Untranslatable::General, Some(term)) => {
            let (text, at) = (study.sources.text(term), study.location(term));
            format!("{text} ({at}) does not fit a machine word")
        }
        (obstacle, _) => obstacle.to_string(),
    };
    let clauses = native.clauses.iter().map(|(transition, obstacle)| {
        let clause = study.clause(automaton, *transition);
        let unfit = unfit_in_clause(instance, automaton, *transition);
        format!("interpreted: {clause}: {}\n", why(obstacle, unfit))
    });
    let formulas = native.invariants.iter().map(|(invariant, obstacle)| {
        let stated = &model.invariants[*invariant];
        let unfit = unfit(instance, &stated.formula);
        format!("interpreted: {}: {}\n", stated.name, why(obstacle, unfit))
    });
    let in_part = |name: String, unfit: Option<Span>| {
        let term = why(&Untranslatable::General, unfit);
        format!("interpreted in part: {name}: {term}\n")
    };
    let parts_of_clauses = native.clauses_in_part.iter().map(|transition| {
        let unfit = unfit_in_clause(instance, automaton, *transition);
        in_part(study.clause(automaton, *transition), unfit)
    });
    let parts_of_formulas = native.invariants_in_part.iter().map(|invariant| {
        let stated = &model.invariants[*invariant];
        in_part(stated.name.to_string(), unfit(instance, &stated.formula))
    });
    clauses
        .chain(formulas)
        .chain(parts_of_clauses)
        .chain(parts_of_formulas)
        .collect()
}

/// Where a clause first computes with something that has no place in words.
#[cfg(feature = "native")]
fn unfit_in_clause(
    instance: &Instance,
    automaton: AutomatonId,
    clause: TransitionId,
) -> Option<Span> {
    let clause = &instance.model().automaton(automaton).transitions[clause.index()];
    let mut found = Vec::new();
    exprs_of_clause(clause, &mut |expr| found.extend(unfit(instance, expr)));
    places_of_stmts(&clause.effect, &mut |place| {
        let whole = instance.layout(automaton).ty(place.root.var);
        found.extend((!has_place(instance, whole)).then_some(place.span));
    });
    found.into_iter().next()
}

/// The first term in an expression whose values have no place in words.
#[cfg(feature = "native")]
fn unfit(instance: &Instance, expr: &Expr) -> Option<Span> {
    if !has_place(instance, &expr.ty) {
        return Some(expr.span);
    }
    expr.children().find_map(|part| unfit(instance, part))
}

/// Whether the values of a type lie in words. An integer does where it has a range.
#[cfg(feature = "native")]
fn has_place(instance: &Instance, ty: &Type) -> bool {
    let (model, universe) = (instance.model(), instance.universe());
    if ty.is_integer() && universe.ranges().is_some() {
        return true;
    }
    Packing::of(model, universe, ty).is_some() || Wide::of(model, universe, ty).is_some()
}
