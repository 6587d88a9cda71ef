//! Strings of Z3: what can be written, and how they are read back.
//!
//! Z3's strings are sequences of code points up to [`LAST`], ordered lexicographically. All that IOA says about strings is
//! this order, and it is the same order whatever the alphabet: each string is followed at once by itself with the first
//! character appended, and what these chains leave is dense, with a first element and no last one. So nothing is lost by
//! the smaller alphabet, nor by the surrogates that it has too many, but literals that do not fit it.

use crate::logic::term::value::Text;
use crate::logic::{Encoded, unsupported};

/// The last code point of Z3's strings.
const LAST: u32 = 0x2_ffff;

/// The term for a string.
///
/// # Errors
/// A character beyond [`LAST`].
pub(in crate::logic) fn write(value: &str) -> Encoded<Text> {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            _ if u32::from(c) > LAST => {
                return unsupported("a character beyond those of the solver's strings");
            }
            ' '..='~' if c != '\\' => escaped.push(c),
            _ => escaped.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    Ok(Text::from(escaped.as_str()))
}

/// The string that Z3 wrote with its escapes; `None` if it is none of Unicode's.
pub(crate) fn read(escaped: &str) -> Option<String> {
    let (mut out, mut rest) = (String::with_capacity(escaped.len()), escaped);
    while let Some(at) = rest.find("\\u{") {
        out.push_str(&rest[..at]);
        let (digits, after) = rest[at + 3..].split_once('}')?;
        out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["", "abc", "a\\u{41}b", "\0\n\\", "Zoë", "𝄞"] {
            let term = write(text).expect("a string of the solver");
            let escaped = term.as_string().expect("a literal");
            assert_eq!(read(&escaped).as_deref(), Some(text), "{escaped}");
        }
        assert!(write("\u{10ffff}").is_err());
    }

    #[test]
    fn half_a_character_is_none() {
        assert_eq!(read("a\\u{d800}"), None);
    }
}
