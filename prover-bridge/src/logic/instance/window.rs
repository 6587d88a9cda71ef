//! The values of infinite types that may occur as elements or indices of collections in a counterexample: few enough to
//! be listed.

use std::collections::BTreeSet;

use ioa_lang::Name;
use ioa_lang::core::{
    Expr, ExprKind, Model, Program, Rational, Type, exprs_of_clause, exprs_of_stmts,
};
use num_bigint::BigInt;
use z3::ast::{Bool, Int};

use crate::logic::term::numbers;
use crate::logic::term::text;
use crate::logic::{Logic, Size, Sym, and, implies, or};

/// Numbers that occur as elements or indices of a collection in a counterexample lie in this range.
pub(crate) const WINDOW: std::ops::RangeInclusive<i64> = -3..=8;

/// No variable that is a collection over a type whose values cannot be listed has more members than this in a counterexample.
pub(crate) const MAX_MEMBERS: usize = 4;

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

impl<'a> Logic<'a> {
    /// Whether the parts of a value that are of infinite types lie in their windows.
    pub(crate) fn in_window(&self, value: &Sym<'a>, ty: &'a Type) -> Bool {
        let (windows, model) = (&self.windows, self.model);
        match (value, ty) {
            (Sym::Int(n), Type::Char) => {
                let each = windows.characters.iter();
                or(&each
                    .map(|c| n.eq(numbers::character(*c)))
                    .collect::<Vec<_>>())
            }
            (Sym::Int(n), _) => and(&[n.ge(*WINDOW.start()), n.le(*WINDOW.end())]),
            (Sym::Real(n), _) => {
                let each = windows.reals.iter();
                or(&each.map(|r| n.eq(numbers::fraction(r))).collect::<Vec<_>>())
            }
            (Sym::Text(text), _) => {
                let each = windows.strings.iter().filter_map(|s| text::write(s).ok());
                or(&each.map(|s| text.eq(&s)).collect::<Vec<_>>())
            }
            (Sym::Tuple(fields), Type::Tuple(id)) => {
                let types = model.tuples[id.index()].fields.iter();
                let each = fields.iter().zip(types);
                let each: Vec<Bool> = each.map(|(f, (_, ty))| self.in_window(f, ty)).collect();
                and(&each)
            }
            (Sym::Union(_, payloads), Type::Union(id)) => {
                let types = model.unions[id.index()].variants.iter();
                let each = (0..).zip(payloads.iter().zip(types));
                let each: Vec<Bool> = each
                    .map(|(i, (p, (_, ty)))| {
                        implies(&self.has_tag(value, *id, i), &self.in_window(p, ty))
                    })
                    .collect();
                and(&each)
            }
            (Sym::Null(some, value), Type::Null(inner)) => {
                implies(some, &self.in_window(value, inner))
            }
            _ => Bool::from_bool(true),
        }
    }

    /// Whether an instance is looked for, and not the absence of one: then collections over a type whose values are too many to be
    /// listed have a few members with names.
    pub(crate) fn is_windowed(&self) -> bool {
        matches!(&self.size, Size::Finite(finite) if finite.windowed)
    }

    /// Whether collections over a type have a few members with names.
    pub(in crate::logic) fn names_members(&'a self, ty: &'a Type) -> bool {
        self.is_windowed() && self.instances(ty, true).is_none()
    }

    /// A value of a type with a window that lies outside it.
    pub(crate) fn beyond_window(&self, ty: &Type) -> Option<Sym<'a>> {
        match ty {
            Type::Nat | Type::Int => Some(Sym::Int(Int::from_i64(WINDOW.end() + 1))),
            Type::Real => Some(Sym::Real(numbers::fraction(&self.windows.other_real()))),
            Type::Char => Some(Sym::Int(numbers::character(self.windows.other_character()))),
            Type::String => numbers::literal(&self.windows.other_string()).ok(),
            _ => None,
        }
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
