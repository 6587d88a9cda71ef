//! Typed views of the lossless tree: one for each kind of node, with accessors for the parts that carry meaning.
//!
//! A view is a node whose kind is known; it costs nothing, and what the grammar says about the node is said in its row:
//! which parts there are, by name, and whether there is one, at most one, or any number of each. Keywords, punctuation and
//! comments belong to the tree alone. Where a mistake was reported, a part may be a node that stands for what could not be
//! read; the kinds of such nodes are among those of the view.

#[macro_use]
mod define;
mod file;
mod item;
mod section;
mod stmt;
mod term;

pub(crate) use define::View;
pub(crate) use file::*;
pub(crate) use item::*;
pub(crate) use section::*;
pub(crate) use stmt::*;
pub(crate) use term::*;
