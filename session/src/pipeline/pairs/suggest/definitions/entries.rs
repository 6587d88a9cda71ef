//! Definitions of single entries, and of truth values by formulas.

use ioa_lang::core::{Expr, ExprKind, LocalId, Op, Quantifier, Type, VarId};
use ioa_lang::{Span, Value};

use super::super::basis::Suggesting;
use super::super::language::atoms::Truth;
use super::super::language::formulas::{Formula, Outer, Search};
use super::super::language::points::Points;
use super::super::language::terms::apply;
use super::super::observed::{Seen, equal};
use super::{Definition, FORMULAS};

impl Suggesting<'_> {
    /// Definitions of the entries of an array.
    pub(super) fn by_entries(
        &self,
        outer: &Outer,
        (place, entry): (Expr, &Type),
        bound: &[LocalId],
        seen: &Seen,
    ) -> Vec<Definition> {
        let mut points = Points::new(&self.study.model, &outer.leaves, self.universes.iter());
        for (instance, values) in &outer.points {
            points.add(*instance, values);
        }
        if points.len() != outer.points.len() {
            return Vec::new();
        }
        let allowed: Vec<Vec<Value>> = seen
            .blocks
            .iter()
            .flat_map(|block| {
                (0..block.width).map(|at| {
                    let mut values: Vec<Value> =
                        block.patterns.iter().map(|p| p[at].clone()).collect();
                    values.sort();
                    values.dedup();
                    values
                })
            })
            .collect();
        let terms = self.fitting(&outer.leaves, &points, entry, &allowed);
        let definition = |(size, term)| Definition {
            conjunct: Formula {
                expr: for_all(bound, equal(place.clone(), term)),
                locals: outer.locals.clone(),
            },
            value: None,
            size: size + 1,
        };
        terms.into_iter().map(definition).collect()
    }

    /// Definitions by a formula that says where the variable is true, or which elements it has.
    pub(super) fn truths(
        &self,
        var: VarId,
        outer: &Outer,
        place: &Expr,
        bound: &[LocalId],
        seen: &Seen,
    ) -> Vec<Definition> {
        let fits = |truth: &Truth| {
            let mut at = 0;
            seen.blocks.iter().all(|block| {
                let here = &truth[at..at + block.width];
                at += block.width;
                let says = |pattern: &Vec<Value>| {
                    let mut both = here.iter().zip(pattern);
                    both.all(|(t, value)| t.map(Value::Bool).as_ref() == Some(value))
                };
                block.patterns.iter().any(says)
            })
        };
        let goes_on = || self.goes_on();
        let search = Search {
            grammar: self.grammar(3),
            universes: &self.universes,
            fits: &fits,
            most: FORMULAS,
            goes_on: &goes_on,
        };
        let found = search.formulas(outer);
        let definition = |(at, (formula, _)): (usize, (Formula, Truth))| {
            self.by_formula(var, (place.clone(), bound), formula, 4 + at)
        };
        found.into_iter().enumerate().map(definition).collect()
    }

    fn by_formula(
        &self,
        var: VarId,
        (place, bound): (Expr, &[LocalId]),
        formula: Formula,
        size: usize,
    ) -> Definition {
        let Formula { expr, locals } = formula;
        let ty = &self.high().variables[var.index()].ty;
        if let (Type::Set(_), [element]) = (ty, bound) {
            let kind = ExprKind::Comprehension(*element, Box::new(expr));
            let set = Expr::new(kind, ty.clone(), Span::default());
            let equality = equal(self.high_variable(var), set.clone());
            let of = |expr| Formula {
                expr,
                locals: locals.clone(),
            };
            return Definition {
                conjunct: of(equality),
                value: Some(of(set)),
                size,
            };
        }
        let same = apply(Op::Iff, vec![place, expr], Type::Bool);
        Definition {
            conjunct: Formula {
                expr: for_all(bound, same),
                locals,
            },
            value: None,
            size: size + 1,
        }
    }
}

/// A formula for all values of some variables.
fn for_all(bound: &[LocalId], body: Expr) -> Expr {
    match bound {
        [] => body,
        _ => {
            let kind = ExprKind::Quantified(Quantifier::ForAll, bound.to_vec(), Box::new(body));
            Expr::new(kind, Type::Bool, Span::default())
        }
    }
}
