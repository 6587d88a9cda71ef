//! Visits of small instances: which states are reached there, and which refute candidates.

use std::sync::Arc;

use explorer::{Bounds, Question, Search, Status};
use finite::Universe;
use interpreter::{Executor, FaultKind, Instance, Interrupt, Rows, State};
use ioa_lang::Diagnostic;
use ioa_lang::core::{Automaton, AutomatonId, Invariant, Model};

use crate::host::Host;
use crate::pipeline::explore::{TimeLimit, steps};
use crate::study::Study;

/// How far a visit goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) states: u64,
    pub(super) seconds: f64,
    pub(super) memory: u64,
}

/// What a visit came to.
#[derive(Debug, Default)]
pub(super) struct Visit {
    /// Whether all reachable states were visited.
    pub(super) is_complete: bool,
    pub(super) distinct: u64,
    /// The states, if they were asked for.
    pub(super) states: Vec<State>,
    /// Other reached states that what is learnt should exclude: the dead ones, where the question is what tells these apart.
    pub(super) dead: Vec<State>,
    /// The candidates that are false in some state, each with the first such state.
    pub(super) refuted: Vec<(usize, State)>,
}

/// The model without what a search of one automaton does not need.
pub(super) fn bare(model: &Model, automaton: AutomatonId) -> Model {
    let mut model = model.clone();
    for (at, other) in model.automata.iter_mut().enumerate() {
        if at != automaton.index() {
            without_steps(other);
        }
    }
    model.invariants.clear();
    model.schedules.clear();
    model.simulations.clear();
    model.liveness.clear();
    model
}

/// Leaves the state of an automaton, and nothing that happens.
pub(super) fn without_steps(automaton: &mut Automaton) {
    automaton.actions.clear();
    automaton.transitions.clear();
    automaton.tasks.clear();
}

/// Visits the states of an instance, testing candidates on them.
pub(super) fn visit(
    (study, bare): (&Study, &Model),
    automaton: AutomatonId,
    universe: &Universe,
    candidates: &[Invariant],
    (reach, wants_states): (Reach, bool),
    (threads, host): (usize, &dyn Host),
) -> Result<Visit, String> {
    let mut model = bare.clone();
    model.invariants = candidates.to_vec();
    let instance = Instance::new(Arc::new(model), universe.clone());
    let rows = Rows::new(&instance, automaton);
    let mut executor = Executor::new(&instance, automaton).map_err(words)?;
    executor.check_enumerable().map_err(words)?;
    let positions: Vec<usize> = (0..candidates.len()).collect();
    let mut workers = Vec::new();
    for _ in 0..threads.max(1) {
        let (steps, _) =
            steps((study, &instance), automaton, &positions, &rows, true).map_err(words)?;
        workers.push(steps);
    }
    let bounds = Bounds {
        depth: None,
        states: Some(reach.states),
        memory: reach.memory,
    };
    let mut search = Search::begin(workers, bounds);
    let limit = TimeLimit::new(instance.cancel(), Some(reach.seconds), host);
    let mut status = match search.start(&mut executor, &rows, &|_| {}) {
        Ok(status) => status,
        Err(Interrupt::Fault(fault)) if fault.kind == FaultKind::NoStart => {
            return Ok(Visit {
                is_complete: true,
                ..Visit::default()
            });
        }
        Err(_) => return Err("its start states cannot be listed".into()),
    };
    while status == Status::Going {
        status = search.advance();
    }
    drop(limit);
    let is_sound = search
        .findings()
        .iter()
        .all(|f| f.question != Question::Fault);
    let refuted = search
        .findings()
        .iter()
        .filter_map(|finding| match finding.question {
            Question::Invariant(at) => Some((at, rows.state(&finding.state))),
            _ => None,
        });
    Ok(Visit {
        is_complete: status == Status::Complete && is_sound,
        distinct: search.distinct(),
        refuted: refuted.collect(),
        states: match wants_states {
            true => search.states().map(|row| rows.state(&row)).collect(),
            false => Vec::new(),
        },
        dead: Vec::new(),
    })
}

/// Diagnostics in a line.
pub(super) fn words(diagnostics: Vec<Diagnostic>) -> String {
    let messages: Vec<String> = diagnostics.into_iter().map(|d| d.message).collect();
    messages.join("; ")
}
