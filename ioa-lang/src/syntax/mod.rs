//! From text to syntax tree.
//!
//! A file is first cut into pieces by hand ([`outline`], over the tokens of [`token`]); each piece is parsed by itself
//! with the pest grammar `ioa.pest` ([`piece`]), so that a mistake in one hides nothing in another; the parse trees
//! become syntax trees in [`build`]; and what pest expected is put in words in [`explain`].

pub mod ast;
mod build;
mod explain;
mod grammar;
mod nesting;
mod outline;
mod piece;
mod reader;
mod token;

use ast::Item;

use crate::diagnostic::Diagnostic;
use crate::source::FileId;

/// What was understood of a file, and what was not.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The items that were understood, in source order. Where a mistake was reported, a term may be
    /// [`ast::ExprKind::Error`] and the name of a type empty; a piece beyond repair is left out.
    pub items: Vec<Item>,
    /// Every mistake that was found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file. Never fails and never stops at the first mistake; takes time linear in the length of the text.
#[must_use]
pub fn parse(file: FileId, text: &str) -> Parsed {
    reader::Reader::new(file, text).read()
}
