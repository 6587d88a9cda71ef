//! The claims about automata: invariants, liveness properties, simulations and schedules.

use std::collections::BTreeMap;

use super::claim::{properties, schedule, simulation};
use super::report::{Report, duplicate};
use super::world::{Namespace, World};
use crate::core::{AutomatonId, Invariant, Liveness, Schedule, Simulation};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{AutomatonItem, Ident, Item, ScheduleBody};

pub(super) fn invariants(
    items: &[Item],
    names: &mut Names,
    world: &mut World,
    report: &mut Report,
) -> Vec<Invariant> {
    let mut understood = Vec::new();
    for item in items {
        let Item::Invariant(item) = item else {
            continue;
        };
        let is_new = names.declare(&item.name, report);
        let Some(automaton) = world.automaton_named(&item.automaton, report) else {
            continue;
        };
        world.entered = vec![Namespace::Automaton(automaton)];
        let invariant = properties::invariant(item, automaton, world, report);
        understood.extend(invariant.filter(|_| is_new));
    }
    understood
}

pub(super) fn liveness(
    items: &[Item],
    names: &mut Names,
    world: &mut World,
    report: &mut Report,
) -> Vec<Liveness> {
    let mut understood = std::mem::take(&mut world.temperatures);
    understood.retain(|property| {
        let heading = world.header(property.automaton).name.clone();
        names.declare(&heading, report)
    });
    for item in items {
        let Item::Liveness(item) = item else {
            continue;
        };
        let is_new = names.declare(&item.name, report);
        let Some(automaton) = world.automaton_named(&item.automaton, report) else {
            continue;
        };
        world.entered = vec![Namespace::Automaton(automaton)];
        let property = properties::liveness(item, automaton, world, report);
        understood.extend(property.filter(|_| is_new));
    }
    understood
}

pub(super) fn simulations(
    items: &[Item],
    world: &mut World,
    report: &mut Report,
) -> Vec<Simulation> {
    let mut seen: BTreeMap<(AutomatonId, AutomatonId), Span> = BTreeMap::new();
    let mut understood = Vec::new();
    for item in items {
        let Item::Simulation(item) = item else {
            continue;
        };
        let low = world.automaton_named(&item.low, report);
        let high = world.automaton_named(&item.high, report);
        let (Some(low), Some(high)) = (low, high) else {
            continue;
        };
        let first = seen.get(&(low, high)).copied();
        if let Some(first) = first {
            let message = format!(
                "the simulation from {} to {} is stated twice",
                item.low.name, item.high.name
            );
            report.add(
                Diagnostic::error(Code::StatedTwice, item.span, message)
                    .related(first, "first stated here"),
            );
        } else {
            seen.insert((low, high), item.span);
        }
        world.entered = vec![Namespace::Automaton(low), Namespace::Automaton(high)];
        let simulation = simulation::simulation(item, low, high, world, report);
        understood.extend(simulation.filter(|_| first.is_none()));
    }
    understood
}

pub(super) fn schedules(
    items: &[Item],
    automata: &[&AutomatonItem],
    world: &mut World,
    report: &mut Report,
) -> Vec<Schedule> {
    let mut names = Names::new("the schedule");
    let mut understood = Vec::new();
    let inner = automata.iter().enumerate().filter_map(|(position, item)| {
        let body = item.schedule.as_ref()?;
        let id = AutomatonId::at(position);
        let known = world.headers[position].known.then_some(id);
        Some((&item.name, body, body.span, known))
    });
    let mut written: Vec<(&Ident, &ScheduleBody, Span, Option<AutomatonId>)> = inner.collect();
    for item in items {
        if let Item::Schedule(item) = item {
            let automaton = world.automaton_named(&item.automaton, report);
            written.push((&item.name, &item.body, item.span, automaton));
        }
    }
    for (name, body, span, automaton) in written {
        // The schedule inside of an automaton whose name is taken has the same mistake, which was reported.
        let is_second = automaton.is_some_and(|id| !is_named(&world.header(id).name, id, world));
        let is_new = !is_second && names.declare(name, report);
        if let Some(automaton) = automaton {
            world.entered = vec![Namespace::Automaton(automaton)];
            let schedule = schedule::schedule(name, body, span, automaton, world, report);
            understood.extend(schedule.filter(|_| is_new));
        }
    }
    understood
}

/// The names of one kind of item.
pub(super) struct Names {
    pub(super) what: &'static str,
    pub(super) seen: BTreeMap<Name, Span>,
}

impl Names {
    pub(super) fn new(what: &'static str) -> Self {
        Self {
            what,
            seen: BTreeMap::new(),
        }
    }

    /// Whether the name is new; if not, that is reported.
    fn declare(&mut self, name: &Ident, report: &mut Report) -> bool {
        if let Some(first) = self.seen.get(&name.name) {
            report.add(duplicate(self.what, name, *first));
            return false;
        }
        self.seen.insert(name.name.clone(), name.span);
        true
    }
}

/// Whether the name means this automaton, and not one that was declared before it.
pub(super) fn is_named(name: &Ident, automaton: AutomatonId, world: &World) -> bool {
    world.automata.get(&name.name) == Some(&automaton)
}
