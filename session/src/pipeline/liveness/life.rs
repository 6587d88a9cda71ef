//! The reachable states of an instance, told apart by whether a formula stays possible: from the *dead* ones no way leads to a
//! state where it holds (Killian, Anderson, Jhala and Vahdat, NSDI 2007, section 2).

use std::ops::ControlFlow;

use explorer::{Graph, Growth, Limits, Stopped};
use interpreter::{Instance, Rows, State};
use ioa_lang::core::{Invariant, Liveness, Temporal};

use super::super::explore::{TimeLimit, labelled};
use super::facts::{Found, evaluated};
use crate::study::Study;

/// All reachable states of an instance.
#[derive(Debug)]
pub(in crate::pipeline) struct Life {
    /// Those from which some way leads to a state where the formula holds.
    pub(in crate::pipeline) alive: Vec<State>,
    /// The others.
    pub(in crate::pipeline) dead: Vec<State>,
}

/// Tells the states of an instance apart; nothing is known if there are too many, or no time for them.
///
/// # Errors
/// Why the formula cannot be evaluated, or a step not be taken.
pub(in crate::pipeline) fn life(
    study: &Study,
    instance: &Instance,
    formula: &Invariant,
    limits: Limits,
    limit: &TimeLimit<'_>,
) -> Result<Option<Life>, String> {
    let automaton = formula.automaton;
    let rows = Rows::new(instance, automaton);
    let mut steps = labelled(instance, automaton, true).map_err(|why| why[0].message.clone())?;
    let growth = Growth {
        system: &mut *steps,
        rows: &rows,
        count: 0,
        tasks: &mut |_, _| {},
        progress: &mut |_| match limit.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        },
    };
    let graph = match Graph::new(growth, limits) {
        Ok(graph) => graph,
        Err(Stopped::Interrupted(_)) => return Err("a step has no result".to_owned()),
        Err(_) => return Ok(None),
    };
    let about = (&graph, &rows);
    let (_, found) = evaluated(study, instance, &reached(formula), about, true)?;
    let Found::Facts(facts) = found else {
        return Err("the formula has no value in a reachable state".to_owned());
    };
    let is_alive = explorer::alive(&graph, &facts[0]);
    let (mut alive, mut dead) = (Vec::new(), Vec::new());
    for (number, row) in graph.rows().chunks(rows.width()).enumerate() {
        let state = rows.state(row);
        match is_alive.has(number) {
            true => alive.push(state),
            false => dead.push(state),
        }
    }
    Ok(Some(Life { alive, dead }))
}

/// A formula as a property, so that it is looked for where it is true.
pub(super) fn reached(stated: &Invariant) -> Liveness {
    Liveness {
        name: stated.name.clone(),
        automaton: stated.automaton,
        locals: stated.locals.clone(),
        params: Vec::new(),
        formula: Temporal::AlwaysEventually(stated.formula.clone()),
        span: stated.span,
    }
}
