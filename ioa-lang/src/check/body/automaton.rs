//! The body of an automaton: start states, transition clauses, tasks.

use crate::check::checker::{Checker, Want};
use crate::check::report::Report;
use crate::check::scope::{ProgramRules, Scope, StateSpace};
use crate::check::transition;
use crate::check::unreachable;
use crate::check::unused::UseCheck;
use crate::check::world::{Clauses, DeclaredAction, Header, World};
use crate::core::{
    Action, ActionKind, Automaton, AutomatonId, Parameters, Place, Program, Start, StateRef, Stmt,
    StmtKind, Store, Task, VarId,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{AutomatonItem, Choose, Rhs, StateDecl, TaskItem};

/// The body as far as it was understood.
pub(in crate::check) struct Body {
    pub(in crate::check) clauses: Clauses,
    pub(in crate::check) start: Option<Start>,
    pub(in crate::check) tasks: Vec<Task>,
}

/// The scope in which the state of one automaton is there to be read.
pub(in crate::check) fn state_scope(header: &Header) -> Scope<'_> {
    Scope::empty().with_state(StateSpace {
        qualifier: None,
        store: Store::Pre,
        variables: &header.variables,
        read: Ok(()),
        write: Ok(()),
    })
}

pub(in crate::check) fn body(
    item: &AutomatonItem,
    id: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Body {
    let header = world.header(id);
    let start = start(item, header, world, report);
    let mut clauses = Clauses {
        understood: Vec::new(),
        incomplete: vec![false; header.actions.len()],
    };
    let mut has_clause = vec![false; header.actions.len()];
    for clause in &item.transitions {
        let action = header.action_ids.get(&clause.name.name);
        if let Some(action) = action {
            has_clause[action.index()] = true;
        }
        match (transition::clause(clause, header, world, report), action) {
            (Some(transition), _) => clauses.understood.push(transition),
            (None, Some(action)) => clauses.incomplete[action.index()] = true,
            (None, None) => {}
        }
    }
    unreachable::clauses(&clauses.understood, report);
    for (action, has_clause) in header.actions.iter().zip(has_clause) {
        if !has_clause {
            report.add_absence(&action.name.name, without_clause(item, action));
        }
    }
    let tasks = item
        .tasks
        .iter()
        .filter_map(|item| task(item, id, world, report))
        .collect();
    Body {
        clauses,
        start,
        tasks,
    }
}

fn without_clause(item: &AutomatonItem, action: &DeclaredAction) -> Diagnostic {
    let name = &action.name.name;
    let label = match action.kind {
        _ if item.monitor.is_some() => "the monitor does not react to it",
        ActionKind::Input => "it is never accepted, though an input should always be",
        ActionKind::Output | ActionKind::Internal => "it never happens",
    };
    let warning = Diagnostic::warning(
        Code::NoTransition,
        action.name.span,
        format!("the action `{name}` has no transition"),
    );
    warning.label(label).help(match item.monitor {
        Some(_) => "leave it out of the signature, or write what the monitor does",
        None => "a clause without `pre` and `eff` is always enabled and changes nothing",
    })
}

fn start(
    item: &AutomatonItem,
    header: &Header,
    world: &World,
    report: &mut Report,
) -> Option<Start> {
    let mut checker = Checker::new(world, report, state_scope(header));
    checker.forbid_reading("an initial value reads no state variables");
    checker.scope.program = ProgramRules {
        choose: Ok(()),
        ..checker.scope.program
    };
    let body: Vec<Option<Stmt>> = item
        .states
        .iter()
        .zip(&header.variables.declared)
        .map(|(decl, var)| initial(&mut checker, (decl, *var), Store::Pre))
        .collect();
    let locals = checker.take_locals();
    checker.allow_reading();
    let so_that = checker.optional_formula(item.so_that.as_ref(), item.span);
    Some(Start {
        program: Program {
            locals,
            body: body.into_iter().collect::<Option<_>>()?,
        },
        locals: checker.scope.locals,
        so_that: so_that?,
    })
}

/// The statement that initialises a state variable; without an initial value in the source, it chooses any value. The
/// declaration comes with the variable that it declares, unless it was refused.
pub(in crate::check) fn initial(
    checker: &mut Checker<'_, '_>,
    (decl, var): (&StateDecl, Option<VarId>),
    store: Store,
) -> Option<Stmt> {
    let place = var.and_then(|var| initialised(checker, var, store));
    let ty = place.as_ref().map(|place| place.ty.clone());
    let reason = (
        decl.ty.span,
        format!("`{}` is declared here", decl.name.name),
    );
    let kind = match &decl.init {
        Some(Rhs::Expr(value)) => {
            let value = checker.term(value, Want::of(ty.as_ref(), Some(&reason)));
            StmtKind::Assign(place?, value?)
        }
        other => {
            let anything = Choose {
                binder: None,
                predicate: None,
                det: Vec::new(),
                span: decl.span,
            };
            let choose = match other {
                Some(Rhs::Choose(choose)) => choose,
                _ => &anything,
            };
            let name = Some(decl.name.name.clone());
            let (binder, predicate, det) =
                checker.choice(choose, name, ty.as_ref(), Some(&reason))?;
            StmtKind::Choose {
                place: place?,
                binder,
                predicate,
                det,
            }
        }
    };
    Some(Stmt::written(kind, decl.span))
}

/// A variable as the place that its declaration initialises.
fn initialised(checker: &Checker<'_, '_>, var: VarId, store: Store) -> Option<Place> {
    let space = checker.scope.states.iter().find(|s| s.store == store)?;
    let variable = space.variables.get(var);
    Some(Place {
        root: StateRef { store, var },
        path: Vec::new(),
        ty: variable.ty.clone()?,
        span: variable.name.span,
    })
}

fn task(item: &TaskItem, id: AutomatonId, world: &World, report: &mut Report) -> Option<Task> {
    let header = world.header(id);
    let part = UseCheck::begin("the bound variable", report);
    let mut checker = Checker::new(world, report, state_scope(header));
    checker.forbid_reading("a task is the same in every state");
    let binders: Vec<_> = item
        .binders
        .iter()
        .map(|binder| checker.bind_written(binder))
        .collect();
    let mut actions = Vec::new();
    for (name, args) in &item.actions {
        let action = header.find_action(name, checker.report);
        let checked = action.and_then(|action| {
            let declared = header.action(action);
            if declared.kind == ActionKind::Input {
                checker.report.add(
                    Diagnostic::error(
                        Code::InputInTask,
                        name.span,
                        format!("the input `{}` cannot belong to a task", name.name),
                    )
                    .label("the environment controls it")
                    .related(declared.span, "its signature"),
                );
                return None;
            }
            Some((action, checker.actuals(id, action, name, args)?))
        });
        actions.push(checked);
    }
    let binders = binders.into_iter().collect::<Option<Vec<_>>>()?;
    part.end(binders, &mut checker);
    Some(Task {
        fairness: item.fairness,
        actions: actions.into_iter().collect::<Option<_>>()?,
        locals: checker.scope.locals,
        span: item.span,
    })
}

/// The automaton of the core without its transitions, if its heading and its start states were understood.
pub(in crate::check) fn assemble(
    item: &AutomatonItem,
    header: &Header,
    parameters: Parameters,
    start: Option<Start>,
    tasks: Vec<Task>,
) -> Option<Automaton> {
    let actions = header
        .actions
        .iter()
        .map(|action| {
            let params = action
                .params
                .iter()
                .map(|param| Some((param.name.name.clone(), param.ty.clone()?)))
                .collect::<Option<Vec<_>>>()?;
            let condition = action.condition.as_ref()?;
            Some(Action {
                name: action.name.name.clone(),
                kind: action.kind,
                params,
                locals: condition.locals.clone(),
                predicate: condition.formula.clone(),
                participants: Vec::new(),
                span: action.span,
            })
        })
        .collect::<Option<Vec<_>>>()?;
    Some(Automaton {
        name: item.name.name.clone(),
        actions,
        variables: header.variables.to_core()?,
        start: start?,
        transitions: Vec::new(),
        tasks,
        parameters,
        components: Vec::new(),
        requirements: Vec::new(),
        span: item.span,
    })
}
