//! The words and signs of a module, with the places where they stand.

/// A word or a sign.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
    /// Counted from one.
    pub(crate) column: usize,
}

impl Token {
    /// Whether it may be a name.
    pub(crate) fn is_word(&self) -> bool {
        self.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !KEYWORDS.contains(&&*self.text)
    }

    /// Whether it is a term by itself.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_word()
            || self
                .text
                .starts_with(|c: char| c.is_ascii_digit() || c == '"')
    }
}

const KEYWORDS: [&str; 14] = [
    "IF",
    "THEN",
    "ELSE",
    "CHOOSE",
    "LET",
    "IN",
    "EXCEPT",
    "SUBSET",
    "UNION",
    "DOMAIN",
    "UNCHANGED",
    "INSTANCE",
    "WITH",
    "RECURSIVE",
];

/// Of signs that begin alike the longest comes first.
const SIGNS: [&str; 43] = [
    "<=>", "|->", "(+)", "(-)", "<<", ">>", "<=", "<-", "<>", ">=", "=>", "==", "->", "..", ":>",
    "@@", "~>", "[]", "]_", "/\\", "\\/", "\\", "<", ">", "=", "#", "+", "-", "*", "%", "^", "~",
    "'", "!", ".", ",", ":", "(", ")", "[", "]", "{", "}",
];

/// The words and signs of a text, without comments, the lines between parts of a module, and its heading.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("---") || line.starts_with("===") || line.starts_with("\\*") {
            continue;
        }
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c != ' ') {
            let column = line.len() - rest.len() + start + 1;
            rest = &rest[start..];
            let length = length(rest).ok_or_else(|| format!("line {}: {rest}", number + 1))?;
            found.push(Token {
                text: rest[..length].to_owned(),
                line: number + 1,
                column,
            });
            rest = &rest[length..];
        }
    }
    Ok(found)
}

/// How long the first word or sign is.
fn length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let run = |text: &str, belongs: fn(char) -> bool| {
        text.find(|c: char| !belongs(c)).unwrap_or(text.len())
    };
    if first == '"' {
        return string(text);
    }
    if first.is_ascii_alphanumeric() || first == '_' {
        return Some(run(text, |c| c.is_ascii_alphanumeric() || c == '_'));
    }
    if first == '\\' && text[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Some(1 + run(&text[1..], |c| c.is_ascii_alphabetic()));
    }
    SIGNS
        .iter()
        .find(|sign| text.starts_with(**sign))
        .map(|s| s.len())
}

/// The length of a string with its quotes.
fn string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}
