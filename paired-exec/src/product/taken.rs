//! A clause of the high automaton with actual parameters and choices.

use ioa_lang::core::{
    CopyPlaces, Expr, ExprKind, Local, LocalId, Stmt, StmtKind, Transition, any_stmt,
    exprs_of_stmts, fresh_copy,
};

use super::copied::Copied;
use super::joining::Joining;

/// When a high clause is enabled for a call, and what it does then.
pub(super) struct Taken {
    pub(super) enabled: Expr,
    pub(super) effect: Vec<Stmt>,
}

/// The values of a call.
pub(super) struct Call {
    pub(super) args: Vec<Given>,
    pub(super) choices: Vec<Given>,
}

/// A value that is given for a parameter or a choice.
pub(super) struct Given {
    /// A term over the variables of the product.
    pub(super) term: Expr,
    /// Whether it depends on the high state.
    pub(super) reads_high: bool,
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
    let given = given(clause, call)?;
    let is_changed =
        |(id, value): &(LocalId, &Given)| value.reads_high && is_used_later(&clause.effect, *id);
    if given.iter().any(is_changed) {
        return None;
    }
    let values = given.into_iter();
    let values: Vec<(LocalId, Expr)> = values
        .map(|(id, value)| (id, fresh_copy(&value.term, locals)))
        .collect();
    let mut copied = Copied::new(joining.offsets, &clause.locals, locals, values);
    let conditions = [copied.expr(&clause.applies), copied.expr(&clause.pre)];
    let effect = match is_refused {
        true => vec![joining.set_failed(true)],
        false => effect(joining, clause, &mut copied),
    };
    Some(Taken {
        enabled: Expr::conjunction(conditions, clause.span),
        effect,
    })
}

/// The values of a clause's parameters and choices; none if some are left open.
fn given<'c>(clause: &Transition, call: &'c Call) -> Option<Vec<(LocalId, &'c Given)>> {
    let chosen = chosen(clause)?;
    let choices: &[Given] = match clause.hidden.len() + chosen.len() {
        // A clause without choices ignores the values.
        0 => &[],
        wanted if wanted == call.choices.len() => &call.choices,
        _ => return None,
    };
    let params = clause.params.iter().copied().zip(&call.args);
    let binders = clause.hidden.iter().copied().chain(chosen);
    Some(params.chain(binders.zip(choices)).collect())
}

/// The effect of a clause, in which a choice is the value that is given for it, if that may be chosen.
fn effect(joining: &Joining<'_>, clause: &Transition, copied: &mut Copied<'_>) -> Vec<Stmt> {
    let mut effect = Vec::new();
    for stmt in &clause.effect {
        match &stmt.kind {
            StmtKind::Choose {
                place,
                binder,
                predicate,
                ..
            } => {
                let local = &clause.locals[binder.index()];
                let value = Expr::new(ExprKind::Local(*binder), local.ty.clone(), local.span);
                effect.push(joining.either(copied.expr(predicate), Vec::new()));
                let assign = StmtKind::Assign(copied.place(place), copied.expr(&value));
                effect.push(Stmt::made(assign, stmt.span));
            }
            _ => effect.extend(copied.stmts(std::slice::from_ref(stmt))),
        }
    }
    effect
}

/// What the effect of a clause chooses, in order; none if it depends on something how much that is.
fn chosen(clause: &Transition) -> Option<Vec<LocalId>> {
    let is_choice = |kind: &StmtKind| matches!(kind, StmtKind::Choose { .. });
    let mut found = Vec::new();
    for stmt in &clause.effect {
        match &stmt.kind {
            StmtKind::Choose { binder, .. } => found.push(*binder),
            _ if any_stmt(std::slice::from_ref(stmt), is_choice) => return None,
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
