//! Partial order reduction of a search that keeps states: what is refused beside it, and what says which steps suffice.

use std::sync::Arc;

use explorer::{Reduced, Relation};
use interpreter::{Executor, Guards, Instance, Rows};
use ioa_lang::Diagnostic;

use super::super::orders::{by_solver, watches};
use super::super::plan::{ExplorePlan, IndependenceBy};
use super::super::symmetry::BySymmetry;
use super::steps::{Steps, labelled};
use super::time_limit::TimeLimit;
use crate::host::Host;
use crate::study::BadInput;

/// Refuses what a search cannot say that leaves steps out.
///
/// # Errors
/// Says what that is.
pub(super) fn check(plan: &ExplorePlan) -> Result<(), BadInput> {
    let file = plan.checkpoint.is_some() || plan.resume.is_some() || plan.disk.is_some();
    let refused = [
        (
            plan.symmetry == BySymmetry::Always,
            "symmetry: both say which states stand for others, and only one of them can",
        ),
        (
            !plan.within.is_empty(),
            "--within: from states outside, the steps that were put off would never be taken",
        ),
        (
            !plan.ignore.is_empty(),
            "--ignore: states that are taken for one may need different steps",
        ),
        (
            !plan.possible.is_empty(),
            "--possible, which is about all ways from a state",
        ),
        (
            plan.limits.depth.is_some(),
            "a bound on depth: what was put off would be beyond it",
        ),
        (plan.graph, "--dot, which is about all states"),
        (
            file,
            "a search in files: whether a state was visited must be known at once",
        ),
        (
            plan.expected.is_some(),
            "`distinct`: the states that are visited are not all",
        ),
    ];
    let refused = refused.iter().find(|(is_asked, _)| *is_asked);
    refused.map_or(Ok(()), |(_, why)| {
        Err(BadInput::message(format!(
            "partial order reduction (--por) cannot be used together with {why}"
        )))
    })
}

/// Which steps of an automaton suffice, where a plan leaves the others out.
///
/// # Errors
/// Why the automaton cannot be run at these sizes.
pub(super) fn relation(
    instance: &Instance,
    plan: &ExplorePlan,
    (invariants, seconds): (&[usize], Option<f64>),
    host: &dyn Host,
) -> Result<Option<Arc<Relation>>, Vec<Diagnostic>> {
    if !plan.por {
        return Ok(None);
    }
    let automaton = plan.automaton;
    let _limit = TimeLimit::new(instance.cancel(), seconds, host);
    let stop = || instance.cancel().is_set() || host.stopped().is_some();
    let independence = match plan.independence {
        IndependenceBy::Solver => by_solver(instance, automaton, invariants, &stop),
        IndependenceBy::Footprints => None,
    };
    let mut executor = Executor::new(instance, automaton)?;
    let relation = Relation::of(
        instance.model().automaton(automaton),
        &mut executor,
        &mut Guards::new(instance, automaton),
        (&watches(instance, automaton, invariants), independence),
    );
    Ok(Some(Arc::new(relation)))
}

/// Steps of which a search takes those that suffice.
///
/// # Errors
/// Why the automaton cannot be run at these sizes.
pub(super) fn reduced<'i>(
    steps: Steps<'i>,
    instance: &'i Instance,
    (plan, rows): (&ExplorePlan, &Rows<'i>),
    relation: &Arc<Relation>,
) -> Result<Steps<'i>, Vec<Diagnostic>> {
    let labelled = labelled(instance, plan.automaton, plan.native)?;
    let guards = Guards::new(instance, plan.automaton);
    let known = (rows.clone(), guards);
    Ok(Box::new(Reduced::new(
        steps,
        labelled,
        known,
        Arc::clone(relation),
    )))
}
