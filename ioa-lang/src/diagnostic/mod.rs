//! What is wrong with a source text, said for people: facts first, wording chosen where the fact is found,
//! rendered in one place.

mod render;

pub use render::{render, summary};

use std::panic::Location;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model has no meaning until this is mended.
    Error,
    /// The model has a meaning, though probably not the intended one.
    Warning,
}

/// One mistake (or doubt) at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong. If the reader sees only one line, it is this one.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What stands under the caret: what was expected there, what was found. May be empty.
    pub label: String,
    /// Other places that matter, each with what it contributes.
    pub related: Vec<(Span, String)>,
    /// What the reader might do about it.
    pub help: Vec<String>,
    /// The check that found it.
    pub check: Check,
}

/// The place in this crate's own source where a diagnostic is made: for tests that ask whether all are explained. Two
/// diagnostics that say the same are equal, wherever they were made.
#[derive(Clone, Copy, Debug)]
pub struct Check(pub &'static Location<'static>);

impl PartialEq for Check {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Check {}

impl Diagnostic {
    /// An error at `span`.
    #[must_use]
    #[track_caller]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
            check: Check(Location::caller()),
        }
    }

    /// A warning at `span`.
    #[must_use]
    #[track_caller]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, message)
        }
    }

    /// Sets the text under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

/// Whether any of these is an error.
#[must_use]
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The known name nearest to a misspelt one, if one is near enough to be worth suggesting.
#[must_use]
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + wanted.chars().count() / 4;
    known
        .into_iter()
        .filter(|name| *name != wanted)
        .map(|name| {
            (
                strsim::damerau_levenshtein(&wanted.to_lowercase(), &name.to_lowercase()),
                name,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
}
