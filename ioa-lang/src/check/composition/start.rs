//! The start states of a composition: those of every component that there is.

use super::absent::first_value;
use super::component::ComponentInstance;
use crate::check::instance::{Copier, array_over};
use crate::core::{
    CopyPlaces, Expr, ExprKind, LocalId, Model, Op, Place, Program, Range, Start, Stmt, StmtKind,
    Type,
};
use crate::source::Span;

pub(super) fn start(parts: &[ComponentInstance<'_>], model: &Model, span: Span) -> Start {
    let mut program = Program::default();
    let (mut locals, mut facts) = (Vec::new(), Vec::new());
    for part in parts {
        for stmt in &part.automaton.start.program.body {
            initial(part, stmt, model, &mut program);
        }
        let start = &part.automaton.start;
        if !start.so_that.is_true() {
            facts.push(part.for_all_indices(&start.locals, &start.so_that, &mut locals));
        }
    }
    Start {
        program,
        locals,
        so_that: Expr::conjunction(facts, span),
    }
}

/// Adds what initialises a variable of the components: at once where all of them start alike, else one by one, and only
/// those that there are.
fn initial(part: &ComponentInstance<'_>, stmt: &Stmt, model: &Model, program: &mut Program) {
    let source = &part.automaton.start.program.locals;
    let indices = part.bind_indices(&mut program.locals);
    let exists = part.exists(&indices, &mut program.locals);
    let mut copier = part.copier(&indices, source, &mut program.locals);
    if let Some(kind) = at_once(part, stmt, (&indices, &exists), &mut copier) {
        program.body.push(stmt.copy(kind));
        return;
    }
    let body = copier.stmts(std::slice::from_ref(stmt));
    if !exists.is_true()
        && let StmtKind::Assign(place, _) | StmtKind::Choose { place, .. } = &stmt.kind
        && let Some(value) = first_value(model, &part.ty(&place.ty), stmt.span)
    {
        let place = all_of(part, place, &mut copier);
        let value = constant(&place.ty, part.arity, value);
        let kind = StmtKind::Assign(place, value);
        program.body.push(Stmt::made(kind, stmt.span));
    }
    program.body.push(nested(&indices, exists, body, stmt.span));
}

/// The statement that initialises a variable of all the components together, if it does not matter which of them exist.
fn at_once(
    part: &ComponentInstance<'_>,
    stmt: &Stmt,
    (indices, exists): (&[Expr], &Expr),
    copier: &mut Copier<'_, '_>,
) -> Option<StmtKind> {
    match &stmt.kind {
        StmtKind::Assign(place, value) if place.path.is_empty() => {
            let value = copier.expr(value);
            let same = !mentions(&value, indices) && (exists.is_true() || value.is_total());
            same.then(|| {
                let place = all_of(part, place, copier);
                let value = constant(&place.ty, part.arity, value);
                StmtKind::Assign(place, value)
            })
        }
        StmtKind::Choose {
            place,
            binder,
            predicate,
            ..
        } if place.path.is_empty() && predicate.is_true() && exists.is_true() => {
            let place = all_of(part, place, copier);
            let binder = copier.rebind(*binder);
            copier.target[binder.index()].ty = place.ty.clone();
            Some(StmtKind::Choose {
                place,
                binder,
                predicate: predicate.clone(),
                det: Vec::new(),
            })
        }
        _ => None,
    }
}

/// The variable for all indices together.
fn all_of(part: &ComponentInstance<'_>, place: &Place, copier: &mut Copier<'_, '_>) -> Place {
    let own = copier.place(place);
    Place {
        path: Vec::new(),
        ty: array_over(&part.index_types(), own.ty.clone()),
        ..own
    }
}

/// `constant(constant(value))`, an array over all the indices, of the type of the variable: a `Nat` may be the value of an
/// `Int`, but an array of the ones is none of the others.
fn constant(whole: &Type, arity: usize, value: Expr) -> Expr {
    match whole {
        Type::Array(_, element) if arity > 0 => {
            let value = constant(element, arity - 1, value);
            let span = value.span;
            Expr::apply(Op::Constant, vec![value], whole.clone(), span)
        }
        _ => value,
    }
}

/// Whether one of some bound variables occurs in a term.
pub(super) fn mentions(expr: &Expr, indices: &[Expr]) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= indices.iter().any(|index| index.kind == e.kind));
    found
}

/// `for i: I do for j: J where condition do body od od`
pub(super) fn nested(indices: &[Expr], condition: Expr, body: Vec<Stmt>, span: Span) -> Stmt {
    let binders: Vec<LocalId> = indices
        .iter()
        .filter_map(|index| match index.kind {
            ExprKind::Local(id) => Some(id),
            _ => None,
        })
        .collect();
    let mut range = condition;
    let mut body = body;
    for binder in binders.into_iter().rev() {
        let kind = StmtKind::For {
            binder,
            range: Range::Where(std::mem::replace(&mut range, Expr::truth(span))),
            body,
        };
        body = vec![Stmt::made(kind, span)];
    }
    match body.len() {
        1 if range.is_true() => body.remove(0),
        _ => {
            let kind = StmtKind::If {
                branches: vec![(range, body)],
                otherwise: Vec::new(),
            };
            Stmt::made(kind, span)
        }
    }
}
