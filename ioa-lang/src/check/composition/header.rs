//! The interface of an automaton that is composed of others.

use super::component::ComponentInstance;
use crate::check::world::{
    Condition, DeclaredAction, DeclaredParam, DeclaredVariable, Header, Variables,
};
use crate::core::{Action, ActionId, Automaton, Expr, ExprKind, LocalId};
use crate::source::Span;
use crate::syntax::ast::{AutomatonItem, Ident};

/// The interface of a composition of these parts.
pub(super) fn header(
    item: &AutomatonItem,
    automaton: &Automaton,
    parts: &[ComponentInstance<'_>],
) -> Header {
    let mut variables = Variables::default();
    let of_parts = parts.iter().flat_map(|part| &part.variables.list);
    for (variable, of_part) in automaton.variables.iter().zip(of_parts) {
        // The names of components differ, and so do those of the variables of one component.
        let _ = variables.add(DeclaredVariable {
            name: ident(&variable.name, variable.span),
            ty: Some(variable.ty.clone()),
            declaration: of_part.declaration,
        });
    }
    let actions: Vec<_> = automaton.actions.iter().map(declared).collect();
    let action_ids = (0..)
        .map(ActionId)
        .zip(&automaton.actions)
        .map(|(id, action)| (action.name.clone(), id))
        .collect();
    Header {
        name: item.name.clone(),
        known: true,
        variables,
        actions,
        action_ids,
    }
}

/// An action as a signature declares it.
pub(super) fn declared(action: &Action) -> DeclaredAction {
    let is_restricted = |param: LocalId| {
        let mut found = false;
        let mentions = |e: &Expr| matches!(e.kind, ExprKind::Local(local) if local == param);
        action.predicate.walk(&mut |e| found |= mentions(e));
        found
    };
    let params = (0..).map(LocalId).zip(&action.params);
    let params = params.map(|(param, (name, ty))| DeclaredParam {
        name: ident(name, action.span),
        ty: Some(ty.clone()),
        is_restricted: is_restricted(param),
    });
    DeclaredAction {
        name: ident(&action.name, action.span),
        kind: action.kind,
        params: params.collect(),
        condition: Some(Condition {
            locals: action.locals.clone(),
            formula: action.predicate.clone(),
        }),
        span: action.span,
    }
}

fn ident(name: &crate::source::Name, span: Span) -> Ident {
    let name = name.clone();
    Ident { name, span }
}
