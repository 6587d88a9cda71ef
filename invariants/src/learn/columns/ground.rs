//! Atoms with values for their variables. Atoms mention few of the variables, and those with the same values of these are the same.

use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op, Substitution};
use rustc_hash::FxHashMap;

use super::super::term::{Term, mask};
use crate::build::{formula, rebuilt};

/// A formula without free variables, and the locals that it binds.
pub(super) type Closed = (Expr, Vec<Local>);

/// The bits that tell which value a variable has, among all values: there are fewer than 65,536, for assignments are few thousands.
const VALUE_BITS: u32 = 16;

/// Which atoms with values for their variables differ from each other.
pub(super) struct Grounding {
    /// Each of them by the position of the atom and that of the first assignment with these values.
    pub(super) all: Vec<(usize, usize)>,
    /// For each assignment, for each atom, its position among all.
    pub(super) rows: Vec<Vec<u32>>,
}

impl Grounding {
    pub(super) fn of(atoms: &[Term], assignments: &[Vec<Expr>]) -> Self {
        let count = assignments.first().map_or(0, Vec::len);
        let mentioned = |atom: &Term| {
            let all = std::iter::once(&atom.expr).chain(&atom.guards);
            all.fold(0, |all, expr| all | mask(expr, count))
        };
        let mentioned: Vec<u8> = atoms.iter().map(mentioned).collect();
        let mut numbers: FxHashMap<&Expr, u128> = FxHashMap::default();
        let mut seen: FxHashMap<(usize, u128), u32> = FxHashMap::default();
        let mut all = Vec::new();
        let rows = assignments.iter().enumerate().map(|(position, values)| {
            let numbered = values.iter().map(|value| {
                let next = numbers.len() as u128;
                *numbers.entry(value).or_insert(next)
            });
            let numbered: Vec<u128> = numbered.collect();
            let row = mentioned.iter().enumerate().map(|(at, mentioned)| {
                let own = numbered.iter().enumerate();
                let own = own.filter(|(binder, _)| mentioned >> binder & 1 == 1);
                let key = own.fold(0, |key, (_, number)| key << VALUE_BITS | number);
                *seen.entry((at, key)).or_insert_with(|| {
                    all.push((at, position));
                    (all.len() - 1) as u32
                })
            });
            row.collect()
        });
        let rows = rows.collect();
        Self { all, rows }
    }
}

/// An atom with values for the first of the locals.
pub(super) struct Ground {
    /// What makes it defined, each as far as those before it are true.
    pub(super) guards: Vec<Closed>,
    /// The atom, true where it is not defined.
    pub(super) claim: Closed,
    /// Whether the claim leaves out what is supposed of whole tuples, since it is about their fields alone: pairs of messages, say, are
    /// many, and make few different claims. It is to be read where the guards are true.
    pub(super) is_apart: bool,
}

impl Ground {
    pub(super) fn of(atom: &Term, locals: &[Local], values: &[Expr]) -> Self {
        let ground = |expr: &Expr| -> Closed {
            let mut bound: Vec<Local> = Vec::new();
            let values = values.iter().cloned().enumerate();
            let values = values.map(|(at, value)| (LocalId::at(at), value));
            let copy = Substitution::new(locals, &mut bound, values).copy(expr);
            (without_fields(&copy), bound)
        };
        let guards: Vec<Closed> = atom.guards.iter().map(ground).collect();
        let both = atom.guards.iter().zip(&guards);
        let shared = both.filter(|(_, closed)| !has_tuples(&closed.0));
        let shared: Vec<Expr> = shared.map(|(guard, _)| guard.clone()).collect();
        let alone = ground(&atom.expr);
        let is_apart = shared.len() < guards.len() && !has_tuples(&alone.0);
        let premises = if is_apart {
            shared
        } else {
            atom.guards.clone()
        };
        let claim = match premises.is_empty() {
            true => alone,
            false => {
                let premise = Expr::conjunction(premises, atom.expr.span);
                let args = vec![premise, atom.expr.clone()];
                ground(&formula(ExprKind::Apply(Op::Implies, args)))
            }
        };
        Self {
            guards,
            claim,
            is_apart,
        }
    }
}

/// A term with the parts of tuples in place of the fields of these.
fn without_fields(term: &Expr) -> Expr {
    let leaf = |kind: &ExprKind| {
        let ExprKind::Apply(op @ Op::Field(at), args) = kind else {
            return None;
        };
        let whole = without_fields(&args[0]);
        Some(match whole.kind {
            ExprKind::Apply(Op::Tuple, mut parts) => parts.swap_remove(*at as usize).kind,
            _ => ExprKind::Apply(*op, vec![whole]),
        })
    };
    rebuilt(term, &leaf, &|local| local)
}

/// Whether there are tuples in a term: of these there are so many that no other claim is the same.
fn has_tuples(term: &Expr) -> bool {
    let mut has = false;
    term.walk(&mut |part| has |= matches!(part.kind, ExprKind::Apply(Op::Tuple, _)));
    has
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_told_apart_whatever_values_their_variables_have() {
        let number = |n: i64| Term::leaf(formula(ExprKind::Int(n.into())));
        let variable = |at: usize| Term::leaf(formula(ExprKind::Local(LocalId::at(at))));
        let both = Expr::conjunction(
            vec![variable(0).expr, variable(1).expr],
            number(0).expr.span,
        );
        let atoms = [Term::leaf(both), variable(1), number(7), number(8)];
        let values: Vec<Expr> = (0..3).map(|n| number(n).expr).collect();
        let pairs = values
            .iter()
            .flat_map(|a| values.iter().map(|b| vec![a.clone(), b.clone()]));
        let assignments: Vec<Vec<Expr>> = pairs.collect();
        let Grounding { all, rows } = Grounding::of(&atoms, &assignments);
        assert_eq!(all.len(), 9 + 3 + 1 + 1);
        for (row, values) in rows.iter().zip(&assignments) {
            for (at, place) in row.iter().enumerate() {
                let (atom, position) = all[*place as usize];
                assert_eq!(atom, at);
                let first = &assignments[position];
                assert!(at > 1 || first[1] == values[1]);
                assert!(at > 0 || first[0] == values[0]);
            }
        }
    }
}
