//! Conditions under which a question lets an action be taken.

use crate::check::checker::Checker;
use crate::check::report::Report;
use crate::check::term::action_of;
use crate::check::world::World;
use crate::core::{AutomatonId, Extent, Guard, LocalId};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident};

use super::properties;

/// A condition on the state before an action, given as a term with or without names for the parameters.
pub(in crate::check) fn guard(
    (automaton, extent): (AutomatonId, Extent),
    (action, condition): (&ast::Expr, &ast::Expr),
    world: &World,
    report: &mut Report,
) -> Option<Guard> {
    let Some((name, actuals)) = action_of(action) else {
        let message = "an action with names for its parameters should stand here";
        report.add(
            Diagnostic::error(Code::Unexpected, action.span, message)
                .help("such as `send(m, p): m.number < 3`"),
        );
        return None;
    };
    let header = world.header(automaton);
    let id = header.find_action(&name, report)?;
    let declared = header.action(id);
    if !actuals.is_empty() && !declared.has_parameters(&name, actuals.len(), report) {
        return None;
    }
    let mut checker = properties::about((automaton, extent), world, report);
    let names: Vec<&Ident> = (actuals.iter())
        .map(|actual| name_of(actual, &mut checker))
        .collect::<Option<_>>()?;
    let bound = names.iter().zip(&declared.params);
    let params: Vec<LocalId> = bound
        .map(|(name, param)| checker.bind(name, param.ty.clone()))
        .collect::<Option<_>>()?;
    let condition = checker.formula(condition)?;
    Some(Guard {
        action: id,
        params,
        locals: checker.scope.locals,
        condition,
    })
}

/// The name that stands for a parameter.
fn name_of<'e>(actual: &'e ast::Expr, checker: &mut Checker<'_, '_>) -> Option<&'e Ident> {
    match &actual.kind {
        ast::ExprKind::Name(name) => Some(name),
        ast::ExprKind::Error => None,
        _ => {
            let message = "a new name for the parameter should stand here";
            checker.error(Code::Unexpected, actual.span, message);
            None
        }
    }
}
