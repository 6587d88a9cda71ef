//! From text to syntax tree.
//!
//! A file is first cut into pieces by hand (`outline`, over the tokens of `token`); each piece is parsed by itself
//! with the pest grammar `ioa.pest` (`piece`), so that a mistake in one hides nothing in another; the parse trees
//! become syntax trees in `build`; what pest expected is put in words in `explain` and `hints`; and `recovery`
//! finds the next mistake behind the first.

pub mod ast;
mod build;
mod characters;
mod explain;
mod grammar;
mod hints;
mod nesting;
mod outline;
mod piece;
mod reader;
mod recovery;
pub(crate) mod token;

use std::borrow::Cow;
use std::collections::BTreeSet;

use pest::Parser;

use ast::Item;

pub(crate) use build::path_of;
pub(crate) use grammar::{BINDING, Grammar, Rule, infix};
pub(crate) use reader::Cut;

use crate::diagnostic::{Diagnostic, has_errors};
use crate::source::{FileId, Span};

/// What was understood of a file, and what was not.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The items that were understood, in source order. Where a mistake was reported, a term may be
    /// [`ast::ExprKind::Error`] and the name of a type empty; a piece beyond repair is left out.
    pub items: Vec<Item>,
    /// Every mistake that was found.
    pub diagnostics: Vec<Diagnostic>,
    /// The pieces of text with a mistake in them: what seems to be missing may stand there.
    pub unread: Vec<Span>,
}

/// Parses a file. Never fails and never stops at the first mistake; takes time linear in the length of the text.
#[must_use]
pub fn parse(file: FileId, text: &str) -> Parsed {
    read(file, text).0
}

/// The rules of the grammar that a text uses, by name: its constructs, and the operators and keywords in them. Empty for
/// a text with mistakes.
#[must_use]
pub fn rules_used(text: &str) -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    for cut in cut(FileId(0), text).unwrap_or_default() {
        let pairs = Grammar::parse(cut.rule, &text[cut.bytes]);
        let nodes = pairs.into_iter().flat_map(|pairs| pairs.flatten());
        rules.extend(nodes.map(|node| format!("{:?}", node.as_rule())));
    }
    rules
}

/// All rules of the grammar that leave a trace in a parse tree, by name.
#[must_use]
pub fn rules() -> BTreeSet<String> {
    let silent: BTreeSet<&str> = include_str!("ioa.pest")
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(_, body)| body.trim_start().starts_with('_'))
        .map(|(name, _)| name.trim())
        .collect();
    let names = Rule::all_rules().iter().map(|rule| format!("{rule:?}"));
    names.filter(|name| !silent.contains(&**name)).collect()
}

fn read(file: FileId, text: &str) -> (Parsed, Vec<Cut>) {
    reader::Reader::new(file, &readable(text)).read()
}

/// The recovery marks places with a character that nobody writes; where somebody does, it is as wrong as any other.
fn readable(text: &str) -> Cow<'_, str> {
    match text.contains('\u{1A}') {
        true => Cow::Owned(text.replace('\u{1A}', "\0")),
        false => Cow::Borrowed(text),
    }
}

/// Parses a text that is one formula: the formula, if it was understood, and every mistake.
#[must_use]
pub fn formula(file: FileId, text: &str) -> (Option<ast::Expr>, Vec<Diagnostic>) {
    reader::Reader::new(file, &readable(text)).formula()
}

/// How a file without mistakes is cut into pieces, in source order.
///
/// # Errors
/// The mistakes.
pub(crate) fn cut(file: FileId, text: &str) -> Result<Vec<Cut>, Vec<Diagnostic>> {
    let (parsed, cuts) = read(file, text);
    match has_errors(&parsed.diagnostics) {
        true => Err(parsed.diagnostics),
        false => Ok(cuts),
    }
}
