//! What the grammar expected, in words.

use pest::error::{Error, InputLocation};

use super::grammar::Rule;
use super::outline::Outline;
use super::token::RESERVED;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{FileId, Span};

pub(super) const ITEM_HELP: &str = "a file is a sequence of `type`, `assumes`, `automaton`, `invariant`, `forward simulation` and `schedule` items";
pub(super) const KIND_HELP: &str =
    "each action starts with its kind: `input`, `output` or `internal`";
pub(super) const PROOF_HELP: &str =
    "an entry reads `for internal act(x: T) do .. od` or `for internal act(x: T) ignore`";

/// The token at an index, in words.
pub(super) fn found(outline: &Outline<'_>, index: usize) -> String {
    match outline.token(index) {
        "" => "the end of the file".into(),
        token => format!("`{token}`"),
    }
}

/// Advice for a word that looks like a misspelt keyword.
pub(super) fn nearest_keyword(word: &str) -> Option<String> {
    let keyword = nearest(word, RESERVED.iter().copied())?;
    Some(format!("did you mean `{keyword}`?"))
}

pub(super) fn explain(
    file: FileId,
    outline: &Outline<'_>,
    base: usize,
    error: &Error<Rule>,
) -> Diagnostic {
    let offset = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => base + at,
    };
    Diagnostic::error(
        Span::new(file, offset, offset),
        format!("{:?}", error.variant),
    )
    .label(found(outline, 0))
}
