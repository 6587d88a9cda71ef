//! What no reachable state of a small instance shows: clauses that never fire, premises that are never met.

use interpreter::Instance;
use ioa_lang::Span;
use ioa_lang::core::{Automaton, AutomatonId, TransitionId};
use ioa_lang::diagnostic::{Code, Diagnostic};
use prover_bridge::About;

use super::explore::{self, Ended, Exploration, ExplorePlan, Limits};
use crate::host::Host;
use crate::setup::Setup;
use crate::study::Study;

/// An instance with more states is not small.
pub const MAX_STATES: u64 = 100_000;

/// How many seconds the instances of all automata together may take to be visited.
pub const PATIENCE: f64 = 2.0;

/// What the reachable states of an automaton show: those of every interpretation of the theories, or of the first one if
/// there are many and the automaton has no parameters that are values. (Other values may well show what these do not.)
///
/// It is not complete if they are not few, or not visited in the time that is given; none, if they cannot be visited at all.
#[must_use]
pub fn explored(
    study: &Study,
    setup: &Setup,
    (automaton, first): (AutomatonId, &Instance),
    seconds: f64,
    host: &dyn Host,
) -> Option<Exploration> {
    let limits = Limits {
        states: Some(MAX_STATES),
        time: Some(seconds),
        ..Limits::default()
    };
    let plan = ExplorePlan::survey(automaton, limits);
    // What cannot be explored, for endless parameters or for what it requires of others, is left to those who ask for it.
    let found = explore::in_each_interpretation(study, setup, &plan, host).ok()?;
    let has_values = !study
        .model
        .automaton(automaton)
        .parameters
        .values
        .is_empty();
    match found.ended {
        Ended::Interpretations(_) if !has_values => {
            explore::explore(study, first, &plan, setup.threads, host).ok()
        }
        _ => Some(found),
    }
}

/// The warnings about an automaton of which this was reached; `at` says at which sizes.
pub fn warnings(study: &Study, found: &Exploration, at: &str) -> Vec<(About, Diagnostic)> {
    let clauses = clauses(study, found, at);
    clauses.chain(invariants(study, found, at)).collect()
}

/// The clauses that never fired. Of an action of a composition, the first, if all the cases that the components' clauses
/// make together are among them.
fn clauses<'e>(
    study: &'e Study,
    found: &'e Exploration,
    at: &'e str,
) -> impl Iterator<Item = (About, Diagnostic)> {
    let automaton = study.model.automaton(found.automaton);
    let odd = found
        .never
        .iter()
        .filter(|never| is_odd(automaton, found, never.transition));
    odd.map(move |never| {
        let clause = never.transition;
        let action = &automaton.action_of(clause).name;
        let message = format!(
            "{}.{action} never happens{at}: no state that is reached enables it",
            automaton.name
        );
        let whole = automaton.transitions[clause.index()].span;
        let about = About::Clause(found.automaton, clause);
        (about, told(message, never.blocked_by, whole))
    })
}

fn is_odd(automaton: &Automaton, found: &Exploration, clause: TransitionId) -> bool {
    if automaton.components.is_empty() {
        return true;
    }
    let action = automaton.transitions[clause.index()].action;
    let mut cases = automaton.clauses(action).map(|(case, _)| case);
    let is_first = cases.next() == Some(clause);
    is_first && cases.all(|case| found.fired[case.index()] == 0)
}

/// The invariants with a premise that was never met, each once.
fn invariants<'e>(
    study: &'e Study,
    found: &'e Exploration,
    at: &'e str,
) -> impl Iterator<Item = (About, Diagnostic)> {
    let mut last = None;
    let first = found
        .vacuous
        .iter()
        .filter(move |vacuous| last.replace(vacuous.invariant) != Some(vacuous.invariant));
    first.map(move |vacuous| {
        let invariant = &study.model.invariants[vacuous.invariant];
        let message = format!(
            "{} holds vacuously{at}: its premise is true in no state that is reached",
            invariant.name
        );
        let about = About::Invariant(vacuous.invariant);
        (
            about,
            told(message, Some(vacuous.blocked_by), invariant.span),
        )
    })
}

fn told(message: String, blocked_by: Option<Span>, whole: Span) -> Diagnostic {
    match blocked_by {
        Some(span) => Diagnostic::warning(Code::Vacuous, span, message)
            .label("never true there, with what stands before it"),
        None => Diagnostic::warning(Code::Vacuous, whole, message),
    }
}
