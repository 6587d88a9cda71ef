//! Answers as text.

use debugger::{Item, Reply};

use crate::report::terminal::{self, Style};

/// An answer as lines of text.
pub(super) fn text(reply: &Reply, style: Style) -> String {
    reply
        .items
        .iter()
        .map(|part| self::part(part, style))
        .collect()
}

fn part(part: &Item, style: Style) -> String {
    match part {
        Item::Line(line) => format!("{line}\n"),
        Item::Frame(frame) => terminal::frame(frame, style),
        Item::False(blame, since) if since.is_empty() => terminal::blame(blame, style),
        Item::False(blame, since) => {
            format!("{}         {since}\n", terminal::blame(blame, style))
        }
    }
}
