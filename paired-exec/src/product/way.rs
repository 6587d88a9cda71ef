//! The ways through an entry of a proof block.

use interpreter::Branches;
use ioa_lang::core::{Expr, ExprKind, Fire, Stmt, StmtKind, Store};

/// The most ways through one entry.
const MOST_WAYS: usize = 32;

/// A way through an entry: which branches it takes, and what it does.
#[derive(Clone, Debug, Default)]
pub(super) struct Way<'e> {
    pub(super) moves: Vec<Move<'e>>,
    /// The branches that it takes.
    pub(super) taken: Branches,
}

/// A part of a way.
#[derive(Clone, Copy, Debug)]
pub(super) enum Move<'e> {
    /// The way is taken if a condition on the states before the step is true, or false.
    If(&'e Expr, bool),
    /// Own variables are assigned.
    Assign(&'e Stmt),
    /// A high step is taken.
    Fire(&'e Fire),
}

impl<'e> Way<'e> {
    /// All ways through some statements; none if they cannot be told apart by conditions on the states before the step, or are too
    /// many.
    pub(super) fn all(body: &'e [Stmt]) -> Option<Vec<Self>> {
        Self::default().through(body)
    }

    /// The ways on, through some statements.
    fn through(self, body: &'e [Stmt]) -> Option<Vec<Self>> {
        let mut ways = vec![self];
        for stmt in body {
            let mut longer = Vec::new();
            for way in ways {
                longer.extend(way.past(stmt)?);
            }
            ways = longer;
            if ways.len() > MOST_WAYS {
                return None;
            }
        }
        Some(ways)
    }

    /// The ways on, past a statement.
    fn past(mut self, stmt: &'e Stmt) -> Option<Vec<Self>> {
        match &stmt.kind {
            StmtKind::Assign(..) => self.moves.push(Move::Assign(stmt)),
            StmtKind::Fire(fire) => self.moves.push(Move::Fire(fire)),
            StmtKind::If {
                branches,
                otherwise,
            } => return self.branching(stmt, branches, otherwise),
            StmtKind::Choose { .. }
            | StmtKind::For { .. }
            | StmtKind::While(..)
            | StmtKind::FireAny(_) => return None,
        }
        Some(vec![self])
    }

    fn branching(
        mut self,
        stmt: &Stmt,
        branches: &'e [(Expr, Vec<Stmt>)],
        otherwise: &'e [Stmt],
    ) -> Option<Vec<Self>> {
        let mut ways = Vec::new();
        for (position, (condition, body)) in branches.iter().enumerate() {
            if self.changes_what_is_read_in(condition) {
                return None;
            }
            let mut taken = self.clone();
            taken.moves.push(Move::If(condition, true));
            taken.note(stmt, position);
            ways.extend(taken.through(body)?);
            self.moves.push(Move::If(condition, false));
        }
        // Where there is no `else`, no branch may be taken.
        if !otherwise.is_empty() {
            self.note(stmt, branches.len());
        }
        ways.extend(self.through(otherwise)?);
        Some(ways)
    }

    fn note(&mut self, stmt: &Stmt, position: usize) {
        self.taken.extend(stmt.id().map(|id| (id, position)));
    }

    /// Whether a condition may read what was changed on the way to it.
    fn changes_what_is_read_in(&self, condition: &Expr) -> bool {
        let mut moves = self.moves.iter();
        moves.any(|part| match part {
            Move::If(..) => false,
            Move::Assign(_) => reads(condition, Store::Block),
            Move::Fire(_) => reads(condition, Store::High),
        })
    }

    /// The high steps.
    pub(super) fn fires(&self) -> impl Iterator<Item = &'e Fire> {
        self.moves.iter().filter_map(|part| match part {
            Move::Fire(fire) => Some(*fire),
            _ => None,
        })
    }
}

/// Whether a term reads a variable of a state.
pub(super) fn reads(term: &Expr, store: Store) -> bool {
    let mut found = false;
    term.walk(&mut |part| {
        found |= matches!(part.kind, ExprKind::State(state) if state.store == store);
    });
    found
}
