//! The debugger itself: paths with a common origin, a cursor on one of them, and what is watched on the way.

use std::ops::ControlFlow;

use interpreter::trace::{Step, Trace};
use interpreter::{Draws, Executor, Instance, Label, State, Stream, TransitionSystem};
use ioa_lang::core::AutomatonId;
use session::host::Host;
use session::story::{Frame, execution};
use session::study::{BadInput, Study};

use crate::actors::Actors;
use crate::command::{Command, help};
use crate::path::{MOST_STEPS, Path};
use crate::reply::Reply;
use crate::terms::{Ready, trouble};

/// A session of debugging one automaton at given sizes.
#[derive(Debug)]
pub struct Debugger<'s> {
    pub(crate) study: &'s Study,
    pub(crate) instance: &'s Instance,
    pub(crate) executor: Executor<'s>,
    pub(crate) actors: Actors<'s>,
    pub(crate) draws: Draws,
    pub(crate) paths: Vec<Path>,
    /// The path that the cursor is on, by position.
    pub(crate) current: usize,
    /// How many steps of it lead to the state at hand.
    pub(crate) cursor: usize,
    pub(crate) watches: Vec<Ready>,
    pub(crate) breaks: Vec<Ready>,
    pub(crate) filter: Vec<String>,
}

/// A step of the path, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// How many steps there are up to it.
    pub number: usize,
    /// The action with its parameters and choices.
    pub title: String,
    /// The components that take part, the one that controls the action first.
    pub components: Vec<String>,
    /// Whether it leads to the state at hand.
    pub is_here: bool,
}

/// A watched term with its value in the state at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The term as written.
    pub term: String,
    /// Its value, or that it has none.
    pub value: String,
    /// Its value in the state before, if that was another one.
    pub was: Option<String>,
}

impl<'s> Debugger<'s> {
    /// Begins in the first start state of an automaton. What is drawn depends on the seed.
    ///
    /// # Errors
    /// The automaton cannot be run at these sizes, or has no start state.
    pub fn fresh(
        study: &'s Study,
        instance: &'s Instance,
        automaton: AutomatonId,
        seed: u64,
    ) -> Result<Self, BadInput> {
        let mut executor = executor(study, instance, automaton)?;
        let start = executor.first_start(&mut |_| true);
        let start = start.map_err(|why| BadInput::message(trouble(study, &why)))?;
        let start = start.ok_or_else(|| BadInput::message("there is no start state"))?;
        let trace = Trace {
            automaton,
            start,
            steps: Vec::new(),
        };
        Ok(Self::at(study, (instance, executor), trace, seed))
    }

    /// Begins at the start of a recorded execution; if it is infinite, the steps after so many first ones are repeated forever. It
    /// may begin in any state, such as one of a counterexample to induction; the reply says so if it is no start state.
    ///
    /// # Errors
    /// A step that is none of the model, by its number.
    pub fn of_trace(
        study: &'s Study,
        instance: &'s Instance,
        (trace, repeats_after): (Trace, Option<usize>),
        seed: u64,
    ) -> Result<(Self, Reply), BadInput> {
        let mut executor = executor(study, instance, trace.automaton)?;
        let mut before = &trace.start;
        for (number, step) in (1..).zip(&trace.steps) {
            let after = executor.successor(before, &step.label);
            let after = after.map_err(|why| {
                BadInput::message(format!(
                    "step {number} of the trace: {}",
                    trouble(study, &why)
                ))
            })?;
            if after.as_ref() != Some(&step.state) {
                let shown = execution::title(study, instance, trace.automaton, step);
                return Err(BadInput::message(format!(
                    "step {number} of the trace, {shown}, is no step of the model from the state before it"
                )));
            }
            before = &step.state;
        }
        let is_start = executor.is_start(&trace.start);
        let is_start = is_start.map_err(|why| BadInput::message(trouble(study, &why)))?;
        let mut reply = Reply::default();
        if !is_start {
            reply.say("the first state is no start state: what follows need not be reachable");
        }
        let mut debugger = Self::at(study, (instance, executor), trace, seed);
        debugger.paths[0].repeats_after = repeats_after;
        Ok((debugger, reply))
    }

    fn at(
        study: &'s Study,
        (instance, executor): (&'s Instance, Executor<'s>),
        trace: Trace,
        seed: u64,
    ) -> Self {
        Self {
            study,
            instance,
            actors: Actors::of(instance, trace.automaton),
            executor,
            draws: Draws::new(seed, Stream::Schedule),
            paths: vec![Path {
                trace,
                origin: None,
                repeats_after: None,
            }],
            current: 0,
            cursor: 0,
            watches: Vec::new(),
            breaks: Vec::new(),
            filter: Vec::new(),
        }
    }

    /// Does what a command asks. After a mistake everything is as it was.
    ///
    /// `Graph`, `Save` and `Quit` are for programs with a screen and files; here they are accepted, and do nothing.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn execute(&mut self, command: &Command, host: &dyn Host) -> Result<Reply, BadInput> {
        match command {
            Command::Forward(steps) => self.go(self.cursor.saturating_add(*steps)),
            Command::Back(steps) => self.back(*steps),
            Command::Go(steps) => self.go(*steps),
            Command::End => self.go(self.path().len()),
            Command::Here => Ok(self.here()),
            Command::State => Ok(self.state_reply()),
            Command::Path(range) => self.listed(*range),
            Command::Enabled(name) => self.enabled_reply(name.as_deref()),
            Command::Take(number) => self.take(*number),
            Command::Fire(given) => self.fire(given),
            Command::Random(steps) => self.random(*steps, None, host),
            Command::Only(name, steps) => self.random(*steps, Some(name), host),
            Command::Until(given) => self.until(given, host),
            Command::Rewind(given) => self.rewind(given),
            Command::Continue => self.continue_(),
            Command::Find(given) => self.find(given, host),
            Command::Sibling(given) => self.sibling(given, host),
            Command::Starts => self.starts(),
            Command::Start(number) => self.start(*number),
            Command::Eval(given) => self.eval(given),
            Command::Watch(given) => self.watch(given),
            Command::Unwatch(number) => self.unwatch(*number),
            Command::Break(given) => self.break_(given),
            Command::Unbreak(number) => self.unbreak(*number),
            Command::Why(given) => self.why(given),
            Command::Invariants => self.invariants(),
            Command::Diff(one, other) => self.diff(*one, *other),
            Command::Compare(number) => self.compare(*number),
            Command::Branches => Ok(self.branches()),
            Command::Switch(number) => self.switch(*number),
            Command::Filter(names) => self.set_filter(names),
            Command::Help(name) => Ok(Reply::line(help(name.as_deref()).trim_end())),
            Command::Graph | Command::Save(_) | Command::Quit => Ok(Reply::default()),
        }
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> AutomatonId {
        self.executor.automaton()
    }

    /// The path at hand as a trace.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.path().trace
    }

    /// Of an infinite execution, as long as it is as it was recorded: the number of steps after which the others are repeated for
    /// ever. If there are no others, nothing happens any more.
    #[must_use]
    pub fn repeats_after(&self) -> Option<usize> {
        self.path().repeats_after
    }

    /// How many steps of the path lead to the state at hand, and how many it has.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        (self.cursor, self.path().len())
    }

    /// The number of the path at hand, and how many there are.
    #[must_use]
    pub fn run_number(&self) -> (usize, usize) {
        (self.current + 1, self.paths.len())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.paths[self.current]
    }

    /// The state at hand.
    pub(crate) fn state(&self) -> &State {
        self.path().state(self.cursor)
    }

    /// The steps of the path that the filter lets through.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.events_between(1, self.path().len())
    }

    pub(crate) fn events_between(&self, from: usize, to: usize) -> Vec<Event> {
        let numbers = from.max(1)..=to;
        let steps = numbers.filter_map(|number| Some((number, self.path().step(number)?)));
        let shown = steps.filter(|(_, step)| self.passes(step));
        let events = shown.map(|(number, step)| Event {
            number,
            title: self.title(step),
            components: self.actors.components(&step.label.firing),
            is_here: number == self.cursor,
        });
        events.collect()
    }

    /// Whether the filter lets a step through.
    pub(crate) fn passes(&self, step: &Step) -> bool {
        let mut names = self.filter.iter();
        self.filter.is_empty() || names.any(|name| self.actors.concerns(name, step))
    }

    pub(crate) fn title(&self, step: &Step) -> String {
        execution::title(self.study, self.instance, self.automaton(), step)
    }

    /// The state at hand in full.
    #[must_use]
    pub fn full_state(&self) -> Frame {
        let title = match self.cursor {
            0 => "the first state".to_owned(),
            _ => "all variables".to_owned(),
        };
        let place = (title, self.cursor);
        execution::state(
            self.study,
            self.instance,
            self.automaton(),
            place,
            self.state(),
        )
    }

    /// The step that leads to the state at hand, with what it changed; in the first state, that state.
    #[must_use]
    pub fn last_step(&self) -> Frame {
        let Some(step) = self.path().step(self.cursor) else {
            return self.full_state();
        };
        let before = self.path().state(self.cursor - 1);
        let place = (self.cursor, before);
        execution::step(self.study, self.instance, self.automaton(), place, step)
    }

    /// The watched terms with their values.
    pub fn watched(&mut self) -> Vec<Watched> {
        let path = &self.paths[self.current];
        let (now, before) = (self.cursor, self.cursor.checked_sub(1));
        let mut watched = Vec::new();
        for term in &self.watches {
            let mut shown = |at: usize| match term.value(&mut self.executor, path.state(at)) {
                Ok(value) => value.display(&self.study.model),
                Err(why) => why,
            };
            let value = shown(now);
            let was = before.map(shown).filter(|was| *was != value);
            let term = term.text.clone();
            watched.push(Watched { term, value, was });
        }
        watched
    }

    /// The names of the invariants that are violated in the state at hand, or why this cannot be said.
    ///
    /// # Errors
    /// Why an invariant cannot be evaluated.
    pub fn violated(&mut self) -> Result<Vec<String>, String> {
        self.violated_at(self.cursor)
    }

    pub(crate) fn violated_at(&mut self, steps: usize) -> Result<Vec<String>, String> {
        let state = self.paths[self.current].state(steps);
        let violated = self.executor.violated(state);
        let violated = violated.map_err(|why| trouble(self.study, &why))?;
        let invariants = &self.study.model.invariants;
        let names = violated.into_iter();
        Ok(names.map(|at| invariants[at].name.to_string()).collect())
    }

    /// The steps that can be taken from the state at hand, up to so many, and what went wrong while looking for them.
    pub fn enabled(&mut self, most: usize) -> (Vec<Step>, Option<String>) {
        let mut steps = Vec::new();
        let state = self.paths[self.current].state(self.cursor);
        let all = self
            .executor
            .each_step(state, &mut |firing, choices, after| {
                let label = Label::of(firing, choices);
                let state = after.clone();
                steps.push(Step { label, state });
                match steps.len() < most {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
        (steps, all.err().map(|why| trouble(self.study, &why)))
    }

    /// The steps that can be taken from the state at hand and pass the filter, with their numbers and what they are called.
    pub fn choices(&mut self, most: usize) -> (Vec<(usize, String)>, Option<String>) {
        let (steps, trouble) = self.enabled(most);
        let numbered = (1..).zip(&steps).filter(|(_, step)| self.passes(step));
        let titles = numbered.map(|(number, step)| (number, self.title(step)));
        (titles.collect(), trouble)
    }

    /// Refuses to keep more steps than there is room for.
    pub(crate) fn has_room_for(&self, steps: usize) -> Result<(), BadInput> {
        let kept: usize = self.paths.iter().map(Path::len).sum();
        match kept.saturating_add(steps) <= MOST_STEPS {
            true => Ok(()),
            false => Err(BadInput::message(format!(
                "the runs of this session have {kept} steps, and at most {MOST_STEPS} are kept: `save` this one and open it again"
            ))),
        }
    }
}

fn executor<'s>(
    study: &Study,
    instance: &'s Instance,
    automaton: AutomatonId,
) -> Result<Executor<'s>, BadInput> {
    Executor::new(instance, automaton).map_err(|diagnostics| study.refuse(diagnostics))
}
