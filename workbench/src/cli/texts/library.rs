//! `ioa library`: the environments that models compose with, as the program carries them.

use std::iter;

use session::manifest::library::{self, LibraryText, PARTS, PREFIX};
use session::study::BadInput;

use crate::args::LibraryArgs;
use crate::cli::Answer;

/// Lists the parts with their automata, or prints the text of one.
///
/// # Errors
/// There is no such part.
pub(in crate::cli) fn run(args: &LibraryArgs) -> Result<Answer, BadInput> {
    let closing = match &args.part {
        None => PARTS.iter().map(listed).collect(),
        Some(name) => {
            let name = name.strip_prefix(PREFIX).unwrap_or(name);
            library::part(name)
                .map_err(BadInput::message)?
                .text
                .to_owned()
        }
    };
    Ok(Answer {
        closing,
        ..Answer::default()
    })
}

/// The name of a part, and the headings of its automata.
fn listed(part: &LibraryText) -> String {
    let headings = part
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("automaton "));
    let headings = headings.map(|heading| format!("  {heading}\n"));
    iter::once(part.place() + "\n").chain(headings).collect()
}
