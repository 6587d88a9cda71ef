//! Copies of what stands in the simulation, or in the high automaton, for the product.

use ioa_lang::core::{
    CopyParts, CopyPlaces, Expr, ExprKind, Local, LocalId, Place, StateRef, Stmt, Store,
    Substitution, VarId, copy_of_path, copy_of_stmts,
};

/// A copy of one item into another, with other terms for its parameters.
pub(super) struct Copied<'a> {
    offsets: Offsets,
    substitution: Substitution<'a>,
}

impl<'a> Copied<'a> {
    /// A copy of what has the locals `source` to stand among the locals `target`; the values are terms of the product.
    pub(super) fn new(
        offsets: Offsets,
        source: &'a [Local],
        target: &'a mut Vec<Local>,
        values: impl IntoIterator<Item = (LocalId, Expr)>,
    ) -> Self {
        Self {
            offsets,
            substitution: Substitution::new(source, target, values),
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        self.substitution.copy(&moved(self.offsets, expr))
    }

    pub(super) fn stmts(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        copy_of_stmts(body, self)
    }
}

impl CopyParts for Copied<'_> {
    fn part(&mut self, part: &Expr) -> Expr {
        self.expr(part)
    }

    fn binder(&mut self, binder: LocalId) -> LocalId {
        self.substitution.rebind(binder)
    }
}

impl CopyPlaces for Copied<'_> {
    fn place(&mut self, place: &Place) -> Place {
        Place {
            root: self.offsets.place(place.root),
            path: copy_of_path(&place.path, self),
            ..place.clone()
        }
    }
}

/// The same term over the variables of the product.
pub(super) fn moved(offsets: Offsets, expr: &Expr) -> Expr {
    match expr.kind {
        ExprKind::State(state) => {
            let kind = ExprKind::State(offsets.place(state));
            Expr::new(kind, expr.ty.clone(), expr.span)
        }
        _ => expr.with_parts(&mut |part| moved(offsets, part)),
    }
}

/// Where variables lie among those of the product: those of the low automaton come first.
#[derive(Clone, Copy)]
pub(super) struct Offsets {
    pub(super) high: usize,
    pub(super) own: usize,
    pub(super) failed: usize,
}

impl Offsets {
    /// Where a variable lies that is read in the simulation, or in an item of the high automaton.
    pub(super) fn place(self, state: StateRef) -> StateRef {
        let first = match state.store {
            Store::Low => 0,
            Store::High | Store::Pre | Store::Post => self.high,
            Store::Block => self.own,
        };
        StateRef {
            store: Store::Pre,
            var: VarId::at(first + state.var.index()),
        }
    }
}
