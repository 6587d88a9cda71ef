//! Parses one piece of a file with the grammar, and where there are mistakes, goes on behind each.

use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::build::Builder;
use super::explain::Mistake;
use super::grammar::{Grammar, Rule};
use super::nesting;
use super::outline::{Outline, Tokens};
use super::recovery::Recovery;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// A node of a parse tree.
pub(super) type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// How often a piece is parsed again behind a mistake, and how many bytes may be parsed again in all (or one more time
/// the piece, if that is more): so the time stays linear in the length of the file.
const MAX_ATTEMPTS: usize = 40;
const MAX_PARSED_AGAIN: usize = 4 << 20;

/// A piece of a file, and the rule that it is to follow.
#[derive(Clone)]
pub(super) struct Piece<'a> {
    pub(super) file: FileId,
    pub(super) outline: &'a Outline<'a>,
    pub(super) rule: Rule,
    pub(super) tokens: Tokens,
}

/// What became of a piece.
pub(super) struct Read<T> {
    /// What was built of it, unless it is beyond repair.
    pub(super) result: Option<T>,
    /// Everything that was wrong.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Piece<'_> {
    /// Parses the piece and builds what `build` makes of it.
    pub(super) fn read<T>(&self, build: impl Fn(&Builder, Pair<'_>) -> T) -> Read<T> {
        if let Some(index) = nesting::too_deep_at(self.outline, self.tokens.clone()) {
            return Read {
                result: None,
                diagnostics: vec![super::build::too_deep(self.span(&(index..index + 1)))],
            };
        }
        match self.parse(self.text(), &build) {
            Ok(read) => read,
            Err(error) => self.read_on(&error, &build),
        }
    }

    fn parse<T>(
        &self,
        text: &str,
        build: impl Fn(&Builder, Pair<'_>) -> T,
    ) -> Result<Read<T>, Box<Error<Rule>>> {
        let mut pairs = Grammar::parse(self.rule, text).map_err(Box::new)?;
        let builder = Builder::new(self.file, self.start(), self.text().len());
        let result = pairs.next().map(|pair| build(&builder, pair));
        Ok(Read {
            result,
            diagnostics: builder.into_diagnostics(),
        })
    }

    /// Reports the first mistake, patches it and parses again, until the piece is read or beyond repair.
    fn read_on<T>(&self, first: &Error<Rule>, build: impl Fn(&Builder, Pair<'_>) -> T) -> Read<T> {
        let first = self.mistake(first);
        let mut diagnostics = Vec::new();
        let mut recovery = Recovery::new(self);
        let mut mistake = first.clone();
        let mut reported = None;
        for _ in 0..self.attempts() {
            if !recovery.knows(mistake.at) && reported < Some(mistake.at) {
                diagnostics.push(mistake.explain(self));
                reported = Some(mistake.at);
            }
            if !recovery.patch(&mistake) {
                return self.salvage(&first, diagnostics, build);
            }
            match self.parse(recovery.text(), &build) {
                Ok(mut read) => {
                    read.diagnostics.splice(0..0, diagnostics);
                    return read;
                }
                Err(error) => mistake = self.mistake(&error),
            }
        }
        if let Some(last) = diagnostics.pop() {
            diagnostics.push(last.help("there may be more mistakes behind this one: it is the last that was looked for here"));
        }
        self.salvage(&first, diagnostics, build)
    }

    fn attempts(&self) -> usize {
        (MAX_PARSED_AGAIN / (1 + self.text().len())).clamp(2, MAX_ATTEMPTS)
    }

    /// What stands before the first mistake, if that is a whole by itself.
    fn salvage<T>(
        &self,
        first: &Mistake,
        diagnostics: Vec<Diagnostic>,
        build: impl Fn(&Builder, Pair<'_>) -> T,
    ) -> Read<T> {
        let before = self.parse(&self.text()[..self.offset(first.at)], build);
        Read {
            result: before.ok().and_then(|read| read.result),
            diagnostics,
        }
    }

    fn mistake(&self, error: &Error<Rule>) -> Mistake {
        let offset = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let tokens = &self.outline.tokens;
        let at = match offset < self.text().len() {
            true => tokens.partition_point(|token| token.end <= self.start() + offset),
            false => self.tokens.end,
        };
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        Mistake { at, expected }
    }

    pub(super) fn text(&self) -> &str {
        &self.outline.text[self.outline.bytes(&self.tokens)]
    }

    pub(super) fn start(&self) -> usize {
        self.outline.bytes(&self.tokens).start
    }

    /// Where in the text of the piece a token starts.
    fn offset(&self, token: usize) -> usize {
        let tokens = &self.outline.tokens[self.tokens.clone()];
        let token = tokens.get(token - self.tokens.start);
        token.map_or(self.text().len(), |token| token.start - self.start())
    }

    pub(super) fn span(&self, tokens: &Tokens) -> Span {
        let bytes = self.outline.bytes(tokens);
        Span::new(self.file, bytes.start, bytes.end)
    }
}
