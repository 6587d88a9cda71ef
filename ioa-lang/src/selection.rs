//! Which automata of a library belong to a model: those that the files of the user need.

use std::collections::BTreeSet;

use crate::source::{Name, Sources, Span};
use crate::syntax::ast::{AutomatonItem, Item};

/// The items without the automata of libraries that no other item needs. Everything stays where all files are libraries, and
/// where a name that is needed is declared nowhere: then messages about it can say which names there are. Names in text that
/// could not be read count as needed.
pub(crate) fn select(items: Vec<Item>, sources: &Sources, unread: &BTreeSet<Name>) -> Vec<Item> {
    let in_library = |span: Span| sources.file(span.file).library;
    let optional = |item: &Item| match item {
        Item::Automaton(automaton) if in_library(automaton.span) => {
            Some(automaton.name.name.clone())
        }
        _ => None,
    };
    if sources.iter().all(|(_, file)| file.library) {
        return items;
    }
    let own = items.iter().filter(|item| optional(item).is_none());
    let mut needed: BTreeSet<Name> = own.flat_map(needs).chain(unread.iter().cloned()).collect();
    loop {
        let found = items
            .iter()
            .filter(|item| optional(item).is_some_and(|name| needed.contains(&name)));
        let more: Vec<Name> = found
            .flat_map(needs)
            .filter(|name| !needed.contains(name))
            .collect();
        if more.is_empty() {
            break;
        }
        needed.extend(more);
    }
    let declared: BTreeSet<&Name> = items
        .iter()
        .filter_map(automaton)
        .map(|a| &a.name.name)
        .collect();
    let is_known = |name: &Name| declared.contains(name) || unread.contains(name);
    if !needed.iter().all(is_known) {
        return items;
    }
    let is_kept = |item: &Item| optional(item).is_none_or(|name| needed.contains(&name));
    items.into_iter().filter(is_kept).collect()
}

fn automaton(item: &Item) -> Option<&AutomatonItem> {
    match item {
        Item::Automaton(automaton) => Some(automaton),
        _ => None,
    }
}

/// The names of the automata that an item is about or is composed of.
fn needs(item: &Item) -> Vec<Name> {
    match item {
        Item::Automaton(automaton) => {
            let components = automaton.components.iter().flatten();
            let observed = automaton.monitor.iter().map(|monitor| &monitor.system);
            let all = components.chain(observed);
            all.map(|component| component.automaton.name.clone())
                .collect()
        }
        Item::Invariant(invariant) => vec![invariant.automaton.name.clone()],
        Item::Liveness(liveness) => vec![liveness.automaton.name.clone()],
        Item::Schedule(schedule) => vec![schedule.automaton.name.clone()],
        Item::Simulation(simulation) => {
            vec![simulation.low.name.clone(), simulation.high.name.clone()]
        }
        Item::Type(_) | Item::Let(_) | Item::Theory(_) | Item::Vocabulary(_) => Vec::new(),
    }
}
