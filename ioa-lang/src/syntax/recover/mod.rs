//! Reads a file so that a mistake in one piece hides nothing in another, and says in words what is wrong.
//!
//! `reader` cuts items into pieces, each of which is read by itself (`reading`). What the grammar expected is put in
//! words in `explain`, with advice from `hints`.

mod characters;
mod expectation;
mod explain;
mod hints;
mod keywords;
mod nesting;
mod piece;
mod reader;
mod reading;

pub(super) use keywords::once_for_each_keyword;
pub(super) use reader::Reader;
