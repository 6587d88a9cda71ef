//! How the values of flags are read.

use std::ops::RangeInclusive;

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

/// A number within bounds; why there is an upper one is part of what is said beyond it.
pub(super) fn number<N: TryFrom<u64>>(
    bounds: RangeInclusive<u64>,
    why: &'static str,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (least, most) = (bounds.start(), bounds.end());
        match text.parse::<u64>() {
            Ok(number) if number < *least => Err(format!("expected at least {least}")),
            Ok(number) if number <= *most => {
                N::try_from(number).map_err(|_| "expected a smaller number".into())
            }
            _ if digits => Err(format!("expected at most {most}: {why}")),
            _ => Err(format!(
                "expected a number from {least} to {most}, found {text}"
            )),
        }
    }
}

/// Why a number of runs, of steps or the like is bounded that no one would wait for.
pub(super) const SLIP: &str =
    "a larger number is taken for a slip; --time bounds how long it takes";

pub(super) fn parse_size(text: &str) -> Result<(String, u64), String> {
    let (name, size) = text
        .split_once('=')
        .ok_or_else(|| format!("expected NAME=SIZE such as Node=3, found {text}"))?;
    let size = size.trim();
    let is_number = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
    let size = size.parse().map_err(|_| match is_number {
        true => {
            format!("{name} cannot have {size} elements: no instance with so many fits into memory")
        }
        false => format!("expected a number after {name}=, found {size}"),
    })?;
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
