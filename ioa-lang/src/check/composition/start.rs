//! The start states of a composition: those of every component.

use super::parts::Part;
use crate::check::instance::{Copier, array_over};
use crate::core::{
    Expr, ExprKind, LocalId, Op, Place, Program, Range, Start, Stmt, StmtKind, Type,
};
use crate::source::Span;

pub(super) fn start(parts: &[Part<'_>], span: Span) -> Start {
    let mut program = Program::default();
    let (mut locals, mut facts) = (Vec::new(), Vec::new());
    for part in parts {
        for stmt in &part.automaton.start.program.body {
            let stmt = initial(part, stmt, &mut program);
            program.body.push(stmt);
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

/// The statement that initialises a variable of all the components: at once where they all start alike, else one by one.
fn initial(part: &Part<'_>, stmt: &Stmt, program: &mut Program) -> Stmt {
    let source = &part.automaton.start.program.locals;
    let indices = part.bind_indices(&mut program.locals);
    let mut copier = part.copier(&indices, source, &mut program.locals);
    let (whole, one) = match &stmt.kind {
        StmtKind::Assign(place, value) => (place, Some(value)),
        StmtKind::Choose {
            place, predicate, ..
        } if predicate.is_true() => (place, None),
        _ => {
            return each(
                &indices,
                copier.stmts(std::slice::from_ref(stmt)),
                stmt.span,
            );
        }
    };
    let value = one.map(|value| copier.expr(value));
    if !whole.path.is_empty() || value.as_ref().is_some_and(|v| mentions(v, &indices)) {
        return each(
            &indices,
            copier.stmts(std::slice::from_ref(stmt)),
            stmt.span,
        );
    }
    let place = all_of(part, whole, &mut copier);
    let kind = match (value, &stmt.kind) {
        (Some(value), _) => StmtKind::Assign(place, constant(&part.index_types(), value)),
        (
            None,
            StmtKind::Choose {
                binder, predicate, ..
            },
        ) => {
            let binder = copier.rebind(*binder);
            copier.target[binder.index()].ty = place.ty.clone();
            StmtKind::Choose {
                place,
                binder,
                predicate: predicate.clone(),
                det: Vec::new(),
            }
        }
        (None, other) => other.clone(),
    };
    Stmt {
        kind,
        span: stmt.span,
    }
}

/// The variable for all indices together.
fn all_of(part: &Part<'_>, place: &Place, copier: &mut Copier<'_, '_>) -> Place {
    let own = copier.place(place);
    Place {
        path: Vec::new(),
        ty: array_over(&part.index_types(), own.ty.clone()),
        ..own
    }
}

/// `constant(constant(value))`, an array over all the indices.
fn constant(indices: &[Type], value: Expr) -> Expr {
    indices.iter().rev().fold(value, |value, index| {
        let (ty, span) = (Type::array(index.clone(), value.ty.clone()), value.span);
        Expr::apply(Op::Constant, vec![value], ty, span)
    })
}

fn mentions(expr: &Expr, indices: &[Expr]) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= indices.iter().any(|index| index.kind == e.kind));
    found
}

/// `for i: I do for j: J do body od od`
pub(super) fn each(indices: &[Expr], body: Vec<Stmt>, span: Span) -> Stmt {
    nested(indices, Expr::truth(span), body, span)
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
        body = vec![Stmt { kind, span }];
    }
    match body.len() {
        1 => body.remove(0),
        _ => Stmt {
            kind: StmtKind::If {
                branches: vec![(range, body)],
                otherwise: Vec::new(),
            },
            span,
        },
    }
}
