//! Compiled items: what is evaluated as a whole.

use super::statement::Stmt;
use super::{Binder, Word};
use crate::interrupt::fault::Item;

/// What every compiled item has: its bound variables, and the number of slots they need.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// What it is compiled from.
    pub item: Item,
    /// The named binders, by slot.
    pub binders: Vec<Binder>,
    /// The number of all slots, including those of temporaries.
    pub slots: usize,
}

/// A formula over a state, such as an invariant.
#[derive(Clone, Debug)]
pub struct Formula {
    pub frame: Frame,
    pub body: Word,
}

/// Statements with their bound variables.
#[derive(Clone, Debug)]
pub struct Program {
    pub frame: Frame,
    pub body: Box<[Stmt]>,
}
