//! What is claimed, as it stands in the source.

use ioa_lang::core::Invariant;
use serde::Serialize;

use crate::study::Study;

/// A claim as it stands in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// The formula.
    pub formula: String,
    /// The comment above it, without the comment signs; empty where there is none.
    pub comment: String,
}

impl Statement {
    /// An invariant as it stands in the source.
    #[must_use]
    pub fn of(study: &Study, invariant: &Invariant) -> Self {
        let file = study.sources.file(invariant.span.file);
        let before = &file.text[..invariant.span.start as usize];
        // What stands before the invariant on its own line is no comment.
        let above = before.rsplit_once('\n').map_or("", |(above, _)| above);
        let lines = above.lines().rev().map(str::trim);
        let comment = lines.map_while(|line| line.strip_prefix('%'));
        let mut comment: Vec<&str> = comment
            .map(|line| line.trim_start_matches('%').trim())
            .collect();
        comment.reverse();
        let formula = study.sources.text(invariant.formula.span);
        let words: Vec<&str> = formula.split_whitespace().collect();
        Self {
            formula: words.join(" "),
            comment: comment.join(" "),
        }
    }
}
