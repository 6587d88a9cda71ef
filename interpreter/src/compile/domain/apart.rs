//! Destructuring of elements: `[ask, n, k] \in sent` becomes `e \in sent /\ ask = e.kind /\ n = e.who /\ k = e.seq`, with a
//! new variable. Then a loop goes through the elements of `sent`, and each other variable has one value.
//!
//! For each valuation of the old variables there is at most one value of the new one, so no valuation is enumerated twice.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Type, path};

use super::super::Compiler;
use super::Reach;

/// Variables, and the conditions on them.
pub(in crate::compile) struct Apart {
    /// The new variables, then the old ones.
    pub(in crate::compile) binders: Vec<LocalId>,
    /// The replacement of each condition, if there is one.
    replaced: Vec<Option<Vec<Expr>>>,
}

impl Apart {
    /// The conditions, in their order.
    pub(in crate::compile) fn conditions<'a>(&'a self, old: &[&'a Expr]) -> Vec<&'a Expr> {
        let each = old.iter().zip(&self.replaced);
        let each = each.map(|(old, replaced)| match replaced {
            Some(new) => new.iter().collect(),
            None => vec![*old],
        });
        each.collect::<Vec<Vec<&Expr>>>().concat()
    }
}

impl Compiler<'_> {
    /// Destructures the elements that contain variables which otherwise have no values to try; none if there are no such
    /// elements.
    pub(in crate::compile) fn apart(
        &mut self,
        binders: &[LocalId],
        conditions: &[&Expr],
    ) -> Option<Apart> {
        let lost: Vec<LocalId> = binders
            .iter()
            .copied()
            .filter(|x| self.direct_reach(*x, conditions) == Reach::Unbounded)
            .collect();
        if lost.is_empty() {
            return None;
        }
        let mut elements = Vec::new();
        let mut replaced: Vec<Option<Vec<Expr>>> = Vec::new();
        for condition in conditions {
            let new = self.element_apart(binders, &lost, condition);
            replaced.push(new.map(|(element, conditions)| {
                elements.push(element);
                conditions
            }));
        }
        (!elements.is_empty()).then(|| Apart {
            binders: [&elements[..], binders].concat(),
            replaced,
        })
    }

    /// A new variable, and the conditions that replace a membership of a tuple, if the tuple contains one of these
    /// variables.
    fn element_apart(
        &mut self,
        binders: &[LocalId],
        lost: &[LocalId],
        condition: &Expr,
    ) -> Option<(LocalId, Vec<Expr>)> {
        let (pattern, collection) = condition.membership()?;
        let is_tuple = matches!(pattern.kind, ExprKind::Apply(Op::Tuple, _));
        let is_needed = lost.iter().any(|x| path(pattern, *x).is_some());
        let is_known = !binders.iter().any(|x| collection.mentions(*x));
        // A term that may fault must be evaluated even if the collection is empty.
        if !is_tuple || !is_needed || !is_known || !self.is_total(condition) {
            return None;
        }
        let (ty, span) = (&pattern.ty, condition.span);
        let element = self.declare(ty, span);
        let local = || Expr::new(ExprKind::Local(element), ty.clone(), span);
        let ExprKind::Apply(op, _) = &condition.kind else {
            return None;
        };
        let member = Expr::apply(*op, vec![local(), collection.clone()], Type::Bool, span);
        let mut conditions = vec![member];
        self.equate(pattern, local(), span, &mut conditions);
        Some((element, conditions))
    }

    /// The conditions that each part of a pattern equals the same part of a value.
    fn equate(&self, pattern: &Expr, value: Expr, span: Span, conditions: &mut Vec<Expr>) {
        let (ExprKind::Apply(Op::Tuple, parts), Type::Tuple(id)) = (&pattern.kind, &value.ty)
        else {
            let equal = Expr::apply(Op::Eq, vec![pattern.clone(), value], Type::Bool, span);
            conditions.push(equal);
            return;
        };
        let fields = &self.scope.model.tuples[id.index()].fields;
        for (at, (part, (_, ty))) in parts.iter().zip(fields).enumerate() {
            let field = Op::Field(at as u32);
            let field = Expr::apply(field, vec![value.clone()], ty.clone(), span);
            self.equate(part, field, span, conditions);
        }
    }
}
