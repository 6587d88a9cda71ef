//! What is judged: an exploration as `ioa explore` puts it together, with interpreted and with native steps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use explorer::{Bounds, Question, Search, Status};
use finite::{Ranges, Universe, intervals};
use interpreter::{
    Executor, Fault as Shown, FaultKind, Instance, Interpreted, Interrupt, Rows, State, Successors,
};
use ioa_lang::Diagnostic;
use ioa_lang::core::{AutomatonId, Model};
use native::Native;
use test_support::reference::{Answer, Fault, Faulty, Level};
use test_support::theory;

/// How steps are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    Interpreted,
    Native,
}

/// What keeps an automaton from being explored: the messages, or a bound of ours.
pub(crate) type Refusal = String;

/// Explores an automaton up to some depth. Ranges of integers are tried, and tried again wider, as `ioa explore` does it.
pub(crate) fn explore(
    (model, universe): (&Arc<Model>, &Universe),
    automaton: AutomatonId,
    (steps, depth): (Steps, usize),
) -> Result<Answer, Refusal> {
    let known = intervals(model, automaton);
    let mut ranges = Ranges::of(model, automaton, |place| {
        Some(known.get(place).copied().unwrap_or_else(|| place.guess()))
    });
    loop {
        let universe = universe.clone().with_ranges(ranges.clone());
        let instance = Instance::new(Arc::clone(model), universe);
        let found = attempt(&instance, automaton, (steps, depth));
        if instance.range_overflows().is_empty() {
            return found;
        }
        ranges = ranges.and_then(|ranges| instance.range_overflows().widen(&ranges));
    }
}

fn refuse(errors: Vec<Diagnostic>) -> Refusal {
    let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
    messages.join("; ")
}

impl Steps {
    /// The steps of an automaton, computed in this way.
    fn of<'i>(
        self,
        (instance, automaton): (&'i Instance, AutomatonId),
        invariants: &[usize],
        rows: Rows<'i>,
    ) -> Result<Box<dyn Successors + 'i>, Refusal> {
        Ok(match self {
            Self::Interpreted => {
                let steps = Interpreted::new(instance, automaton, invariants, rows);
                Box::new(steps.map_err(refuse)?)
            }
            Self::Native => {
                let steps = Native::new(instance, automaton, invariants, rows);
                Box::new(steps.map_err(refuse)?)
            }
        })
    }
}

fn attempt(
    instance: &Instance,
    automaton: AutomatonId,
    (steps, depth): (Steps, usize),
) -> Result<Answer, Refusal> {
    let stated = instance.model().invariants.iter().enumerate();
    let invariants = stated.filter(|(_, invariant)| invariant.automaton == automaton);
    let invariants: Vec<usize> = invariants.map(|(position, _)| position).collect();
    let rows = Rows::new(instance, automaton);
    let mut executor = Executor::new(instance, automaton).map_err(refuse)?;
    executor.check_enumerable().map_err(refuse)?;
    let steps = steps.of((instance, automaton), &invariants, rows.clone())?;
    let mut answer = Answer::default();
    let mut starts = Vec::new();
    match executor.starts() {
        Ok(outcomes) => outcomes
            .iter()
            .for_each(|outcome| rows.push(&outcome.state, &mut starts)),
        Err(Interrupt::Fault(Shown {
            kind: FaultKind::NoStart,
            ..
        })) => {
            answer.fired = vec![0; instance.model().automaton(automaton).transitions.len()];
            answer.complete = true;
            return Ok(answer);
        }
        Err(interrupt) => {
            answer.fault = Some(Faulty {
                depth: 0,
                faults: BTreeSet::from([fault(interrupt)?]),
            });
            answer.fired = vec![0; instance.model().automaton(automaton).transitions.len()];
            return Ok(answer);
        }
    }
    let bounds = Bounds {
        depth: Some(depth),
        states: None,
        memory: 1 << 30,
    };
    let mut search = Search::new(vec![steps], &starts, bounds);
    let ended = loop {
        match search.advance() {
            _ if !instance.range_overflows().is_empty() => return Ok(answer),
            Status::Going => {}
            ended => break ended,
        }
    };
    answer.starts = (starts.len() / rows.width()) as u64;
    sum_up(&search, (instance, automaton), &invariants, &mut answer);
    answer.complete = ended == Status::Complete;
    let mut findings = search.findings().iter();
    if let Some(finding) = findings.find(|f| f.question == Question::Fault) {
        let interrupt = interrupted(&mut executor, &rows.state(&finding.state));
        answer.fault = Some(Faulty {
            depth: finding.depth,
            faults: BTreeSet::from([fault(interrupt)?]),
        });
    }
    Ok(answer)
}

/// What interrupts the steps from a state in which a search has found a fault.
fn interrupted(executor: &mut Executor<'_>, state: &State) -> Interrupt {
    let firings = executor.enabled(state);
    let all = firings.and_then(|firings| {
        let mut firings = firings.iter();
        firings.try_for_each(|firing| executor.outcomes(state, firing).map(|_| ()))
    });
    all.expect_err("the executor finds the fault that the search found")
}

fn sum_up<S: Successors>(
    search: &Search<S>,
    (instance, automaton): (&Instance, AutomatonId),
    invariants: &[usize],
    answer: &mut Answer,
) {
    let levels = search.levels().into_iter();
    answer.levels = levels
        .map(|level| Level {
            states: level.states,
            generated: level.generated,
        })
        .filter(|level| level.states > 0)
        .collect();
    answer.fired = search.fired().to_vec();
    answer.quiescent = search.quiescent();
    let clauses = instance.model().automaton(automaton).transitions.len();
    answer.fired.resize(clauses, 0);
    for finding in search.findings() {
        match finding.question {
            Question::Invariant(position) => {
                answer.broken.insert(invariants[position], finding.depth);
            }
            Question::Deadlock => answer.deadlock = Some(finding.depth),
            Question::Fault => {}
        }
    }
}

/// The fault that the executor tells of.
fn fault(interrupt: Interrupt) -> Result<Fault, Refusal> {
    match interrupt {
        Interrupt::Fault(Shown { kind, .. }) => Ok(match kind {
            FaultKind::NothingToChoose => Fault::NothingToChoose,
            FaultKind::NoOutcome => Fault::NoOutcome,
            FaultKind::RefusedInput { .. } => Fault::Refused,
            _ => Fault::Undefined,
        }),
        Interrupt::Limit(limit) => Err(limit.kind.to_string()),
    }
}

/// A model of a text, with all its messages where there are errors.
pub(crate) fn model(text: &str) -> Result<Model, String> {
    let mut sources = ioa_lang::Sources::new();
    sources.add("random.ioa", text);
    let loaded = ioa_lang::load(&sources);
    let errors = loaded.diagnostics.iter();
    let errors = errors.filter(|d| d.severity == ioa_lang::Severity::Error);
    let errors: Vec<String> = errors
        .map(|error| format!("{}: {}", sources.location(error.span), error.message))
        .collect();
    match errors.is_empty() {
        true => Ok(loaded.model),
        false => Err(errors.join("; ")),
    }
}

/// A model's finite instance, in which operators that nothing but axioms describes mean anything.
pub(crate) fn universe(model: &Model, sizes: &[(&'static str, u64)]) -> Universe {
    let sizes = sizes.iter().map(|(sort, n)| ((*sort).to_owned(), *n));
    let sizes: BTreeMap<String, u64> = sizes.collect();
    let universe = Universe::sized(model, model.every_setting(), &sizes).expect("sizes that fit");
    let interpretation = theory::any(model, &universe);
    let interpreted = universe.interpreted(model, interpretation);
    interpreted.expect("a table for each operator")
}
