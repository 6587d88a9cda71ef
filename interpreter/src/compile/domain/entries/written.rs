//! Conditions that are said of the parts of values.

use finite::closed_values;
use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier, Type};

use super::super::super::Compiler;
use super::parts::{Parts, Taken};

/// Quantifiers are written out over types that have no more values,
const MAX_VALUES: u64 = 1024;
/// and where that makes no more formulas of a condition.
const MAX_WRITTEN: usize = 4096;

impl Compiler<'_> {
    /// A formula in which quantifiers over few values are written out where their bodies speak of what is taken apart.
    pub(super) fn written_out(&self, taken: &Taken, formula: &Expr) -> Expr {
        self.written_within(taken, formula, &mut { MAX_WRITTEN })
    }

    /// A quantifier stays where there is no room for its instances.
    fn written_within(&self, taken: &Taken, formula: &Expr, room: &mut usize) -> Expr {
        if !taken.is_in(formula) {
            return formula.clone();
        }
        let ExprKind::Quantified(quantifier, binders, body) = &formula.kind else {
            return formula.with_parts(&mut |part| self.written_within(taken, part, room));
        };
        let Some(values) = self.values_within(binders[0], room) else {
            return formula.clone();
        };
        let instance = |value: &Expr| {
            let body = body.with_value(binders[0], value);
            if binders.len() == 1 {
                return self.written_within(taken, &body, room);
            }
            let kind = ExprKind::Quantified(*quantifier, binders[1..].to_vec(), Box::new(body));
            let others = Expr::new(kind, Type::Bool, formula.span);
            self.written_within(taken, &others, room)
        };
        let instances: Vec<Expr> = values.iter().map(instance).collect();
        match quantifier {
            Quantifier::ForAll => Expr::conjunction(instances, formula.span),
            Quantifier::Exists => Expr::disjunction(instances, formula.span),
        }
    }

    /// The values of a bound variable, if there is room for that many instances.
    fn values_within(&self, x: LocalId, room: &mut usize) -> Option<Vec<Expr>> {
        let (model, universe) = (self.scope.model, self.scope.universe);
        let values = closed_values((model, universe), self.local_type(x), MAX_VALUES)?;
        *room = room.checked_sub(values.len())?;
        Some(values)
    }
}

impl Taken {
    /// The formula, said of the parts where it is about single ones, and without what closed terms decide.
    pub(super) fn rewritten(&self, formula: &Expr) -> Expr {
        if let Some(Parts::One(part)) = self.part(formula) {
            return Expr::new(ExprKind::Local(*part), formula.ty.clone(), formula.span);
        }
        if let ExprKind::Apply(Op::Member, args) = &formula.kind
            && let Some(Parts::Members(members)) = self.part(&args[1])
            && let Some((_, part)) = members.iter().find(|(element, _)| *element == args[0])
        {
            return Expr::new(ExprKind::Local(*part), Type::Bool, formula.span);
        }
        if let Some(each) = self.by_parts(formula) {
            let each = each.iter().map(|equation| self.rewritten(equation));
            return decided(Expr::conjunction(each.collect::<Vec<_>>(), formula.span));
        }
        decided(formula.with_parts(&mut |part| self.rewritten(part)))
    }

    /// That a value equals another one, or that a set is a subset of another one, part by part.
    fn by_parts(&self, formula: &Expr) -> Option<Vec<Expr>> {
        let ExprKind::Apply(op @ (Op::Eq | Op::Subset), sides) = &formula.kind else {
            return None;
        };
        let (of_elements, span) = (
            if *op == Op::Eq { Op::Iff } else { Op::Implies },
            formula.span,
        );
        let compared = |op, part: &dyn Fn(&Expr) -> Expr| {
            Expr::apply(op, sides.iter().map(part).collect(), Type::Bool, span)
        };
        let select = |at: &Expr, ty: &Type, side: &Expr| {
            let args = vec![side.clone(), at.clone()];
            Expr::apply(Op::Select, args, ty.clone(), span)
        };
        let member = |element: &Expr, side: &Expr| {
            let args = vec![element.clone(), side.clone()];
            Expr::apply(Op::Member, args, Type::Bool, span)
        };
        let parts = sides.iter().find_map(|side| self.part(side))?;
        Some(match (parts, &sides[0].ty) {
            (Parts::Fields(fields), _) => {
                let each = fields.iter().enumerate();
                let each = each.map(|(at, (ty, _))| compared(Op::Eq, &|side| field(side, at, ty)));
                each.collect()
            }
            (Parts::Entries(entries), Type::Array(_, ty)) => {
                let each = entries.iter();
                let each = each.map(|(at, _)| compared(Op::Eq, &|side| select(at, ty, side)));
                each.collect()
            }
            (Parts::Members(members), _) => {
                let each = members.iter();
                let each = each.map(|(at, _)| compared(of_elements, &|side| member(at, side)));
                each.collect()
            }
            _ => return None,
        })
    }
}

/// A field of a tuple.
fn field(tuple: &Expr, at: usize, ty: &Type) -> Expr {
    match &tuple.kind {
        ExprKind::Apply(Op::Tuple, args) => args[at].clone(),
        _ => {
            let args = vec![tuple.clone()];
            Expr::apply(Op::Field(at as u32), args, ty.clone(), tuple.span)
        }
    }
}

/// A formula without what literals decide.
pub(super) fn decided(formula: Expr) -> Expr {
    let literal = |value| Expr::new(ExprKind::Bool(value), Type::Bool, formula.span);
    let is = |part: &Expr, value: bool| part.kind == ExprKind::Bool(value);
    match &formula.kind {
        ExprKind::Apply(Op::Eq, sides) if are_closed(sides) => {
            literal(sides[0].kind == sides[1].kind)
        }
        ExprKind::Apply(Op::Not, args) => match args[0].kind {
            ExprKind::Bool(value) => literal(!value),
            _ => formula,
        },
        ExprKind::Apply(Op::Iff, sides) if sides.iter().any(|side| is(side, true)) => {
            sides[usize::from(is(&sides[0], true))].clone()
        }
        ExprKind::Apply(Op::Implies, sides) if is(&sides[0], false) || is(&sides[1], true) => {
            literal(true)
        }
        ExprKind::Apply(Op::Implies, sides) if is(&sides[0], true) => sides[1].clone(),
        ExprKind::Apply(Op::And, parts) if parts.iter().any(|part| is(part, false)) => {
            literal(false)
        }
        ExprKind::Apply(Op::And, parts) => Expr::conjunction(parts.iter().cloned(), formula.span),
        ExprKind::Apply(Op::Or, parts) if parts.iter().any(|part| is(part, true)) => literal(true),
        ExprKind::Apply(Op::Or, parts) => {
            let parts = parts.iter().filter(|part| !is(part, false));
            Expr::disjunction(parts.cloned().collect(), formula.span)
        }
        _ => formula,
    }
}

/// Whether terms are different values unless they are the same.
fn are_closed(terms: &[Expr]) -> bool {
    let is_closed = |term: &Expr| {
        matches!(
            term.kind,
            ExprKind::Element(_) | ExprKind::Enumerator(_) | ExprKind::Bool(_) | ExprKind::Int(_)
        )
    };
    terms.iter().all(is_closed)
}
