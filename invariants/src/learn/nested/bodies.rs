//! The literals that formulas of a nesting have, in the order in which they are tried.

use ioa_lang::core::{Expr, ExprKind, Op};

use super::{Literal, Nesting};
use crate::build::mask;

impl Nesting {
    /// The sets of literals that are tried, those first that say most, and the simplest of these; with `pairs` also sets of two.
    pub(super) fn bodies(&self, outer: usize, pairs: bool) -> Vec<Vec<Literal>> {
        let literals: Vec<Literal> = (0..self.atoms.len())
            .flat_map(|a| [(a, true), (a, false)])
            .collect();
        let mut out: Vec<Vec<Literal>> = literals.iter().map(|l| vec![*l]).collect();
        if pairs {
            for (at, a) in literals.iter().enumerate() {
                let others = literals[at + 1..].iter().filter(|b| b.0 != a.0);
                out.extend(others.map(|b| vec![*a, *b]));
            }
        }
        out.sort_by_key(|body| (self.says_little(body, outer), self.cost(body)));
        out
    }

    /// The first atom with one other literal, the simplest first.
    pub(crate) fn with_first(&self) -> Vec<Vec<Literal>> {
        let others = (1..self.atoms.len()).flat_map(|at| [(at, true), (at, false)]);
        let mut out: Vec<Vec<Literal>> = others.map(|other| vec![(0, true), other]).collect();
        out.sort_by_key(|body| self.cost(body));
        out
    }

    /// How intricate some literals are together.
    fn cost(&self, body: &[Literal]) -> u32 {
        let each = body.iter();
        each.map(|(atom, is_positive)| self.atoms[*atom].cost + u32::from(!is_positive))
            .sum()
    }

    /// How many of some literals say little. Below several variables, what is about one of them throughout says most of how that one is
    /// related to the others. Of an element of a collection it is worth saying which one is meant, and that by the variables of the
    /// frame.
    fn says_little(&self, body: &[Literal], outer: usize) -> [usize; 2] {
        let is_beside = |literal: &&Literal| self.mentioned(&[**literal], outer) == 0;
        let is_vague = |literal: &&Literal| !self.tells_which(**literal, outer);
        let beside = || body.iter().filter(is_beside).count();
        match self.frame.is_ranged() {
            true => [body.iter().filter(is_vague).count(), beside()],
            false if outer > 1 => [beside(), 0],
            false => [0, 0],
        }
    }

    /// Whether a literal says what the element of a collection has in one place: `x.to = n`, `x.epoch = epoch`, `owner = embed(x.to)`.
    fn tells_which(&self, (atom, is_positive): Literal, outer: usize) -> bool {
        let ExprKind::Apply(Op::Eq, sides) = &self.atoms[atom].expr.kind else {
            return false;
        };
        let own = 1 << outer;
        let mentioned = |side: &Expr| mask(side, outer + 1);
        let is_part = |side: &Expr| mentioned(side) == own && !reads_state(side);
        let is_other = |side: &Expr| mentioned(side) & own == 0;
        let tells = |part, other| is_part(&sides[part]) && is_other(&sides[other]);
        is_positive && (tells(0, 1) || tells(1, 0))
    }

    /// Whether literals say which element of a collection is meant: it brings together what they mention.
    pub(super) fn is_join(&self, literals: &[Literal], outer: usize) -> bool {
        let mut each = literals.iter();
        self.frame.is_ranged() && each.all(|literal| self.tells_which(*literal, outer))
    }

    /// The variables of the outer frame that literals mention, as a mask.
    pub(super) fn mentioned(&self, literals: &[Literal], outer: usize) -> u8 {
        let own = literals.iter().map(|(atom, _)| self.atoms[*atom].binders);
        own.fold(0, |all, own| all | own) & ((1 << outer) - 1)
    }
}

/// Whether a term reads the state.
fn reads_state(term: &Expr) -> bool {
    let mut reads = false;
    term.walk(&mut |part| reads |= matches!(part.kind, ExprKind::State(_)));
    reads
}
