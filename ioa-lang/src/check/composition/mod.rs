//! Composite automata, expanded into one.

use std::collections::BTreeSet;

use super::report::Report;
use super::world::World;
use crate::core::AutomatonId;
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::AutomatonItem;

/// The automata in an order in which each stands after its components. One that is a component of itself is reported,
/// and stands at the end.
pub(super) fn components_first(
    automata: &[&AutomatonItem],
    world: &World,
    report: &mut Report,
) -> Vec<AutomatonId> {
    let ids = |item: &AutomatonItem| -> BTreeSet<usize> {
        let components = item.components.iter().flatten();
        components
            .filter_map(|c| world.automata.get(&c.automaton.name))
            .map(|id| id.index())
            .collect()
    };
    let waits_for: Vec<BTreeSet<usize>> = automata.iter().map(|item| ids(item)).collect();
    let mut waiting: Vec<usize> = waits_for.iter().map(BTreeSet::len).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); automata.len()];
    for (user, components) in waits_for.iter().enumerate() {
        for component in components {
            users[*component].push(user);
        }
    }
    let mut ready: BTreeSet<usize> = (0..automata.len()).filter(|i| waiting[*i] == 0).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.pop_first() {
        order.push(AutomatonId::at(next));
        for user in &users[next] {
            waiting[*user] -= 1;
            if waiting[*user] == 0 {
                ready.insert(*user);
            }
        }
    }
    for (position, item) in automata.iter().enumerate() {
        if waiting[position] > 0 {
            let message = format!("`{}` is composed of itself", item.name.name);
            report.add(
                Diagnostic::error(item.name.span, message)
                    .label("directly or by way of its components"),
            );
        }
    }
    order
}

pub(super) fn compose(
    item: &AutomatonItem,
    _id: AutomatonId,
    _world: &mut World,
    report: &mut Report,
) {
    report.add(Diagnostic::error(
        item.span,
        "a composition is not supported by this version",
    ));
}
