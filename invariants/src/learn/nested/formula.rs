//! Formulas with further quantifiers, as terms over the variables of the frame.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier};

use super::super::term::Term;
use super::{Literal, Nesting};
use crate::build::{formula, mask, not, with_variables};

impl Nesting {
    /// The formula as a term over the outer frame and its own variables, whose locals begin at `first`.
    pub(crate) fn term(&self, literals: &[Literal], outer: usize, shift: u32) -> Term {
        let chosen: Vec<&Term> = literals.iter().map(|(a, _)| &self.atoms[*a]).collect();
        let mut premises: Vec<Expr> = Vec::new();
        for guard in chosen.iter().flat_map(|atom| &atom.guards) {
            if !premises.contains(guard) {
                premises.push(guard.clone());
            }
        }
        let signed = literals.iter().map(|(a, is_positive)| {
            let expr = self.atoms[*a].expr.clone();
            if *is_positive { expr } else { not(expr) }
        });
        let signed: Vec<Expr> = signed.collect();
        let ids: Vec<LocalId> = (outer..self.frame.binders.len()).map(LocalId::at).collect();
        let several = 4 * (chosen.len() as u32 - 1);
        let parts = chosen.iter().map(|a| a.cost).sum::<u32>();
        let cost = parts + several + 2 * (ids.len() as u32);
        let body = match &self.guard {
            None => {
                let body = Expr::conjunction(
                    premises.into_iter().chain(signed),
                    ioa_lang::Span::default(),
                );
                formula(ExprKind::Quantified(
                    Quantifier::Exists,
                    ids,
                    Box::new(body),
                ))
            }
            Some(guard) => {
                let premise = [guard.expr.clone()].into_iter().chain(premises);
                let premise = Expr::conjunction(premise, ioa_lang::Span::default());
                let claim = Expr::disjunction(signed, ioa_lang::Span::default());
                let body = formula(ExprKind::Apply(Op::Implies, vec![premise, claim]));
                let all = formula(ExprKind::Quantified(
                    Quantifier::ForAll,
                    vec![ids[1]],
                    Box::new(body),
                ));
                formula(ExprKind::Quantified(
                    Quantifier::Exists,
                    vec![ids[0]],
                    Box::new(all),
                ))
            }
        };
        let body = shifted(&body, outer, shift);
        Term {
            binders: mask(&body, outer),
            reads_state: true,
            guards: Vec::new(),
            cost,
            expr: body,
        }
    }
}

/// A term whose locals from `outer` on are renumbered: each nesting has locals of its own.
fn shifted(expr: &Expr, outer: usize, shift: u32) -> Expr {
    let id = |id: LocalId| match (id.index()) < outer {
        true => id,
        false => LocalId(id.0 + shift),
    };
    with_variables(expr, &id)
}
