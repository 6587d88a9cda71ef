//! Runs as they go: each step with what it changed.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use interpreter::run::{Event, Observer};
use interpreter::{Instance, State};
use session::instances::Interpreted;
use session::numbers::count;
use session::pipeline::plan::{Drive, Plan};
use session::story::{Frame, execution};
use session::study::Study;

use crate::console::Console;
use crate::report::terminal;

/// Prints the runs that it observes.
pub(super) struct Narrator<'n> {
    study: &'n Study,
    instances: &'n Interpreted,
    drive: Drive,
    /// What drives the runs, for people.
    source: Source,
    console: &'n Console,
    /// How many runs have begun.
    runs: u64,
}

/// Where runs come from.
enum Source {
    /// What drives the runs, each of which has a seed of its own; this is the first one's.
    Seeds(String, u64),
    /// A systematic strategy.
    Ways(String),
    /// A trace file.
    File(String),
}

impl<'n> Narrator<'n> {
    /// One of the runs of a plan that take turns at some instances, the first with this seed.
    pub(super) fn new(
        study: &'n Study,
        instances: &'n Interpreted,
        plan: &Plan,
        seed: u64,
        console: &'n Console,
    ) -> Self {
        let name = plan.name(study);
        Self {
            study,
            instances,
            drive: plan.drive,
            source: match plan.ways() {
                Some(_) => Source::Ways(name),
                None => Source::Seeds(name, seed),
            },
            console,
            runs: 0,
        }
    }

    /// One of the run in a trace file.
    pub(super) fn of_trace(
        study: &'n Study,
        instances: &'n Interpreted,
        drive: Drive,
        path: &Path,
        console: &'n Console,
    ) -> Self {
        Self {
            study,
            instances,
            drive,
            source: Source::File(path.display().to_string()),
            console,
            runs: 0,
        }
    }

    /// The instance of the run that goes on.
    fn instance(&self) -> &'n Arc<Instance> {
        self.instances.of_run(self.runs.saturating_sub(1)).1
    }

    fn headline(&self) -> String {
        match &self.source {
            Source::File(path) => format!("the run of {path}"),
            Source::Ways(name) => format!("run {} of {name}", count(self.runs)),
            Source::Seeds(name, first) => {
                let number = self.runs - 1;
                let seed = first.wrapping_add(number);
                let interpretation = self.instances.of_run(number).0;
                let interpretation = match self.instances.among_others(interpretation) {
                    Some(n) => format!(" in interpretation {n}"),
                    None => String::new(),
                };
                format!(
                    "run {} of {name} with seed {seed}{interpretation}",
                    count(self.runs)
                )
            }
        }
    }

    /// Prints; what cannot be printed any more need not be run either.
    fn print(&self, text: &str) -> ControlFlow<()> {
        match self.console.print(text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn print_frame(&self, frame: &Frame) -> ControlFlow<()> {
        self.print(&terminal::frame(frame, self.console.style))
    }
}

impl Observer for Narrator<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        self.runs += 1;
        let style = self.console.style;
        self.print(&format!(
            "{}\n",
            terminal::paint(&self.headline(), "1", style)
        ))?;
        let automaton = self.drive.automaton(self.study);
        let title = format!(
            "a start state of {}",
            self.study.model.automaton(automaton).name
        );
        let frame = execution::state(self.study, self.instance(), automaton, (title, 0), state);
        self.print_frame(&frame)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let number = usize::try_from(event.number).unwrap_or(usize::MAX);
        let automaton = self.drive.automaton(self.study);
        let taken = event.step();
        let place = (number, event.pre);
        let frame = execution::step(self.study, self.instance(), automaton, place, &taken);
        self.print_frame(&frame)
    }
}
