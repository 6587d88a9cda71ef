//! What says the same with other names: atoms that bind other variables, and clauses in which variables of one type are exchanged.

use std::cell::RefCell;

use ioa_lang::core::{Expr, ExprKind, LocalId};
use rustc_hash::FxHashMap;

use super::super::clause::literal;
use super::super::frame::Frame;
use super::super::term::Term;
use crate::build::rebuilt;

/// The clauses of frames in which more exchanges are possible are not compared.
const MAX_EXCHANGES: usize = 36;

/// A formula in which the variables that it binds are numbered in the order in which they come, after those of a frame; and the latter
/// are exchanged as is said.
pub(super) fn normal(formula: &Expr, exchanged: &[usize]) -> Expr {
    let known: RefCell<FxHashMap<LocalId, LocalId>> = RefCell::default();
    let id = |id: LocalId| match exchanged.get(id.index()) {
        Some(other) => LocalId::at(*other),
        None => {
            let mut known = known.borrow_mut();
            let next = LocalId::at(exchanged.len() + known.len());
            *known.entry(id).or_insert(next)
        }
    };
    let leaf = |kind: &ExprKind| match kind {
        ExprKind::Local(local) => Some(ExprKind::Local(id(*local))),
        _ => None,
    };
    rebuilt(formula, &leaf, &id)
}

/// The same where nothing is exchanged.
pub(super) fn plainly(formula: &Expr, frame: &Frame) -> Expr {
    let unchanged: Vec<usize> = (0..frame.binders.len()).collect();
    normal(formula, &unchanged)
}

/// The exchanges of variables after which a frame is the same, each as what becomes of the atoms.
#[derive(Default)]
pub(super) struct Exchanges(Vec<Vec<Option<usize>>>);

impl Exchanges {
    /// Those of a frame with these atoms.
    pub(super) fn of(frame: &Frame, atoms: &[Term]) -> Self {
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for (at, binder) in frame.binders.iter().enumerate() {
            let alike = |other: &usize| {
                *other == at || frame.orders[at].is_none() && frame.binders[*other].ty == binder.ty
            };
            let alike: Vec<usize> = (0..frame.binders.len()).filter(alike).collect();
            let longer = orders.iter().flat_map(|order| {
                let free = alike.iter().filter(|other| !order.contains(other));
                free.map(|other| [&order[..], &[*other]].concat())
            });
            orders = longer.collect();
        }
        if orders.len() > MAX_EXCHANGES {
            return Self::default();
        }
        let known = atoms.iter().enumerate();
        let known: FxHashMap<Expr, usize> = known
            .map(|(at, atom)| (plainly(&atom.expr, frame), at))
            .collect();
        let becomes = |order: Vec<usize>| {
            let each = atoms.iter();
            each.map(|atom| known.get(&normal(&atom.expr, &order)).copied())
                .collect()
        };
        Self(orders.into_iter().map(becomes).collect())
    }

    /// Of all clauses that a clause becomes by exchanges, the first one.
    pub(super) fn first(&self, clause: Vec<usize>) -> Vec<usize> {
        let image = |becomes: &Vec<Option<usize>>| {
            let literals = clause.iter().map(|l| {
                let (atom, is_positive) = literal(*l);
                Some(2 * becomes[atom]? + usize::from(!is_positive))
            });
            let mut image: Vec<usize> = literals.collect::<Option<_>>()?;
            image.sort_unstable();
            Some(image)
        };
        self.0.iter().filter_map(image).min().unwrap_or(clause)
    }
}
