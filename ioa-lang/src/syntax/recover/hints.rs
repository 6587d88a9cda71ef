//! Advice for mistakes that have a likely cause: a sign of another language, a misspelt keyword, a keyword as a name.

use super::characters;
use super::expectation::Expectation;
use super::nesting;
use super::piece::Piece;
use crate::diagnostic::nearest;
use crate::notation::{Infix, Prefix};
use crate::syntax::grammar::Rule;
use crate::syntax::words::{self, is_reserved};

pub(in crate::syntax) const ITEM: &str = "a file is a sequence of `type`, `vocabulary`, `assumes`, `automaton`, `monitor`, `invariant`, `liveness`, `forward simulation` and `schedule` items";
pub(in crate::syntax) const KIND: &str =
    "each action starts with its kind: `input`, `output` or `internal`";
pub(in crate::syntax) const PROOF: &str =
    "an entry reads `for internal act(x: T) do .. od` or `for internal act(x: T) ignore`";

/// The words that start with a backslash.
fn backslashed_words() -> Vec<&'static str> {
    let is_word = |text: &&str| text.starts_with('\\') && text.ends_with(char::is_alphabetic);
    let signs = Infix::ALL.iter().map(|sign| sign.row().text);
    [r"\A", r"\E"]
        .into_iter()
        .chain(signs)
        .filter(is_word)
        .collect()
}

/// Advice for the token at `at`, where one of `expected` should stand.
pub(in crate::syntax) fn hint(
    piece: &Piece<'_>,
    at: usize,
    expected: &[Expectation],
) -> Option<String> {
    let outline = piece.outline;
    let token = match is_found(piece, at, expected) {
        true => outline.token(at),
        false => "",
    };
    let by_token = || foreign_sign(token, expected).or_else(|| foreign_word(token, expected));
    untyped_entry(piece, at, token, expected)
        .or_else(by_token)
        .or_else(|| place_hint(piece, at, token, expected))
        .or_else(|| keyword_as_name(token, expected))
        .or_else(|| misspelt(piece, at, token, expected))
}

fn expects(expected: &[Expectation], token: &str) -> bool {
    expected
        .iter()
        .any(|e| matches!(e, Expectation::Token(t) if t == token))
}

/// A bound variable of an array by its entries that has no type.
fn untyped_entry(
    piece: &Piece<'_>,
    at: usize,
    token: &str,
    expected: &[Expectation],
) -> Option<String> {
    let open = nesting::open_before(piece.outline, piece.tokens.start..at);
    let (_, opener) = open.last()?;
    let is_entry = piece.outline.token(*opener) == "[";
    (token == "->" && is_entry && expects(expected, ":")).then(|| {
        let name = piece.outline.before(at);
        format!(
            "`{name}` has no type: write `[{name}: T -> ..]`, where `T` is the type of the indices"
        )
    })
}

/// Signs of other languages, and signs of this one in the wrong place.
fn foreign_sign(token: &str, expected: &[Expectation]) -> Option<String> {
    let operator = expected.contains(&Expectation::Operator);
    let term = expected.contains(&Expectation::Term) && !operator;
    let text = match token {
        r"\in" | "∈" | "in" if expects(expected, ":") => {
            r"a bound variable has a type: `\A x: T (P)`; what else it belongs to is for `P` to say"
        }
        "<>" if term => "the empty sequence is written `{}`",
        "+" | "-" if expects(expected, ":=") => "write it in full: `x := x + 1`",
        "(" if expects(expected, ":=") => "what is assigned is a variable, `a[i]` or `t.f`",
        "==" | "===" => "equality is written `=`",
        "!=" | "<>" | "/=" | "!==" => "inequality is written `~=`",
        "&&" | "&" => r"conjunction is written `/\`",
        "|" => r"disjunction is written `\/`",
        "!" => "negation is written `~`",
        "->" | "==>" | "-->" => "implication is written `=>`",
        "//" => "a comment starts with `%`",
        "+=" | "-=" => "write it in full: `x := x + 1`",
        "=" | ":" if expects(expected, ":=") => "a value is assigned with `:=`",
        ":=" if operator => "`:=` assigns; equality is written `=`",
        "{" | "}" if expects(expected, "then") || expects(expected, "do") => {
            "blocks are written `if .. then .. fi` and `for .. do .. od`"
        }
        _ if token.starts_with('\\') => return Some(backslashed(token)),
        _ => return None,
    };
    Some(text.into())
}

fn backslashed(token: &str) -> String {
    let known = match token {
        r"\forall" => Some(r"\A"),
        r"\exists" => Some(r"\E"),
        r"\and" | r"\land" => Some(r"/\"),
        r"\or" | r"\lor" => Some(r"\/"),
        r"\not" | r"\neg" => Some("~"),
        r"\union" | r"\cup" => Some(r"\U"),
        r"\cap" => Some(r"\I"),
        _ => nearest(token, backslashed_words()),
    };
    match known {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!(
            "the words with a backslash are `{}`",
            backslashed_words().join("`, `")
        ),
    }
}

/// Operators that other languages write as words.
fn foreign_word(token: &str, expected: &[Expectation]) -> Option<String> {
    let operator = expected.contains(&Expectation::Operator);
    let term = expected.contains(&Expectation::Term);
    let sign = match token {
        "and" => Infix::And,
        "or" => Infix::Or,
        "implies" => Infix::Implies,
        "iff" => Infix::Iff,
        "in" => Infix::In,
        "union" => Infix::Union,
        "mod" | "div" if operator => return Some(format!("write `{token}(a, b)`")),
        "not" if operator || term => return Some(format!("write `{}` for `not`", Prefix::Not)),
        _ => return None,
    };
    operator.then(|| format!("write `{sign}` for `{token}`"))
}

/// Advice that follows from the construct around the place.
fn place_hint(
    piece: &Piece<'_>,
    at: usize,
    token: &str,
    expected: &[Expectation],
) -> Option<String> {
    let before = piece.outline.before(at);
    let text = if piece.rule == Rule::invariant_piece && before == "invariant" && token == "of" {
        "an invariant has a name: `invariant Name of A: P`"
    } else if expects(expected, "(") && in_quantifier(piece, at) {
        r"the body of a quantifier stands in parentheses: `\A x: T (P)`"
    } else if expects(expected, "fi") && has_else_if(piece) {
        "`else if` opens a second `if` with a `fi` of its own; `elseif` goes on with the first"
    } else if piece.rule == Rule::clause_piece
        && let Some(hint) = end_of_clause(piece, at, token)
    {
        hint
    } else if matches!(before, "not" | "forall" | "exists") {
        return Some(format!("`{before}` is written `{}`", sign_of(before)));
    } else if piece.rule == Rule::type_piece && token == "of" {
        return nearest(before, ["enumeration", "tuple"])
            .map(|near| format!("did you mean `{near}`?"));
    } else {
        return None;
    };
    Some(text.into())
}

/// Advice for what stands after `ensuring` or `provided`, which end a clause.
fn end_of_clause(piece: &Piece<'_>, at: usize, token: &str) -> Option<&'static str> {
    let mut before = piece.tokens.start..at;
    let ended = before.any(|index| matches!(piece.outline.word(index), "ensuring" | "provided"));
    match token {
        "ensuring" | "provided" if ended => Some(
            "a clause has one of them, and `/\\` joins what it says: with `provided` there is no step where no outcome satisfies it, with `ensuring` this is an error",
        ),
        "pre" | "eff" if ended => {
            Some("the order is `pre ..`, `eff ..`, then `ensuring ..` or `provided ..`")
        }
        _ => None,
    }
}

fn sign_of(word: &str) -> &'static str {
    match word {
        "not" => "~",
        "forall" => r"\A",
        _ => r"\E",
    }
}

/// Whether what stands before a token is a quantifier and its binder.
fn in_quantifier(piece: &Piece<'_>, at: usize) -> bool {
    let before = (piece.tokens.start..at).rev();
    let mut signs = before
        .filter(|&index| piece.outline.word(index).is_empty())
        .map(|index| piece.outline.token(index));
    let sign = signs.find(|token| !matches!(*token, "," | ":" | "[" | "]"));
    sign.is_some_and(|token| matches!(token, r"\A" | r"\E" | "∀" | "∃"))
}

fn has_else_if(piece: &Piece<'_>) -> bool {
    let mut tokens = piece.tokens.clone();
    tokens.any(|index| piece.outline.word(index) == "else" && piece.outline.word(index + 1) == "if")
}

/// Whether the token at `at` is what was found where something else was expected. It is so after the end of a piece, too, if
/// it is a keyword that stands for a name: the piece ends there only because a keyword starts the next one.
pub(in crate::syntax) fn is_found(piece: &Piece<'_>, at: usize, expected: &[Expectation]) -> bool {
    let outline = piece.outline;
    let is_name = || is_reserved(outline.token(at)) && !outline.starts_line(at);
    at < piece.tokens.end || expected.contains(&Expectation::Name) && is_name()
}

fn keyword_as_name(token: &str, expected: &[Expectation]) -> Option<String> {
    let wants_name = expected.contains(&Expectation::Name);
    (wants_name && is_reserved(token)).then(|| no_name(token))
}

pub(super) fn no_name(keyword: &str) -> String {
    format!("`{keyword}` is a keyword and cannot be a name")
}

/// A word that is nearly a keyword that would fit.
fn misspelt(piece: &Piece<'_>, at: usize, token: &str, expected: &[Expectation]) -> Option<String> {
    let fitting = expected.iter().filter_map(|e| match e {
        Expectation::Token(word) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            Some(word.as_str())
        }
        _ => None,
    });
    let near = Some(token)
        .filter(|t| t.len() > 1)
        .and_then(|t| nearest(t, fitting));
    if let Some(near) = near {
        return Some(format!("did you mean `{near}`?"));
    }
    let starts_something = piece.outline.starts_line(at) && expected.contains(&Expectation::End);
    starts_something.then(|| nearest_keyword(token)).flatten()
}

/// Advice for a word that looks like a misspelt keyword.
pub(in crate::syntax) fn nearest_keyword(word: &str) -> Option<String> {
    if word.len() < 3 || is_reserved(word) {
        return None;
    }
    let keyword = nearest(word, words::all_reserved())?;
    Some(format!("did you mean `{keyword}`?"))
}

/// A character that no token starts with, in words.
pub(in crate::syntax) fn describe_unknown(token: &str) -> String {
    match token.chars().next() {
        Some(quote @ ('\'' | '"')) => format!("a `{quote}` without its partner"),
        Some(c) if c.is_control() || c.is_whitespace() || !c.is_ascii() => characters::describe(c),
        _ => format!("`{token}`"),
    }
}
