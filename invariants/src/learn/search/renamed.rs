//! What says the same with other names: atoms that bind other variables.

use std::cell::RefCell;

use ioa_lang::core::{Expr, ExprKind, LocalId};
use rustc_hash::FxHashMap;

use super::super::frame::Frame;
use crate::build::rebuilt;

/// A formula over the variables of a frame in which those that it binds are numbered in the order in which they come.
pub(super) fn renamed(formula: &Expr, frame: &Frame) -> Expr {
    let own = frame.binders.len();
    let known: RefCell<FxHashMap<LocalId, LocalId>> = RefCell::default();
    let id = |id: LocalId| {
        if id.index() < own {
            return id;
        }
        let mut known = known.borrow_mut();
        let next = LocalId::at(own + known.len());
        *known.entry(id).or_insert(next)
    };
    let leaf = |kind: &ExprKind| match kind {
        ExprKind::Local(local) => Some(ExprKind::Local(id(*local))),
        _ => None,
    };
    rebuilt(formula, &leaf, &id)
}
