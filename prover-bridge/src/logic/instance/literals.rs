//! The values of types without an evident window that may occur as elements or indices of collections in a counterexample.

use std::collections::BTreeSet;

use ioa_lang::Name;
use ioa_lang::core::{Expr, ExprKind, Model, Program, Rational, exprs_of_clause, exprs_of_stmts};
use num_bigint::BigInt;

/// No more literals of one type than this are listed.
const MAX_LITERALS: usize = 16;

/// The values of types without an evident window: the first few of the type, and the literals of the model.
pub(crate) struct Windows {
    pub(in crate::logic) reals: BTreeSet<Rational>,
    pub(in crate::logic) characters: BTreeSet<char>,
    pub(in crate::logic) strings: BTreeSet<Name>,
}

impl Windows {
    pub(in crate::logic) fn of(model: &Model) -> Self {
        let mut windows = Self {
            reals: (-1..=3).map(|n| Rational::from(BigInt::from(n))).collect(),
            characters: ['a', 'b', 'c'].into(),
            strings: ["", "a", "b"].map(Name::from).into(),
        };
        windows
            .reals
            .insert(Rational::new(BigInt::from(1), BigInt::from(2)));
        visit(model, &mut |expr| windows.literal(expr));
        windows
    }

    fn literal(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Real(n) if self.reals.len() < MAX_LITERALS => {
                self.reals.insert(n.clone());
            }
            ExprKind::Char(c) if self.characters.len() < MAX_LITERALS => {
                self.characters.insert(*c);
            }
            ExprKind::Text(text) if self.strings.len() < MAX_LITERALS => {
                self.strings.insert(text.clone());
            }
            _ => {}
        }
    }

    /// A real number outside the window.
    pub(in crate::logic) fn other_real(&self) -> Rational {
        let largest = self.reals.last().cloned().unwrap_or_default();
        largest + Rational::from(BigInt::from(1))
    }

    /// A character outside the window.
    pub(in crate::logic) fn other_character(&self) -> char {
        ('a'..=char::MAX)
            .find(|c| !self.characters.contains(c))
            .unwrap_or('a')
    }

    /// A string outside the window: longer than all in it.
    pub(in crate::logic) fn other_string(&self) -> Name {
        let longest = self.strings.iter().map(|s| s.chars().count()).max();
        Name::from("z".repeat(longest.unwrap_or(0) + 1))
    }
}

/// Calls `visit` on every expression of the model that a proof speaks of.
fn visit<'m>(model: &'m Model, visit: &mut impl FnMut(&'m Expr)) {
    let mut walk = |expr: &'m Expr| expr.walk(visit);
    for automaton in &model.automata {
        program(&automaton.start.program, &mut walk);
        walk(&automaton.start.so_that);
        automaton
            .transitions
            .iter()
            .for_each(|t| exprs_of_clause(t, &mut walk));
    }
    let axioms = model.axioms_in(&model.every_setting());
    axioms.for_each(|(_, axiom)| walk(&axiom.formula));
    model.invariants.iter().for_each(|i| walk(&i.formula));
    for simulation in &model.simulations {
        walk(&simulation.relation);
        if let Some(proof) = &simulation.proof {
            program(&proof.initially, &mut walk);
            proof
                .entries
                .iter()
                .for_each(|e| program(&e.program, &mut walk));
        }
    }
}

fn program<'m>(program: &'m Program, walk: &mut impl FnMut(&'m Expr)) {
    exprs_of_stmts(&program.body, walk);
}
