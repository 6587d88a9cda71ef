//! Answers as text.

use debugger::{Part, Reply};

use crate::report::terminal::{self, Style};

/// An answer as lines of text.
pub(super) fn text(reply: &Reply, style: Style) -> String {
    reply
        .parts
        .iter()
        .map(|part| self::part(part, style))
        .collect()
}

fn part(part: &Part, style: Style) -> String {
    match part {
        Part::Line(line) => format!("{line}\n"),
        Part::Frame(frame) => terminal::frame(frame, style),
        Part::False(blame, since) if since.is_empty() => terminal::blame(blame, style),
        Part::False(blame, since) => {
            format!("{}         {since}\n", terminal::blame(blame, style))
        }
    }
}
