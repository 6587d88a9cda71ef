//! The parts of a product, and what all its clauses are made with.

use ioa_lang::core::{
    Automaton, Expr, ExprKind, Invariant, Local, LocalId, Model, Op, Place, ProofBlock, Simulation,
    StateRef, Stmt, StmtKind, Store, Type, VarId,
};

use super::copied::Offsets;

/// The making of a product.
pub(super) struct Joining<'m> {
    pub(super) model: &'m Model,
    pub(super) simulation: &'m Simulation,
    pub(super) block: &'m ProofBlock,
    pub(super) low: &'m Automaton,
    pub(super) high: &'m Automaton,
    pub(super) offsets: Offsets,
}

impl<'m> Joining<'m> {
    pub(super) fn new(model: &'m Model, simulation: &'m Simulation, block: &'m ProofBlock) -> Self {
        let (low, high) = (
            model.automaton(simulation.low),
            model.automaton(simulation.high),
        );
        let own = low.variables.len() + high.variables.len();
        Self {
            model,
            simulation,
            block,
            low,
            high,
            offsets: Offsets {
                high: low.variables.len(),
                own,
                failed: own + block.variables.len(),
            },
        }
    }

    pub(super) fn set_failed(&self, value: bool) -> Stmt {
        let (span, root) = (self.block.span, self.failed());
        let place = Place {
            root,
            path: Vec::new(),
            ty: Type::Bool,
            span,
        };
        let value = Expr::new(ExprKind::Bool(value), Type::Bool, span);
        Stmt::made(StmtKind::Assign(place, value), span)
    }

    /// Does something where a condition is true, and fails where it is false.
    pub(super) fn either(&self, condition: Expr, body: Vec<Stmt>) -> Stmt {
        let span = condition.span;
        let kind = StmtKind::If {
            branches: vec![(not(condition), vec![self.set_failed(true)])],
            otherwise: body,
        };
        Stmt::made(kind, span)
    }

    pub(super) fn failed(&self) -> StateRef {
        StateRef {
            store: Store::Pre,
            var: VarId::at(self.offsets.failed),
        }
    }

    pub(super) fn high_invariants(&self) -> impl Iterator<Item = &'m Invariant> {
        self.model.invariants_of(self.simulation.high)
    }
}

/// Some locals of an item as terms.
pub(super) fn terms<'l>(
    ids: &'l [LocalId],
    locals: &'l [Local],
) -> impl Iterator<Item = (LocalId, Expr)> + 'l {
    ids.iter().map(|id| {
        let local = &locals[id.index()];
        let term = Expr::new(ExprKind::Local(*id), local.ty.clone(), local.span);
        (*id, term)
    })
}

pub(super) fn not(formula: Expr) -> Expr {
    let span = formula.span;
    Expr::apply(Op::Not, vec![formula], Type::Bool, span)
}
