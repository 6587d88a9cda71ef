//! The restrictions on monitors: a monitor may not control actions or choose, and must be a single automaton with one start
//! state.

use std::collections::BTreeMap;

use super::super::component::ComponentInstance;
use crate::check::report::Report;
use crate::check::world::World;
use crate::core::{
    ActionId, ActionKind, Automaton, ExprKind, Stmt, StmtKind, Transition, Type, exprs_of_stmts,
    visit_stmts,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, AutomatonItem, Ident};

/// Why a monitor has a single start state, and a single reaction to each action.
const ONE_REACTION: &str = "a monitor has one reaction to each action, or the system could do something that it does not allow";

fn not_observing(span: Span, message: impl Into<String>, label: &str) -> Diagnostic {
    Diagnostic::error(Code::NotOnlyObserved, span, message).label(label)
}

/// A monitor has inputs, states and clauses, and nothing by which it could act.
pub(super) fn refuse_sections(item: &AutomatonItem, report: &mut Report) {
    for entry in &item.signature {
        if entry.kind != ActionKind::Input {
            let name = &entry.name.name;
            let message = format!("the monitor `{}` controls `{name}`", item.name.name);
            report.add(
                not_observing(entry.name.span, message, "a monitor only observes").help(format!(
                    "write `input {name}`: by its inputs a monitor observes actions of any kind"
                )),
            );
        }
    }
    for task in &item.tasks {
        report.add(not_observing(
            task.span,
            "a monitor has no tasks",
            "it controls no actions: the tasks are those of what it observes",
        ));
    }
    if let Some(first) = item.components.iter().flatten().next() {
        report.add(not_observing(
            first.span,
            "a monitor is not composed of components",
            "it is one automaton, which may observe a composition",
        ));
    }
    for hidden in &item.hidden {
        report.add(not_observing(
            hidden.span,
            "a monitor hides nothing",
            "the actions keep their kinds",
        ));
    }
    if let Some(condition) = &item.so_that {
        report.add(not_observing(
            condition.span,
            "the start state of a monitor has a condition",
            "a monitor has one start state: what its variables are initialised with",
        ));
    }
    for clause in &item.transitions {
        if let Some(condition) = clause.ensuring.as_ref().or(clause.provided.as_ref()) {
            report.add(not_observing(
                condition.span,
                "the effect of a monitor has a condition",
                ONE_REACTION,
            ));
        }
    }
}

/// A monitor chooses nothing, at the start or later.
pub(super) fn refuse_choices(own: &Automaton, clauses: &[Transition], report: &mut Report) {
    let mut choices = Vec::new();
    choices_of(&own.start.program.body, &mut choices);
    for span in choices.drain(..) {
        report.add(
            not_observing(
                span,
                "a variable of a monitor has no fixed initial value",
                "a monitor has one start state",
            )
            .help("give it a value with `:=`"),
        );
    }
    for clause in clauses {
        choices_of(&clause.effect, &mut choices);
        if !clause.hidden.is_empty() {
            choices.push(clause.span);
        }
        exprs_of_stmts(&clause.effect, &mut |expr| {
            expr.walk(&mut |term| {
                if matches!(term.kind, ExprKind::Random(..)) {
                    choices.push(term.span);
                }
            });
        });
    }
    for span in choices {
        report.add(not_observing(span, "a monitor chooses", ONE_REACTION));
    }
}

/// Where some statements choose.
fn choices_of(body: &[Stmt], found: &mut Vec<Span>) {
    visit_stmts(body, |stmt| {
        let chooses = matches!(stmt.kind, StmtKind::Choose { .. });
        found.extend(chooses.then_some(stmt.span));
    });
}

/// A monitor that is cold in some states and hot in none finds nothing wrong.
pub(super) fn never_hot(cold: &ast::Expr, name: &Ident) -> Diagnostic {
    let message = format!("the monitor `{}` is never hot", name.name);
    Diagnostic::warning(Code::Vacuous, cold.span, message)
        .label("what is cold matters only where something is hot")
        .help("`hot P` says in which states progress is still to come")
}

/// The variables of a monitor must have other names than those of the system, since the expansion contains both.
pub(super) fn names_differ(
    own: &ComponentInstance<'_>,
    system: &ComponentInstance<'_>,
    report: &mut Report,
) -> Option<()> {
    let mut fine = Some(());
    for variable in &own.automaton.variables {
        let others = &system.automaton.variables;
        if let Some(other) = others.iter().find(|other| other.name == variable.name) {
            let message = format!(
                "`{}` is a variable of `{}` already",
                variable.name, system.automaton.name
            );
            report.add(
                Diagnostic::error(Code::NameTaken, variable.span, message)
                    .label("the variables of a monitor stand beside those of what it observes")
                    .related(other.span, "declared here"),
            );
            fine = None;
        }
    }
    fine
}

/// The clauses of the monitor for each action of the system that it observes, if there are all these actions.
pub(super) fn reactions<'a>(
    own: &ComponentInstance<'a>,
    system: &ComponentInstance<'_>,
    world: &World,
    report: &mut Report,
) -> Option<BTreeMap<ActionId, Vec<&'a Transition>>> {
    let mut observed = Vec::new();
    for (position, action) in own.automaton.actions.iter().enumerate() {
        let others = &system.automaton.actions;
        let Some(found) = others.iter().position(|other| other.name == action.name) else {
            let name = &action.name;
            let ident = Ident {
                name: name.clone(),
                span: action.span,
            };
            let what = format!("action of {}", system.automaton.name);
            let known = others.iter().map(|other| &*other.name);
            let diagnostic = report.unknown(&what, &ident, known);
            report.add_absence(name, diagnostic);
            observed.push(None);
            continue;
        };
        let agrees = agree(own, position, system, found, world, report);
        observed.push(agrees.map(|()| ActionId::at(found)));
    }
    let observed = observed.into_iter().collect::<Option<Vec<ActionId>>>()?;
    let mut reactions: BTreeMap<ActionId, Vec<&Transition>> = BTreeMap::new();
    for clause in own.clauses {
        let action = observed[clause.action.index()];
        reactions.entry(action).or_default().push(clause);
    }
    Some(reactions)
}

/// Whether the monitor gives an action the parameters that it has.
fn agree(
    own: &ComponentInstance<'_>,
    position: usize,
    system: &ComponentInstance<'_>,
    found: usize,
    world: &World,
    report: &mut Report,
) -> Option<()> {
    let types = |part: &ComponentInstance<'_>, position: usize| -> Vec<Type> {
        let params = part.automaton.actions[position].params.iter();
        params.map(|(_, ty)| part.ty(ty)).collect()
    };
    let (mine, theirs) = (types(own, position), types(system, found));
    if mine == theirs {
        return Some(());
    }
    let shown = |types: &[Type]| {
        let names: Vec<String> = types.iter().map(|ty| world.model.type_name(ty)).collect();
        format!("({})", names.join(", "))
    };
    let action = &own.automaton.actions[position];
    let message = format!(
        "`{}` has parameters {} in `{}`, but {} in `{}`",
        action.name,
        shown(&theirs),
        system.automaton.name,
        shown(&mine),
        own.automaton.name
    );
    report.add(
        Diagnostic::error(Code::DifferentParameters, action.span, message)
            .label("a monitor observes an action with all of its parameters")
            .related(
                system.automaton.actions[found].span,
                format!("the signature in {}", system.automaton.name),
            ),
    );
    None
}

/// Only the signature of a monitor may contain actions of components.
pub(in crate::check) fn refuse_paths(item: &AutomatonItem, report: &mut Report) {
    for entry in &item.signature {
        if entry.name.name.contains('.') {
            let message = format!("`{}` is the action of a component", entry.name.name);
            report.add(
                not_observing(entry.name.span, message, "only a monitor observes those")
                    .help("the signature of an automaton has its own actions, without a point in their names"),
            );
        }
    }
}
