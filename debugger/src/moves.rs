//! Commands that move the cursor or take steps.

use interpreter::trace::Step;
use interpreter::{Call, Oracle, Shape, TransitionSystem};
use ioa_lang::Span;
use ioa_lang::source::FileId;
use session::host::Host;
use session::study::BadInput;

use crate::command::Given;
use crate::debugger::Debugger;
use crate::path::Path;
use crate::reply::Reply;
use crate::terms::{self, Ready, trouble};

/// At most so many steps are looked through for one that is to be taken.
pub(crate) const MOST_CHOICES: usize = 10_000;

/// `until` draws at most so many steps past the end of a run.
const MOST_DRAWN: usize = 10_000;

/// How going forward to a state ended.
enum Forward {
    /// There.
    Reached,
    /// Where no step can be taken, after so many steps that were drawn.
    Stuck(usize),
    /// After as many steps as are drawn at most.
    Enough,
}

impl Debugger<'_> {
    /// Goes to the state after so many steps.
    pub(crate) fn go(&mut self, steps: usize) -> Result<Reply, BadInput> {
        let len = self.path().len();
        if steps > len {
            return Err(self.beyond(steps));
        }
        self.cursor = steps;
        Ok(self.here())
    }

    /// That the run has not so many steps, and how it goes on.
    fn beyond(&self, steps: usize) -> BadInput {
        let len = self.path().len();
        let known = session::numbers::counted(len as u64, "step");
        BadInput::message(match self.path().repeats_after {
            None => format!(
                "there is no step {steps}: the run has {known}; `enabled` lists the steps that can be taken at its end"
            ),
            Some(stem) if stem < len => format!(
                "only {known} are recorded: after them, those from step {} on are repeated for ever; `go {stem}` is the same state",
                stem + 1
            ),
            Some(_) => format!(
                "there is no step {steps}: after {known} nothing happens any more; `enabled` lists the steps that could be taken"
            ),
        })
    }

    pub(crate) fn back(&mut self, steps: usize) -> Result<Reply, BadInput> {
        match self.cursor.checked_sub(steps) {
            Some(to) => self.go(to),
            None => Err(BadInput::message(format!(
                "only {} lead here: `go 0` is the start",
                session::numbers::counted(self.cursor as u64, "step")
            ))),
        }
    }

    /// Puts a step after the state at hand: the next one of the path if it is that, a branch if the path goes on otherwise.
    pub(crate) fn append(&mut self, step: Step) -> Result<(), BadInput> {
        if self.path().step(self.cursor + 1) != Some(&step) {
            self.ready_to_grow(1)?;
            let path = &mut self.paths[self.current];
            path.trace.steps.push(step);
            path.repeats_after = None;
        }
        self.cursor += 1;
        Ok(())
    }

    /// Makes the state at hand the last of a path, which is a new one if this path goes on.
    fn ready_to_grow(&mut self, steps: usize) -> Result<(), BadInput> {
        if self.cursor == self.path().len() {
            return self.has_room_for(steps);
        }
        self.has_room_for(self.cursor + steps)?;
        let branch = self.path().prefix(self.current + 1, self.cursor);
        self.paths.push(branch);
        self.current = self.paths.len() - 1;
        Ok(())
    }

    /// The answer to a command that takes steps: where it led, and whether a branch begins.
    pub(crate) fn arrived(&mut self, from: usize) -> Reply {
        let mut reply = Reply::default();
        if self.current != from {
            let (number, steps) = self.path().origin.unwrap_or_default();
            reply.say(format!(
                "run {} branches off run {number} after {}",
                self.current + 1,
                session::numbers::counted(steps as u64, "step")
            ));
        }
        reply.items.extend(self.here().items);
        reply
    }

    pub(crate) fn take(&mut self, number: usize) -> Result<Reply, BadInput> {
        let from = self.current;
        let step = match number.checked_sub(1) {
            Some(ordinal) => {
                let state = self.paths[self.current].state(self.cursor);
                let step = self.executor.step_at(state, ordinal);
                step.map_err(|why| BadInput::message(trouble(self.study, &why)))?
            }
            None => None,
        };
        let step = step.ok_or_else(|| {
            let can = self.enabled(MOST_CHOICES).0.len();
            BadInput::message(match can {
                0 => "no step can be taken here".to_owned(),
                n => format!("there is no step {number} in the list: `enabled` lists {n}, from 1"),
            })
        })?;
        self.append(step)?;
        Ok(self.arrived(from))
    }

    pub(crate) fn fire(&mut self, given: &Given) -> Result<Reply, BadInput> {
        let from = self.current;
        let call = self.call(given)?;
        let state = self.paths[self.current].state(self.cursor);
        let step = self.executor.fire(state, &call, &mut self.draws);
        let step = step.map_err(|why| BadInput::message(trouble(self.study, &why)))?;
        let step = step.ok_or_else(|| {
            let text = given.text();
            BadInput::message(format!("{text} is not enabled here: `why {text}` says why"))
        })?;
        self.append(step)?;
        Ok(self.arrived(from))
    }

    /// A call with values for all parameters.
    pub(crate) fn call(&mut self, given: &Given) -> Result<Call, BadInput> {
        let called = terms::called(self.study, self.automaton(), given)?;
        let action = called.action;
        let Some(args) = called.args else {
            let name = given.text();
            return Err(BadInput::message(format!(
                "{name} has parameters: `enabled {name}` lists the steps by it that can be taken, `take` takes one"
            )));
        };
        let mut cells = Vec::new();
        for (term, ty) in args {
            let state = self.paths[self.current].state(self.cursor);
            let value = terms::value(&mut self.executor, state, &term)?;
            let model = &self.study.model;
            let shape = Shape::of(model, self.instance.universe(), &ty);
            let cell = shape.encode(&value).ok_or_else(|| {
                let (value, ty) = (value.display(model), model.type_name(&ty));
                BadInput::message(format!("{value} is no value of {ty} at these sizes"))
            })?;
            cells.push(cell);
        }
        Ok(Call {
            action,
            args: cells,
            using: Vec::new(),
            span: Span::new(FileId(0), 0, 0),
        })
    }

    /// A step that is drawn from those that can be taken and have to do with a name; none if there is none.
    fn drawn(&mut self, name: Option<&str>) -> Result<Option<Step>, BadInput> {
        if let Some(name) = name {
            self.actors.check(name)?;
        }
        let (mut steps, trouble) = self.enabled(MOST_CHOICES);
        if let Some(trouble) = trouble {
            return Err(BadInput::message(trouble));
        }
        if let Some(name) = name {
            steps.retain(|step| self.actors.concerns(name, step));
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let position = self.draws.pick(steps.len());
        Ok(Some(steps.swap_remove(position)))
    }

    /// As [`Self::drawn`], where the user asks for a step at the state at hand.
    fn drawn_here(&mut self, name: Option<&str>) -> Result<Step, BadInput> {
        self.drawn(name)?.ok_or_else(|| {
            let whose = name.map(|name| format!(" of {name}")).unwrap_or_default();
            BadInput::message(format!("no step{whose} can be taken here"))
        })
    }

    pub(crate) fn random(
        &mut self,
        steps: usize,
        name: Option<&str>,
        host: &dyn Host,
    ) -> Result<Reply, BadInput> {
        let from = self.current;
        for taken in 0..steps {
            let step = match host.stopped() {
                Some(stop) => Err(BadInput::message(stop.words())),
                None => self.drawn_here(name),
            };
            match step {
                Ok(step) => self.append(step)?,
                Err(why) if taken == 0 => return Err(why),
                Err(why) => {
                    let mut reply = self.arrived(from);
                    let taken = session::numbers::counted(taken as u64, "step");
                    reply.say(format!("only {taken}: {}", why.messages.join("; ")));
                    return Ok(reply);
                }
            }
        }
        Ok(self.arrived(from))
    }

    pub(crate) fn until(&mut self, given: &Given, host: &dyn Host) -> Result<Reply, BadInput> {
        let goal = Ready::formula(self.study, &self.executor, given)?;
        let from = self.current;
        let (path, cursor) = (self.path().clone(), self.cursor);
        let reached = self.forward_to(&goal, host);
        if !matches!(reached, Ok(Forward::Reached)) {
            // Nothing of what was drawn is kept.
            self.paths[from] = path;
            self.cursor = cursor;
        }
        let formula = &goal.text;
        let why = match reached? {
            Forward::Reached => return Ok(self.arrived(from)),
            Forward::Stuck(0) => format!(
                "{formula} holds in no later state of the run, and no step can be taken at its end"
            ),
            Forward::Stuck(drawn) => format!(
                "{formula} holds in no later state of the run, and the run that was drawn on from its end ended after {} without it",
                session::numbers::counted(drawn as u64, "step")
            ),
            Forward::Enough => format!(
                "{formula} holds in no later state of the run, nor in those of {MOST_DRAWN} steps that were drawn after it"
            ),
        };
        Err(BadInput::message(format!(
            "{why}: `find` looks for a shortest way to one"
        )))
    }

    /// Goes to the next state in which a formula holds, if it comes along.
    fn forward_to(&mut self, goal: &Ready, host: &dyn Host) -> Result<Forward, BadInput> {
        let recorded = self.path().len();
        let end = recorded.saturating_add(MOST_DRAWN);
        while self.cursor < end {
            if let Some(stop) = host.stopped() {
                return Err(BadInput::message(stop.words()));
            }
            match self.cursor < self.path().len() {
                true => self.cursor += 1,
                false => match self.drawn(None)? {
                    Some(step) => self.append(step)?,
                    None => return Ok(Forward::Stuck(self.cursor - recorded)),
                },
            }
            let state = self.paths[self.current].state(self.cursor);
            if goal.holds(&mut self.executor, state)? {
                return Ok(Forward::Reached);
            }
        }
        Ok(Forward::Enough)
    }

    pub(crate) fn rewind(&mut self, given: &Given) -> Result<Reply, BadInput> {
        let goal = Ready::formula(self.study, &self.executor, given)?;
        for at in (0..self.cursor).rev() {
            let state = self.paths[self.current].state(at);
            if goal.holds(&mut self.executor, state)? {
                return self.go(at);
            }
        }
        Err(BadInput::message(format!(
            "{} holds in no earlier state",
            goal.text
        )))
    }

    pub(crate) fn continue_(&mut self) -> Result<Reply, BadInput> {
        let (from, end) = (self.cursor, self.path().len());
        if from == end {
            return Err(match self.path().repeats_after {
                Some(_) => self.beyond(end + 1),
                None => BadInput::message(
                    "this is the end of the run: `enabled` lists the steps that can be taken, `random` draws some",
                ),
            });
        }
        let mut why = "the end of the run".to_owned();
        for at in from + 1..=end {
            self.cursor = at;
            if let Some(stop) = self.stop_at(at)? {
                why = stop;
                break;
            }
        }
        let mut reply = Reply::line(format!("stopped: {why}"));
        reply.items.extend(self.here().items);
        Ok(reply)
    }

    /// Why `continue` stops after so many steps, if it does.
    fn stop_at(&mut self, at: usize) -> Result<Option<String>, BadInput> {
        let violated = self.violated_at(at).map_err(BadInput::message)?;
        if let Some(name) = violated.first() {
            return Ok(Some(format!("invariant {name} is violated")));
        }
        let state = self.paths[self.current].state(at);
        for (number, formula) in (1..).zip(&self.breaks) {
            if formula.holds(&mut self.executor, state)? {
                return Ok(Some(format!("breakpoint {number}, {}", formula.text)));
            }
        }
        Ok(None)
    }

    pub(crate) fn starts(&mut self) -> Result<Reply, BadInput> {
        let starts = self.start_states()?;
        let mut reply = Reply::default();
        for (number, state) in (1..).zip(&starts) {
            let title = format!("start state {number}");
            let place = (title, 0);
            let automaton = self.automaton();
            reply.show(session::story::execution::state(
                self.study,
                self.instance,
                automaton,
                place,
                state,
            ));
        }
        if starts.len() == MOST_STARTS {
            reply.say(format!("there may be more than these {MOST_STARTS}"));
        }
        Ok(reply)
    }

    fn start_states(&mut self) -> Result<Vec<interpreter::State>, BadInput> {
        let mut starts = Vec::new();
        let all = self.executor.each_start(&mut |_, state| {
            starts.push(state.clone());
            match starts.len() < MOST_STARTS {
                true => std::ops::ControlFlow::Continue(()),
                false => std::ops::ControlFlow::Break(()),
            }
        });
        let _ = all.map_err(|why| BadInput::message(trouble(self.study, &why)))?;
        Ok(starts)
    }

    pub(crate) fn start(&mut self, number: usize) -> Result<Reply, BadInput> {
        let mut starts = self.start_states()?;
        if number == 0 || number > starts.len() {
            return Err(BadInput::message(format!(
                "there is no start state {number}: `starts` lists {}",
                starts.len()
            )));
        }
        let trace = interpreter::trace::Trace {
            automaton: self.automaton(),
            start: starts.swap_remove(number - 1),
            steps: Vec::new(),
        };
        self.paths.push(Path {
            trace,
            origin: None,
            repeats_after: None,
        });
        self.current = self.paths.len() - 1;
        self.cursor = 0;
        Ok(self.here())
    }
}

/// At most so many start states are listed.
const MOST_STARTS: usize = 1_000;
