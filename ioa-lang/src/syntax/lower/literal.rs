//! Literals: numbers, characters and strings.
//!
//! Between quotes stand any characters but a line's end, and the escapes `\n`, `\t`, `\r`, `\\`, `\'`, `\"` and
//! `\u{1F600}`: the hexadecimal number of a Unicode scalar value, one to six digits.

use num_bigint::BigInt;
use num_traits::pow;

use super::Builder;
use crate::diagnostic::{Code, Diagnostic};
use crate::notation::Rational;
use crate::source::{Name, Span};
use crate::syntax::ast::ExprKind;

/// Longer numbers are refused: reading one takes time that is quadratic in its length.
const MAX_DIGITS: usize = 1000;

/// What is wrong with a literal.
enum Mistake {
    /// No escape starts like this.
    UnknownEscape(String),
    /// `\u{..}` without the number of a character.
    NoCharacter,
}

impl Builder {
    /// `12`, or with a decimal point `1.5`.
    pub(super) fn number(&self, text: &str, span: Span) -> ExprKind {
        let digits = text.len() - usize::from(text.contains('.'));
        if digits > MAX_DIGITS {
            let message = format!(
                "a number has at most {MAX_DIGITS} digits, since it takes too long to compute with more"
            );
            self.report(
                Diagnostic::error(Code::LongNumber, span, message)
                    .label(format!("{digits} digits")),
            );
            return ExprKind::Error;
        }
        match text.split_once('.') {
            Some((whole, fraction)) => {
                let denominator = pow(BigInt::from(10), fraction.len());
                let numerator = natural(&format!("{whole}{fraction}"));
                ExprKind::Decimal(Rational::new(numerator, denominator))
            }
            None => ExprKind::Number(natural(text)),
        }
    }

    /// `'a'` or `"abc"`.
    pub(super) fn quoted(&self, text: &str, span: Span) -> ExprKind {
        let inner = &text[1..text.len() - 1];
        let characters = match unescape(inner) {
            Ok(characters) => characters,
            Err(mistake) => {
                self.report(mistake.explain(span));
                return ExprKind::Error;
            }
        };
        if text.starts_with('"') {
            return ExprKind::Text(Name::from(characters));
        }
        let mut rest = characters.chars();
        match (rest.next(), rest.next()) {
            (Some(c), None) => ExprKind::Char(c),
            _ => {
                self.report(
                    Diagnostic::error(
                        Code::NotOneCharacter,
                        span,
                        "a character literal has one character",
                    )
                    .label(format!("{} characters", characters.chars().count()))
                    .help("a string stands in double quotes"),
                );
                ExprKind::Error
            }
        }
    }
}

impl Mistake {
    fn explain(&self, span: Span) -> Diagnostic {
        let message = match self {
            Self::UnknownEscape(escape) => format!("unknown escape `{escape}`"),
            Self::NoCharacter => "`\\u{..}` holds no number of a character".into(),
        };
        Diagnostic::error(Code::BadEscape, span, message).help(
            r#"the escapes are `\n`, `\t`, `\r`, `\\`, `\'`, `\"` and `\u{..}` with one to six hexadecimal digits"#,
        )
    }
}

fn natural(digits: &str) -> BigInt {
    BigInt::parse_bytes(digits.as_bytes(), 10).expect("the grammar lets digits through alone")
}

/// The characters that a text with escapes stands for.
fn unescape(text: &str) -> Result<String, Mistake> {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match rest.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c @ ('\\' | '\'' | '"')) => c,
            Some('u') => {
                let (number, after) = rest
                    .as_str()
                    .strip_prefix('{')
                    .and_then(|rest| rest.split_once('}'))
                    .ok_or(Mistake::NoCharacter)?;
                rest = after.chars();
                numbered(number).ok_or(Mistake::NoCharacter)?
            }
            other => {
                let escape = other.map_or("\\".into(), |c| format!("\\{c}"));
                return Err(Mistake::UnknownEscape(escape));
            }
        });
    }
    Ok(out)
}

/// The character with this hexadecimal number.
fn numbered(digits: &str) -> Option<char> {
    let is_number =
        (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = is_number.then(|| u32::from_str_radix(digits, 16).ok())?;
    char::from_u32(number?)
}
