//! Findings on the terminal: one table, then each counterexample step by step.

mod stories;
mod tables;

pub use stories::{blame, failures, frame, story};
pub use tables::{items, overview, table};

use std::time::Duration;

use session::finding::Finding;
use session::numbers::duration;
use session::pipeline::proof::RECALLED;

/// How to draw: with colour or without, and how many columns there are.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether escape sequences may be used.
    pub color: bool,
    /// Width in characters; `None` where the output is not a terminal.
    pub width: Option<u16>,
    /// Whether executions are shown from their beginning, however long they are.
    pub full: bool,
    /// Whether all counterexamples are shown, however many there are.
    pub all: bool,
}

/// How long the user waited in all, and for what: the rows of a table say only what each of them took.
#[must_use]
pub fn waited(all: Duration, spent: &[(&str, Duration)]) -> String {
    let known = spent.iter().map(|(_, time)| *time).sum();
    let rest = ("the rest", all.saturating_sub(known));
    let parts = spent.iter().chain((!spent.is_empty()).then_some(&rest));
    let parts: Vec<String> = parts
        .map(|(what, time)| format!("{what} {}", duration(time.as_secs_f64())))
        .collect();
    let parts = match parts.is_empty() {
        true => String::new(),
        false => format!(": {}", parts.join(", ")),
    };
    format!("{} in all{parts}\n", duration(all.as_secs_f64()))
}

/// Says how many obligations an earlier command proved, if it did.
#[must_use]
pub fn recalled(findings: &[Finding]) -> String {
    let count = |what| -> u64 { findings.iter().filter_map(|f| f.figures.get(what)).sum() };
    match (count(RECALLED), count("obligations")) {
        (0, _) => String::new(),
        (some, all) => {
            format!("{some} of {all} obligations were proved before (--fresh proves them again)\n")
        }
    }
}

/// What is true and hardly meant, a warning a line.
#[must_use]
pub fn warnings(findings: &[Finding], style: Style) -> String {
    let mut out = String::new();
    for warning in findings.iter().flat_map(|f| &f.warnings) {
        let warning = format!("{}: {warning}", paint("warning", "1;33", style));
        push_wrapped(&mut out, "", &warning, style);
    }
    out
}

/// Sentences, one a line, that are continued below themselves where the terminal is too narrow.
#[must_use]
pub fn sentences(text: &str, style: Style) -> String {
    let mut out = String::new();
    for line in text.lines() {
        push_wrapped(&mut out, "", line, style);
    }
    out
}

/// A line that is continued below itself, a little further in, where the terminal is too narrow for it.
fn push_wrapped(out: &mut String, indent: &str, line: &str, style: Style) {
    let further = format!("{indent}    ");
    let Some(width) = style.width else {
        return push_line(out, &format!("{indent}{line}"));
    };
    let options = textwrap::Options::new(usize::from(width.max(60)))
        .initial_indent(indent)
        .subsequent_indent(&further)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    push_line(out, &textwrap::fill(line, options));
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// The text in an ANSI style, or plain where there is no colour.
#[must_use]
pub fn paint(text: &str, code: &str, style: Style) -> String {
    if style.color {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_waited_for_adds_up() {
        let seconds = Duration::from_secs;
        assert_eq!(waited(seconds(3), &[]), "3.00 s in all\n");
        assert_eq!(
            waited(
                seconds(22),
                &[("proofs", seconds(2)), ("counterexamples", seconds(19))]
            ),
            "22.00 s in all: proofs 2.00 s, counterexamples 19.00 s, the rest 1.00 s\n"
        );
    }
}
