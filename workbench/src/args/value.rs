//! How the values of flags are read.

use session::manifest::is_weight;

/// A century: what is longer is a slip, and more than a clock can count.
const MAX_SECONDS: f64 = 3.2e9;

pub(super) fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| format!("expected a number of seconds, found {text}"))?;
    match seconds.is_finite() && seconds > 0.0 {
        true if seconds <= MAX_SECONDS => Ok(seconds),
        true => Err("expected less than a century".into()),
        false => Err("expected more than 0 seconds".into()),
    }
}

/// `500M`, `2G`, or plain bytes; `500 MiB` too, as results say it.
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
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

pub(super) fn parse_size(text: &str) -> Result<(String, u64), String> {
    let (name, size) = text
        .split_once('=')
        .ok_or_else(|| format!("expected NAME=SIZE such as Node=3, found {text}"))?;
    let size = size
        .trim()
        .parse()
        .map_err(|_| format!("expected a number after {name}=, found {size}"))?;
    Ok((name.trim().to_owned(), size))
}

pub(super) fn parse_weight(text: &str) -> Result<(String, f64), String> {
    let (name, weight) = text
        .split_once('=')
        .ok_or_else(|| format!("expected ACTION=NUMBER such as fail=0.05, found {text}"))?;
    let weight = weight
        .trim()
        .parse()
        .ok()
        .filter(|weight| is_weight(*weight));
    let weight = weight.ok_or_else(|| format!("expected 0 or a positive number after {name}="))?;
    Ok((name.trim().to_owned(), weight))
}
