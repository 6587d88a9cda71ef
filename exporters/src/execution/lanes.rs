//! The events of an execution, each at one host, and which of them came before which: vector clocks, after Fidge
//! ("Timestamps in message-passing systems that preserve the partial ordering", 1988) and Mattern ("Virtual time and
//! global states of distributed systems", 1989).
//!
//! In a composition, the hosts are components. An action is an event of the component that controls it, which comes
//! before an event of each component that receives it; nothing else orders events of different components.
//!
//! Elsewhere, or where a sort is asked for, the hosts are the elements of a sort, and a step belongs to the first that occurs
//! in its parameters, be it within a tuple; to the automaton where none does. If two parameters are elements, the step is
//! about a message from the first to the second: the first action with its parameters sends it, another action with the same
//! parameters receives it. Messages are also seen in the states: whoever puts one into a collection sends it, and a step that takes
//! it out, or has it among its parameters, knows of that. If it names no host but in the message, it belongs to another one there
//! than the sender.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value as Json;

use super::mark::Mark;
use super::messages::{self, Exchange};
use super::reading::{Execution, Step};
use super::{TraceError, words};

/// For each host, by position, how many of its events came before, or are, the event that has the clock.
pub(super) type Clock = BTreeMap<usize, u64>;

/// The hosts that are shown, and their events.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// The names of the hosts, in the order in which they take part for the first time.
    pub(super) hosts: Vec<String>,
    /// The events, each after all that came before it.
    pub(super) events: Vec<Event>,
}

/// A step as one host sees it.
#[derive(Debug)]
pub(super) struct Event {
    /// The step, by position.
    pub(super) step: usize,
    /// The host, by position.
    pub(super) host: usize,
    /// The action, with its parameters.
    pub(super) label: String,
    /// What came before it, and itself, on the hosts that are shown.
    pub(super) clock: Clock,
    /// Whether the environment does the step.
    pub(super) is_input: bool,
    /// Whether no host sees it but this one, and the environment does.
    pub(super) is_output: bool,
    /// What makes it stand out, if anything does.
    pub(super) mark: Option<Mark>,
}

/// Whose events are shown.
enum Hosts {
    /// Those of components; of all where none is named.
    Components(Vec<String>),
    /// Those of a sort's elements, whose names begin with this.
    Elements(String),
}

impl Hosts {
    fn of(execution: &Execution, asked: &[String]) -> Result<Self, TraceError> {
        let participants = execution.steps.iter().flat_map(|step| &step.participants);
        let mut components: Vec<String> = participants.map(|p| p.component.clone()).collect();
        components.sort();
        components.dedup();
        let missing = asked.iter().find(|name| !components.contains(name));
        match (asked, missing) {
            (_, None) if !components.is_empty() => Ok(Self::Components(asked.to_vec())),
            ([], _) => Err(TraceError::NoHosts {
                automaton: execution.automaton.clone(),
                sorts: execution.sorts.clone(),
            }),
            ([sort], _) if execution.sorts.contains(sort) => Ok(Self::Elements(format!("{sort}#"))),
            ([name], _) if components.is_empty() => {
                Err(unknown(name, "sort", execution.sorts.clone()))
            }
            ([name], _) if !execution.sorts.is_empty() => {
                let known = [components, execution.sorts.clone()].concat();
                Err(unknown(name, "component with a step, and no sort,", known))
            }
            (_, Some(name)) if !components.is_empty() => {
                Err(unknown(name, "component with a step", components))
            }
            _ => Err(TraceError::SeveralSorts),
        }
    }
}

fn unknown(name: &str, what: &'static str, known: Vec<String>) -> TraceError {
    TraceError::UnknownHost {
        name: name.to_owned(),
        what,
        known,
    }
}

impl Lanes {
    /// The events at the hosts asked for: components by their names without index, or the elements of one sort. Of a composition, hosts that are not shown still order the events of those that are. Where
    /// there are no steps there are no events, and nothing says which hosts there could be.
    pub(super) fn of(execution: &Execution, asked: &[String]) -> Result<Self, TraceError> {
        if execution.steps.is_empty() {
            return Ok(Self::default());
        }
        let hosts = Hosts::of(execution, asked)?;
        let mut writer = Writer::default();
        for (n, step) in execution.steps.iter().enumerate() {
            match &hosts {
                Hosts::Components(shown) => writer.joint(n, step, shown),
                Hosts::Elements(prefix) => writer.single(execution, n, prefix),
            }
        }
        Ok(writer.lanes)
    }
}

impl Lanes {
    /// One host, the automaton itself, for an execution that says about no step whose it is.
    pub(super) fn alone(execution: &Execution) -> Self {
        let mut writer = Writer::default();
        for (n, step) in execution.steps.iter().enumerate() {
            let name = &execution.automaton;
            writer.event((n, step), name, true, &Clock::new(), step.is_output);
        }
        writer.lanes
    }

    /// For each event, the events at other hosts that its own host learns about by it, and not by way of another; by position.
    pub(super) fn causes(&self) -> Vec<Vec<usize>> {
        let mut now: BTreeMap<usize, &Clock> = BTreeMap::new();
        let mut positions: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        let mut causes = Vec::new();
        for (n, event) in self.events.iter().enumerate() {
            causes.push(self.news(event, now.get(&event.host).copied(), &positions));
            now.insert(event.host, &event.clock);
            positions.insert((event.host, event.clock[&event.host]), n);
        }
        causes
    }

    /// The events that a host learns about by an event, given its clock before; those that it learns about by way of others left out.
    fn news(
        &self,
        event: &Event,
        before: Option<&Clock>,
        positions: &BTreeMap<(usize, u64), usize>,
    ) -> Vec<usize> {
        let known = |host: &usize| before.and_then(|clock| clock.get(host)).copied();
        let news = event.clock.iter();
        let news =
            news.filter(|(host, count)| **host != event.host && known(host) != Some(**count));
        let news = news.filter_map(|(host, count)| positions.get(&(*host, *count)).copied());
        let told: Vec<usize> = news.collect();
        let is_direct = |at: &usize| {
            let (host, count) = (
                self.events[*at].host,
                self.events[*at].clock[&self.events[*at].host],
            );
            let others = told.iter().map(|other| &self.events[*other]);
            let mut others = others.filter(|other| other.host != host);
            !others.any(|other| other.clock.get(&host).is_some_and(|known| *known >= count))
        };
        told.iter().copied().filter(is_direct).collect()
    }
}

/// Who puts events after each other.
#[derive(Default)]
struct Writer {
    lanes: Lanes,
    /// The clock of the last event of each host, shown or not, by name.
    now: BTreeMap<String, Clock>,
    positions: BTreeMap<String, usize>,
    /// Who sends the messages with given parameters, and the clocks of those on their way, oldest first.
    sent: BTreeMap<String, (String, VecDeque<Clock>)>,
    /// The messages that lie in the state: who has put them there, oldest first, and the clocks of that.
    lying: BTreeMap<String, VecDeque<(String, Clock)>>,
}

impl Writer {
    /// A step of a composition.
    fn joint(&mut self, n: usize, step: &Step, shown: &[String]) {
        let is_shown = |component: &String| shown.is_empty() || shown.contains(component);
        let (receivers, leaders): (Vec<_>, Vec<_>) =
            step.participants.iter().partition(|p| p.receives);
        let is_output = step.is_output && receivers.is_empty();
        let mut cause = Clock::new();
        for leader in leaders {
            let visible = is_shown(&leader.component);
            cause = self.event((n, step), &leader.name, visible, &Clock::new(), is_output);
        }
        for receiver in receivers {
            let visible = is_shown(&receiver.component);
            self.event((n, step), &receiver.name, visible, &cause, false);
        }
    }

    /// A step of an automaton that is not a composition, by position.
    fn single(&mut self, execution: &Execution, n: usize, prefix: &str) {
        let step = &execution.steps[n];
        let exchange = Exchange::between(&execution.states[n], &execution.states[n + 1]);
        let (senders, cause) = self.learns_of(step, &exchange.taken);
        let direct = step.params.iter().filter_map(Json::as_str);
        let mut direct = direct.filter(|text| text.starts_with(prefix));
        let (first, second) = (direct.next(), direct.next());
        let within = || {
            let all = step.elements().into_iter();
            let all: Vec<&str> = all.filter(|text| text.starts_with(prefix)).collect();
            let others = all.iter().find(|text| !senders.iter().any(|s| s == *text));
            others.or(all.first()).copied()
        };
        let host = first.or_else(within).unwrap_or(&execution.automaton);
        let (host, clock) = match second {
            None => {
                let clock = self.event((n, step), host, true, &cause, step.is_output);
                (host, clock)
            }
            Some(second) => self.passed((n, step), (host, second), &cause),
        };
        for message in exchange.put {
            let lying = self.lying.entry(message).or_default();
            lying.push_back((host.to_owned(), clock.clone()));
        }
    }

    /// Who has sent the messages that a step takes out or has among its values, and what is known by them.
    fn learns_of(&mut self, step: &Step, taken: &[String]) -> (Vec<String>, Clock) {
        let values = step.params.iter().chain(&step.others);
        let mut used: Vec<String> = values.filter_map(messages::name).collect();
        used.extend(taken.iter().cloned());
        used.sort();
        used.dedup();
        let (mut senders, mut cause) = (Vec::new(), Clock::new());
        for message in used {
            let Some(lying) = self.lying.get_mut(&message) else {
                continue;
            };
            let sent = match taken.contains(&message) {
                true => lying.pop_front(),
                false => lying.front().cloned(),
            };
            if let Some((sender, clock)) = sent {
                senders.push(sender);
                join(&mut cause, &clock);
            }
        }
        (senders, cause)
    }

    /// A step about a message from the first host to the second; gives the one it belongs to, and the clock of its event.
    fn passed<'s>(
        &mut self,
        (n, step): (usize, &Step),
        (first, second): (&'s str, &'s str),
        cause: &Clock,
    ) -> (&'s str, Clock) {
        let message: Vec<String> = step.params.iter().map(words::value).collect();
        let message = message.join(", ");
        match self.sent.get_mut(&message) {
            Some((sender, clocks)) if *sender != step.action => {
                // What is received again was sent once.
                let sent = match clocks.len() {
                    1 => clocks.front().cloned(),
                    _ => clocks.pop_front(),
                };
                let mut cause = cause.clone();
                join(&mut cause, &sent.unwrap_or_default());
                (second, self.event((n, step), second, true, &cause, false))
            }
            _ => {
                let clock = self.event((n, step), first, true, cause, false);
                let sent = self.sent.entry(message);
                let (_, clocks) = sent.or_insert_with(|| (step.action.clone(), VecDeque::new()));
                clocks.push_back(clock.clone());
                (first, clock)
            }
        }
    }

    /// An event after another; gives its clock.
    fn event(
        &mut self,
        (n, step): (usize, &Step),
        name: &str,
        visible: bool,
        cause: &Clock,
        is_output: bool,
    ) -> Clock {
        let mut clock = self.now.remove(name).unwrap_or_default();
        join(&mut clock, cause);
        if visible {
            let host = self.position(name);
            *clock.entry(host).or_insert(0) += 1;
            self.lanes.events.push(Event {
                step: n,
                host,
                label: step.label.clone(),
                clock: clock.clone(),
                is_input: step.is_input,
                is_output,
                mark: Mark::of(&step.action),
            });
        }
        self.now.insert(name.to_owned(), clock.clone());
        clock
    }

    fn position(&mut self, name: &str) -> usize {
        *self.positions.entry(name.to_owned()).or_insert_with(|| {
            self.lanes.hosts.push(name.to_owned());
            self.lanes.hosts.len() - 1
        })
    }
}

/// Adds to a clock what another one knows.
fn join(clock: &mut Clock, other: &Clock) {
    for (host, count) in other {
        let known = clock.entry(*host).or_insert(0);
        *known = (*known).max(*count);
    }
}
