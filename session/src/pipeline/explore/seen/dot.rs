//! The graph of the states that a search visited, for Graphviz: small ones only, for a person has to read it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

use explorer::{Canonical, Search};
use interpreter::trace::Step;
use interpreter::{
    Executor, Instance, Interrupt, Label, Rows, State, Successors, TransitionSystem,
};
use ioa_lang::core::AutomatonId;

use crate::numbers::count;
use crate::story::{Binding, execution};
use crate::study::Study;

/// A graph with more states than this is not drawn.
const MOST_STATES: u64 = 1_000;

/// Nor is one with more steps.
const MOST_STEPS: usize = 20_000;

/// A graph that is being drawn. States have numbers, in the order in which a walk from the start states meets them.
struct Graph<'g, 'i> {
    study: &'g Study,
    instance: &'i Instance,
    automaton: AutomatonId,
    rows: &'g Rows<'i>,
    /// Where symmetric states are taken for one, the one that stands for all of them.
    canonical: &'g Canonical<'g>,
    /// The visited states, with their numbers as far as they have one.
    numbers: BTreeMap<Vec<u64>, Option<usize>>,
    /// The states that have a number.
    states: Vec<State>,
    steps: usize,
    text: String,
}

/// The graph of all states that were visited, with the steps between them.
///
/// # Errors
/// Says that there are too many of them.
pub(in crate::pipeline::explore) fn graph<'i>(
    study: &Study,
    executor: &mut Executor<'i>,
    search: &Search<impl Successors>,
    (rows, canonical): (&Rows<'i>, &Canonical<'_>),
) -> Result<String, String> {
    if search.distinct() > MOST_STATES {
        return Err(format!(
            "{} states are too many for a graph; {} are not",
            count(search.distinct()),
            count(MOST_STATES),
        ));
    }
    let automaton = executor.automaton();
    let mut graph = Graph {
        study,
        instance: executor.instance(),
        automaton,
        rows,
        canonical,
        numbers: search.states().map(|row| (row, None)).collect(),
        states: Vec::new(),
        steps: 0,
        text: String::new(),
    };
    graph.head();
    graph.starts(executor, search.levels().first().map_or(0, |l| l.states));
    let starts = graph.states.len();
    let mut next = 0;
    while let Some(state) = graph.states.get(next).cloned() {
        let before = std::mem::take(&mut graph.text);
        let stuck = graph.steps_from(next, &state, executor).is_err();
        let steps = std::mem::replace(&mut graph.text, before);
        graph.node(next, &state, next < starts, stuck);
        graph.text.push_str(&steps);
        if graph.steps > MOST_STEPS {
            return Err(format!(
                "more than {} steps are too many for a graph",
                count(MOST_STEPS as u64)
            ));
        }
        next += 1;
    }
    graph.text.push_str("}\n");
    Ok(graph.text)
}

impl Graph<'_, '_> {
    fn head(&mut self) {
        let name = &self.study.model.automaton(self.automaton).name;
        let at = match self.study.scope(self.instance).words() {
            scope if scope.is_empty() => String::new(),
            scope => format!(" at {scope}"),
        };
        self.line(&format!("// States of {name}{at}"));
        self.line(&format!("digraph {} {{", quoted(name)));
        self.line("  node [shape=box, style=rounded, fontname=monospace];");
        self.line("  edge [fontname=monospace, fontsize=10];");
    }

    /// Gives numbers to the start states that were visited, of which there are so many.
    fn starts(&mut self, executor: &mut Executor<'_>, count: u64) {
        // What keeps them from being listed is told elsewhere.
        let _ = executor.each_start(&mut |_, state| {
            self.number(state);
            match self.states.len() as u64 >= count {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
    }

    /// The number of a state, if it was visited.
    fn number(&mut self, state: &State) -> Option<usize> {
        let mut row = Vec::new();
        self.rows.push(state, &mut row);
        (self.canonical)(&mut row);
        let number = self.numbers.get_mut(&row)?;
        Some(*number.get_or_insert_with(|| {
            self.states.push(self.rows.state(&row));
            self.states.len() - 1
        }))
    }

    /// Draws the steps from a state that have a result.
    ///
    /// # Errors
    /// Why one of them has none.
    fn steps_from(
        &mut self,
        from: usize,
        state: &State,
        executor: &mut Executor<'_>,
    ) -> Result<(), Interrupt> {
        let all = executor.each_step(state, &mut |firing, choices, after| {
            let step = Step {
                label: Label::of(firing, choices),
                state: after.clone(),
            };
            self.edge(from, state, &step);
            ControlFlow::Continue(())
        });
        all.map(|_| ())
    }

    fn edge(&mut self, from: usize, before: &State, step: &Step) {
        let Some(to) = self.number(&step.state) else {
            return;
        };
        self.steps += 1;
        let model = &self.study.model;
        let layout = self.instance.layout(self.automaton);
        let changes = execution::changes(model, layout, before, &step.state);
        let title = execution::title(self.study, self.instance, self.automaton, step);
        let label = quoted(&lines(Some(&title), &changes));
        self.line(&format!("  s{from} -> s{to} [label={label}];"));
    }

    /// A state: start states with all that they hold, others by number, with what they hold where the mouse rests.
    fn node(&mut self, number: usize, state: &State, is_start: bool, stuck: bool) {
        let layout = self.instance.layout(self.automaton);
        let values = lines(
            None,
            &execution::all(&self.study.model, layout.values(state)),
        );
        let label = match is_start {
            true => quoted(&values),
            false => quoted(&number.to_string()),
        };
        let mut more = String::new();
        if is_start {
            more.push_str(", penwidth=2");
        }
        if stuck {
            more.push_str(", color=red");
        }
        let tooltip = quoted(&values);
        self.line(&format!(
            "  s{number} [label={label}, tooltip={tooltip}{more}];"
        ));
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string");
    }
}

fn lines(first: Option<&str>, bindings: &[Binding]) -> String {
    let values = bindings.iter().map(|b| format!("{} = {}", b.name, b.value));
    let all: Vec<String> = first.map(str::to_owned).into_iter().chain(values).collect();
    all.join("\n")
}

/// A string of the language of graphs, each of its lines to the left.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    match escaped.contains('\n') {
        true => format!("\"{}\\l\"", escaped.replace('\n', "\\l")),
        false => format!("\"{escaped}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_of_graphs_hold_what_they_are_given() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(quoted("s = \"x\\y\"\nb"), r#""s = \"x\\y\"\lb\l""#);
    }
}
