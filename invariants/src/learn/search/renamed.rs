//! What says the same with other names: atoms that bind other variables.

use std::cell::RefCell;

use ioa_lang::core::{Expr, LocalId};
use rustc_hash::FxHashMap;

use super::super::frame::Frame;
use crate::build::with_variables;

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
    with_variables(formula, &id)
}
