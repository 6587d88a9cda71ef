//! Stories of counterexamples to induction: a state, a step, and what it breaks.

use std::collections::BTreeSet;

use ioa_lang::core::{AutomatonId, Meaning, Store, Variable};
use ioa_lang::{Name, Value};
use prover_bridge::counterexample::{
    ActionInstance, Counterexample, Execution, Failure, FailureKind, Snapshot, TheoryTable,
};
use prover_bridge::names;

use super::execution::differences;
use super::{Binding, Blame, Frame, Story, action, reads_of};
use crate::study::Study;

/// What every such story ends with: it is not a bug of the model unless an execution reaches it.
const NOT_A_BUG: &str = "this is a counterexample to induction: no execution need reach the first state. Either an \
                         execution does, and the model is wrong, or an invariant is missing that rules the state out";

/// What is said instead where the first state is one that executions begin in.
const STARTS: &str = "the first state is a start state: an execution begins there, and no invariant that holds can rule it out";

/// What is known about the state before the step of a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// No execution need reach it, as far as is known.
    Any,
    /// It is a start state.
    Start,
    /// It is a start state, and the step from it violates an invariant: together they are an execution.
    OfViolation,
}

impl First {
    /// What the state is called that has no other name.
    fn title(self, otherwise: &str) -> &str {
        match self {
            Self::Any => otherwise,
            Self::Start | Self::OfViolation => "a start state",
        }
    }

    /// What is said of a step from it; `otherwise`, where nothing is known.
    fn note(self, otherwise: String) -> Option<String> {
        match self {
            Self::Any => Some(otherwise),
            Self::Start => Some(STARTS.into()),
            Self::OfViolation => None,
        }
    }
}

/// No more entries of an operator's table than this are shown.
const MAX_ENTRIES: usize = 16;

/// The story of a counterexample to an obligation.
#[must_use]
pub fn tell(study: &Study, headline: String, (found, first): (&Counterexample, First)) -> Story {
    let before = first.title("a state in which all that is assumed holds");
    let automata = found.before.as_ref().or(found.after.as_ref());
    let automata = automata.map(|at| (at.automaton, at.high.as_ref().map(|(high, _)| *high)));
    let failures = found.failures.iter();
    let blame = failures.map(|failure| blame(study, automata, failure));
    Story {
        frames: frames(study, found, before),
        notes: notes(study, found, first),
        touched: touched(study, found),
        ..Story::bare(headline, blame.collect())
    }
}

/// The story of a counterexample to an obligation that is proved once these invariants are, and in which these need not
/// hold; some of them may be known to be violated.
#[must_use]
pub fn tell_without(
    study: &Study,
    headline: String,
    (found, first): (&Counterexample, First),
    (invariants, violated): (&[Name], &[Name]),
) -> Story {
    let without = names(invariants);
    let before = format!("a state in which all that is established holds, but {without} need not");
    let before = first.title(&before);
    let mut notes = meanings(study, &found.theories);
    if found.before.is_some() {
        let note = match violated {
            [] => format!(
                "this is a counterexample to induction: no execution reaches the first state if {without} can be established"
            ),
            _ => format!(
                "this is a counterexample to induction: since {} is violated, something else has to rule the first state out",
                names(violated)
            ),
        };
        notes.extend(first.note(note));
    }
    Story {
        frames: frames(study, found, before),
        notes,
        ..tell(study, headline, (found, first))
    }
}

/// The variables that the steps of a counterexample read or change.
fn touched(study: &Study, found: &Counterexample) -> BTreeSet<String> {
    let steps = found.action.iter().chain(&found.fired);
    let mut touched: BTreeSet<String> = steps.flat_map(|step| read_by(study, step)).collect();
    if let (Some(before), Some(after)) = (&found.before, &found.after) {
        touched.extend(changed_between(study, before, after));
    }
    touched
}

/// The variables that a step reads.
fn read_by(study: &Study, step: &ActionInstance) -> Vec<String> {
    let automaton = study.model.automaton(step.automaton);
    let reads = reads_of(automaton, step.transition).into_iter();
    reads.map(|name| name.to_string()).collect()
}

/// The variables that differ between two moments.
fn changed_between(study: &Study, before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let pairs = places(study, before).into_iter().zip(places(study, after));
    let changed = pairs.filter(|((_, old), (_, new))| old != new);
    changed.map(|((name, _), _)| name).collect()
}

/// Says in a story what is known about the state before the step: whether it is reached, and candidates that exclude it.
/// With candidates that settle the matter, there is no counterexample any more.
pub fn say_what_is_known(
    story: &mut Story,
    reached: Option<&str>,
    (candidates, settle): (&[String], bool),
) {
    if let Some(reached) = reached {
        story.notes.retain(|note| note != NOT_A_BUG);
        story.notes.push(reached.to_owned());
    }
    story.candidates = candidates.to_vec();
    story.candidates_settle = settle;
}

/// The story of consecutive states: an execution, or states that show why k-induction fails.
#[must_use]
pub fn tell_path(study: &Study, headline: String, found: &Execution, is_execution: bool) -> Story {
    let snapshot = |state: &Vec<Value>| Snapshot {
        automaton: found.automaton,
        state: state.clone(),
        high: None,
        block: Vec::new(),
    };
    let title = match is_execution {
        true => "a start state",
        false => "a state in which the invariants hold",
    };
    let mut before = snapshot(&found.first);
    let mut touched = BTreeSet::new();
    let mut frames = vec![whole(study, &before, title.into())];
    for (action, after) in &found.steps {
        let after = snapshot(after);
        touched.extend(read_by(study, action));
        touched.extend(changed_between(study, &before, &after));
        frames.push(Frame {
            title: fired(study, action),
            step: None,
            values: difference(study, &before, &after),
        });
        before = after;
    }
    if is_execution {
        (0..)
            .zip(&mut frames)
            .for_each(|(step, frame)| frame.step = Some(step));
    }
    let mut notes = meanings(study, &found.theories);
    if !is_execution {
        notes.push(NOT_A_BUG.into());
    }
    let automata = Some((found.automaton, None));
    let failures = found.failures.iter();
    let blame = failures.map(|failure| blame(study, automata, failure));
    Story {
        frames,
        notes,
        touched,
        ..Story::bare(headline, blame.collect())
    }
}

/// The step of a counterexample; `first` is the title of the state before it.
fn frames(study: &Study, found: &Counterexample, first: &str) -> Vec<Frame> {
    let mut frames = Vec::new();
    let step = found.action.as_ref().map(|a| fired(study, a));
    if let Some(before) = &found.before {
        frames.push(whole(study, before, first.into()));
    }
    let mut title = step.unwrap_or_else(|| "a start state".into());
    if !found.fired.is_empty() {
        let high: Vec<String> = found.fired.iter().map(|a| fired(study, a)).collect();
        title.push_str(&format!(", answered by {}", high.join(", ")));
    }
    match (&found.before, &found.after) {
        (Some(before), Some(after)) => frames.push(Frame {
            title,
            step: None,
            values: difference(study, before, after),
        }),
        (None, Some(after)) => frames.push(whole(study, after, title)),
        (_, None) if found.action.is_some() => frames.push(Frame {
            title,
            step: None,
            values: Vec::new(),
        }),
        (_, None) => {}
    }
    frames
}

fn fired(study: &Study, instance: &ActionInstance) -> String {
    let automaton = study.model.automaton(instance.automaton);
    action(
        &study.model,
        automaton,
        instance.transition,
        &instance.params,
    )
}

fn whole(study: &Study, snapshot: &Snapshot, title: String) -> Frame {
    let values = places(study, snapshot)
        .into_iter()
        .map(|(name, value)| Binding::new(name, value.display(&study.model)))
        .collect();
    Frame {
        title,
        step: None,
        values,
    }
}

fn difference(study: &Study, before: &Snapshot, after: &Snapshot) -> Vec<Binding> {
    let pairs = places(study, before).into_iter().zip(places(study, after));
    pairs
        .filter(|((_, old), (_, new))| old != new)
        .flat_map(|((name, old), (_, new))| differences(&study.model, &name, old, new))
        .collect()
}

/// All variables of a moment by the names a reader knows them by: in a simulation, with their automaton.
fn places<'s>(study: &Study, snapshot: &'s Snapshot) -> Vec<(String, &'s Value)> {
    let model = &study.model;
    let named = |id: AutomatonId, state: &'s [Value], qualified: bool| {
        let automaton = model.automaton(id);
        let name = move |variable: &Variable| match qualified {
            true => format!("{}.{}", automaton.name, variable.name),
            false => variable.name.to_string(),
        };
        automaton
            .variables
            .iter()
            .map(name)
            .zip(state)
            .collect::<Vec<_>>()
    };
    let mut out = named(snapshot.automaton, &snapshot.state, snapshot.high.is_some());
    if let Some((high, state)) = &snapshot.high {
        out.extend(named(*high, state, true));
        out.extend(
            block_names(study, snapshot.automaton, *high)
                .into_iter()
                .zip(&snapshot.block),
        );
    }
    out
}

fn block_names(study: &Study, low: AutomatonId, high: AutomatonId) -> Vec<String> {
    let simulations = study.model.simulations.iter();
    let proof = simulations
        .filter(|s| s.low == low && s.high == high)
        .find_map(|s| s.proof.as_ref());
    let variables = proof.map_or(&[][..], |proof| &proof.variables);
    variables.iter().map(|v| v.name.to_string()).collect()
}

/// An automaton, and the one that it implements in a simulation.
type Automata = (AutomatonId, Option<AutomatonId>);

fn blame(study: &Study, automata: Option<Automata>, failure: &Failure) -> Blame {
    let mut blame = Blame::at(study, failure.span, &failure.bindings);
    blame.reads = automata.map_or_else(BTreeSet::new, |of| reads(study, of, failure));
    match failure.kind {
        FailureKind::Invariant | FailureKind::Relation => {}
        FailureKind::HighPrecondition => {
            blame.formula = format!("{} (the precondition of the high action)", blame.formula);
        }
        FailureKind::Trace => {
            blame.formula = "the fired actions have the trace of the low action".into();
        }
        FailureKind::HighStart => {
            blame.formula = format!("{} (a start state of the high automaton)", blame.formula);
        }
        FailureKind::Arrival => {
            blame.formula =
                "the fired actions lead to the later state of the high automaton".into();
        }
        FailureKind::Missing(what) => blame.formula = what.into(),
        FailureKind::Requirement => {
            blame.formula = format!(
                "what {} requires of other components and of the theories",
                blame.formula
            );
        }
        FailureKind::Undefined(what) => {
            blame.formula = format!("{} is defined: {what}", blame.formula);
        }
    }
    blame
}

/// The state variables that a false conjunct reads.
fn reads(study: &Study, (low, high): Automata, failure: &Failure) -> BTreeSet<Name> {
    let is_of_high = matches!(
        failure.kind,
        FailureKind::HighPrecondition | FailureKind::HighStart
    );
    let owner = |store| match store {
        Store::Low => Some(low),
        Store::High => high,
        Store::Pre | Store::Post => {
            if is_of_high {
                high
            } else {
                Some(low)
            }
        }
        Store::Block => None,
    };
    let named = failure.reads.iter().filter_map(|at| {
        let automaton = study.model.automaton(owner(at.store)?);
        let variable = automaton.variables.get(at.var.index())?;
        Some(variable.name.clone())
    });
    named.collect()
}

/// For which values something fails, as the end of a sentence: ` for from = Node#0`.
#[must_use]
pub fn values(study: &Study, found: &Counterexample) -> String {
    let bindings = found.failures.iter().flat_map(|failure| &failure.bindings);
    let values = bindings.map(|(name, value)| format!("{name} = {}", value.display(&study.model)));
    let values: Vec<String> = values.collect();
    match values.is_empty() {
        true => String::new(),
        false => format!(" for {}", values.join(", ")),
    }
}

fn notes(study: &Study, found: &Counterexample, first: First) -> Vec<String> {
    let mut notes = meanings(study, &found.theories);
    // A start state is reached by every execution that begins there.
    if found.before.is_some() {
        notes.extend(first.note(NOT_A_BUG.into()));
    }
    notes
}

/// What the theories' operators mean in an instance.
fn meanings(study: &Study, theories: &[TheoryTable]) -> Vec<String> {
    let model = &study.model;
    let mut notes = Vec::new();
    for quorums in theories.iter().filter_map(|t| t.quorums(model)) {
        let show = |(quorum, members): (&Value, &Value)| {
            format!("{} = {}", quorum.display(model), members.display(model))
        };
        let shown: Vec<String> = quorums.iter().map(show).collect();
        notes.push(format!("here {}", shown.join(", ")));
    }
    let interpreted = theories.iter().filter(|t| {
        let function = &model.functions[t.function.index()];
        function.meaning == Meaning::Axioms
    });
    for table in interpreted {
        let name = &model.functions[table.function.index()].name;
        let entry = |(args, value): &&(Vec<Value>, Value)| {
            let args: Vec<String> = args.iter().map(|arg| arg.display(model)).collect();
            let term = match args.is_empty() {
                true => name.to_string(),
                false => format!("{name}({})", args.join(", ")),
            };
            match value {
                Value::Bool(_) if !args.is_empty() => term,
                value => format!("{term} = {}", value.display(model)),
            }
        };
        // Of a relation, what it holds for is enough.
        let is_told =
            |(args, value): &&(Vec<Value>, Value)| args.is_empty() || *value != Value::Bool(false);
        let told = table.entries.iter().filter(is_told);
        let shown: Vec<String> = told
            .clone()
            .take(MAX_ENTRIES)
            .map(|row| entry(&row))
            .collect();
        notes.push(match (shown.len(), told.count() > MAX_ENTRIES) {
            (0, _) => format!("here {name} holds for nothing"),
            (_, true) => format!("here {}, ...", shown.join(", ")),
            (_, false) => format!("here {}", shown.join(", ")),
        });
    }
    notes
}
