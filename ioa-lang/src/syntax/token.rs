//! A small lexer: just enough to cut a file into pieces, to measure its nesting and to say what was found at a place.

use std::cmp::Reverse;
use std::sync::LazyLock;

use crate::notation::Infix;
use crate::source::{Sources, Span};

/// What sort of token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A character or string literal.
    Literal,
    /// An operator or a punctuation mark.
    Sign,
    /// A character with which no token starts.
    Unknown,
}

/// A token: `start..end` in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    /// The token's text.
    pub(crate) fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }
}

/// Multi-character signs that are not operators, and signs of other languages that people type by habit.
const OTHER_SIGNS: [&str; 15] = [
    ":=", "->", "::", "===", "!==", "==>", "-->", "==", "!=", "<>", "/=", "&&", "//", "+=", "-=",
];

/// Characters that are signs by themselves, but for those that stand for an operator.
const CHARACTERS: &str = "~=<>+-*/|&!;,:.()[]{}#∀∃¬∅";

/// All signs of several characters; of two that fit, the longer stands first.
static LONG_SIGNS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let own = Infix::ALL.iter().map(|sign| sign.row().text);
    let mut signs: Vec<&str> = own
        .filter(|text| text.len() > 1)
        .chain(OTHER_SIGNS)
        .collect();
    signs.sort_by_key(|sign| Reverse(sign.len()));
    signs
});

/// Whether a character alone is a sign.
fn is_sign(c: char) -> bool {
    CHARACTERS.contains(c)
        || Infix::ALL
            .iter()
            .any(|sign| sign.row().character == Some(c))
}

/// All tokens of a text, comments and white space left out. Never fails.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut at = 0;
    while let Some(token) = token_at(text, at) {
        at = token.end;
        tokens.push(token);
    }
    tokens
}

impl Sources {
    /// The text under a span on one line: comments dropped, runs of white space between tokens folded to one blank.
    #[must_use]
    pub fn one_line(&self, span: Span) -> String {
        let text = self.text(span);
        let mut line = String::new();
        let mut end = 0;
        for token in tokens(text) {
            if token.start > end && !line.is_empty() {
                line.push(' ');
            }
            line.push_str(token.text(text));
            end = token.end;
        }
        line
    }
}

/// The first token at or after a byte offset.
fn token_at(text: &str, from: usize) -> Option<Token> {
    let start = skip_blank(text, from);
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let (kind, length) = match first {
        'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Word, word_length(rest)),
        '0'..='9' => (
            TokenKind::Number,
            prefix_length(rest, |b| b.is_ascii_digit()),
        ),
        '\'' | '"' => literal(rest, first),
        '\\' => backslash(rest),
        _ => sign(rest, first),
    };
    Some(Token {
        kind,
        start,
        end: start + length,
    })
}

fn skip_blank(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0C => at += 1,
            b'%' => at += prefix_length(&text[at..], |b| b != b'\n' && b != b'\r'),
            _ => break,
        }
    }
    at
}

fn prefix_length(text: &str, accept: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|&b| accept(b)).count()
}

fn word_length(rest: &str) -> usize {
    let word = prefix_length(rest, |b| b.is_ascii_alphanumeric() || b == b'_');
    word + prefix_length(&rest[word..], |b| b == b'\'')
}

fn literal(rest: &str, quote: char) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => break,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return (TokenKind::Literal, at + 1),
            _ => {}
        }
    }
    (TokenKind::Unknown, 1)
}

fn backslash(rest: &str) -> (TokenKind, usize) {
    if rest.starts_with("\\/") {
        return (TokenKind::Sign, 2);
    }
    let word = prefix_length(&rest[1..], |b| b.is_ascii_alphanumeric());
    let kind = match word {
        0 => TokenKind::Unknown,
        _ => TokenKind::Sign,
    };
    (kind, 1 + word)
}

fn sign(rest: &str, first: char) -> (TokenKind, usize) {
    let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
    match long {
        Some(sign) => (TokenKind::Sign, sign.len()),
        None if is_sign(first) => (TokenKind::Sign, first.len_utf8()),
        None => (TokenKind::Unknown, first.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::tokens;
    use crate::syntax::grammar::{Grammar, Rule};

    #[test]
    fn ordinary_names_stay_free() {
        for word in [
            "init",
            "last",
            "from",
            "to",
            "so",
            "that",
            "simulation",
            "local",
            "typed",
            "pre_",
            "x''",
        ] {
            assert_eq!(
                Grammar::parse(Rule::name, word).map(|pairs| pairs.as_str()),
                Ok(word)
            );
        }
    }

    #[test]
    fn the_lexer_takes_the_longest_token() {
        let text = "a'<=>b%c\n:=\\in \"d%\" 'e' 1.5∉";
        let texts: Vec<&str> = tokens(text).iter().map(|token| token.text(text)).collect();
        assert_eq!(
            texts,
            [
                "a'", "<=>", "b", ":=", "\\in", "\"d%\"", "'e'", "1", ".", "5", "∉"
            ]
        );
    }
}
