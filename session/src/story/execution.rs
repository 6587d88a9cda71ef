//! Stories of executions: what a run did, from states that the interpreter holds.

use interpreter::trace::{self, About, Step, Trace};
use interpreter::{Change, ChangedPart, Edge, Instance, Layout, Reason, Refusal, State};
use ioa_lang::core::{AutomatonId, Model};
use ioa_lang::{Name, Value};

use super::{Binding, Blame, Cut, Frame, Story, reads_of};
use crate::numbers::counted;
use crate::study::Study;

/// A short account of an execution with more steps than this begins so many before its end.
const STEPS_SHOWN: usize = 8;

/// Adds the states of a recorded execution to a story.
pub fn tell(study: &Study, instance: &Instance, trace: &Trace, story: &mut Story) {
    let omitted = left_out(trace);
    let start = a_start(study, trace.automaton);
    tell_from(study, instance, (start, trace), (omitted, story));
}

/// The story of a way to a formula from a state that some execution reaches, which is called so.
#[must_use]
pub fn way_out(
    study: &Study,
    instance: &Instance,
    (place, formula): (String, &str),
    way: &Trace,
) -> Story {
    let headline = match way.steps.len() {
        0 => format!("{formula} holds in {place}"),
        steps => format!("from {place}, {} to {formula}", lead(steps)),
    };
    let mut story = Story::bare(headline, Vec::new());
    let omitted = left_out(way);
    tell_from(study, instance, (place, way), (omitted, &mut story));
    story
}

/// That so many steps lead somewhere.
#[must_use]
pub fn lead(steps: usize) -> String {
    match steps {
        1 => "1 step leads".to_owned(),
        _ => format!("{} lead", counted(steps as u64, "step")),
    }
}

/// How many first steps a short account leaves out: not a single one, which is shown as soon as it is said.
fn left_out(trace: &Trace) -> usize {
    match trace.steps.len().saturating_sub(STEPS_SHOWN) {
        1 => 0,
        many => many,
    }
}

/// What a start state is called.
fn a_start(study: &Study, automaton: AutomatonId) -> String {
    format!("a start state of {}", study.model.automaton(automaton).name)
}

/// Adds to a story what pictures are made of: an execution as a trace file.
pub fn record(instance: &Instance, trace: &Trace, story: &mut Story) {
    let about = About {
        description: story.headline.clone(),
        repeats_after: story.repeats_after,
        ..About::default()
    };
    story.recorded = Some(trace::write(instance, trace, &about));
}

/// Adds the states of an infinite execution to a story: those of a trace, of which all steps but so many first ones are
/// repeated forever. None of these is left out of a short account.
pub fn tell_lasso(
    study: &Study,
    instance: &Instance,
    (trace, stem): (&Trace, usize),
    story: &mut Story,
) {
    let omitted = left_out(trace).min(stem);
    let start = a_start(study, trace.automaton);
    story.repeats_after = Some(stem);
    tell_from(study, instance, (start, trace), (omitted, story));
}

/// Adds the states of an execution to a story, with a name for the first one, and with the number of those that a short
/// account leaves out.
fn tell_from(
    study: &Study,
    instance: &Instance,
    (start, trace): (String, &Trace),
    (omitted, story): (usize, &mut Story),
) {
    record(instance, trace, story);
    let automaton = trace.automaton;
    let first = state(study, instance, automaton, (start, 0), &trace.start);
    story.frames.push(first);
    let mut before = &trace.start;
    for (number, taken) in (1..).zip(&trace.steps) {
        let frame = step(study, instance, automaton, (number, before), taken);
        story.frames.push(frame);
        before = &taken.state;
    }
    touch(study, instance, (trace, omitted), story);
    let shown = trace.state(omitted).filter(|_| omitted > 0);
    story.cut = shown.map(|shown| Cut {
        omitted,
        state: state(
            study,
            instance,
            automaton,
            (
                format!("the state after {}", counted(omitted as u64, "step")),
                omitted,
            ),
            shown,
        ),
    });
}

/// Notes in a story what the steps of an execution read and change, but for so many first ones.
fn touch(study: &Study, instance: &Instance, (trace, omitted): (&Trace, usize), story: &mut Story) {
    let layout = instance.layout(trace.automaton);
    let states = (omitted..).map_while(|step| trace.state(step));
    for (before, step) in states.zip(&trace.steps[omitted..]) {
        let reads = reads_of(
            study.model.automaton(trace.automaton),
            step.label.firing.transition,
        );
        let changed = layout.changed(before, &step.state);
        let changed = changed.into_iter().map(|variable| layout.name(variable));
        let touched = reads.into_iter().chain(changed);
        story.touched.extend(touched.map(|name| name.to_string()));
    }
}

/// A state in full.
#[must_use]
pub fn state(
    study: &Study,
    instance: &Instance,
    automaton: AutomatonId,
    (title, step): (String, usize),
    state: &State,
) -> Frame {
    let layout = instance.layout(automaton);
    Frame {
        title,
        step: Some(step),
        values: all(&study.model, layout.values(state)),
    }
}

/// A step by its number, with what changed.
#[must_use]
pub fn step(
    study: &Study,
    instance: &Instance,
    automaton: AutomatonId,
    (number, before): (usize, &State),
    step: &Step,
) -> Frame {
    let layout = instance.layout(automaton);
    Frame {
        title: title(study, instance, automaton, step),
        step: Some(number),
        values: changes(&study.model, layout, before, &step.state),
    }
}

/// Variables with their values.
pub fn all<'a>(model: &Model, values: impl Iterator<Item = (&'a Name, Value)>) -> Vec<Binding> {
    values
        .map(|(name, value)| Binding::new(&**name, value.display(model)))
        .collect()
}

/// A step's action, with what was chosen in it.
#[must_use]
pub fn title(study: &Study, instance: &Instance, id: AutomatonId, step: &Step) -> String {
    let action = study.model.automaton(id);
    let action = action.action_of(step.label.firing.transition);
    let called = trace::called(instance, id, &step.label);
    format!("{} {called}", action.kind.keyword())
}

/// What changed between two states.
#[must_use]
pub fn changes(model: &Model, layout: &Layout, before: &State, after: &State) -> Vec<Binding> {
    let changes = interpreter::diff(model, layout, before, after);
    changes
        .iter()
        .flat_map(|change| bindings(model, change))
        .collect()
}

/// A changed variable by the smallest named places that changed.
#[must_use]
pub fn bindings(model: &Model, change: &Change) -> Vec<Binding> {
    let mut out = Vec::new();
    descend(
        model,
        &change.variable,
        (&change.before, &change.after),
        &change.parts,
        &mut out,
    );
    out
}

/// The smallest named places that changed: an element of an array rather than the array.
fn descend(
    model: &Model,
    name: &str,
    (before, after): (&Value, &Value),
    parts: &[ChangedPart],
    out: &mut Vec<Binding>,
) {
    let (mut whole, mut added, mut removed) = (true, Vec::new(), Vec::new());
    for part in parts {
        match part {
            ChangedPart::At {
                place,
                before,
                after,
                parts,
            } => {
                whole = false;
                let name = format!("{name}{place}");
                descend(model, &name, (before, after), parts, out);
            }
            ChangedPart::Entry {
                place,
                before,
                after,
            } => {
                whole = false;
                out.push(entry(model, format!("{name}{place}"), before, after));
            }
            ChangedPart::Added(element) => added.push(element.display(model)),
            ChangedPart::Removed(element) => removed.push(element.display(model)),
            ChangedPart::Put(element, end) => {
                added.push(format!(
                    "{} at the {}",
                    element.display(model),
                    called(*end)
                ));
            }
            ChangedPart::Taken(element, end) => {
                removed.push(format!(
                    "{} from the {}",
                    element.display(model),
                    called(*end)
                ));
            }
            ChangedPart::Whole => {}
        }
    }
    if whole {
        let changed = changed(model, name, before, after);
        // A short sequence or multiset is read faster than what is said about its ends.
        let is_short = !matches!(after, Value::Set(_)) && changed.is_at_most(SHORT);
        out.push(match is_short {
            true => changed,
            false => Binding {
                added,
                removed,
                ..changed
            },
        });
    }
}

/// Values that are shown whole have no more characters than this, before and after.
const SHORT: usize = 30;

/// The end of a sequence, in a word.
fn called(end: Edge) -> &'static str {
    match end {
        Edge::Front => "front",
        Edge::Back => "back",
    }
}

/// An entry of a map that came or went.
fn entry(model: &Model, name: String, before: &Option<Value>, after: &Option<Value>) -> Binding {
    let show = |value: &Option<Value>| {
        let shown = value.as_ref().map(|value| value.display(model));
        shown.unwrap_or_else(|| "undefined".into())
    };
    Binding {
        was: Some(show(before)),
        ..Binding::new(name, show(after))
    }
}

/// The smallest named places in which a variable's values differ.
#[must_use]
pub fn differences(model: &Model, name: &str, before: &Value, after: &Value) -> Vec<Binding> {
    let mut out = Vec::new();
    let parts = interpreter::parts(model, before, after);
    descend(model, name, (before, after), &parts, &mut out);
    out
}

/// A place with its value now and before.
fn changed(model: &Model, name: &str, before: &Value, after: &Value) -> Binding {
    Binding {
        was: Some(before.display(model)),
        ..Binding::new(name, after.display(model))
    }
}

/// What is wrong with a call that no clause takes.
#[must_use]
pub fn refused(refusal: &Refusal) -> &'static str {
    if refusal.applies {
        "is not enabled"
    } else {
        "is not enabled: no clause is for these parameters"
    }
}

/// What the interpreter says is to blame.
#[must_use]
pub fn blame(study: &Study, reasons: &[Reason]) -> Vec<Blame> {
    reasons
        .iter()
        .map(|reason| {
            let mut blame = Blame::at(study, reason.span, &reason.bindings);
            blame.reads.clone_from(&reason.reads);
            if reason.value {
                blame.formula = format!("~({})", blame.formula);
            }
            let terms = reason.terms.iter().map(|(span, value)| {
                Binding::new(study.sources.one_line(*span), value.display(&study.model))
            });
            blame.bind(terms);
            blame
        })
        .collect()
}
