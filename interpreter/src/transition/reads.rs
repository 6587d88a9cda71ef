//! Which variables, and which cells of them, a term of the core reads.

use ioa_lang::core::{Expr, ExprKind, Op, Stmt, StmtKind, Transition, VarId};

/// Calls `found` with each variable that a term reads and, if only one cell of it is read, with the terms for its indices. What
/// the indices themselves read is also reported.
pub(super) fn each_read(expr: &Expr, found: &mut dyn FnMut(VarId, &[&Expr])) {
    if let ExprKind::State(state) = &expr.kind {
        return found(state.var, &[]);
    }
    if let Some((variable, indices)) = cell(expr) {
        found(variable, &indices);
        return indices.iter().for_each(|index| each_read(index, found));
    }
    expr.children().for_each(|child| each_read(child, found));
}

/// The variable and the indices, if a term reads one cell of a variable.
pub(super) fn cell(expr: &Expr) -> Option<(VarId, Vec<&Expr>)> {
    let ExprKind::Apply(op, args) = &expr.kind else {
        return None;
    };
    let (whole, index) = match (op, &args[..]) {
        (Op::Select | Op::Lookup | Op::Defined, [whole, index])
        | (Op::Member | Op::MsetMember | Op::Count, [index, whole]) => (whole, index),
        _ => return None,
    };
    let (variable, mut indices) = element(whole)?;
    indices.push(index);
    Some((variable, indices))
}

/// The variable and the indices, if a term is a variable or an element of an array, which may itself be one. (An entry of a map may be
/// missing: what is in it depends on that too.)
fn element(expr: &Expr) -> Option<(VarId, Vec<&Expr>)> {
    match &expr.kind {
        ExprKind::State(state) => Some((state.var, Vec::new())),
        ExprKind::Apply(Op::Select, args) => {
            let (variable, mut indices) = element(&args[0])?;
            indices.push(&args[1]);
            Some((variable, indices))
        }
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
