//! Commands that ask something and change no path.

use interpreter::limits::FUEL;
use interpreter::{Blocked, Call, Conditions, Reason, State};
use ioa_lang::core::{ActionId, TransitionId};
use session::numbers::counted;
use session::story::{Blame, execution};
use session::study::BadInput;

use crate::command::Given;
use crate::debugger::Debugger;
use crate::moves::MOST_CHOICES;
use crate::reply::{Item, Reply};
use crate::terms::{self, Ready, trouble};

/// A list of steps shows so many on each side of the cursor if it is not said which.
const AROUND: usize = 15;

/// A list of choices shows at most so many.
const MOST_SHOWN: usize = 100;

/// To say since when something is so, at most so many states are looked back at.
const LOOKED_BACK: usize = 10_000;

impl Debugger<'_> {
    /// The last step and what it changed, what is watched, and the invariants that are violated.
    pub(crate) fn here(&mut self) -> Reply {
        let mut reply = Reply::default();
        reply.show(self.last_step());
        for watched in self.watched() {
            let was = watched.was.map(|was| format!("   (was {was})"));
            let was = was.unwrap_or_default();
            reply.say(format!(
                "  watch: {} = {}{was}",
                watched.term, watched.value
            ));
        }
        match self.violated() {
            Ok(names) => {
                for name in names {
                    reply.say(format!("  violated: invariant {name}"));
                }
            }
            Err(why) => reply.say(format!("  {why}")),
        }
        reply
    }

    pub(crate) fn state_reply(&mut self) -> Reply {
        let mut reply = Reply::default();
        reply.show(self.full_state());
        reply
    }

    pub(crate) fn listed(&mut self, range: Option<(usize, usize)>) -> Result<Reply, BadInput> {
        let len = self.path().len();
        let (from, to) = range.unwrap_or((
            self.cursor.saturating_sub(AROUND),
            self.cursor.saturating_add(AROUND).min(len),
        ));
        if from > to || to > len {
            return Err(BadInput::message(format!(
                "there are no steps {from} to {to}: the run has {}",
                counted(len as u64, "step")
            )));
        }
        let mut reply = Reply::default();
        if from > 1 {
            reply.say(format!(
                "   ... {} before",
                counted(from as u64 - 1, "step")
            ));
        }
        if from == 0 {
            let mark = if self.cursor == 0 { ">" } else { " " };
            reply.say(format!("{mark}   0  the first state"));
        }
        for event in self.events_between(from, to) {
            let mark = if event.is_here { ">" } else { " " };
            reply.say(format!("{mark}{:>4}  {}", event.number, event.title));
        }
        if to < len {
            reply.say(format!(
                "   ... {} after",
                counted((len - to) as u64, "step")
            ));
        }
        Ok(reply)
    }

    pub(crate) fn enabled_reply(&mut self, name: Option<&str>) -> Result<Reply, BadInput> {
        if let Some(name) = name {
            self.actors.check(name)?;
        }
        let (steps, trouble) = self.enabled(MOST_CHOICES);
        let mut reply = Reply::default();
        let next = self.path().step(self.cursor + 1);
        let shown = (1..).zip(&steps).filter(|(_, step)| match name {
            Some(name) => self.actors.concerns(name, step),
            None => self.passes(step),
        });
        let shown: Vec<(usize, _)> = shown.collect();
        for (number, step) in shown.iter().take(MOST_SHOWN) {
            let mark = if Some(*step) == next { ">" } else { " " };
            reply.say(format!("{mark}{number:>4}  {}", self.title(step)));
        }
        if shown.len() > MOST_SHOWN {
            let more = counted((shown.len() - MOST_SHOWN) as u64, "more step");
            reply.say(format!(
                "   ... {more}: `enabled NAME` lists those of one action or component"
            ));
        }
        if steps.len() == MOST_CHOICES {
            reply.say(format!(
                "only the first {MOST_CHOICES} steps were looked at"
            ));
        }
        match trouble {
            Some(trouble) => reply.say(trouble),
            None if shown.is_empty() => reply.say(match name {
                Some(name) => format!("no step of {name} can be taken here"),
                None if steps.is_empty() => {
                    "no step can be taken here: nothing happens any more".to_owned()
                }
                None => "the filter lets no step through that can be taken here".to_owned(),
            }),
            None => {}
        }
        Ok(reply)
    }

    pub(crate) fn eval(&mut self, given: &Given) -> Result<Reply, BadInput> {
        let term = Ready::term(self.study, &self.executor, given)?;
        let state = self.paths[self.current].state(self.cursor);
        let value = term.value(&mut self.executor, state);
        Ok(Reply::line(match value {
            Ok(value) => value.display(&self.study.model),
            Err(why) => why,
        }))
    }

    pub(crate) fn watch(&mut self, given: &Given) -> Result<Reply, BadInput> {
        let term = Ready::term(self.study, &self.executor, given)?;
        self.watches.push(term);
        let shown = self.watched();
        let lines = (1..).zip(shown).map(|(number, watched)| {
            Item::Line(format!(
                "watch {number}: {} = {}",
                watched.term, watched.value
            ))
        });
        Ok(Reply {
            items: lines.collect(),
        })
    }

    pub(crate) fn unwatch(&mut self, number: usize) -> Result<Reply, BadInput> {
        forget(&mut self.watches, number, "watched term")
    }

    pub(crate) fn break_(&mut self, given: &Given) -> Result<Reply, BadInput> {
        let formula = Ready::formula(self.study, &self.executor, given)?;
        let reply = format!("breakpoint {}: {}", self.breaks.len() + 1, formula.text);
        self.breaks.push(formula);
        Ok(Reply::line(reply))
    }

    pub(crate) fn unbreak(&mut self, number: usize) -> Result<Reply, BadInput> {
        forget(&mut self.breaks, number, "breakpoint")
    }

    /// Which invariants of the automaton hold, and why others do not.
    pub(crate) fn invariants(&mut self) -> Result<Reply, BadInput> {
        let state = self.paths[self.current].state(self.cursor);
        let violations = self.executor.violations(state);
        let violations = violations.map_err(|why| BadInput::message(trouble(self.study, &why)))?;
        let mut reply = Reply::default();
        let model = &self.study.model;
        for invariant in model.invariants_of(self.automaton()) {
            let violation = violations.iter().find(|v| v.name == invariant.name);
            let Some(violation) = violation else {
                reply.say(format!("{} holds", invariant.name));
                continue;
            };
            reply.say(format!("{} is violated", invariant.name));
            let blame = execution::blame(self.study, &violation.reasons);
            reply.items.extend(
                blame
                    .into_iter()
                    .map(|blame| Item::False(blame, String::new())),
            );
        }
        if reply.items.is_empty() {
            reply.say("no invariant is stated of this automaton");
        }
        Ok(reply)
    }

    /// Why an action is disabled: the false conjuncts with the values that decide them, and since when they are false.
    pub(crate) fn why(&mut self, given: &Given) -> Result<Reply, BadInput> {
        let called = terms::called(self.study, self.automaton(), given)?;
        if called.args.is_none() {
            return Ok(self.why_for_all(called.action, given.text()));
        }
        let call = self.call(given)?;
        let text = given.text();
        let reasons = self.unmet(self.cursor, &call);
        if reasons.is_empty() {
            return Ok(Reply::line(format!("{text} is enabled here")));
        }
        let mut reply = Reply::line(format!(
            "{text} {}",
            match self.applies(&call) {
                true => "is not enabled",
                false => "is not enabled: no clause is for these parameters",
            }
        ));
        let blame = execution::blame(self.study, &reasons);
        for (blame, reason) in blame.into_iter().zip(&reasons) {
            let since = self.since(&call, reason);
            reply.items.push(Item::False(blame, since));
        }
        Ok(reply)
    }

    fn applies(&mut self, call: &Call) -> bool {
        let state = self.paths[self.current].state(self.cursor);
        self.executor.why_not(state, call).applies
    }

    /// What keeps a call from being answered in the state after so many steps.
    fn unmet(&mut self, at: usize, call: &Call) -> Vec<Reason> {
        let state = self.paths[self.current].state(at);
        self.executor.why_not(state, call).reasons
    }

    /// Since when a conjunct is false, by the states before this one.
    fn since(&mut self, call: &Call, reason: &Reason) -> String {
        let oldest = self.cursor.saturating_sub(LOOKED_BACK);
        let mut since = self.cursor;
        while since > oldest {
            let before = self.unmet(since - 1, call);
            if !before.iter().any(|other| other.formula == reason.formula) {
                let step = self.path().step(since).map(|step| self.title(step));
                let step = step.unwrap_or_default();
                return format!("since step {since}: {step}");
            }
            since -= 1;
        }
        match oldest {
            0 => "since the first state".to_owned(),
            _ => format!("for {LOOKED_BACK} steps at least"),
        }
    }

    /// Why an action is disabled for all values of its parameters: the first conjunct of each clause that none satisfies
    /// together with those before it.
    fn why_for_all(&mut self, action: ActionId, name: &str) -> Reply {
        let clauses: Vec<TransitionId> = {
            let automaton = self.study.model.automaton(self.automaton());
            automaton.clauses(action).map(|(id, _)| id).collect()
        };
        let state: State = self.state().clone();
        let mut reply = Reply::default();
        for clause in clauses {
            let conditions: Conditions = self.executor.conditions(clause);
            let at = match self.executor.blocked(&state, (&conditions, 0), FUEL) {
                Blocked::By(at) => at,
                Blocked::No => {
                    return Reply::line(format!(
                        "{name} is enabled here for some values: `enabled {name}` lists them"
                    ));
                }
                Blocked::Unknown => {
                    return Reply::line(format!(
                        "it cannot be evaluated whether {name} is enabled for any values: say for which, as in `why {name}(1)`"
                    ));
                }
            };
            let blame = Blame::at(self.study, conditions.spans[at], &[]);
            let what = match at {
                0 => "for all values of the parameters",
                _ => "for all values of the parameters that satisfy what stands before it",
            };
            reply.items.push(Item::False(blame, what.to_owned()));
        }
        reply.items.insert(
            0,
            Item::Line(format!(
                "{name} is not enabled, whatever its parameters are"
            )),
        );
        reply
    }

    pub(crate) fn set_filter(&mut self, names: &[String]) -> Result<Reply, BadInput> {
        for name in names {
            self.actors.check(name)?;
        }
        self.filter = names.to_vec();
        Ok(Reply::line(match names {
            [] => "all steps are listed".to_owned(),
            names => format!("only steps of {} are listed", names.join(", ")),
        }))
    }
}

/// Forgets one of several things by its number.
fn forget<T>(all: &mut Vec<T>, number: usize, what: &str) -> Result<Reply, BadInput> {
    match number.checked_sub(1).filter(|at| *at < all.len()) {
        Some(at) => {
            all.remove(at);
            Ok(Reply::line(format!("{what} {number} is forgotten")))
        }
        None => Err(BadInput::message(format!("there is no {what} {number}"))),
    }
}
