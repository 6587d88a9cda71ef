//! A small lexer: just enough to cut a file into pieces, to measure its nesting and to say what was found at a place.

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
    /// What no token starts with.
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

/// Words that cannot be names. The grammar's rule `reserved` lists the same.
pub(super) const RESERVED: &[&str] = &[
    "Type",
    "assumes",
    "automaton",
    "choose",
    "components",
    "const",
    "det",
    "do",
    "eff",
    "else",
    "elseif",
    "ensuring",
    "enumeration",
    "false",
    "fi",
    "fire",
    "for",
    "hidden",
    "if",
    "ignore",
    "imports",
    "in",
    "initially",
    "input",
    "internal",
    "invariant",
    "let",
    "liveness",
    "od",
    "of",
    "output",
    "pre",
    "proof",
    "schedule",
    "signature",
    "states",
    "tasks",
    "then",
    "transitions",
    "true",
    "tuple",
    "type",
    "union",
    "uses",
    "using",
    "vocabulary",
    "where",
    "while",
    "yield",
];

/// Whether a word is reserved.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Signs of the language and signs of its neighbours that people type by habit; of two that fit, the longer wins.
const SIGNS: &[&str] = &[
    "<=>", "===", "!==", "==>", "-->", ":=", "=>", "<=", ">=", "~=", "==", "!=", "<>", "/=", "/\\",
    "\\/", "&&", "||", "|-", "-|", "->", "**", "//", "+=", "-=", "::",
];

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
    let long = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    match long {
        Some(sign) => (TokenKind::Sign, sign.len()),
        None if "~=<>+-*/|&!;,:.()[]{}#∀∃∈∉∧∨¬⇒⇔≠≤≥∪∩⊆⊂∅".contains(first) => {
            (TokenKind::Sign, first.len_utf8())
        }
        None => (TokenKind::Unknown, first.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::{RESERVED, is_reserved, tokens};
    use crate::syntax::grammar::{Grammar, Rule};

    #[test]
    fn the_grammar_reserves_the_same_words() {
        assert!(RESERVED.is_sorted());
        for word in RESERVED {
            assert!(
                Grammar::parse(Rule::name, word).is_err(),
                "{word} is a name"
            );
            assert!(
                Grammar::parse(Rule::reserved, word).is_ok(),
                "{word} is not reserved"
            );
        }
        let grammar = include_str!("ioa.pest");
        let rule = grammar
            .split("reserved = @{")
            .nth(1)
            .and_then(|rest| rest.split("id_end").next());
        // A line has words, or the beginning of words and their ends.
        let words = rule.expect("the rule is there").lines().flat_map(|line| {
            let quoted: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
            match quoted[..] {
                [first, ref ends @ ..] if line.contains("~ (") => {
                    ends.iter().map(|end| format!("{first}{end}")).collect()
                }
                ref words => words.iter().map(ToString::to_string).collect::<Vec<_>>(),
            }
        });
        let words: Vec<String> = words.collect();
        assert!(words.iter().all(|word| is_reserved(word)));
        assert_eq!(words.len(), RESERVED.len());
    }

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
