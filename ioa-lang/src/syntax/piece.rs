//! Parses one piece of a file with the grammar.

use pest::Parser;

use super::build::Builder;
use super::explain;
use super::grammar::{Grammar, Rule};
use super::nesting;
use super::outline::{Outline, Tokens};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// A node of a parse tree.
pub(super) type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// Parses a piece and builds what `build` makes of it, with everything that was wrong.
pub(super) fn read_piece<T>(
    file: FileId,
    outline: &Outline<'_>,
    rule: Rule,
    piece: Tokens,
    build: impl Fn(&Builder, Pair<'_>) -> T,
) -> (Option<T>, Vec<Diagnostic>) {
    if let Some(index) = nesting::too_deep_at(outline, piece.clone()) {
        let bytes = outline.bytes(&(index..index + 1));
        return (
            None,
            vec![super::build::too_deep(Span::new(
                file,
                bytes.start,
                bytes.end,
            ))],
        );
    }
    let bytes = outline.bytes(&piece);
    let text = &outline.text[bytes.clone()];
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => {
            let builder = Builder::new(file, bytes.start, text.len());
            let result = pairs.next().map(|pair| build(&builder, pair));
            (result, builder.into_diagnostics())
        }
        Err(error) => (
            None,
            vec![explain::explain(file, outline, bytes.start, &error)],
        ),
    }
}
