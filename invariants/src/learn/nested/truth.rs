//! Where formulas with further quantifiers are true, from the columns of the literals in them.

use std::rc::Rc;

use ioa_lang::core::Expr;
use rustc_hash::FxHashMap;

use super::super::columns::Column;
use super::super::evidence::{Truth, complement, merge};
use super::{Inner, Literal, Nesting};

impl Nesting {
    /// Where a formula of this nesting is true, for each assignment of the outer frame.
    pub(crate) fn columns(
        &self,
        inner: &Inner,
        literals: &[Literal],
        (reached, made_up): (usize, usize),
    ) -> Vec<Column> {
        let mut out = Vec::new();
        // Of variables that it does not mention, the values make no difference.
        let mentioned = literals.iter().map(|(atom, _)| self.atoms[*atom].binders);
        let mentioned = mentioned.fold(0, |all, own| all | own);
        let mut known: FxHashMap<Vec<&Expr>, Column> = FxHashMap::default();
        for (values, wholes) in inner {
            let own = values.iter().enumerate();
            let own = own.filter(|(at, _)| mentioned >> at & 1 == 1);
            let own: Vec<&Expr> = own.map(|(_, value)| value).collect();
            if let Some(column) = known.get(&own) {
                out.push(column.clone());
                continue;
            }
            let mut some = empty(reached, made_up);
            for parts in wholes {
                let mut all = complement(&empty(reached, made_up), (reached, made_up));
                for (guard, atoms) in parts {
                    let body = match guard {
                        Some(guard) => self.disjunction(guard, atoms, literals),
                        None => self.conjunction(atoms, literals, reached, made_up),
                    };
                    merge(&mut all, &body, |a, b| a & b);
                }
                merge(&mut some, &all, |a, b| a | b);
            }
            let negative = complement(&some, (reached, made_up));
            let column = Column {
                positive: Rc::new(some),
                negative: Rc::new(negative),
            };
            known.insert(own, column.clone());
            out.push(column);
        }
        out
    }

    fn disjunction(&self, guard: &Column, atoms: &[Column], literals: &[Literal]) -> Truth {
        let mut body = (*guard.negative).clone();
        for (atom, is_positive) in literals {
            let column = &atoms[*atom];
            let truth = if *is_positive {
                &column.positive
            } else {
                &column.negative
            };
            merge(&mut body, truth, |a, b| a | b);
        }
        body
    }

    fn conjunction(
        &self,
        atoms: &[Column],
        literals: &[Literal],
        reached: usize,
        made_up: usize,
    ) -> Truth {
        let mut body = complement(&empty(reached, made_up), (reached, made_up));
        for (atom, is_positive) in literals {
            let column = &atoms[*atom];
            // Below \E a literal is false where it is not defined.
            let opposite = if *is_positive {
                &column.negative
            } else {
                &column.positive
            };
            merge(&mut body, opposite, |a, b| a & !b);
        }
        body
    }
}

fn empty(reached: usize, made_up: usize) -> Truth {
    Truth {
        reached: vec![0; reached.div_ceil(64)],
        made_up: vec![0; made_up.div_ceil(64)],
    }
}
