//! Every file in `tests/cases` is a model with commands (`%! ..`) and, below each, what it must answer (`%> ..`).
//!
//! | command | what it answers |
//! |---|---|
//! | `sizes Node=3 ..` | nothing; the sizes of all commands |
//! | `schedule NAME [seed=N] [steps=N]` | how the run ended, and the last state |
//! | `random AUTOMATON [seed=N] [steps=N]` | the same |
//! | `starts AUTOMATON` | all start states |
//! | `steps AUTOMATON` | all steps from all start states, and what each changes |
//! | `errors` | why items cannot be run at these sizes |
//!
//! `UPDATE=1 cargo test -p interpreter --test suite` writes the answers into the files, to be read before they are
//! committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finite::Universe;
use interpreter::run::{self, Ending, Options, Report, Weights};
use interpreter::{Executor, Fault, Instance, Interrupt, Layout, Reason, State};
use ioa_lang::core::AutomatonId;
use ioa_lang::{Diagnostic, Name, Sources, Value};

use crate::common::loaded;

#[test]
fn every_case_answers_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = files
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    files.sort();
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("it can be read");
        let answered = answer(&file.display().to_string(), &text);
        if update {
            fs::write(&file, &answered).expect("it can be written");
        } else if answered != text {
            wrong.push(difference(&file, &text, &answered));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn difference(file: &Path, expected: &str, found: &str) -> String {
    let first = expected
        .lines()
        .zip(found.lines())
        .position(|(a, b)| a != b)
        .unwrap_or(0);
    let line = |text: &str| text.lines().nth(first).unwrap_or("(the end)").to_owned();
    let (expected, found) = (line(expected), line(found));
    format!(
        "{}:{}:\n  expected {expected}\n  found    {found}",
        file.display(),
        first + 1
    )
}

/// The text with the answers as they are.
fn answer(name: &str, text: &str) -> String {
    let case = Case::new(name, text);
    let mut out = String::new();
    for line in text.lines().filter(|line| !line.starts_with("%>")) {
        out.push_str(line);
        out.push('\n');
        if let Some(command) = line.strip_prefix("%! ") {
            for answer in case.command(command) {
                out.push_str(format!("%> {answer}").trim_end());
                out.push('\n');
            }
        }
    }
    out
}

struct Case {
    sources: Sources,
    instance: Instance,
}

impl Case {
    fn new(name: &str, text: &str) -> Self {
        let mut sources = Sources::new();
        sources.add(name, text);
        let model = loaded(&sources);
        let sizes = text
            .lines()
            .filter_map(|line| line.strip_prefix("%! sizes "));
        let sizes = sizes
            .flat_map(str::split_whitespace)
            .filter_map(|s| s.split_once('='));
        let sizes: BTreeMap<String, u64> = sizes
            .map(|(sort, n)| (sort.to_owned(), n.parse().expect("a size")))
            .collect();
        let universe =
            Universe::sized(&model, model.every_setting(), &sizes).expect("the sizes fit");
        let instance = Instance::new(Arc::new(model), universe);
        Self { sources, instance }
    }

    fn command(&self, command: &str) -> Vec<String> {
        let mut words = command.split_whitespace();
        let verb = words.next().unwrap_or("");
        let subject = words.next().unwrap_or("");
        let number = |key: &str, default| {
            let given = command.split_whitespace().find_map(|w| w.strip_prefix(key));
            given.map_or(default, |n| n.parse().expect("a number"))
        };
        let options = Options {
            seed: number("seed=", 1),
            steps: number("steps=", 100),
        };
        match verb {
            "sizes" => Vec::new(),
            "schedule" => {
                let model = self.instance.model();
                let position = model.schedules.iter().position(|s| *s.name == *subject);
                let position = position.expect("the schedule is declared");
                let automaton = model.schedules[position].automaton;
                self.run(
                    automaton,
                    run::scheduled(&self.instance, position, &Weights::DRAWN, options, &mut ()),
                )
            }
            "random" => {
                let automaton = self.automaton(subject);
                self.run(
                    automaton,
                    run::random(&self.instance, automaton, options, &mut ()),
                )
            }
            "starts" => self.starts(self.automaton(subject)),
            "steps" => self.steps(self.automaton(subject)),
            "errors" => self.diagnostics(self.instance.errors()),
            other => panic!("unknown command {other}"),
        }
    }

    fn automaton(&self, name: &str) -> AutomatonId {
        self.instance
            .model()
            .automaton_named(name)
            .expect("the automaton is declared")
    }

    fn run(&self, automaton: AutomatonId, report: Result<Report, Vec<Diagnostic>>) -> Vec<String> {
        let report = match report {
            Ok(report) => report,
            Err(errors) => return self.diagnostics(errors.iter()),
        };
        let steps = if report.steps == 1 {
            "1 step".into()
        } else {
            format!("{} steps", report.steps)
        };
        let mut lines = vec![format!(
            "{steps}: {}",
            self.ending(automaton, &report.ending)
        )];
        lines.extend(self.reasons(&report.ending));
        if let Some(state) = &report.state {
            lines.push(format!(
                "at {}",
                self.state(self.instance.layout(automaton), state)
            ));
        }
        lines
    }

    fn ending(&self, automaton: AutomatonId, ending: &Ending) -> String {
        match ending {
            Ending::Finished => "finished".into(),
            Ending::StepLimit => "the step limit".into(),
            Ending::Deadlock => "deadlock".into(),
            Ending::NothingNew => "nothing new".into(),
            Ending::Disabled(disabled) => {
                let action =
                    &self.instance.model().automaton(automaton).actions[disabled.action.index()];
                let params = self.list(&disabled.params);
                format!(
                    "disabled: {}({params}) at `{}`",
                    action.name,
                    self.sources.one_line(disabled.span)
                )
            }
            Ending::Violated(all) => {
                let names: Vec<&str> = all.iter().map(|v| &*v.name).collect();
                format!("{} is violated", names.join(", "))
            }
            Ending::Fault(fault) => self.fault(fault),
            Ending::Limit(limit) => {
                format!(
                    "limit: {} at `{}`",
                    limit.kind,
                    self.sources.one_line(limit.span)
                )
            }
            Ending::Stopped => "stopped".into(),
        }
    }

    fn fault(&self, fault: &Fault) -> String {
        let bindings = self.bindings(&fault.bindings);
        format!(
            "fault: {} at `{}`{bindings}",
            fault.kind,
            self.sources.one_line(fault.span)
        )
    }

    fn reasons(&self, ending: &Ending) -> Vec<String> {
        match ending {
            Ending::Disabled(disabled) => self.tell(&disabled.refusal.reasons),
            Ending::Violated(all) => all.iter().flat_map(|v| self.tell(&v.reasons)).collect(),
            _ => Vec::new(),
        }
    }

    fn tell(&self, reasons: &[Reason]) -> Vec<String> {
        let tell = |reason: &Reason| {
            let formula = self.sources.one_line(reason.span);
            let (value, bindings) = (reason.value, self.bindings(&reason.bindings));
            let terms = reason.terms.iter().map(|(span, value)| {
                format!(
                    "{} = {}",
                    self.sources.one_line(*span),
                    value.display(self.instance.model())
                )
            });
            let terms: Vec<String> = terms.collect();
            format!("  `{formula}` is {value}{bindings}: {}", terms.join(", "))
        };
        reasons.iter().map(tell).collect()
    }

    fn bindings(&self, bindings: &[(Name, Value)]) -> String {
        if bindings.is_empty() {
            return String::new();
        }
        let model = self.instance.model();
        let bindings = bindings
            .iter()
            .map(|(name, value)| format!("{name} = {}", value.display(model)));
        format!(" for {}", bindings.collect::<Vec<_>>().join(", "))
    }

    fn list(&self, values: &[Value]) -> String {
        let model = self.instance.model();
        values
            .iter()
            .map(|v| v.display(model))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn state(&self, layout: &Layout, state: &State) -> String {
        let model = self.instance.model();
        let values = layout
            .values(state)
            .map(|(name, v)| format!("{name} = {}", v.display(model)));
        let mut text = values.collect::<Vec<_>>().join(", ");
        if text.len() > 200 {
            text = format!("{} ...", text.chars().take(200).collect::<String>());
        }
        text
    }

    /// The variables that a step changed.
    fn changes(&self, layout: &Layout, before: &State, after: &State) -> String {
        let model = self.instance.model();
        let changed = layout.changed(before, after).into_iter();
        let changed = changed.map(|v| {
            format!(
                "{} = {}",
                layout.name(v),
                layout.value(after, v).display(model)
            )
        });
        let changed: Vec<String> = changed.collect();
        if changed.is_empty() {
            "nothing changes".into()
        } else {
            changed.join(", ")
        }
    }

    fn starts(&self, automaton: AutomatonId) -> Vec<String> {
        let mut executor = Executor::new(&self.instance, automaton).expect("it can be run");
        match executor.starts() {
            Ok(starts) => {
                for start in &starts {
                    assert_eq!(executor.is_start(&start.state), Ok(true));
                }
                let layout = self.instance.layout(automaton);
                starts
                    .iter()
                    .map(|start| self.state(layout, &start.state))
                    .collect()
            }
            Err(interrupt) => vec![self.interrupt(automaton, interrupt)],
        }
    }

    fn steps(&self, automaton: AutomatonId) -> Vec<String> {
        let mut executor = Executor::new(&self.instance, automaton).expect("it can be run");
        let starts = executor.starts().expect("there are start states");
        let mut lines = Vec::new();
        for start in starts {
            let firings = match executor.enabled(&start.state) {
                Ok(firings) => firings,
                Err(interrupt) => {
                    lines.push(self.interrupt(automaton, interrupt));
                    continue;
                }
            };
            for firing in firings {
                let (params, hidden) = executor.values(&firing);
                let action = self
                    .instance
                    .model()
                    .automaton(automaton)
                    .action_of(firing.transition);
                let hidden = if hidden.is_empty() {
                    String::new()
                } else {
                    format!("; {}", self.list(&hidden))
                };
                let step = format!("{}({}{hidden})", action.name, self.list(&params));
                match executor.outcomes(&start.state, &firing) {
                    Ok(outcomes) => lines.extend(outcomes.iter().map(|outcome| {
                        let layout = self.instance.layout(automaton);
                        format!(
                            "{step}: {}",
                            self.changes(layout, &start.state, &outcome.state)
                        )
                    })),
                    Err(interrupt) => {
                        lines.push(format!("{step}: {}", self.interrupt(automaton, interrupt)));
                    }
                }
            }
        }
        lines
    }

    fn interrupt(&self, automaton: AutomatonId, interrupt: Interrupt) -> String {
        self.ending(automaton, &Ending::from(interrupt))
    }

    fn diagnostics<'d>(&self, errors: impl Iterator<Item = &'d Diagnostic>) -> Vec<String> {
        let tell = |d: &Diagnostic| {
            let place = self.sources.one_line(d.span);
            format!("{} at `{place}` ({})", d.message, d.help.join("; "))
        };
        errors.map(tell).collect()
    }
}
