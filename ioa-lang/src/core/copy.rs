//! Copies of statements for another item, whatever stands there for their terms and places.

use super::expr::{Expr, LocalId};
use super::stmt::{Place, Projection, Range, Stmt, StmtKind};
use super::substitute::CopyParts;

/// A way to copy what is in a statement.
pub trait CopyPlaces: CopyParts {
    /// The copy of a place that is written.
    fn place(&mut self, place: &Place) -> Place;
}

/// Copies of statements that fire nothing, as those of effects and start states are. What fires something stays as it is.
pub fn copy_of_stmts(body: &[Stmt], by: &mut impl CopyPlaces) -> Vec<Stmt> {
    body.iter().map(|stmt| copy_of_stmt(stmt, by)).collect()
}

fn copy_of_stmt(stmt: &Stmt, by: &mut impl CopyPlaces) -> Stmt {
    let kind = match &stmt.kind {
        StmtKind::Assign(place, value) => StmtKind::Assign(by.place(place), by.part(value)),
        StmtKind::Choose {
            place,
            binder,
            predicate,
            det,
        } => {
            let (place, det) = (by.place(place), copies(det, by));
            StmtKind::Choose {
                place,
                binder: by.binder(*binder),
                predicate: by.part(predicate),
                det,
            }
        }
        StmtKind::If {
            branches,
            otherwise,
        } => StmtKind::If {
            branches: branches
                .iter()
                .map(|(condition, body)| (by.part(condition), copy_of_stmts(body, by)))
                .collect(),
            otherwise: copy_of_stmts(otherwise, by),
        },
        StmtKind::For {
            binder,
            range,
            body,
        } => copy_of_loop((*binder, range, body), by),
        StmtKind::While(condition, body) => {
            StmtKind::While(by.part(condition), copy_of_stmts(body, by))
        }
        fire @ (StmtKind::Fire(_) | StmtKind::FireAny(_)) => fire.clone(),
    };
    stmt.copy(kind)
}

fn copies(exprs: &[Expr], by: &mut impl CopyPlaces) -> Vec<Expr> {
    exprs.iter().map(|expr| by.part(expr)).collect()
}

/// The set that a loop ranges over is outside the scope of its variable, a condition is inside.
fn copy_of_loop(
    (binder, range, body): (LocalId, &Range, &[Stmt]),
    by: &mut impl CopyPlaces,
) -> StmtKind {
    let (binder, range) = match range {
        Range::In(elements) => {
            let elements = by.part(elements);
            (by.binder(binder), Range::In(elements))
        }
        Range::Where(condition) => {
            let binder = by.binder(binder);
            (binder, Range::Where(by.part(condition)))
        }
    };
    StmtKind::For {
        binder,
        range,
        body: copy_of_stmts(body, by),
    }
}

/// The copy of the way to a place.
pub fn copy_of_path(path: &[Projection], by: &mut impl CopyParts) -> Vec<Projection> {
    let steps = path.iter().map(|step| match step {
        Projection::Index(index) => Projection::Index(by.part(index)),
        Projection::Entry(key) => Projection::Entry(by.part(key)),
        Projection::Field(field) => Projection::Field(*field),
    });
    steps.collect()
}
