//! The choices of an effect, for a run whose choices are given.

use ioa_lang::core::{LocalId, Stmt, StmtKind, Transition, Type, any_stmt, each_stmt};

use crate::logic::{AtSpan, Encoded, unsupported};

/// Something whose value a clause leaves open.
pub(crate) type Open<'a> = (String, &'a Type);

/// The choices of an effect in the order in which a run meets them, which must be the same in each branch of an `if`.
pub(crate) fn chosen<'a>(stmts: &'a [Stmt], clause: &'a Transition) -> Encoded<Vec<Open<'a>>> {
    let mut met = Vec::new();
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Choose { binder, .. } => met.push(open(*binder, clause)),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                let bodies = branches.iter().map(|(_, body)| body).chain([otherwise]);
                met.extend(alternatives(bodies, clause).at(stmt.span)?);
            }
            StmtKind::For { body, .. } => met.extend(chosen(body, clause)?),
            StmtKind::Assign(..)
            | StmtKind::While(..)
            | StmtKind::Fire(_)
            | StmtKind::FireAny(_) => {}
        }
    }
    Ok(met)
}

/// The same where each is made once, and none in a loop, which may make any number of them.
pub(in crate::obligations) fn chosen_once<'a>(
    stmts: &'a [Stmt],
    clause: &'a Transition,
) -> Encoded<Vec<Open<'a>>> {
    each_stmt(stmts, &mut |stmt| match &stmt.kind {
        StmtKind::For { body, .. }
            if any_stmt(body, |kind| matches!(kind, StmtKind::Choose { .. })) =>
        {
            unsupported("whether choices in a loop can meet an `ensuring`").at(stmt.span)
        }
        _ => Ok(()),
    })?;
    chosen(stmts, clause)
}

/// The choices of branches, which all take their values from the same place.
fn alternatives<'a>(
    bodies: impl Iterator<Item = &'a Vec<Stmt>>,
    clause: &'a Transition,
) -> Encoded<Vec<Open<'a>>> {
    let mut common: Option<Vec<Open<'a>>> = None;
    for body in bodies {
        let here = chosen(body, clause)?;
        let types = |open: &[Open<'a>]| open.iter().map(|(_, ty)| *ty).collect::<Vec<_>>();
        match &common {
            Some(first) if types(first) != types(&here) => {
                return unsupported("branches with different choices, whose values are given");
            }
            Some(_) => {}
            None => common = Some(here),
        }
    }
    Ok(common.unwrap_or_default())
}

pub(in crate::obligations) fn open(binder: LocalId, clause: &Transition) -> Open<'_> {
    let local = &clause.locals[binder.index()];
    (local.name.to_string(), &local.ty)
}
