//! Numbers as people write them.

/// A duration to three significant digits.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

/// A count with its thousands apart: `10,340,352`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of bytes: `57 MiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    match n {
        n if n < 10 << 10 => format!("{n} B"),
        n if n < 10 << 20 => format!("{} KiB", n >> 10),
        n if n < 10 << 30 => format!("{} MiB", n >> 20),
        n => format!("{} GiB", n >> 30),
    }
}

/// Reads a number of bytes: `500M`, `2G`, plain bytes, or `500 MiB`, as results say it.
///
/// # Errors
/// What was expected instead; 0 bytes are none.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
    let short = text.strip_suffix("iB").unwrap_or(text);
    let unit = units
        .iter()
        .find_map(|(u, shift)| Some((short.strip_suffix(u)?.trim_end(), *shift)));
    let (digits, shift) = unit.unwrap_or((text, 0));
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|n| n.checked_mul(1 << shift));
    bytes
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("expected a size such as 500M or 2G, found {text}"))
}

/// A count with the word for what is counted: `1 run`, `2,000 runs`.
#[must_use]
pub fn counted(n: u64, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {what}{plural}", count(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(count(7), "7");
        assert_eq!(counted(1, "run"), "1 run");
        assert_eq!(counted(1500, "run"), "1,500 runs");
        assert_eq!(count(10_340_352), "10,340,352");
        assert_eq!(duration(0.000_42), "420 us");
        assert_eq!(duration(0.0421), "42.1 ms");
        assert_eq!(duration(3.217), "3.22 s");
    }
}
