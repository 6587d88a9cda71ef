//! What is claimed, as it stands in the source.

use ioa_lang::Span;
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
    /// A formula of a claim that begins at a place.
    #[must_use]
    pub fn at(study: &Study, claim: Span, formula: Span) -> Self {
        let file = study.sources.file(claim.file);
        let before = &file.text[..claim.start as usize];
        // What stands before the claim on its own line is no comment.
        let above = before.rsplit_once('\n').map_or("", |(above, _)| above);
        let lines = above.lines().rev().map(str::trim);
        let comment = lines.map_while(|line| line.strip_prefix('%'));
        let mut comment: Vec<&str> = comment
            .map(|line| line.trim_start_matches('%').trim())
            .collect();
        comment.reverse();
        let formula = study.sources.text(formula);
        let words: Vec<&str> = formula.split_whitespace().collect();
        Self {
            formula: words.join(" "),
            comment: comment.join(" "),
        }
    }
}
