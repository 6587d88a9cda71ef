//! From text to syntax tree.
//!
//! A file is cut into pieces by hand (`outline`, over the tokens of `token`); `recover` reads each piece by itself with
//! the pest grammar `ioa.pest`, so that a mistake in one hides nothing in another, and puts all into one
//! lossless [`tree`]; it also puts in words what pest expected. `lower` makes of the tree the plain
//! data that the checker reads, [`ast`], through the typed views of `view`, which name the parts of each node. The
//! formatter lays out all tokens of the tree, and uses views where it depends on what a node says.

pub mod ast;
mod grammar;
mod lower;
mod outline;
mod recover;
pub(crate) mod token;
pub mod tree;
pub(crate) mod view;
pub mod words;

use std::collections::BTreeSet;

use ast::Item;

pub(crate) use grammar::{Binding, infix, prefix};
pub(crate) use lower::path_of;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use outline::Outline;
use recover::Reader;
use tree::{Kind, Tree};

/// The result of parsing a file.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// All of the text, and how it was understood.
    pub tree: Tree,
    /// The items that were understood, in source order. Where a mistake was reported, a term may be
    /// [`ast::ExprKind::Error`] and the name of a type empty; a piece beyond repair is left out.
    pub items: Vec<Item>,
    /// Every mistake that was found, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The pieces of text with a mistake in them: what seems to be missing may stand there.
    pub unread: Vec<Span>,
}

/// Parses a file. Never fails and never stops at the first mistake; takes time linear in the length of the text.
#[must_use]
pub fn parse(file: FileId, text: &str) -> Parsed {
    let outline = Outline::new(text);
    let read = Reader::new(file, &outline).read();
    let lowered = lower::file(file, &read.tree);
    let mut parsed = Parsed {
        tree: read.tree,
        items: lowered.items,
        diagnostics: read.diagnostics,
        unread: read.unread,
    };
    parsed.diagnostics.extend(lowered.diagnostics);
    parsed.diagnostics.sort_by_key(|found| found.span.start);
    recover::once_for_each_keyword(text, &mut parsed.diagnostics);
    parsed.unread.extend(lowered.unread);
    parsed
}

/// Parses a text that is one formula: the formula, if it was understood, and every mistake.
#[must_use]
pub fn formula(file: FileId, text: &str) -> (Option<ast::Expr>, Vec<Diagnostic>) {
    let outline = Outline::new(text);
    let mut read = Reader::new(file, &outline).formula();
    let (formula, found) = lower::formula(file, &read.tree);
    read.diagnostics.extend(found);
    (formula, read.diagnostics)
}

/// The rules of the grammar that a text uses, by name: its constructs, and the operators and keywords in them.
#[must_use]
pub fn rules_used(text: &str) -> BTreeSet<String> {
    let parsed = parse(FileId(0), text);
    let nodes = parsed.tree.top().descendants();
    nodes.map(|node| format!("{:?}", node.kind())).collect()
}

/// All rules of the grammar that leave a trace in the tree of a text without mistakes, by name.
#[must_use]
pub fn rules() -> BTreeSet<String> {
    let silent: BTreeSet<&str> = include_str!("ioa.pest")
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(_, body)| {
            let body = body.trim_start();
            body.starts_with('_') || body.contains(" second") || body.contains("SOI")
        })
        .map(|(name, _)| name.trim())
        .collect();
    let names = Kind::all_rules().iter().map(|rule| format!("{rule:?}"));
    // What a variable starts with is the `rhs` of the tree.
    names
        .filter(|name| !silent.contains(&**name) && name != "rhs_decl")
        .collect()
}
