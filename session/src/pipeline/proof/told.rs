//! What a counterexample to induction shows, told to people: the step, and the terms that decide the matter.

use std::collections::BTreeMap;
use std::sync::Arc;

use interpreter::{Executor, Instance, Reason, StateRelation};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Name, Value};
use prover_bridge::counterexample::{Execution, FailureKind, Snapshot, TheoryTable};
use prover_bridge::{
    Condition, Counterexample, Kind as Question, Outcome, Target, Verdict as Answer, names,
};

use super::replay;
use super::sorted::{Hint, Reachability, Sorted, counterexamples};
use crate::story::induction::First;
use crate::story::{Blame, Story, execution, induction};
use crate::study::Study;

/// What is said about a start state that nobody but the solver knows to be one.
pub(super) const UNCONFIRMED: &str = "this is a start state as the solver reads the model; the executor does not confirm that it is \
                           one, or that the invariant is false in it";

/// The stories of why an obligation is not established; `is_violation` says that the first is about a start state which violates an
/// invariant, and `sorted` what is known about the states before the steps.
pub(super) fn stories(
    study: &Study,
    outcome: &Outcome,
    (is_violation, sorted): (bool, &Sorted),
) -> Vec<Story> {
    if let Answer::ProvedIf(condition) = &outcome.verdict {
        return conditional(study, outcome, condition, sorted)
            .into_iter()
            .collect();
    }
    let all = counterexamples(outcome).enumerate();
    let told = all.map(|(at, (name, found))| {
        let is_first = at == 0;
        let mut headline = headline(study, outcome, found, is_violation && is_first);
        if !is_first {
            headline.push_str(", for another reason too");
        }
        let hint = sorted.hints.get(&name);
        let is_violation = is_violation && is_first;
        refuted(study, outcome, (found, hint), (headline, is_violation))
    });
    told.collect()
}

/// The story of a counterexample.
fn refuted(
    study: &Study,
    outcome: &Outcome,
    (found, hint): (&Counterexample, Option<&Hint>),
    (headline, is_violation): (String, bool),
) -> Story {
    let kind = outcome.obligation.kind;
    let first = first_state(study, found, is_violation);
    let mut story = induction::tell(study, headline, (found, first));
    if matches!(kind, Question::Initiation { .. }) && !is_violation {
        story.notes.push(UNCONFIRMED.into());
    }
    let target = Target::everything(&study.model);
    if let Some((uses, _)) = target.uses(kind) {
        story.notes.push(format!(
            "of the other invariants its proof may assume only {}, as `uses` says: others may be false in the first state",
            names(uses)
        ));
    }
    if let Some(hint) = hint {
        let reached = hint.reached.as_ref().map(Reachability::words);
        induction::say_what_is_known(&mut story, reached, (&hint.candidates, hint.settle));
    }
    story.blame = explained(study, kind, found).unwrap_or(story.blame);
    story
}

/// What is known about the state before the step of a counterexample; `is_violation` says that the step violates an invariant.
fn first_state(study: &Study, found: &Counterexample, is_violation: bool) -> First {
    match is_violation {
        true => First::OfViolation,
        false if replay::begins_at_start(study, found) => First::Start,
        false => First::Any,
    }
}

/// The story of why an obligation is not established that is proved once some invariants are.
fn conditional(
    study: &Study,
    outcome: &Outcome,
    condition: &Condition,
    sorted: &Sorted,
) -> Option<Story> {
    let found = condition.without.as_ref()?;
    let without = condition.invariants.as_slice();
    let is_violated = |name: &&Name| sorted.violates(name);
    let violated: Vec<Name> = without.iter().filter(is_violated).cloned().collect();
    let name = &outcome.obligation.name;
    let is_definedness = matches!(outcome.obligation.kind, Question::Definedness(_));
    let headline = match (violated.is_empty(), is_definedness) {
        (true, true) => format!("that {name} is {condition}"),
        (true, false) => format!("{name} is {condition}"),
        (false, _) => {
            let headline = headline(study, outcome, found, false);
            format!("{headline}: {}", needs_violated(&violated))
        }
    };
    let first = first_state(study, found, false);
    let told = (&**found, first);
    let mut story = induction::tell_without(study, headline, told, (without, &violated));
    story.blame = explained(study, outcome.obligation.kind, found).unwrap_or(story.blame);
    Some(story)
}

/// That a proof needs violated invariants.
pub(super) fn needs_violated<N: AsRef<str>>(violated: &[N]) -> String {
    let are = if violated.len() == 1 { "is" } else { "are" };
    format!("its proof needs {}, which {are} violated", names(violated))
}

fn headline(
    study: &Study,
    outcome: &Outcome,
    found: &Counterexample,
    is_violation: bool,
) -> String {
    let name = &outcome.obligation.name;
    match outcome.obligation.kind {
        Question::Initiation { invariant } | Question::Consecution { invariant, .. }
            if is_violation =>
        {
            let invariant = &study.model.invariants[invariant];
            let automaton = &study.model.automaton(invariant.automaton).name;
            format!("invariant {} of {automaton} is violated", invariant.name)
        }
        Question::Definedness(_) => format!("it is not established that {name}"),
        Question::Requirement {
            automaton,
            position,
        } => {
            let requirement = &study.model.automaton(automaton).requirements[position];
            format!(
                "{name} is not established: {}{}",
                requirement.otherwise,
                induction::values(study, found)
            )
        }
        _ => format!("{name} is not established"),
    }
}

/// The parts of a false invariant or relation that settle the matter, with the values of their terms, as the executor
/// explains them; nothing where something else fails too, or where the executor cannot tell.
fn explained(study: &Study, kind: Question, found: &Counterexample) -> Option<Vec<Blame>> {
    let is_state = |kind| matches!(kind, FailureKind::Invariant | FailureKind::Relation);
    let after = found.after.as_ref()?;
    if !found.failures.iter().all(|failure| is_state(failure.kind)) {
        return None;
    }
    let reasons = match kind {
        Question::Initiation { invariant } | Question::Consecution { invariant, .. } => {
            let instance = instance(study, place(found), &[after.automaton])?;
            why_false(&instance, invariant, after.automaton, &after.state)
        }
        Question::SimulationStart { simulation } | Question::SimulationStep { simulation, .. } => {
            let (high, _) = after.high.as_ref()?;
            let instance = instance(study, place(found), &[after.automaton, *high])?;
            why_not_related(&instance, simulation, after)
        }
        _ => None,
    };
    blamed(study, &reasons?)
}

/// The same of an invariant that is false in the last of some states.
pub(super) fn explained_at_the_end(
    study: &Study,
    invariant: usize,
    found: &Execution,
) -> Option<Vec<Blame>> {
    let instance = instance(study, (&found.sizes, &found.theories), &[found.automaton])?;
    let last = found.steps.last().map_or(&found.first, |(_, state)| state);
    let reasons = why_false(&instance, invariant, found.automaton, last)?;
    blamed(study, &reasons)
}

/// The reasons, if there are any, as what is to blame.
fn blamed(study: &Study, reasons: &[Reason]) -> Option<Vec<Blame>> {
    let blame = execution::blame(study, reasons);
    (!blame.is_empty()).then_some(blame)
}

fn why_false(
    instance: &Instance,
    invariant: usize,
    automaton: AutomatonId,
    values: &[Value],
) -> Option<Vec<Reason>> {
    let mut executor = Executor::new(instance, automaton).ok()?;
    let state = instance.layout(automaton).state(values).ok()?;
    let holds = executor.holds(&state, invariant).ok()?;
    (!holds).then(|| executor.why_violated(&state, invariant))
}

fn why_not_related(instance: &Instance, simulation: usize, at: &Snapshot) -> Option<Vec<Reason>> {
    let (high, high_state) = at.high.as_ref()?;
    let mut relation = StateRelation::new(instance, simulation, 0).ok()?;
    let low = instance.layout(at.automaton).state(&at.state).ok()?;
    let high = instance.layout(*high).state(high_state).ok()?;
    let holds = relation.holds(&low, &high).ok()?;
    (!holds).then(|| relation.explain(&low, &high))
}

/// The sizes of a finite instance and what the theories mean there.
type Place<'f> = (&'f BTreeMap<String, u64>, &'f [TheoryTable]);

fn place(found: &Counterexample) -> Place<'_> {
    (&found.sizes, &found.theories)
}

/// The finite instance that something was found in, for these automata.
fn instance(study: &Study, found: Place<'_>, automata: &[AutomatonId]) -> Option<Instance> {
    let universe = replay::universe(study, automata, found)?;
    Some(Instance::new(Arc::clone(&study.model), universe))
}
