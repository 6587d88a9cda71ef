//! Atoms with values for their variables. Atoms mention few of the variables, and those with the same values of these are the same.

use std::cell::RefCell;

use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op};
use rustc_hash::FxHashMap;

use super::super::term::Term;
use crate::build::{implied, mask, rebuilt};

/// A formula without free variables, and the locals that it binds.
pub(super) type Closed = (Expr, Vec<Local>);

/// The bits that tell which value a variable has, among all values: there are fewer than 65,536, for assignments are few thousands.
const VALUE_BITS: u32 = 16;

/// The atoms of a frame and what must be true for them to be defined, each of which many atoms share.
pub(super) struct Formulas<'a> {
    atoms: &'a [Term],
    guards: Vec<&'a Expr>,
    /// The guards of each atom, as positions among all.
    own: Vec<Vec<usize>>,
}

impl<'a> Formulas<'a> {
    pub(super) fn of(atoms: &'a [Term]) -> Self {
        let mut positions: FxHashMap<&Expr, usize> = FxHashMap::default();
        let mut guards = Vec::new();
        let mut position = |guard: &'a Expr| {
            *positions.entry(guard).or_insert_with(|| {
                guards.push(guard);
                guards.len() - 1
            })
        };
        let own = atoms.iter().map(|atom| {
            let own = atom.guards.iter().map(&mut position);
            own.collect()
        });
        Self {
            own: own.collect(),
            atoms,
            guards,
        }
    }

    /// Which of them differ from each other under some assignments: the guards, then the atoms.
    pub(super) fn grounding(&self, assignments: &[Vec<Expr>]) -> Grounding {
        let count = assignments.first().map_or(0, Vec::len);
        let guards = self.guards.iter().map(|guard| mask(guard, count));
        let guards: Vec<u8> = guards.collect();
        let atoms = self.atoms.iter().zip(&self.own).map(|(atom, own)| {
            let own = own.iter().map(|at| guards[*at]);
            own.fold(mask(&atom.expr, count), |all, own| all | own)
        });
        let mentioned: Vec<u8> = guards.iter().copied().chain(atoms).collect();
        Grounding::of(&mentioned, assignments)
    }

    /// How many guards there are: the positions of the atoms come after these.
    pub(super) fn guards(&self) -> usize {
        self.guards.len()
    }

    /// The places of the guards of an atom in a row.
    pub(super) fn own<'r>(
        &'r self,
        atom: usize,
        row: &'r [u32],
    ) -> impl Iterator<Item = usize> + 'r {
        self.own[atom].iter().map(|guard| row[*guard] as usize)
    }

    /// A guard with values for the first of the locals.
    pub(super) fn guard(&self, at: usize, locals: &[Local], values: &[Expr]) -> Closed {
        Filling::new(locals, values).copy(self.guards[at])
    }

    /// An atom with values for the first of the locals: true where it is not defined. If that is `apart`, what is supposed of whole
    /// tuples is left out where the rest is about their fields alone: pairs of messages, say, are many, and make few different claims. It
    /// is to be read where the guards are true.
    pub(super) fn atom(&self, at: usize, locals: &[Local], values: &[Expr]) -> Claim {
        let atom = &self.atoms[at];
        let filled = |expr: &Expr| Filling::new(locals, values).copy(expr);
        let alone = filled(&atom.expr);
        let is_whole = |guard: &&Expr| has_wholes(guard, values);
        let is_apart =
            !has_wholes(&alone.0, &[]) && atom.guards.iter().any(|guard| is_whole(&guard));
        let premises = atom
            .guards
            .iter()
            .filter(|guard| !is_apart || !is_whole(guard));
        let premises: Vec<Expr> = premises.cloned().collect();
        let formula = match premises.is_empty() {
            true => alone,
            false => filled(&implied(premises, atom.expr.clone())),
        };
        Claim { formula, is_apart }
    }
}

/// What an atom says of some values.
pub(super) struct Claim {
    pub(super) formula: Closed,
    /// Whether it is to be read where the guards are true.
    pub(super) is_apart: bool,
}

/// Which formulas with values for their variables differ from each other.
pub(super) struct Grounding {
    /// Each of them by the position of the formula and that of the first assignment with these values.
    pub(super) all: Vec<(usize, usize)>,
    /// For each assignment, for each formula, its position among all.
    pub(super) rows: Vec<Vec<u32>>,
}

impl Grounding {
    /// That of formulas each of which mentions some of the variables.
    fn of(mentioned: &[u8], assignments: &[Vec<Expr>]) -> Self {
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

/// Puts values in the place of the first of some locals. Where only a part of a tuple or of an array is meant, only that is copied.
struct Filling<'v> {
    values: &'v [Expr],
    locals: &'v [Local],
    /// The locals that the copy binds.
    bound: RefCell<Vec<Local>>,
    /// Which of these stands for which local.
    renamed: RefCell<FxHashMap<LocalId, LocalId>>,
}

impl<'v> Filling<'v> {
    fn new(locals: &'v [Local], values: &'v [Expr]) -> Self {
        Self {
            values,
            locals,
            bound: RefCell::default(),
            renamed: RefCell::default(),
        }
    }

    fn copy(self, expr: &Expr) -> Closed {
        let leaf = |kind: &ExprKind| {
            let part = value(kind, self.values).map(|part| part.kind.clone());
            part.or_else(|| self.renamed(kind))
        };
        let copy = rebuilt(expr, &leaf, &|binder| self.rebind(binder));
        (copy, self.bound.into_inner())
    }

    /// A variable that is bound in what is copied.
    fn renamed(&self, kind: &ExprKind) -> Option<ExprKind> {
        let ExprKind::Local(id) = kind else {
            return None;
        };
        let renamed = self.renamed.borrow();
        renamed.get(id).map(|new| ExprKind::Local(*new))
    }

    fn rebind(&self, binder: LocalId) -> LocalId {
        let mut bound = self.bound.borrow_mut();
        let new = LocalId::at(bound.len());
        bound.push(self.locals[binder.index()].clone());
        self.renamed.borrow_mut().insert(binder, new);
        new
    }
}

/// What a term is where variables have values, if it is one of these or a part of one.
fn value<'v>(kind: &ExprKind, values: &'v [Expr]) -> Option<&'v Expr> {
    match kind {
        ExprKind::Local(id) => values.get(id.index()),
        ExprKind::Apply(Op::Field(at), args) => match &value(&args[0].kind, values)?.kind {
            ExprKind::Apply(Op::Tuple, parts) => parts.get(*at as usize),
            _ => None,
        },
        ExprKind::Apply(Op::Select, args) => {
            let array = value(&args[0].kind, values)?;
            let index = value(&args[1].kind, values).unwrap_or(&args[1]);
            element(array, index)
        }
        _ => None,
    }
}

/// The element of an array that is put together, if it can be told at which indices its elements were assigned.
fn element<'e>(array: &'e Expr, index: &Expr) -> Option<&'e Expr> {
    match &array.kind {
        ExprKind::Apply(Op::Constant, args) => Some(&args[0]),
        ExprKind::Apply(Op::Assign, args) if is_value(index) && is_value(&args[1]) => {
            match args[1].kind == index.kind {
                true => Some(&args[2]),
                false => element(&args[0], index),
            }
        }
        _ => None,
    }
}

/// Whether a term is a value that no other term without variables stands for.
fn is_value(term: &Expr) -> bool {
    match &term.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Enumerator(_) | ExprKind::Element(_) => {
            true
        }
        ExprKind::Apply(Op::Tuple | Op::Variant(_) | Op::Embed | Op::Nil, parts) => {
            parts.iter().all(is_value)
        }
        _ => false,
    }
}

/// Whether there are whole tuples, arrays or sets in a term: of these there are so many that no other claim is the same.
fn has_wholes(term: &Expr, values: &[Expr]) -> bool {
    let is_whole = |op: &Op| matches!(op, Op::Tuple | Op::Constant | Op::Assign | Op::Insert);
    if let Some(part) = value(&term.kind, values) {
        return has_wholes(part, &[]);
    }
    matches!(&term.kind, ExprKind::Apply(op, _) if is_whole(op))
        || term.children().any(|part| has_wholes(part, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::formula;

    #[test]
    fn atoms_are_told_apart_whatever_values_their_variables_have() {
        let number = |n: i64| Term::leaf(formula(ExprKind::Int(n.into())));
        let variable = |at: usize| Term::leaf(formula(ExprKind::Local(LocalId::at(at))));
        let both = Expr::conjunction(
            vec![variable(0).expr, variable(1).expr],
            number(0).expr.span,
        );
        let atoms = [Term::leaf(both), variable(1), number(7), number(8)];
        let formulas = Formulas::of(&atoms);
        let values: Vec<Expr> = (0..3).map(|n| number(n).expr).collect();
        let pairs = values
            .iter()
            .flat_map(|a| values.iter().map(|b| vec![a.clone(), b.clone()]));
        let assignments: Vec<Vec<Expr>> = pairs.collect();
        let Grounding { all, rows } = formulas.grounding(&assignments);
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
