//! Stories of paired runs: one low step, the high steps that answered it, and the claim that failed.

use std::collections::BTreeSet;

use interpreter::trace::{Step, Trace};
use interpreter::{Change, Instance, State};
use ioa_lang::core::{ActionId, AutomatonId, Model, Simulation};
use ioa_lang::{Name, Value};
use paired_exec::{Cause, Failure, HighStep, Side};

use super::execution::{self, bindings};
use super::{Binding, Blame, Cut, Frame, Story, call, reads_of};
use crate::numbers::counted;
use crate::study::Study;

/// The story of a claim that failed.
#[must_use]
pub fn tell(study: &Study, simulation: &Simulation, failure: &Failure) -> Story {
    let (headline, blame) = account(study, simulation, failure);
    let mut frames = vec![before(study, simulation, failure)];
    frames.extend(low_frame(study, simulation, failure));
    let shown = &failure.high[unseen(failure)..];
    frames.extend(shown.iter().map(|step| high_frame(study, simulation, step)));
    Story {
        frames,
        notes: notes(failure),
        touched: touched(study, simulation, failure),
        ..Story::bare(headline, blame)
    }
}

/// The variables that the last step of the pair reads or changes.
fn touched(study: &Study, simulation: &Simulation, failure: &Failure) -> BTreeSet<String> {
    let of_low = failure.low.iter().map(|step| &step.action);
    let mut touched = named_reads(study, simulation.low, of_low);
    let low = low_name(&study.model, simulation);
    let changes = failure.low_state.changes.iter();
    touched.extend(changes.map(|change| format!("{low}.{}", change.variable)));
    touched.extend(touched_by(study, simulation, &failure.high));
    touched
}

/// The variables that high steps read or change.
fn touched_by(study: &Study, simulation: &Simulation, steps: &[HighStep]) -> BTreeSet<String> {
    let mut touched = named_reads(
        study,
        simulation.high,
        steps.iter().map(|step| &step.action),
    );
    let high = high_name(&study.model, simulation);
    let changes = steps.iter().flat_map(|step| &step.changes);
    touched.extend(changes.map(|change| format!("{high}.{}", change.variable)));
    touched
}

/// The variables that clauses for some actions of an automaton read, by their names with that of the automaton.
fn named_reads<'n>(
    study: &Study,
    id: AutomatonId,
    actions: impl Iterator<Item = &'n Name>,
) -> BTreeSet<String> {
    let automaton = study.model.automaton(id);
    let actions = actions.filter_map(|name| automaton.actions.iter().position(|a| a.name == *name));
    let clauses = actions.flat_map(|at| automaton.clauses(ActionId::at(at)));
    let reads = clauses.flat_map(|(clause, _)| reads_of(automaton, clause));
    reads
        .map(|name| format!("{}.{name}", automaton.name))
        .collect()
}

/// Puts an execution of the pair before the story of the low step at which a claim fails, which is the execution's last one. What
/// the high automaton drew at random is drawn again with the seed.
pub fn tell_before(
    (study, instance, simulation): (&Study, &Instance, usize),
    (low, seed): (&Trace, u64),
    failure: &Failure,
    story: &mut Story,
) {
    execution::record(instance, low, story);
    if failure.step == 0 {
        return;
    }
    let answered = paired_exec::answers(instance, simulation, (low, seed)).unwrap_or_default();
    let Some((first, answers)) = answered.split_first() else {
        return;
    };
    let pair = Pair {
        study,
        instance,
        simulation: &study.model.simulations[simulation],
    };
    let mut frames = vec![pair.both(("the start states".into(), 0), &low.start, &first.state)];
    let earlier = usize::try_from(failure.step.saturating_sub(1)).unwrap_or(usize::MAX);
    let omitted = earlier.saturating_sub(STEPS_SHOWN);
    let mut before = &low.start;
    for (number, (taken, answer)) in (1..).zip(low.steps.iter().zip(answers)) {
        frames.push(pair.low_step((number, before), taken));
        let high = answer.steps.iter();
        frames.extend(high.map(|step| high_frame(study, pair.simulation, step)));
        if number > omitted {
            let low = study.model.automaton(pair.simulation.low);
            let reads = reads_of(low, taken.label.firing.transition).into_iter();
            story
                .touched
                .extend(reads.map(|name| format!("{}.{name}", low.name)));
            story
                .touched
                .extend(touched_by(study, pair.simulation, &answer.steps));
        }
        before = &taken.state;
        if number == omitted {
            let title = format!("both states after {}", counted(omitted as u64, "step"));
            story.cut = Some(Cut {
                omitted: frames.len() - 1,
                state: pair.both((title, omitted), before, &answer.state),
            });
        }
    }
    if failure.own.is_empty() {
        // Both states before the step have been told by now.
        story.frames.remove(0);
    }
    story.frames.splice(..0, frames);
}

/// A short account of an execution with more steps than this before the failure begins so many before it.
const STEPS_SHOWN: usize = 4;

/// Two automata side by side.
struct Pair<'p> {
    study: &'p Study,
    instance: &'p Instance,
    simulation: &'p Simulation,
}

impl Pair<'_> {
    /// Both states, after so many steps.
    fn both(&self, (title, step): (String, usize), low: &State, high: &[(Name, Value)]) -> Frame {
        let model = &self.study.model;
        let layout = self.instance.layout(self.simulation.low);
        let of_low = layout
            .values(low)
            .map(|(name, value)| (name.clone(), value));
        let of_low: Vec<(Name, Value)> = of_low.collect();
        let mut values = qualified(model, low_name(model, self.simulation), &of_low);
        values.extend(qualified(model, high_name(model, self.simulation), high));
        Frame {
            title,
            step: Some(step),
            values,
        }
    }

    /// A step of the low automaton, with its number, from a state.
    fn low_step(&self, from: (usize, &State), taken: &Step) -> Frame {
        let automaton = self.simulation.low;
        let low = low_name(&self.study.model, self.simulation);
        let frame = execution::step(self.study, self.instance, automaton, from, taken);
        Frame {
            title: format!("{low} takes {}", frame.title),
            values: named_after(low, frame.values),
            ..frame
        }
    }
}

/// Variables that are called after their automaton.
fn named_after(automaton: &str, mut values: Vec<Binding>) -> Vec<Binding> {
    for binding in &mut values {
        binding.name = format!("{automaton}.{}", binding.name);
    }
    values
}

/// Both states before the step, and the block's own variables.
fn before(study: &Study, simulation: &Simulation, failure: &Failure) -> Frame {
    let model = &study.model;
    let mut values = qualified(
        model,
        low_name(model, simulation),
        &failure.low_state.before,
    );
    if let Some(high) = &failure.high_state {
        values.extend(qualified(model, high_name(model, simulation), &high.before));
    }
    values.extend(own(model, &failure.own));
    Frame {
        title: match failure.step {
            0 => "the start states".into(),
            n => format!("both states before step {n}"),
        },
        step: None,
        values,
    }
}

fn low_frame(study: &Study, simulation: &Simulation, failure: &Failure) -> Option<Frame> {
    let model = &study.model;
    let step = failure.low.as_ref()?;
    let low = low_name(model, simulation);
    let action = call(model, &step.action, &step.params);
    Some(Frame {
        title: format!("{low} takes {} {action}", step.kind.keyword()),
        step: usize::try_from(failure.step).ok(),
        values: changed(model, low, &failure.low_state.changes),
    })
}

fn high_frame(study: &Study, simulation: &Simulation, step: &HighStep) -> Frame {
    let model = &study.model;
    let high = high_name(model, simulation);
    let action = call(model, &step.action, &step.params);
    let verb = if step.taken {
        "answers with"
    } else {
        "cannot take"
    };
    Frame {
        title: format!(
            "{high} {verb} {} {action}, fired at {}",
            step.kind.keyword(),
            study.location(step.span)
        ),
        step: None,
        values: changed(model, high, &step.changes),
    }
}

fn notes(failure: &Failure) -> Vec<String> {
    let mut notes = Vec::new();
    if failure.low.is_some() && failure.high.is_empty() {
        notes.push("the proof block fires nothing for this step".to_owned());
    }
    match unseen(failure) {
        0 => {}
        n => notes.push(format!(
            "{} before those shown",
            counted(n as u64, "high step")
        )),
    }
    notes
}

/// Of the high steps that answer a low step, at most so many are told: the last ones.
const HIGH_STEPS_SHOWN: usize = 8;

fn unseen(failure: &Failure) -> usize {
    failure.high.len().saturating_sub(HIGH_STEPS_SHOWN)
}

fn account(study: &Study, simulation: &Simulation, failure: &Failure) -> (String, Vec<Blame>) {
    let model = &study.model;
    let (low, high) = (low_name(model, simulation), high_name(model, simulation));
    let at = match failure.step {
        0 => "at the start".to_owned(),
        n => format!("at step {n}"),
    };
    match &failure.cause {
        Cause::NotAStart => (
            format!("{at}: the state that the proof block begins with is no start state of {high}"),
            Vec::new(),
        ),
        Cause::Disabled(refusal) => {
            let fired = failure
                .high
                .last()
                .map(|s| call(model, &s.action, &s.params));
            let fired = fired.unwrap_or_default();
            let headline = format!(
                "{at}: {fired} of {high}, fired by the proof block, {}",
                execution::refused(refusal)
            );
            (headline, execution::blame(study, &refusal.reasons))
        }
        Cause::Violated(violations) => {
            let names: Vec<&str> = violations.iter().map(|v| &*v.name).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            let reasons = violations
                .iter()
                .flat_map(|v| execution::blame(study, &v.reasons));
            (
                format!("{at}: {} of {high} {verb} violated", names.join(", ")),
                reasons.collect(),
            )
        }
        Cause::Trace {
            low: shown,
            high: answered,
        } => {
            let shown = external(model, shown.as_slice());
            let answered = external(model, answered);
            (
                format!("{at}: {low} shows {shown}, and {high} shows {answered}"),
                Vec::new(),
            )
        }
        Cause::NotRelated(reasons) => (
            format!("{at}: the relation between {low} and {high} does not hold afterwards"),
            execution::blame(study, reasons),
        ),
        Cause::Fault(side, fault) => {
            let place = side_name(*side, high);
            let blame = vec![Blame::at(study, fault.span, &fault.bindings)];
            (
                format!("{at}: run-time error in {place}: {}", fault.kind),
                blame,
            )
        }
        Cause::Limit(side, limit) => {
            let place = side_name(*side, high);
            let blame = vec![Blame::at(study, limit.span, &[])];
            (
                format!(
                    "{at}: a limit of the tool was reached in {place}: {}",
                    limit.kind
                ),
                blame,
            )
        }
    }
}

fn side_name(side: Side, high: &str) -> &str {
    match side {
        Side::High => high,
        Side::Block => "the proof block",
        Side::Relation => "the relation",
    }
}

fn external(model: &Model, actions: &[(Name, Vec<Value>)]) -> String {
    let shown: Vec<String> = actions
        .iter()
        .map(|(name, params)| call(model, name, params))
        .collect();
    if shown.is_empty() {
        "nothing".into()
    } else {
        shown.join(", ")
    }
}

fn low_name<'m>(model: &'m Model, simulation: &Simulation) -> &'m str {
    &model.automaton(simulation.low).name
}

fn high_name<'m>(model: &'m Model, simulation: &Simulation) -> &'m str {
    &model.automaton(simulation.high).name
}

fn qualified(model: &Model, automaton: &str, values: &[(Name, Value)]) -> Vec<Binding> {
    let named = |(name, value): &(Name, Value)| {
        Binding::new(format!("{automaton}.{name}"), value.display(model))
    };
    values.iter().map(named).collect()
}

fn own(model: &Model, values: &[(Name, Value)]) -> Vec<Binding> {
    execution::all(
        model,
        values.iter().map(|(name, value)| (name, value.clone())),
    )
}

fn changed(model: &Model, automaton: &str, changes: &[Change]) -> Vec<Binding> {
    let changes = changes.iter().flat_map(|c| bindings(model, c));
    named_after(automaton, changes.collect())
}
