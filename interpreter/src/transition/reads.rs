//! Which variables, and which cells of them, a term of the core reads.

use ioa_lang::core::{Expr, ExprKind, Op, Stmt, StmtKind, Transition, VarId};

/// Calls `found` with each variable that a term reads and, if only one cell of it is read, with the term for the index. What
/// the index itself reads is also reported.
pub(super) fn each_read(expr: &Expr, found: &mut dyn FnMut(VarId, Option<&Expr>)) {
    if let ExprKind::State(state) = &expr.kind {
        return found(state.var, None);
    }
    if let Some((variable, index)) = cell(expr) {
        found(variable, Some(index));
        return each_read(index, found);
    }
    expr.children().for_each(|child| each_read(child, found));
}

/// The variable and the index, if a term reads one cell of a variable.
pub(super) fn cell(expr: &Expr) -> Option<(VarId, &Expr)> {
    let ExprKind::Apply(op, args) = &expr.kind else {
        return None;
    };
    let (whole, index) = match (op, &args[..]) {
        (Op::Select | Op::Lookup | Op::Defined, [whole, index])
        | (Op::Member | Op::MsetMember | Op::Count, [index, whole]) => (whole, index),
        _ => return None,
    };
    match &whole.kind {
        ExprKind::State(state) => Some((state.var, index)),
        _ => None,
    }
}

/// Whether a clause with given parameters can have several results.
pub(super) fn has_choices(clause: &Transition) -> bool {
    !clause.unconstrained.is_empty() || chooses(&clause.effect)
}

fn chooses(statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StmtKind::Choose { .. } => true,
        StmtKind::If {
            branches,
            otherwise,
        } => branches.iter().any(|(_, body)| chooses(body)) || chooses(otherwise),
        StmtKind::For { body, .. } | StmtKind::While(_, body) => chooses(body),
        StmtKind::Assign(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => false,
    })
}
