//! The heading of an automaton: its signature and the declarations of its state variables.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use crate::check::checker::{Checker, Want, is_reserved};
use crate::check::report::{Report, duplicate};
use crate::check::scope::Scope;
use crate::check::unused;
use crate::check::world::{
    Condition, DeclaredAction, DeclaredParam, DeclaredVariable, Header, Variables, World,
};
use crate::core::{ActionId, Expr, Local, LocalId, Op, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{AutomatonItem, Ident, SignatureEntry, SignatureParam, StateDecl};

/// The interface of an automaton, without its actions.
pub(in crate::check) fn header(item: &AutomatonItem, world: &World, report: &mut Report) -> Header {
    let mut variables = variables(&item.states, "the state variable", |_| None, world, report);
    for variable in &mut variables.list {
        variable.declaration = Some(unused::declare_state(&variable.name, report));
    }
    Header {
        name: item.name.clone(),
        known: true,
        variables,
        actions: Vec::new(),
        action_ids: BTreeMap::new(),
    }
}

/// The actions of an automaton, with their positions.
pub(in crate::check) fn actions(
    item: &AutomatonItem,
    world: &World,
    report: &mut Report,
) -> (Vec<DeclaredAction>, BTreeMap<Name, ActionId>) {
    let (mut actions, mut ids) = (
        Vec::<DeclaredAction>::new(),
        BTreeMap::<Name, ActionId>::new(),
    );
    for entry in &item.signature {
        let action = action(entry, world, report);
        if let Some(first) = ids.get(&entry.name.name) {
            let first = actions[first.index()].name.span;
            report.add(duplicate("the action", &entry.name, first));
            continue;
        }
        ids.insert(entry.name.name.clone(), ActionId::at(actions.len()));
        actions.push(action);
    }
    (actions, ids)
}

/// Declared state variables, each name once. `taken` says where a name that they must not have is declared.
pub(in crate::check) fn variables(
    states: &[StateDecl],
    what: &str,
    taken: impl Fn(&str) -> Option<Span>,
    world: &World,
    report: &mut Report,
) -> Variables {
    let mut variables = Variables::default();
    for decl in states {
        let ty = world.resolve(&decl.ty, report);
        let variable = DeclaredVariable {
            name: decl.name.clone(),
            ty,
            declaration: None,
        };
        let refused = refused_name(&decl.name, &taken, world);
        variables.complete &= refused.is_none();
        let added = match refused {
            Some(diagnostic) => Err(diagnostic),
            None => variables
                .add(variable)
                .map_err(|first| duplicate(what, &decl.name, first)),
        };
        let declared = added.map_err(|diagnostic| report.add(diagnostic)).ok();
        variables.declared.push(declared);
    }
    variables
}

/// Why a state variable cannot have a name.
fn refused_name(
    name: &Ident,
    taken: &impl Fn(&str) -> Option<Span>,
    world: &World,
) -> Option<Diagnostic> {
    let parameter = || world.parameter_value(&name.name).map(|(_, span)| span);
    let value = world.value_named(&name.name).or_else(parameter);
    if let Some(first) = value.or_else(|| taken(&name.name)) {
        let message = format!("`{}` has a meaning here already", name.name);
        return Some(
            Diagnostic::error(Code::NameTaken, name.span, message).related(first, "declared here"),
        );
    }
    if is_reserved(&name.name) {
        let message = format!("`{}` is a value of the language", name.name);
        return Some(Diagnostic::error(
            Code::NameOfTheLanguage,
            name.span,
            message,
        ));
    }
    name.name.ends_with('\'').then(|| {
        let message = format!("a state variable cannot be called `{}`", name.name);
        Diagnostic::error(Code::PrimedName, name.span, message)
            .label("a name with a prime is the value after a step")
    })
}

fn action(entry: &SignatureEntry, world: &World, report: &mut Report) -> DeclaredAction {
    let mut checker = Checker::new(world, report, Scope::empty());
    // All binders come first: a `const` term may mention those that stand after it.
    let mut params: Vec<Option<(Ident, Option<LocalId>)>> = Vec::new();
    for param in &entry.params {
        params.push(match param {
            SignatureParam::Varying(binder) => {
                Some((binder.name.clone(), checker.bind_written(binder)))
            }
            SignatureParam::Const(_) => None,
        });
    }
    let mut facts = Vec::new();
    let mut ids = Vec::new();
    let mut names: Vec<Ident> = Vec::new();
    for (param, written) in params.into_iter().zip(&entry.params) {
        let (name, id) = match (param, written) {
            (Some(known), _) => known,
            (None, SignatureParam::Const(term)) => {
                let value = checker.term(term, Want::Anything);
                let taken = params_of(entry).chain(names.iter().map(|name| &*name.name));
                let ty = value.as_ref().map(|value| &value.ty);
                let name = const_name(&checker, ty, &taken.collect());
                let (id, fact) = fixed(&mut checker, &name, value);
                facts.push(fact);
                let span = term.span;
                (Ident { name, span }, id)
            }
            (None, SignatureParam::Varying(_)) => continue,
        };
        ids.push(id);
        names.push(name);
    }
    facts.push(checker.optional_formula(entry.predicate.as_ref(), entry.span));
    let declared = names.into_iter().zip(&ids).map(|(name, id)| DeclaredParam {
        name,
        ty: id.map(|id| checker.scope.locals[id.index()].ty.clone()),
        is_restricted: id.is_some_and(|id| checker.used.contains(&id)),
    });
    let declared = declared.collect();
    let condition = condition(&ids, facts, &checker.scope.locals, entry);
    DeclaredAction {
        name: entry.name.clone(),
        kind: entry.kind,
        params: declared,
        condition,
        span: entry.span,
    }
}

/// The names of the parameters that an entry binds.
fn params_of(entry: &SignatureEntry) -> impl Iterator<Item = &str> {
    entry.params.iter().filter_map(|param| match param {
        SignatureParam::Varying(binder) => Some(&*binder.name.name),
        SignatureParam::Const(_) => None,
    })
}

/// A name for a parameter that the signature fixes to a term: that which people give to values of its type, with a number
/// where it has a meaning already.
fn const_name(checker: &Checker<'_, '_>, ty: Option<&Type>, taken: &BTreeSet<&str>) -> Name {
    let stem = ty.map_or('x', |ty| checker.model().initial(ty));
    let numbered = (2..).map(|number| format!("{stem}{number}"));
    let mut names = iter::once(stem.to_string()).chain(numbered);
    let is_free = |name: &String| {
        let name = name.as_str();
        let model = checker.model();
        let has_meaning = model.functions.iter().any(|f| &*f.name == name);
        !has_meaning && !taken.contains(name) && checker.scope.find(name).is_none()
    };
    names.find(is_free).unwrap_or_default().into()
}

/// A local that must equal a term.
fn fixed(
    checker: &mut Checker<'_, '_>,
    name: &Name,
    value: Option<Expr>,
) -> (Option<LocalId>, Option<Expr>) {
    let Some(value) = value else {
        return (None, None);
    };
    let span = value.span;
    let id = checker.anonymous(name.clone(), value.ty.clone(), span);
    checker.used.insert(id);
    let local = checker.local(id, span);
    let fact = Expr::apply(Op::Eq, vec![local, value], Type::Bool, span);
    (Some(id), Some(fact))
}

/// The condition, with its locals in such an order that the parameters come first.
fn condition(
    ids: &[Option<LocalId>],
    facts: Vec<Option<Expr>>,
    locals: &[Local],
    entry: &SignatureEntry,
) -> Option<Condition> {
    let ids = ids.iter().copied().collect::<Option<Vec<LocalId>>>()?;
    let facts = facts.into_iter().collect::<Option<Vec<Expr>>>()?;
    let formula = Expr::conjunction(facts, entry.span);
    let mut ordered: Vec<Local> = ids.iter().map(|id| locals[id.index()].clone()).collect();
    let values = ids.iter().enumerate().map(|(position, id)| {
        let local = &locals[id.index()];
        let value = Expr::new(
            crate::core::ExprKind::Local(LocalId::at(position)),
            local.ty.clone(),
            local.span,
        );
        (*id, value)
    });
    let formula = crate::core::Substitution::new(locals, &mut ordered, values).copy(&formula);
    Some(Condition {
        locals: ordered,
        formula,
    })
}
