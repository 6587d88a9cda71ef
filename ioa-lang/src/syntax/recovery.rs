//! Recovery from mistakes: the tokens around one are replaced by a patch that the grammar accepts in the place of a
//! term, a type, a statement or a declaration, and the piece is parsed again.
//!
//! A mistake beside a patch is a consequence of a bad cut and not of the text: it is not reported, and the patch is
//! widened.

use super::explain::Mistake;
use super::grammar::Rule;
use super::outline::Tokens;
use super::piece::Piece;
use super::token::is_reserved;

/// What the grammar's rule `patch` reads. The lexer knows no such token, so it is never the user's own.
const PATCH: u8 = 0x1A;

/// The text of a piece with its mistakes patched.
pub(super) struct Recovery<'a> {
    piece: &'a Piece<'a>,
    text: String,
    /// The tokens that were replaced; an empty range is a patch between two tokens.
    patches: Vec<Tokens>,
}

impl<'a> Recovery<'a> {
    pub(super) fn new(piece: &'a Piece<'a>) -> Self {
        Self {
            piece,
            text: piece.text().to_string(),
            patches: Vec::new(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a mistake at this token stands beside a patch.
    pub(super) fn knows(&self, at: usize) -> bool {
        self.patch_at(at).is_some()
    }

    fn patch_at(&self, at: usize) -> Option<usize> {
        self.patches
            .iter()
            .position(|patch| patch.start <= at && at <= patch.end)
    }

    /// Patches a mistake. False where nothing more can be done.
    pub(super) fn patch(&mut self, mistake: &Mistake) -> bool {
        if mistake.at == self.piece.tokens.end
            && let Some(closer) = mistake.missing_closer()
        {
            self.text.push(' ');
            self.text.push_str(closer);
            self.patches.push(mistake.at..mistake.at);
            return true;
        }
        if let Some(separator) = mistake.missing_separator(self.piece) {
            return self.separate(mistake.at, separator);
        }
        let patch = match self.patch_at(mistake.at) {
            Some(index) => self.wider(index, mistake.at),
            None => Some(self.around(mistake.at)),
        };
        patch.is_some_and(|patch| self.apply(patch))
    }

    /// Writes a separator before a token that starts a line.
    fn separate(&mut self, at: usize, separator: &str) -> bool {
        let before = self.piece.outline.tokens[at - 1].end - self.piece.start();
        let blank = self
            .text
            .get(before..before + 1)
            .is_some_and(|c| c.trim().is_empty());
        if blank {
            self.text.replace_range(before..before + 1, separator);
        }
        blank
    }

    /// The tokens between the nearest delimiters on both sides of a mistake.
    fn around(&self, at: usize) -> Tokens {
        let mut start = self
            .delimiter_before(at)
            .map_or(self.piece.tokens.start, |index| index + 1);
        if self.declares_at(start) && start < at {
            start += 1;
        }
        start..self.delimiter_from(at)
    }

    /// A patch that reaches one delimiter further, to the side on which it did not fit.
    fn wider(&self, index: usize, at: usize) -> Option<Tokens> {
        let patch = self.patches[index].clone();
        if at == patch.end && at < self.piece.tokens.end {
            return Some(patch.start..self.delimiter_from(at + 1));
        }
        let delimiter = patch.start.checked_sub(1)?;
        let start = self.delimiter_before(delimiter)? + 1;
        Some(start..patch.end)
    }

    /// Whether a state variable's name stands here, which is worth keeping.
    fn declares_at(&self, index: usize) -> bool {
        matches!(
            self.piece.rule,
            Rule::states_piece | Rule::proof_states_piece
        ) && !self.piece.outline.word(index).is_empty()
    }

    fn delimiter_before(&self, at: usize) -> Option<usize> {
        (self.piece.tokens.start..at)
            .rev()
            .find(|&index| self.is_delimiter(index))
    }

    fn delimiter_from(&self, at: usize) -> usize {
        (at..self.piece.tokens.end)
            .find(|&index| self.is_delimiter(index))
            .unwrap_or(self.piece.tokens.end)
    }

    /// Whether a token is likely to stand between two things, not inside one.
    fn is_delimiter(&self, index: usize) -> bool {
        let place = index - self.piece.tokens.start;
        let token = self.piece.outline.token(index);
        match (self.piece.rule, token) {
            (Rule::type_piece, _) => place == 0 || place == 2 && token == "=",
            (Rule::invariant_piece | Rule::liveness_piece, ":") => place == 4,
            (Rule::simulation_piece, ":") => place == 6,
            (_, ",") => self.separates(index),
            (_, ";" | ":=") => true,
            (_, "true" | "false") => false,
            _ => is_reserved(token),
        }
    }

    /// Whether a comma stands between two declarations.
    fn separates(&self, index: usize) -> bool {
        let follower = self.piece.outline.token(index + 2);
        let declares = match self.piece.rule {
            Rule::signature_piece => follower == "(",
            Rule::states_piece | Rule::proof_states_piece => follower == ":",
            _ => false,
        };
        self.piece.outline.starts_line(index + 1)
            || declares && !self.piece.outline.word(index + 1).is_empty()
    }

    /// Writes a patch over the tokens, and over the blank space before them. False where there is no room.
    fn apply(&mut self, patch: Tokens) -> bool {
        let token = |index: usize| &self.piece.outline.tokens[index];
        let from = match patch.start > self.piece.tokens.start {
            true => token(patch.start - 1).end,
            false => self.piece.start(),
        };
        let to = match patch.is_empty() {
            true if patch.start == self.piece.tokens.end => from,
            true => token(patch.start).start,
            false => token(patch.end - 1).end,
        };
        if from == to && patch.start < self.piece.tokens.end {
            return false;
        }
        self.fill(from - self.piece.start(), to - self.piece.start());
        self.patches
            .retain(|old| old.end < patch.start || patch.end < old.start);
        self.patches.push(patch);
        true
    }

    /// Replaces bytes by a patch and blanks, or adds a patch at the end.
    fn fill(&mut self, from: usize, to: usize) {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        match bytes.get_mut(from..to) {
            Some([first, rest @ ..]) => {
                *first = PATCH;
                rest.fill(b' ');
            }
            _ => bytes.insert(from, PATCH),
        }
        self.text = String::from_utf8(bytes).unwrap_or_default();
    }
}
