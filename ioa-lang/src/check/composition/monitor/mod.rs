//! Monitors: automata that observe the actions of a system, internal ones too, without changing it (Deligiannis and
//! others, Uncovering Bugs in Distributed Storage Systems during Testing (Not in Production!), FAST 2016, section 3.1).
//!
//! A monitor is expanded into the system with the monitor's variables added: each clause of the system has its original
//! effect, followed by the monitor's reaction to the action. So the actions with their kinds, the clauses, the tasks and the
//! components are those of the system. As a monitor has one start state, and one reaction to each action in each of its
//! states, each execution of the system is that of exactly one execution of the expansion, with the same trace and as fair
//! as before.
//!
//! An execution is wrong if it is hot infinitely often and cold only finitely often. That is a liveness property of the
//! expansion, which bears the monitor's name: `(always eventually hot) => (always eventually cold)`. A state that is hot
//! and cold counts as cold, for the property holds of every execution that is cold infinitely often.

mod rules;

pub(in crate::check) use rules::refuse_paths;

use std::collections::BTreeMap;

use super::build::Build;
use super::component::ComponentInstance;
use super::header::header;
use super::parts;
use super::start;
use crate::check::automaton::{self, state_scope};
use crate::check::checker::Checker;
use crate::check::instance::{Instance, term_of};
use crate::check::report::Report;
use crate::check::world::{Clauses, Header, Namespace, World};
use crate::check::{lets, signature};
use crate::core::{
    Action, ActionId, ActionKind, Automaton, AutomatonId, ComponentId, Connective, Expr, Liveness,
    Local, LocalId, Stmt, StmtKind, Temporal, Transition, Variable,
};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, AutomatonItem, MonitorItem};

/// A monitor alone, as it is written.
struct Watcher {
    /// Without its clauses.
    automaton: Automaton,
    clauses: Vec<Transition>,
    heat: Option<Heat>,
}

/// Which states of a monitor are hot, and which are cold.
struct Heat {
    locals: Vec<Local>,
    hot: Expr,
    cold: Expr,
    span: Span,
}

/// Expands a monitor, if it and what it observes were understood, and it only observes.
pub(in crate::check) fn observe(
    item: &AutomatonItem,
    monitor: &MonitorItem,
    id: AutomatonId,
    world: &mut World,
    report: &mut Report,
) {
    let errors = report.errors();
    let watcher = watcher(item, monitor, id, world, report).filter(|_| report.errors() == errors);
    let expanded = watcher.and_then(|it| expand((item, monitor), (&it, id), world, report));
    let Some((header, automaton, transitions, property)) = expanded else {
        world.headers[id.index()] = Header::unknown(item.name.clone());
        return;
    };
    world.headers[id.index()] = header;
    world.clauses[id.index()] = Clauses {
        incomplete: vec![false; automaton.actions.len()],
        understood: transitions,
    };
    world.cores[id.index()] = Some(automaton);
    world.temperatures.extend(property);
}

/// Checks a monitor as an automaton of its own, whose inputs are what it observes.
fn watcher(
    item: &AutomatonItem,
    monitor: &MonitorItem,
    id: AutomatonId,
    world: &mut World,
    report: &mut Report,
) -> Option<Watcher> {
    rules::refuse_sections(item, report);
    world.headers[id.index()] = signature::header(item, world, report);
    lets::declare(item.lets.iter(), Namespace::Automaton(id), world, report);
    let (actions, action_ids) = signature::actions(item, world, report);
    let header = &mut world.headers[id.index()];
    (header.actions, header.action_ids) = (actions, action_ids);
    let body = automaton::body(item, id, world, report);
    let heat = heat(monitor, world.header(id), world, report);
    let open = world.open[id.index()].to_core();
    let automaton = automaton::assemble(item, world.header(id), open, body.start, Vec::new());
    let watcher = Watcher {
        automaton: automaton?,
        clauses: body.clauses.understood,
        heat,
    };
    rules::refuse_choices(&watcher.automaton, &watcher.clauses, report);
    Some(watcher)
}

/// The hot and the cold states of a monitor; none of one that is never hot.
fn heat(
    monitor: &MonitorItem,
    header: &Header,
    world: &World,
    report: &mut Report,
) -> Option<Heat> {
    let mut checker = Checker::new(world, report, state_scope(header));
    let mut any = |formulas: &[ast::Expr]| {
        let checked = formulas.iter().map(|formula| checker.formula(formula));
        checked.collect::<Vec<Option<Expr>>>()
    };
    let (hot, cold) = (any(&monitor.hot), any(&monitor.cold));
    let locals = checker.scope.locals;
    let span = monitor.heat?;
    if monitor.hot.is_empty() {
        report.add(rules::never_hot(&monitor.cold[0], &header.name));
        return None;
    }
    let hot = hot.into_iter().collect::<Option<Vec<_>>>()?;
    let cold = cold.into_iter().collect::<Option<Vec<_>>>()?;
    Some(Heat {
        locals,
        hot: Expr::disjunction(hot, span),
        cold: Expr::disjunction(cold, span),
        span,
    })
}

type Expanded = (Header, Automaton, Vec<Transition>, Option<Liveness>);

fn expand(
    (item, monitor): (&AutomatonItem, &MonitorItem),
    (watcher, id): (&Watcher, AutomatonId),
    world: &World,
    report: &mut Report,
) -> Option<Expanded> {
    let system = parts::part(item, &monitor.system, world, report)?;
    let own = ComponentInstance {
        name: item.name.clone(),
        id: ComponentId(0),
        automaton: &watcher.automaton,
        clauses: &watcher.clauses,
        variables: &world.header(id).variables,
        arity: 0,
        locals: Vec::new(),
        predicate: Expr::truth(item.span),
        instance: Instance::default(),
        condition: world.open[id.index()].condition.as_ref()?,
        first_variable: system.automaton.variables.len(),
        span: item.span,
    };
    rules::names_differ(&own, &system, report)?;
    let reactions = rules::reactions(&own, &system, world, report)?;
    let none = Vec::new();
    let transitions = system.clauses.iter().map(|clause| {
        let reactions = reactions.get(&clause.action).unwrap_or(&none);
        observed(&system, clause, &own, reactions)
    });
    let transitions = transitions.collect();
    let heat = watcher.heat.as_ref();
    let property = heat.map(|heat| temperature(heat, &own, id));
    let parts = [system, own];
    let [system, own] = &parts;
    let automaton = Automaton {
        name: item.name.name.clone(),
        actions: system
            .automaton
            .actions
            .iter()
            .map(|a| action(a, system))
            .collect(),
        variables: [variables(system), variables(own)].concat(),
        start: start::start(&parts, &world.model, item.span),
        transitions: Vec::new(),
        tasks: system.tasks(&ids(system)),
        parameters: world.open[id.index()].to_core(),
        components: components(system),
        requirements: parts::requirements(&parts[..1], report)?,
        span: item.span,
    };
    let header = header(item, &automaton, &parts);
    Some((header, automaton, transitions, property))
}

/// The property that an execution is not wrong, by the names and variables of the expansion.
fn temperature(heat: &Heat, own: &ComponentInstance<'_>, id: AutomatonId) -> Liveness {
    let mut locals = Vec::new();
    let mut copier = own.copier(&[], &heat.locals, &mut locals);
    let hot = Temporal::AlwaysEventually(copier.expr(&heat.hot));
    let cold = Temporal::AlwaysEventually(copier.expr(&heat.cold));
    Liveness {
        name: own.name.name.clone(),
        automaton: id,
        locals,
        params: Vec::new(),
        formula: Temporal::joined(Connective::Implies, hot, cold),
        span: heat.span,
    }
}

/// The names by which the tasks of the system refer to its actions: internal actions have the names of a component's
/// actions.
fn ids(system: &ComponentInstance<'_>) -> BTreeMap<Name, ActionId> {
    let actions = (0..).map(ActionId).zip(&system.automaton.actions);
    let named = actions.map(|(id, action)| match action.kind {
        ActionKind::Internal => (system.qualified(&action.name), id),
        ActionKind::Input | ActionKind::Output => (action.name.clone(), id),
    });
    named.collect()
}

/// The variables of one of the two, under their own names.
fn variables(part: &ComponentInstance<'_>) -> Vec<Variable> {
    let variables = part.automaton.variables.iter();
    let with_type = |variable: &Variable| Variable {
        ty: part.ty(&variable.ty),
        ..variable.clone()
    };
    variables.map(with_type).collect()
}

/// The components of the system.
fn components(system: &ComponentInstance<'_>) -> Vec<crate::core::Component> {
    let components = system.automaton.components.iter();
    let with_types = |component: &crate::core::Component| {
        let indices = component.indices.iter();
        crate::core::Component {
            indices: indices
                .map(|(name, ty)| (name.clone(), system.ty(ty)))
                .collect(),
            ..component.clone()
        }
    };
    components.map(with_types).collect()
}

/// An action of the system.
fn action(action: &Action, system: &ComponentInstance<'_>) -> Action {
    let mut locals = Vec::new();
    let mut copier = system.copier(&[], &action.locals, &mut locals);
    for position in 0..action.locals.len() {
        copier.rebind(LocalId::at(position));
    }
    let predicate = copier.expr(&action.predicate);
    let mut participants = action.participants.clone();
    for part in &mut participants {
        part.index = copier.exprs(&part.index);
        part.condition = copier.expr(&part.condition);
    }
    let params = action.params.iter();
    Action {
        params: params
            .map(|(name, ty)| (name.clone(), system.ty(ty)))
            .collect(),
        locals,
        predicate,
        participants,
        ..action.clone()
    }
}

/// A clause of the system, and what the monitor does in its steps.
fn observed(
    system: &ComponentInstance<'_>,
    clause: &Transition,
    own: &ComponentInstance<'_>,
    reactions: &[&Transition],
) -> Transition {
    let params = clause.params.iter().map(|param| {
        let local = &clause.locals[param.index()];
        Local {
            ty: system.ty(&local.ty),
            ..local.clone()
        }
    });
    let heads: Vec<Local> = params.collect();
    let params = (0..).map(LocalId).zip(&heads);
    let params: Vec<Expr> = params.map(|(id, local)| term_of(id, local)).collect();
    let mut build = Build::new(heads, params.len());
    build.take(system, clause, &[], &params);
    // A refused input is a fault, which has no state after it.
    if clause.refused.is_none() {
        let reaction = reaction(own, reactions, &params, &mut build.locals);
        build.effect.extend(reaction);
    }
    Transition {
        refused: clause.refused.clone(),
        ..build.finish(clause.action, clause.span)
    }
}

/// The reaction of a monitor to an action: the effect of its first clause that applies to the parameters, or nothing if none
/// applies.
fn reaction(
    own: &ComponentInstance<'_>,
    clauses: &[&Transition],
    params: &[Expr],
    locals: &mut Vec<Local>,
) -> Vec<Stmt> {
    let (mut branches, mut otherwise) = (Vec::new(), Vec::new());
    for clause in clauses {
        let mut copier = own.copier(&[], &clause.locals, locals);
        let values = clause.params.iter().copied();
        copier.values = values.zip(params.iter().cloned()).collect();
        let applies = copier.expr(&clause.applies);
        let effect = copier.stmts(&clause.effect);
        if applies.is_true() {
            otherwise = effect;
            break;
        }
        branches.push((applies, effect));
    }
    match clauses.first() {
        Some(first) if !branches.is_empty() => {
            let kind = StmtKind::If {
                branches,
                otherwise,
            };
            vec![Stmt::made(kind, first.span)]
        }
        _ => otherwise,
    }
}
