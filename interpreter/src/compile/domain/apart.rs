//! Destructuring: of elements, and of variables that have no values to be tried.
//!
//! `[ask, n, k] \in sent` becomes `e \in sent /\ ask = e.kind /\ n = e.who /\ k = e.seq`, with a new variable. Then a loop goes
//! through the elements of `sent`, and each other variable has one value. A packet `p` with `p.num < len(log)` becomes a number
//! `n < len(log)` and an item `i`, with `p = [n, i]`.
//!
//! For each valuation of the old variables there is at most one value of the new ones, so no valuation is enumerated twice.

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
    /// What the variables equal that are taken apart.
    wholes: Vec<Expr>,
}

impl Apart {
    /// The conditions, in their order.
    pub(in crate::compile) fn conditions<'a>(&'a self, old: &[&'a Expr]) -> Vec<&'a Expr> {
        let mut conditions = replaced(old, &self.replaced);
        conditions.extend(&self.wholes);
        conditions
    }
}

/// A variable in terms of new ones.
struct Parts {
    binders: Vec<LocalId>,
    value: Expr,
    /// That it equals this value.
    is_whole: Expr,
}

/// Conditions, each with what replaces it.
fn replaced<'a>(old: &[&'a Expr], by: &'a [Option<Vec<Expr>>]) -> Vec<&'a Expr> {
    let each = old.iter().zip(by).map(|(old, by)| match by {
        Some(new) => new.iter().collect(),
        None => vec![*old],
    });
    each.collect::<Vec<Vec<&Expr>>>().concat()
}

/// A condition that speaks of the parts of a variable where it speaks of its fields.
fn in_parts(condition: &Expr, x: LocalId, value: &Expr) -> Expr {
    part_of(condition, x, value)
        .cloned()
        .unwrap_or_else(|| condition.with_parts(&mut |part| in_parts(part, x, value)))
}

/// The part of a value that a term stands for: a field of a variable that has this value, or a field of such a field.
fn part_of<'v>(term: &Expr, x: LocalId, value: &'v Expr) -> Option<&'v Expr> {
    let ExprKind::Apply(Op::Field(field), args) = &term.kind else {
        return None;
    };
    let whole = match args[0].is_local(x) {
        true => value,
        false => part_of(&args[0], x, value)?,
    };
    match &whole.kind {
        ExprKind::Apply(Op::Tuple, parts) => parts.get(*field as usize),
        _ => None,
    }
}

impl Compiler<'_> {
    /// Destructures the elements that contain variables which otherwise have no values to try, and the variables that have none
    /// after that but whose parts do; none if there are neither.
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
        let mut new = Vec::new();
        let mut each: Vec<Option<Vec<Expr>>> = Vec::new();
        for condition in conditions {
            let apart = self.element_apart(binders, &lost, condition);
            each.push(apart.map(|(element, conditions)| {
                new.push(element);
                conditions
            }));
        }
        let mut wholes = Vec::new();
        let others = binders.iter().copied().filter(|x| !lost.contains(x));
        let others: Vec<LocalId> = new.iter().copied().chain(others).collect();
        for x in lost {
            if let Some(parts) = self.variable_apart(x, &others, &replaced(conditions, &each)) {
                for (new, old) in each.iter_mut().zip(conditions) {
                    let now = new.take().unwrap_or_else(|| vec![(*old).clone()]);
                    *new = Some(now.iter().map(|c| in_parts(c, x, &parts.value)).collect());
                }
                new.extend(parts.binders);
                wholes.push(parts.is_whole);
            }
        }
        (!new.is_empty()).then(|| Apart {
            binders: [&new[..], binders].concat(),
            replaced: each,
            wholes,
        })
    }

    /// New variables for the parts of a variable that are numbers, or hold some, and for its other parts: if these have values to be
    /// tried, where `others` may have got theirs before, and the variable has none.
    fn variable_apart(
        &mut self,
        x: LocalId,
        others: &[LocalId],
        conditions: &[&Expr],
    ) -> Option<Parts> {
        let declared = self.declared(x).clone();
        let is_open = self.has_numbers(&declared.ty)
            && matches!(declared.ty, Type::Tuple(_))
            && self.reach(x, conditions) == Reach::Unbounded;
        if !is_open {
            return None;
        }
        let mut binders = Vec::new();
        let value =
            self.in_new_variables(&declared.name, &declared.ty, declared.span, &mut binders);
        let conditions: Vec<Expr> = conditions.iter().map(|c| in_parts(c, x, &value)).collect();
        let conditions: Vec<&Expr> = conditions.iter().collect();
        if !self.are_in_reach(&binders, others, conditions) {
            return None;
        }
        let whole = Expr::new(ExprKind::Local(x), declared.ty, declared.span);
        let args = vec![whole, value.clone()];
        Some(Parts {
            binders,
            value,
            is_whole: Expr::apply(Op::Eq, args, Type::Bool, declared.span),
        })
    }

    /// A value of a type in terms of new variables: one for each field that is no tuple with numbers in it.
    fn in_new_variables(
        &mut self,
        name: &str,
        ty: &Type,
        span: Span,
        binders: &mut Vec<LocalId>,
    ) -> Expr {
        match ty {
            Type::Tuple(id) if self.has_numbers(ty) => {
                let fields = &self.scope.model.tuples[id.index()].fields;
                let parts = fields.iter().map(|(field, ty)| {
                    self.in_new_variables(&format!("{name}.{field}"), ty, span, binders)
                });
                Expr::apply(Op::Tuple, parts.collect(), ty.clone(), span)
            }
            _ => {
                let part = self.declare_as(name, ty, span);
                binders.push(part);
                Expr::new(ExprKind::Local(part), ty.clone(), span)
            }
        }
    }

    /// Whether a type is one of numbers, or of tuples that hold some.
    fn has_numbers(&self, ty: &Type) -> bool {
        match ty {
            Type::Tuple(id) => {
                let mut fields = self.scope.model.tuples[id.index()].fields.iter();
                fields.any(|(_, ty)| self.has_numbers(ty))
            }
            ty => ty.is_integer(),
        }
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
