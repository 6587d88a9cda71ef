//! Counterexamples as plain text, for tests and terminals without ambition.

use std::fmt::Write;

use ioa_lang::Value;
use ioa_lang::core::{AutomatonId, Model};

use super::{ActionInstance, Counterexample, Snapshot};

impl Counterexample {
    /// The counterexample as lines of text: sizes, the state before, the action, what it changes, what fails.
    #[must_use]
    pub fn display(&self, model: &Model) -> String {
        display(self, model)
    }
}

fn display(counterexample: &Counterexample, model: &Model) -> String {
    let mut out = String::new();
    let sizes = counterexample
        .sizes
        .iter()
        .map(|(sort, n)| format!("{sort} = {n}"));
    line(&mut out, "sizes", &sizes.collect::<Vec<_>>().join(", "));
    for quorums in counterexample
        .theories
        .iter()
        .filter_map(|t| t.quorums(model))
    {
        for (quorum, members) in quorums {
            line(
                &mut out,
                "quorum",
                &format!("{} = {}", quorum.display(model), members.display(model)),
            );
        }
    }
    if let Some(before) = &counterexample.before {
        for (name, value) in facts(before, model) {
            line(
                &mut out,
                "before",
                &format!("{name} = {}", value.display(model)),
            );
        }
    }
    for (label, action) in counterexample
        .action
        .iter()
        .map(|a| ("action", a))
        .chain(counterexample.fired.iter().map(|a| ("fires", a)))
    {
        line(&mut out, label, &action_text(action, model));
    }
    if let Some(after) = &counterexample.after {
        let known = counterexample
            .before
            .as_ref()
            .map(|b| facts(b, model))
            .unwrap_or_default();
        for fact in facts(after, model)
            .into_iter()
            .filter(|fact| !known.contains(fact))
        {
            line(
                &mut out,
                "after",
                &format!("{} = {}", fact.0, fact.1.display(model)),
            );
        }
    }
    for failure in &counterexample.failures {
        let bindings = failure.bindings.iter();
        let bindings = bindings.map(|(name, value)| format!(" {name} = {}", value.display(model)));
        line(
            &mut out,
            "fails",
            &format!("{:?}{}", failure.kind, bindings.collect::<String>()),
        );
    }
    out
}

fn line(out: &mut String, label: &str, text: &str) {
    let _ = writeln!(out, "{label:>10}  {text}");
}

/// An action with its parameters, as it is written in IOA.
fn action_text(action: &ActionInstance, model: &Model) -> String {
    let automaton = model.automaton(action.automaton);
    let declared = automaton.action_of(action.transition);
    let params = action
        .params
        .iter()
        .map(|v| v.display(model))
        .collect::<Vec<_>>();
    let kind = declared.kind.keyword();
    format!(
        "{kind} {}.{}({})",
        automaton.name,
        declared.name,
        params.join(", ")
    )
}

/// The variables of a snapshot with their values, by full name.
fn facts<'s>(snapshot: &'s Snapshot, model: &Model) -> Vec<(String, &'s Value)> {
    let named = |id: AutomatonId, state: &'s [Value]| -> Vec<(String, &'s Value)> {
        let automaton = model.automaton(id);
        let variables = automaton.variables.iter().zip(state);
        variables
            .map(|(v, value)| (format!("{}.{}", automaton.name, v.name), value))
            .collect()
    };
    let mut all = named(snapshot.automaton, &snapshot.state);
    if let Some((high, state)) = &snapshot.high {
        all.extend(named(*high, state));
    }
    let block = snapshot.block.iter().enumerate();
    all.extend(block.map(|(i, value)| (format!("proof block variable {}", i + 1), value)));
    all
}
