//! A piece of a file, and the places in it.

use crate::source::{FileId, Span};
use crate::syntax::grammar::Rule;
use crate::syntax::outline::{Outline, Tokens};

/// A piece of a file, and the rule that it is to follow.
#[derive(Clone)]
pub(in crate::syntax) struct Piece<'a> {
    pub(in crate::syntax) file: FileId,
    pub(in crate::syntax) outline: &'a Outline<'a>,
    pub(in crate::syntax) rule: Rule,
    pub(in crate::syntax) tokens: Tokens,
}

impl<'a> Piece<'a> {
    /// The token that contains a byte or follows it, or the end of the piece.
    pub(super) fn token_at(&self, byte: usize) -> usize {
        match byte < self.end() {
            true => (self.outline.tokens).partition_point(|token| token.end <= byte),
            false => self.tokens.end,
        }
    }

    /// The first token that starts at or after a byte.
    pub(super) fn token_from(&self, byte: usize) -> usize {
        (self.outline.tokens).partition_point(|token| token.start < byte)
    }

    pub(super) fn byte_of(&self, token: usize) -> usize {
        let tokens = &self.outline.tokens[..self.tokens.end];
        tokens.get(token).map_or(self.end(), |token| token.start)
    }

    pub(in crate::syntax) fn text(&self) -> &'a str {
        &self.outline.text[self.outline.bytes(&self.tokens)]
    }

    pub(super) fn start(&self) -> usize {
        self.outline.bytes(&self.tokens).start
    }

    pub(super) fn end(&self) -> usize {
        self.outline.bytes(&self.tokens).end
    }

    pub(in crate::syntax) fn span(&self, tokens: &Tokens) -> Span {
        let bytes = self.outline.bytes(tokens);
        Span::new(self.file, bytes.start, bytes.end)
    }
}
