//! Facts about a term that follow from its form.

use std::collections::BTreeSet;

use ioa_lang::core::{Expr, ExprKind, StateRef, Store, VarId};

use super::Compiler;

impl Compiler<'_> {
    /// Whether evaluating a term can neither fault nor draw: it may then be evaluated early, or needlessly.
    pub(crate) fn is_total(&self, expr: &Expr) -> bool {
        is_total_but_for(expr, &|partial| self.guarded.contains(partial))
    }

    /// Whether evaluating a term can neither fault nor draw once the formulas are true that are known to be true when its
    /// conjunct has its turn: it may then be evaluated before other conjuncts.
    pub(super) fn has_value(&self, expr: &Expr) -> bool {
        let has_value =
            |partial: &Expr| self.guarded.contains(partial) || self.assured.contains(partial);
        is_total_but_for(expr, &has_value)
    }
}

/// Whether evaluating a term can neither fault nor draw, given that some of the partial operators in it have values.
fn is_total_but_for(expr: &Expr, has_value: &dyn Fn(&Expr) -> bool) -> bool {
    let is_apply = matches!(expr.kind, ExprKind::Apply(..));
    let here = expr.is_total_here() || (is_apply && has_value(expr));
    here && expr
        .children()
        .all(|child| is_total_but_for(child, has_value))
}

/// The variables of a valuation that a term reads.
pub(crate) fn reads(expr: &Expr, store: Store) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |e| {
        if let ExprKind::State(StateRef { store: s, var }) = e.kind
            && s == store
        {
            found.insert(var);
        }
    });
    found
}
