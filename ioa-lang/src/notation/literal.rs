//! How values without parts are written: characters, strings and fractions, as the parser reads them.

use num_bigint::{BigInt, Sign};
use num_traits::{One, pow};

use super::Rational;

/// `'a'`, with an escape where one is needed.
pub(crate) fn character(c: char) -> String {
    format!("'{}'", escaped(c, '\''))
}

/// `"abc"`, with escapes where they are needed.
pub(crate) fn string(text: &str) -> String {
    let inner: String = text.chars().map(|c| escaped(c, '"')).collect();
    format!("\"{inner}\"")
}

fn escaped(c: char, quote: char) -> String {
    match c {
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        '\r' => "\\r".into(),
        '\\' => "\\\\".into(),
        c if c == quote => format!("\\{c}"),
        c if c.is_control() => format!("\\u{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    }
}

/// A fraction as a decimal number with a point, `-1.25`; `None` if it has no finite one.
pub(crate) fn decimal(n: &Rational) -> Option<String> {
    let places = decimal_places(n.denom())?;
    let scaled = (n * Rational::from(pow(BigInt::from(10), places))).to_integer();
    let sign = if scaled.sign() == Sign::Minus {
        "-"
    } else {
        ""
    };
    let digits = format!(
        "{:0>width$}",
        scaled.magnitude().to_string(),
        width = places + 1
    );
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some(format!("{sign}{whole}.{fraction}"))
}

/// How many digits stand after the point of a decimal number with this denominator, at least one.
fn decimal_places(denominator: &BigInt) -> Option<usize> {
    let mut rest = denominator.clone();
    let mut factors = |prime: u32| {
        let mut count = 0;
        while (&rest % prime) == BigInt::ZERO {
            rest /= prime;
            count += 1;
        }
        count
    };
    let places: usize = factors(2).max(factors(5)).max(1);
    rest.is_one().then_some(places)
}

#[cfg(test)]
mod tests {
    use super::{character, decimal, string};
    use crate::notation::Rational;

    #[test]
    fn fractions_are_decimal_where_they_end() {
        let shown = |n: i64, d: i64| decimal(&Rational::new(n.into(), d.into()));
        assert_eq!(shown(3, 2).as_deref(), Some("1.5"));
        assert_eq!(shown(2, 1).as_deref(), Some("2.0"));
        assert_eq!(shown(-1, 40).as_deref(), Some("-0.025"));
        assert_eq!(shown(0, 1).as_deref(), Some("0.0"));
        assert_eq!(shown(1, 3), None);
    }

    #[test]
    fn quotes_and_lines_are_escaped() {
        assert_eq!(character('\''), r"'\''");
        assert_eq!(character('"'), "'\"'");
        assert_eq!(string("a\"\\\n\u{1}'"), r#""a\"\\\n\u{1}'""#);
    }
}
