//! The parameters of automata: a sort for each type, a theory's operator for each value, an axiom for the `where`.

use crate::check::axioms;
use crate::check::checker::Checker;
use crate::check::report::Report;
use crate::check::scope::Scope;
use crate::check::theories;
use crate::check::unused;
use crate::check::world::{Namespace, Origin, World};
use crate::core::{
    Assumed, AutomatonId, Axiom, Expr, ExprKind, Function, FunctionId, Local, Meaning, Parameters,
    Sort, SortId, SortSize, Type,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::{AutomatonItem, Ident, Parameter};

/// The parameters of an automaton.
#[derive(Default)]
pub(in crate::check) struct Open {
    /// The parameters in the order in which they are written; `None` if one was not understood.
    pub(in crate::check) params: Vec<Option<OpenParameter>>,
    /// What the values must satisfy; it has no free bound variables. `None` if it was not understood.
    pub(in crate::check) condition: Option<Condition>,
    pub(in crate::check) span: Span,
}

/// A formula with the bound variables that occur in it.
pub(in crate::check) struct Condition {
    pub(in crate::check) locals: Vec<Local>,
    pub(in crate::check) formula: Expr,
}

/// A parameter of an automaton.
#[derive(Clone)]
pub(in crate::check) enum OpenParameter {
    Sort(SortId),
    Value(FunctionId, Type),
}

impl Open {
    /// The parameters as the core lists them.
    pub(in crate::check) fn to_core(&self) -> Parameters {
        let mut parameters = Parameters::default();
        for param in self.params.iter().flatten() {
            match param {
                OpenParameter::Sort(sort) => parameters.sorts.push(*sort),
                OpenParameter::Value(function, _) => parameters.values.push(*function),
            }
        }
        parameters
    }
}

/// Declares the parameters of an automaton and the theories that it assumes. `id` is where it will be found.
pub(in crate::check) fn declare(
    item: &AutomatonItem,
    id: AutomatonId,
    world: &mut World,
    report: &mut Report,
) -> Open {
    let namespace = Namespace::Automaton(id);
    world.entered = vec![namespace];
    let params = item
        .params
        .iter()
        .map(|param| parameter(item, param, id, world, report))
        .collect();
    for theory in &item.theories {
        theories::assume(theory, namespace, world, report);
    }
    Open {
        params,
        condition: condition(item, id, world, report),
        span: item.span,
    }
}

fn condition(
    item: &AutomatonItem,
    id: AutomatonId,
    world: &mut World,
    report: &mut Report,
) -> Option<Condition> {
    let mut checker = Checker::new(world, report, Scope::empty());
    let formula = checker.optional_formula(item.predicate.as_ref(), item.span)?;
    let locals = checker.scope.locals;
    if item.predicate.is_some() {
        let axiom = Axiom {
            name: Name::from(format!("{}.where", item.name.name)),
            assumed: Assumed::default(),
            locals: locals.clone(),
            formula: formula.clone(),
            describes: None,
            span: formula.span,
        };
        axioms::state(world, Origin::Parameters(id), axiom);
    }
    Some(Condition { locals, formula })
}

fn parameter(
    item: &AutomatonItem,
    param: &Parameter,
    id: AutomatonId,
    world: &mut World,
    report: &mut Report,
) -> Option<OpenParameter> {
    let namespace = Namespace::Automaton(id);
    let ty = param.ty.as_ref().map(|ty| world.resolve(ty, report));
    if let Some(first) = taken(&param.name, ty.is_some(), namespace, world) {
        let message = format!("`{}` has a meaning here already", param.name.name);
        let mut diagnostic = Diagnostic::error(Code::NameTaken, param.name.span, message);
        if first != Span::default() {
            diagnostic = diagnostic.related(first, "declared here");
        }
        report.add(diagnostic);
        return None;
    }
    let name = Name::from(format!("{}.{}", item.name.name, param.name.name));
    let (short, span) = (param.name.name.clone(), param.name.span);
    let declaration = unused::declare("the parameter", &param.name, report);
    let Some(ty) = ty else {
        let sort = SortId::at(world.model.sorts.len());
        let size = SortSize::Given;
        world.model.sorts.push(Sort { name, size, span });
        world.sort_declarations.insert(sort, declaration);
        world.namespace(namespace).types.insert(short, (sort, span));
        return Some(OpenParameter::Sort(sort));
    };
    let result = ty?;
    let function = axioms::declare(
        world,
        Origin::Parameters(id),
        Function {
            name,
            params: Vec::new(),
            result: result.clone(),
            meaning: Meaning::Axioms,
            assumed: Assumed::default(),
            span,
        },
    );
    world.function_declarations.insert(function, declaration);
    world
        .namespace(namespace)
        .values
        .insert(short, (function, span));
    Some(OpenParameter::Value(function, result))
}

/// What already has the name of a parameter.
fn taken(name: &Ident, is_value: bool, namespace: Namespace, world: &World) -> Option<Span> {
    let known = world.namespaces.get(&namespace);
    let sort = known.and_then(|known| known.types.get(&name.name));
    let value = known.and_then(|known| known.values.get(&name.name));
    let parameter = sort.map(|(_, span)| *span).or(value.map(|(_, span)| *span));
    parameter.or_else(|| match is_value {
        true => world.value_named(&name.name),
        false => {
            let declared = world.types.get(&name.name)?;
            let sort = declared.as_ref().and_then(|ty| match ty {
                Type::Sort(sort) => Some(world.model.sorts[sort.index()].span),
                _ => None,
            });
            Some(sort.unwrap_or_default())
        }
    })
}

/// A parameter that is a value, as a term.
pub(in crate::check) fn value(function: FunctionId, ty: Type, span: Span) -> Expr {
    Expr::new(ExprKind::Theory(function, Vec::new()), ty, span)
}
