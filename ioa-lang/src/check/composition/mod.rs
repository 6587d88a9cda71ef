//! Composite automata, expanded into one.
//!
//! A component was checked once, for all its parameters. Here it is copied with the actual parameters in their place: its
//! variable `x` becomes `P.x`, an array over the component's indices; its internal action `a` becomes `P.a`, with the
//! indices as the first parameters; and its external actions are joined with those of the same name, clause by clause.

mod absent;
mod actions;
mod build;
mod clauses;
mod component;
mod header;
mod hide;
pub(super) mod monitor;
mod parts;
mod role;
mod shared;
mod start;

use std::collections::{BTreeMap, BTreeSet};

use self::component::ComponentInstance;
use self::header::header;
use super::report::Report;
use super::world::{Clauses, Header, World};
use crate::core::{ActionId, Automaton, AutomatonId, Task, Transition};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::AutomatonItem;

/// The automata in an order in which each stands after its components, and after what it observes. An automaton that is a
/// component of itself is reported, and comes last.
pub(super) fn components_first(
    automata: &[&AutomatonItem],
    world: &World,
    report: &mut Report,
) -> Vec<AutomatonId> {
    let ids = |item: &AutomatonItem| -> BTreeSet<usize> {
        let components = item.components.iter().flatten();
        let observed = item.monitor.iter().map(|monitor| &monitor.system);
        components
            .chain(observed)
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
            let (what, way) = match item.monitor {
                Some(_) => ("observes itself", "directly or by way of what it observes"),
                None => (
                    "is composed of itself",
                    "directly or by way of its components",
                ),
            };
            let message = format!("`{}` {what}", item.name.name);
            report
                .add(Diagnostic::error(Code::DefinedByItself, item.name.span, message).label(way));
        }
    }
    order
}

/// Expands a composition, if all its components were understood and fit together.
pub(super) fn compose(
    item: &AutomatonItem,
    id: AutomatonId,
    world: &mut World,
    report: &mut Report,
) {
    refuse_sections(item, report);
    let Some((header, automaton, clauses)) = expand(item, id, world, report) else {
        return;
    };
    world.headers[id.index()] = header;
    world.clauses[id.index()] = Clauses {
        incomplete: vec![false; automaton.actions.len()],
        understood: clauses,
    };
    world.cores[id.index()] = Some(automaton);
}

/// A composition has the state and the actions of its components, and none of its own.
fn refuse_sections(item: &AutomatonItem, report: &mut Report) {
    let state = item.states.first().map(|state| state.span);
    let action = item.signature.first().map(|entry| entry.span);
    let clause = item.transitions.first().map(|clause| clause.span);
    let task = item.tasks.first().map(|task| task.span);
    let own = [state, action, clause, task];
    if let Some(span) = own.into_iter().flatten().next() {
        report.add(
            Diagnostic::error(
                Code::NotOnlyComposed,
                span,
                "a composition has no state or actions of its own",
            )
            .related(item.name.span, "it is composed of components")
            .help("make it an automaton of its own, and that a component"),
        );
    }
}

fn expand(
    item: &AutomatonItem,
    id: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Option<(Header, Automaton, Vec<Transition>)> {
    let parts = parts::parts(item, world, report)?;
    let mut joined = actions::join(&parts, world, report)?;
    let twins = hide::hide(item, &mut joined, world, report)?;
    let ids: BTreeMap<_, _> = joined
        .actions
        .iter()
        .enumerate()
        .map(|(position, action)| (action.name.clone(), ActionId::at(position)))
        .collect();
    let mut requirements = parts::requirements(&parts, report)?;
    requirements.extend(joined.requirements);
    let mut tasks: Vec<Task> = parts.iter().flat_map(|part| part.tasks(&ids)).collect();
    tasks.iter_mut().for_each(|task| hide::extend(task, &twins));
    let automaton = Automaton {
        name: item.name.name.clone(),
        actions: joined.actions,
        variables: parts
            .iter()
            .flat_map(ComponentInstance::variables)
            .collect(),
        start: start::start(&parts, &world.model, item.span),
        transitions: Vec::new(),
        tasks,
        parameters: world.open[id.index()].to_core(),
        components: parts
            .iter()
            .flat_map(ComponentInstance::components)
            .collect(),
        requirements,
        span: item.span,
    };
    let header = header(item, &automaton, &parts);
    Some((header, automaton, joined.transitions))
}
