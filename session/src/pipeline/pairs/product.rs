//! Follows a simulation along all executions as a search of one automaton: with machine code, packed states and several threads.
//!
//! What the search finds is found again by the interpreter, which tells it. Where the two differ, or a simulation has no product, all
//! is left to the interpreter.

use std::sync::Arc;

use interpreter::trace::Trace;
use interpreter::{Instance, State};
use ioa_lang::Value;
use paired_exec::{End, Followed, Product};

use crate::host::Host;
use crate::pipeline::explore::{
    BySymmetry, Ended, Exploration, ExplorePlan, Limits, TimeLimit, explore,
};
use crate::study::{BadInput, Study};

/// Follows a simulation, by its position, along all executions of an instance within some bounds; none if that is left to the
/// interpreter.
///
/// # Errors
/// Why the pair cannot be run at these sizes.
pub(super) fn follow(
    (study, instance): (&Study, &Instance),
    (simulation, bounds): (usize, &paired_exec::Bounds<'_>),
    threads: usize,
    host: &dyn Host,
) -> Result<Option<Followed>, BadInput> {
    let Some(product) = Product::of(&study.model, simulation, bounds.within) else {
        return Ok(None);
    };
    let limit = TimeLimit::new(instance.cancel(), None, host);
    let begins_well = paired_exec::begins_well(instance, simulation);
    drop(limit);
    if !begins_well.map_err(|diagnostics| study.refuse(diagnostics))? {
        return Ok(None);
    }
    let study_of_product = study.with_model(product.model.clone());
    let model = Arc::clone(&study_of_product.model);
    let joined = Instance::new(model, instance.universe().clone());
    let plan = plan(study, &product, bounds);
    let Ok(explored) = explore(&study_of_product, &joined, &plan, threads, host) else {
        return Ok(None);
    };
    let followed = followed(&product, &explored);
    if let Some(end) = ended(&explored) {
        return Ok(Some(Followed { end, ..followed }));
    }
    let trace = explored
        .shown
        .first()
        .and_then(|shown| shown.trace.as_ref());
    let states =
        trace.and_then(|trace| low_states((study, instance), simulation, (&explored, trace)));
    let Some(states) = states else {
        return Ok(None);
    };
    let bounds = paired_exec::Bounds {
        along: Some(&states),
        ..*bounds
    };
    let again = paired_exec::exhaustive(instance, simulation, bounds, &mut |_, _| true);
    Ok(again.ok().and_then(|again| match again.end {
        End::Failed(..) | End::Low(..) => Some(Followed {
            end: again.end,
            ..followed
        }),
        _ => None,
    }))
}

/// What is asked of the product.
fn plan(study: &Study, product: &Product, bounds: &paired_exec::Bounds<'_>) -> ExplorePlan {
    let within = bounds.within.iter();
    let within = within.map(|at| study.model.invariants[*at].name.to_string());
    ExplorePlan {
        within: within.collect(),
        allow_deadlock: true,
        symmetry: BySymmetry::Never,
        limits: Limits {
            // A search stops when it reaches its bound, and here it may go on until it exceeds it.
            states: bounds.triples.map(|most| most.saturating_add(1)),
            memory: Some(bounds.memory),
            ..Limits::default()
        },
        ..ExplorePlan::of(product.automaton)
    }
}

/// What was visited; how it ended is said elsewhere.
fn followed(product: &Product, explored: &Exploration) -> Followed {
    let counts = product.counts(&explored.fired);
    let deepest = explored.levels.iter().rposition(|level| level.states > 0);
    Followed {
        triples: explored.distinct,
        low_steps: counts.fired.iter().sum(),
        high_steps: counts.high_steps,
        depth: deepest.unwrap_or(0) as u64,
        fired: counts.fired,
        branches: counts.branches,
        outside: match explored.ended {
            Ended::Outside(states) => states,
            _ => 0,
        },
        has_drawn: false,
        end: End::Complete,
    }
}

/// How it ended, unless something was found or the search came to an end of its own.
fn ended(explored: &Exploration) -> Option<End> {
    if !explored.shown.is_empty() {
        return None;
    }
    match explored.ended {
        Ended::Complete | Ended::Outside(_) => Some(End::Complete),
        Ended::States => Some(End::TooMany),
        Ended::Memory(_) => Some(End::Memory),
        Ended::Time | Ended::Stopped(_) => Some(End::Stopped),
        _ => None,
    }
}

/// The low states of an execution of the product.
fn low_states(
    (study, instance): (&Study, &Instance),
    simulation: usize,
    (explored, trace): (&Exploration, &Trace),
) -> Option<Vec<State>> {
    let low = study.model.simulations[simulation].low;
    let (packed, plain) = (&explored.world.instance, instance.layout(low));
    let layout = packed.layout(explored.automaton);
    let variables = study.model.automaton(low).variables.len();
    let states = std::iter::once(&trace.start).chain(trace.steps.iter().map(|step| &step.state));
    let low = states.map(|state| {
        let values: Vec<Value> = layout
            .values(state)
            .map(|(_, value)| value)
            .take(variables)
            .collect();
        plain.state(&values).ok()
    });
    low.collect()
}
