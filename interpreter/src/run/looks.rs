//! Which steps of a run are evaluated to see which branches their effects take, although an accelerator knows the successors.

use ioa_lang::core::{StmtId, TransitionId};

use crate::code::{Stmt, StmtKind};
use crate::instance::automaton::TransitionCode;
use crate::vm::Branches;

/// Of one clause, a run evaluates no more steps than this for the branches alone: it takes some milliseconds.
const MOST_LOOKS: u32 = 20_000;

/// For each clause, what is left to see.
pub(super) struct Looks {
    clauses: Vec<Open>,
}

/// The branches of one clause that no step has taken so far.
struct Open {
    branches: Vec<(StmtId, usize)>,
    looks_left: u32,
}

impl Looks {
    /// Nothing has been seen of these clauses.
    pub(super) fn new<E>(clauses: &[Result<TransitionCode, E>]) -> Self {
        let open = |code: &Result<TransitionCode, E>| {
            let mut branches = Vec::new();
            if let Ok(code) = code {
                add_branches(&code.effect, &mut branches);
            }
            Open {
                branches,
                looks_left: MOST_LOOKS,
            }
        };
        Self {
            clauses: clauses.iter().map(open).collect(),
        }
    }

    /// Whether the next step by a clause is to be evaluated.
    pub(super) fn is_due(&self, clause: TransitionId) -> bool {
        let open = &self.clauses[clause.index()];
        !open.branches.is_empty() && open.looks_left > 0
    }

    /// Whether every branch of a clause has been taken, so that its steps need not be evaluated.
    pub(super) fn has_all(&self, clause: TransitionId) -> bool {
        self.clauses[clause.index()].branches.is_empty()
    }

    /// Notes that a step by a clause was evaluated, after which these branches have been taken in all.
    pub(super) fn note(&mut self, clause: TransitionId, taken: &Branches) {
        let open = &mut self.clauses[clause.index()];
        open.branches.retain(|branch| !taken.contains(branch));
        open.looks_left = open.looks_left.saturating_sub(1);
    }
}

fn add_branches(body: &[Stmt], found: &mut Vec<(StmtId, usize)>) {
    for statement in body {
        match &statement.kind {
            StmtKind::If(branches, otherwise) => {
                let bodies = branches.iter().map(|(_, body)| body);
                let last = (!otherwise.is_empty()).then_some(otherwise);
                for (position, body) in bodies.chain(last).enumerate() {
                    found.extend(statement.id.map(|id| (id, position)));
                    add_branches(body, found);
                }
            }
            StmtKind::For { body, .. } | StmtKind::While(_, body) => add_branches(body, found),
            StmtKind::Set(..)
            | StmtKind::Choose { .. }
            | StmtKind::Fire(_)
            | StmtKind::FireAny(_) => {}
        }
    }
}
