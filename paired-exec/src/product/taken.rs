//! A clause of the high automaton with actual parameters and choices.

use ioa_lang::core::{
    CopyPlaces, Expr, ExprKind, Local, LocalId, Stmt, StmtKind, Transition, any_stmt,
    exprs_of_stmts, fresh_copy,
};

use super::copied::Copied;
use super::joining::{Joining, terms};

/// When a high clause is enabled for a call, and what it does then.
pub(super) struct Taken {
    pub(super) enabled: Expr,
    pub(super) effect: Vec<Stmt>,
}

/// The values of a call: terms over the variables of the product, and whether each of them reads the high state.
pub(super) struct Call {
    pub(super) args: Vec<(Expr, bool)>,
    pub(super) choices: Vec<(Expr, bool)>,
}

/// What a high clause does for a call; none if something is left open, or might be read after it has changed. The locals are those of
/// the clause that is made.
pub(super) fn taken(
    joining: &Joining<'_>,
    clause: &Transition,
    call: &Call,
    locals: &mut Vec<Local>,
) -> Option<Taken> {
    let is_refused = clause.refused.is_some();
    if !clause.unconstrained.is_empty() || !clause.ensuring.is_true() && !is_refused {
        return None;
    }
    let chosen = chosen(clause)?;
    let binders = clause.hidden.iter().chain(&chosen);
    let choices: &[(Expr, bool)] = match clause.hidden.len() + chosen.len() {
        // A clause without choices ignores the values.
        0 => &[],
        wanted if wanted == call.choices.len() => &call.choices,
        _ => return None,
    };
    let params = clause.params.iter().zip(&call.args);
    let values: Vec<(LocalId, &(Expr, bool))> = params
        .chain(binders.zip(choices))
        .map(|(id, value)| (*id, value))
        .collect();
    let has_changed = |(id, (_, reads_high)): &(LocalId, &(Expr, bool))| {
        *reads_high && is_used_later(&clause.effect, *id)
    };
    if values.iter().any(has_changed) {
        return None;
    }
    let actuals = values
        .iter()
        .map(|(id, (value, _))| (*id, fresh_copy(value, locals)));
    let actuals: Vec<(LocalId, Expr)> = actuals.collect();
    let mut copied = Copied::new(joining.offsets, &clause.locals, locals, actuals);
    let conditions = [copied.expr(&clause.applies), copied.expr(&clause.pre)];
    let mut effect = Vec::new();
    for stmt in &clause.effect {
        let StmtKind::Choose {
            place,
            binder,
            predicate,
            ..
        } = &stmt.kind
        else {
            effect.extend(copied.stmts(std::slice::from_ref(stmt)));
            continue;
        };
        let (_, value) = terms(&[*binder], &clause.locals).next()?;
        let (place, allowed) = (copied.place(place), copied.expr(predicate));
        effect.push(joining.either(allowed, Vec::new()));
        let assign = StmtKind::Assign(place, copied.expr(&value));
        effect.push(Stmt::made(assign, stmt.span));
    }
    if is_refused {
        effect = vec![joining.set_failed(true)];
    }
    Some(Taken {
        enabled: Expr::conjunction(conditions, clause.span),
        effect,
    })
}

/// What the effect of a clause chooses, in order; none if it depends on something how much that is.
fn chosen(clause: &Transition) -> Option<Vec<LocalId>> {
    let mut found = Vec::new();
    for stmt in &clause.effect {
        match &stmt.kind {
            StmtKind::Choose { binder, .. } => found.push(*binder),
            _ if any_stmt(std::slice::from_ref(stmt), |kind| {
                matches!(kind, StmtKind::Choose { .. })
            }) =>
            {
                return None;
            }
            _ => {}
        }
    }
    Some(found)
}

/// Whether a value is used by an effect when something may have changed: not only by its first statement, which has one change to
/// make.
fn is_used_later(effect: &[Stmt], value: LocalId) -> bool {
    let is_single =
        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assign(..) | StmtKind::Choose { .. });
    let later = match effect {
        [first, later @ ..] if is_single(first) => later,
        all => all,
    };
    let chooses =
        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Choose { binder, .. } if binder == value);
    let mut found = later.iter().any(chooses);
    exprs_of_stmts(later, &mut |expr| {
        expr.walk(&mut |part| found |= part.kind == ExprKind::Local(value));
    });
    found
}
